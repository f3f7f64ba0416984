"""The reader against our own output."""

from __future__ import annotations

import pytest

from fabric.platforms.sonic import PLATFORM
from tests.platforms.sonic.devices import CASES, printed


@pytest.mark.parametrize("case", sorted(CASES))
def test_what_is_printed_reads_back_as_the_same_device(case):
    device = CASES[case]()
    reading = PLATFORM.read(printed(device))

    assert () == reading.unread
    assert PLATFORM.project(device) == reading.facts


@pytest.mark.parametrize("case", sorted(CASES))
def test_the_canonical_form_says_the_same_and_stays_as_it_is(case):
    text = printed(CASES[case]())
    once = PLATFORM.canonical(text)

    assert PLATFORM.read(text).facts == PLATFORM.read(once).facts
    assert once == PLATFORM.canonical(once)
    assert PLATFORM.blocks(once)


def test_a_table_and_a_line_that_nobody_knows_are_reported():
    text = '#!part config_db.json\n{"FANCY": {"a": {}}}\n#!part frr.conf\nrouter bgp 1\n strange thing\n'

    assert ((2, "FANCY"), (5, "strange thing")) == PLATFORM.read(text).unread
