"""Whole sites against the configurations that they must become, to the byte.

Each folder is a site; `expected/` holds the texts of the devices that prove the folder's name. `pytest
--update-golden tests/golden` writes them anew.
"""

from __future__ import annotations

import dataclasses
import shutil
from difflib import unified_diff
from pathlib import Path

import pytest

from fabric import api
from tests.platforms.expected_facts import expected_facts

HERE = Path(__file__).parent
CASES = sorted(path.parent for path in HERE.glob("*/site.yaml"))


@pytest.fixture(params=CASES, ids=lambda path: path.name)
def case(request) -> Path:
    return request.param


def test_a_site_becomes_what_it_became_before(case, update_golden):
    made = api.compile(case)
    shown = (case / "devices.txt").read_text().split()
    texts = {made.artifacts[name].path: made.artifacts[name].text for name in shown}
    if update_golden:
        shutil.rmtree(case / "expected", ignore_errors=True)
        for name, text in texts.items():
            path = case / "expected" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    expected = {
        str(path.relative_to(case / "expected")): path.read_text()
        for path in sorted((case / "expected").rglob("*"))
        if path.is_file()
    }

    assert expected == texts


def test_a_site_is_printed_the_same_twice(case):
    first, second = api.compile(case), api.compile(case)

    assert [first.artifacts[name].text for name in first.artifacts] == [
        second.artifacts[name].text for name in second.artifacts
    ]


def test_what_is_printed_is_read_back(case):
    from fabric.platforms.registry import platform

    made = api.compile(case)
    for name, switch in made.devices.items():
        product = platform(switch.platform)
        reading = product.read(made.artifacts[name].text)
        expected = {
            line.strip() for extra in getattr(switch, "extra", ()) for line in extra.text.splitlines()
        }

        assert expected_facts(switch) == reading.facts
        assert {line.strip() for _, line in reading.unread} <= expected


def test_nothing_that_is_printed_is_masked_as_what_nobody_knows(case):
    """What is masked is not compared: no plan would tell a change. Lines by hand are shown where they are ours."""
    from fabric.platforms.registry import platform

    made = api.compile(case)
    for name, switch in made.devices.items():
        text, dialect = made.artifacts[name].text, platform(switch.platform).dialect()
        shown = dataclasses.replace(dialect, masks_unknown=False).plain(text)
        by_hand = {line.strip() for extra in getattr(switch, "extra", ()) for line in extra.text.splitlines()}

        assert shown == dialect.plain(text, text)
        assert {
            line[1:].strip()
            for line in unified_diff(shown.splitlines(), dialect.plain(text).splitlines(), n=0)
            if line[0] == "-" and line[:3] != "---"
        } <= by_hand
