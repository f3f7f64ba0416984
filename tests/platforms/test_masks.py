"""Nothing that we print is masked as a line that nobody knows: no plan would tell a change of it."""

from __future__ import annotations

from dataclasses import replace
from difflib import unified_diff

import pytest
from hypothesis import HealthCheck, given, settings

from fabric.devices.model import Switch
from tests.platforms.cases import of
from tests.platforms.everywhere import MODELS, product
from tests.platforms.expected_facts import words
from tests.platforms.random_sites import switches
from tests.platforms.sites import printed, refusals

PRODUCTS = sorted(MODELS)
EVERY = [(name, case) for name in PRODUCTS for case in sorted(words(name).cases)]
MANY = settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))


def masked_lines(switch: Switch) -> list[str]:
    """The lines of a switch's text that are masked because no table knows them; those by hand left out."""
    text, dialect = printed(switch), product(switch.platform).dialect()
    shown, plain = (known.plain(text) for known in (replace(dialect, masks_unknown=False), dialect))
    own = {line.strip() for extra in switch.extra for line in extra.text.splitlines()}
    lines = unified_diff(shown.splitlines(), plain.splitlines(), n=0, lineterm="")
    return [line for line in lines if line[:1] == "-" and line[:3] != "---" and line[1:].strip() not in own]


@pytest.mark.parametrize(("name", "case"), EVERY)
def test_nothing_that_a_case_prints_is_masked(name: str, case: str) -> None:
    assert [] == masked_lines(of(name, words(name).cases[case]))


@pytest.mark.parametrize("name", PRODUCTS)
def test_nothing_that_any_switch_prints_is_masked(name: str) -> None:
    @MANY
    @given(switches(name))
    def every_switch(devices: list[Switch]) -> None:
        assert [] == [line for switch in devices if not refusals(switch) for line in masked_lines(switch)]

    every_switch()


@pytest.mark.parametrize("name", PRODUCTS)
def test_nothing_that_any_release_prints_is_masked(name: str) -> None:
    @MANY
    @given(words(name).random())
    def every_switch(switch: Switch) -> None:
        assert [] == masked_lines(switch)

    every_switch()
