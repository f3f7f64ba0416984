"""A quantity of an intent prints itself with its unit: a finding that adds one says `90s ms`."""

from __future__ import annotations

import re

import pytest

from fabric.diagnostics import Invalid
from tests.platforms.everywhere import EXPECTATIONS, MODELS
from tests.platforms.sites import leaf, network, policy, refusals, services

TWICE = re.compile(r"\d(ms|s|min|B|KB|MB|KiB|m|km|G|M) (ms|s|min|B|KB|MB|bytes|m|G|Mb/s)\b")
ODD = {
    "idle timeout of no whole second": services("ssh: {idle_timeout: 90500ms}"),
    "long recovery": policy("watchdog: {action: drop, detect: 90500ms, restore: 90500ms, poll: 45s}"),
    "fast polling": policy("watchdog: {action: drop, detect: 201ms, restore: 203ms, poll: 2ms}"),
    "slow BFD": network("routing: {bfd: {interval: 9999ms}}"),
    "small marks": policy("classes: {roce: {ecn: {kmin: 1B, kmax: 2B}}}"),
    "long cables": network("cables: {host_leaf: {length: 299m}}"),
}
"""What products count in other steps, or not at all."""


def findings(name, words):
    """All that is said of the leaf, whatever becomes of it."""
    try:
        device = leaf(name, words)
    except Invalid as found:
        return found.diagnostics
    return refusals(device)


@pytest.mark.parametrize("words", ODD.values(), ids=ODD)
@pytest.mark.parametrize("name", sorted(MODELS))
def test_no_finding_says_a_unit_twice(name, words):
    told = [text for one in findings(name, words) for text in (one.rule, one.hint or "")]

    assert [] == [text for text in told if TWICE.search(text)]


@pytest.mark.parametrize("name", sorted(name for name in MODELS if EXPECTATIONS[name].is_told_idle_timeout))
def test_there_are_such_findings(name):
    assert findings(name, ODD["idle timeout of no whole second"])


def test_a_unit_that_is_said_twice_would_be_found():
    assert TWICE.search("counts in minutes, not 90s ms")
    assert TWICE.search("takes 512B bytes")
    assert not TWICE.search("counts in minutes, not 90 s")
