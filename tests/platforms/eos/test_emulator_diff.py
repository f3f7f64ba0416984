"""Diffs are unified diffs of the two configurations in EOS's order."""

from __future__ import annotations

import difflib
import random

import pytest

from fabric.platforms.eos.emulator.diff import unified
from fabric.platforms.eos.emulator.store import parse, text
from fabric.platforms.eos.emulator.tree import Block
from tests.platforms.eos.stanzas.reading import texts

CONFIGS = texts()


def patched(old: str, diff: str) -> str:
    """What the unified diff makes of a text."""
    rows, at, made = old.splitlines(), 0, []
    for line in diff.splitlines()[2:]:
        if line.startswith("@@"):
            first, _, count = line.split()[1][1:].partition(",")
            start = int(first) - (count != "0")
            made += rows[at:start]
            at = start
        elif line[:1] == "+":
            made.append(line[1:])
        else:
            assert rows[at] == line[1:]
            at += 1
            made += [line[1:]] * (line[:1] == " ")
    return "\n".join(made + rows[at:])


def test_equal_configurations_have_no_diff():
    for config in CONFIGS.values():
        assert "" == unified(parse(config), parse(config), "a", "b")


@pytest.mark.parametrize("seed", range(20))
def test_a_diff_turns_the_one_text_into_the_other(seed):
    chance = random.Random(seed)  # noqa: S311  # seeded on purpose
    old, new = (parse("\n".join(chance.sample(sorted(CONFIGS.values()), 4))) for _ in range(2))

    assert text(new).strip() == patched(text(old).strip(), unified(old, new, "a", "b"))


def test_a_diff_is_the_one_that_difflib_finds_for_a_small_change():
    old = parse(CONFIGS["published-l3ls-leaf"])
    new = parse(
        CONFIGS["published-l3ls-leaf"].replace("mtu 1500\n   no switchport", "mtu 9214\n   no switchport")
    )
    expected = difflib.unified_diff(text(old).splitlines(), text(new).splitlines(), "a", "b", lineterm="")

    assert "\n".join(expected) == unified(old, new, "a", "b")


def test_equal_parts_of_two_loads_are_one_object():
    old = parse(CONFIGS["published-l3ls-leaf"])
    new = parse(
        CONFIGS["published-l3ls-leaf"].replace("description ROUTER_ID", "description changed"), onto=old
    )
    shared = {id(item) for item in old.items if isinstance(item, Block)} & {id(item) for item in new.items}

    assert 1 == sum(isinstance(item, Block) for item in new.items) - len(shared)
