"""One scale of impacts: platforms, plans and waves call the same worse, and two changes at once are no milder."""

from __future__ import annotations

import importlib
import json
import pkgutil
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any, get_args

import pytest

from fabric.configuration import impacts
from fabric.configuration.impacts import SCALE, rank
from fabric.planning import Impact
from fabric.planning.texts import masked
from fabric.platforms.base import Block, BlockImpact
from fabric.platforms.registry import ROWS
from tests.platforms.everywhere import FEATURES, MODELS, capabilities, devices, product, texts

MOST_SETTINGS = 9
"""Of one block that are taken away, alone and in pairs."""


def test_planning_ranks_by_the_scale_of_the_platforms():
    assert [impact.value for impact in Impact] == list(SCALE)
    assert [impact.rank for impact in Impact] == [rank(word) for word in SCALE] == list(range(len(SCALE)))
    assert set(get_args(impacts.Impact)) == set(SCALE)


def test_what_takes_a_path_is_worse_than_what_only_loses_packets():
    """Only the first is looked at for hosts without another path: the milder word must not hide it."""
    assert (
        rank("hitless") < rank("buffer") < rank("flap") < rank("reload") < rank("isolating") < rank("lockout")
    )


@pytest.mark.parametrize("name", sorted(ROWS))
def test_every_table_of_impacts_uses_words_of_the_scale(name):
    found = set(words_of(name))

    assert found <= set(SCALE)
    assert found or name == "ufm"  # partitions only, judged without a table


def words_of(name: str) -> Iterator[str]:
    """The impacts in the tables of a platform's modules on impact."""
    package = importlib.import_module(f"fabric.platforms.{name}")
    for module in pkgutil.iter_modules(package.__path__):
        if module.name.startswith("impact"):
            loaded = importlib.import_module(f"{package.__name__}.{module.name}")
            for key, value in vars(loaded).items():
                if key.isupper():
                    yield from _words(value)


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, BlockImpact):
        yield value.impact
    elif isinstance(value, dict):
        for one in value.values():
            yield from _words(one)
    elif isinstance(value, (tuple, list)):
        last = value[-2:]  # (..., impact, reason)
        if (
            all(isinstance(one, str) for one in last)
            and len(last) > 1
            and last[0].isalpha()
            and " " in last[1]
        ):
            yield last[0]
        for one in value:
            yield from _words(one)


@pytest.mark.parametrize("name", sorted(MODELS))
def test_two_changes_of_a_block_are_no_milder_than_either(name):
    kind, judged = product(name), 0
    for block in blocks(name):
        single = {
            taken: rank(kind.block_impact(block.key, block, without(block, [taken])).impact)
            for taken in settings(block)[:MOST_SETTINGS]
        }
        for pair in combinations(single, 2):
            both = kind.block_impact(block.key, block, without(block, pair))
            judged += 1
            assert rank(both.impact) >= max(single[taken] for taken in pair), (block.key, pair, both)
    assert judged > 50


def blocks(name: str) -> Iterator[Block]:
    """One block of each kind that the product prints, the longest."""
    found: dict[str, Block] = {}
    for feature in ("two tiers", "vlan gateways", "ntp and syslog"):
        if not FEATURES[feature].able(capabilities(name)):
            continue
        for switch, text in texts(devices(name, feature)):
            if switch.name in ("leaf-0-0", "spine-0"):
                for block in product(name).blocks(masked(product(name).canonical(text))):
                    kind = block.key.split()[0].partition("|")[0]
                    if kind not in found or len(found[kind].text) < len(block.text):
                        found[kind] = block
    return iter(found.values())


Setting = tuple[Any, ...]
"""The path of a leaf of a JSON document, or the number of a line."""


def settings(block: Block) -> list[Setting]:
    """What can be taken away from a block, and leaves one."""
    document = _document(block)
    if document is not None:
        return list(_leaves(document, ()))
    lines = block.text.splitlines()
    depths = [len(line) - len(line.lstrip()) for line in lines]
    return [
        (number,)
        for number in range(1, len(lines))
        if depths[number] > 0
        and (number + 1 == len(lines) or depths[number + 1] <= depths[number])
        and lines[number].strip() != "}"
    ]


def without(block: Block, taken: Iterable[Setting]) -> Block:
    """A block without some of its settings."""
    document = _document(block)
    if document is None:
        gone = {number for (number,) in taken}
        left = [line for number, line in enumerate(block.text.splitlines()) if number not in gone]
        return Block(block.key, "".join(f"{line}\n" for line in left))
    for path in sorted(taken, key=repr, reverse=True):
        here = document
        for step in path[:-1]:
            here = here[step]
        del here[path[-1]]
    indent = 1 if "\n" in block.text.strip() else None
    return Block(block.key, json.dumps(document, indent=indent))


def _document(block: Block) -> Any:
    try:
        found = json.loads(block.text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _leaves(value: dict[str, Any], path: Setting) -> Iterator[Setting]:
    for key, below in value.items():
        if isinstance(below, dict):
            yield from _leaves(below, (*path, key))
        elif isinstance(below, list) and below and all(isinstance(one, dict) for one in below):
            for number, one in enumerate(below):
                yield from _leaves(one, (*path, key, number))
        elif key not in {"name", "index", "peer-address", "interface-id"}:
            yield (*path, key)
