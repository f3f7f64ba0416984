"""Configurations as NVUE's REST API has them (objects, numbers and texts of JSON), as its files have them, and between.

NVUE never shows a secret: it prints `*` in its place. Such a value cannot be written back, it would become the secret;
so what stands on the switch is left there, and everything around it is replaced.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import yaml

from fabric.configuration import Unreadable
from fabric.platforms.cumulus.documents import STEP, dump, load
from fabric.platforms.cumulus.secrets import NAMES, SECRETS

Tree = dict[str, Any]
Path = tuple[str, ...]
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
SHOWN = re.compile(r"\*+")
"""In place of a secret."""
SHORTEST_SECRET = 4
"""Letters: what is shorter stands in many words by chance."""
WORDS = {True: "on", False: "off"}
"""What YAML takes for a truth value is a word of NVUE's."""


class Removals(NamedTuple):
    """What of a running configuration has to go before another one is written."""

    objects: tuple[Path, ...]
    """An empty path: everything."""
    leaves: tuple[Path, ...]


def tree_of(text: str) -> Tree:
    """The objects that the `set` blocks of a file give together, numbers as numbers. `Unreadable`."""
    load(text)  # refuses what is no file of this product, with its line
    tree: Tree = {}
    for block in yaml.load(text, Loader=LOADER) or []:  # noqa: S506  # the safe one
        if isinstance(block, dict):
            merge(tree, _plain(block.get("set") or {}))
    return tree


def text_of(tree: Mapping[str, Any]) -> str:
    """A file with one `set` block, its keys in order: that of NVUE says nothing, and the same text means the same."""
    return dump(_in_order(_texts(tree)), STEP)


def _in_order(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _in_order(value[key]) for key in sorted(value)}
    return [_in_order(entry) for entry in value] if isinstance(value, list) else value


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            str(WORDS.get(key, key) if isinstance(key, bool) else key): _plain(v) for key, v in value.items()
        }
    if isinstance(value, list):
        return [_plain(entry) for entry in value]
    if value is None:
        return {}
    return WORDS[value] if isinstance(value, bool) else value if isinstance(value, int | str) else str(value)


def _texts(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _texts(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_texts(entry) for entry in value]
    if value is None:
        return {}
    return WORDS[value] if isinstance(value, bool) else str(value)


def merge(tree: Tree, other: Mapping[str, Any]) -> None:
    """Put what a second tree says into the first. A null takes a key away (NVUE API: unset)."""
    for key, value in other.items():
        if value is None:
            tree.pop(key, None)
        elif isinstance(value, dict):
            below = tree.get(key)
            if not isinstance(below, dict):
                below = tree[key] = {}
            merge(below, value)
        else:
            tree[key] = value


def below(tree: object, *path: str) -> Any:
    """What stands at a path; an empty object if nothing does."""
    here: object = tree
    for name in path:
        here = here.get(name, {}) if isinstance(here, dict) else {}
    return here


def table(tree: object, *path: str) -> Tree:
    """The object at a path; an empty one if there is something else, or nothing."""
    here = below(tree, *path)
    return here if isinstance(here, dict) else {}


def unknown_secrets(tree: Mapping[str, Any], path: Path = ()) -> Iterator[Path]:
    """Paths of secrets whose value is not known."""
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from unknown_secrets(value, (*path, key))
        elif key in (*SECRETS, *NAMES) and isinstance(value, str) and SHOWN.fullmatch(value):
            yield (*path, key)


def secrets_of(tree: Mapping[str, Any]) -> Iterator[str]:
    """Values of secrets that are known."""
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from secrets_of(value)
        elif key in (*SECRETS, *NAMES) and isinstance(value, str) and len(value) >= SHORTEST_SECRET:
            yield value


def without(tree: Mapping[str, Any], paths: frozenset[Path], path: Path = ()) -> Tree:
    """A tree without certain leaves."""
    return {
        key: without(value, paths, (*path, key)) if isinstance(value, dict) else value
        for key, value in tree.items()
        if (*path, key) not in paths
    }


def removals(running: Mapping[str, Any], wanted: Mapping[str, Any], kept: frozenset[Path]) -> Removals:
    """What to take away so that nothing stays but the wanted configuration and the secrets at `kept`.

    `Unreadable` if one of them is not on the switch.
    """
    for path in sorted(kept):
        if below(running, *path) in ({}, ""):
            raise Unreadable(1, f"the value of `{' '.join(path)}` is not known, and the switch has none")
    if not kept:
        return Removals(((),), ())
    above = {path[:depth] for path in kept for depth in range(len(path))}
    objects: list[Path] = []
    leaves: list[Path] = []
    _collect(running, wanted, (), above | kept, (objects, leaves))
    return Removals(tuple(objects), tuple(leaves))


def _collect(
    running: Mapping[str, Any],
    wanted: Mapping[str, Any],
    path: Path,
    spared: set[Path] | frozenset[Path],
    out: tuple[list[Path], list[Path]],
) -> None:
    for key, value in running.items():
        here = (*path, key)
        if here in spared:
            if isinstance(value, dict):
                _collect(value, below(wanted, key), here, spared, out)
        elif isinstance(value, dict):
            out[0].append(here)
        elif isinstance(below(wanted, key), dict):
            out[1].append(here)


def nested(path: Path, value: Any) -> Tree:
    """An object with one value at a path."""
    for key in reversed(path):
        value = {key: value}
    return dict(value)
