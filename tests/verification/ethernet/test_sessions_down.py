"""Whichever sessions are down at once: each is told once, by itself or with all others of one of its switches."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import combinations

import pytest

from fabric.platforms.device_state import BgpSession, DeviceAnswers
from fabric.verification.ethernet.check_sessions import check_sessions, planned_sessions
from tests.verification.ethernet.played import network, plan

LINKS = 8
"""Of four leaves with two spines."""


def told(down: set[frozenset[str]]) -> list[tuple[list[str], str]]:
    """Owners and text of each finding, while the sessions between these pairs of switches are down."""
    planned = plan(network("eos"))
    sessions: dict[str, dict[str, BgpSession]] = {}
    for each in planned_sessions(planned):
        is_up = frozenset((each.switch.name, each.neighbor.peer)) not in down
        actual = BgpSession(is_up=is_up, remote_asn=each.neighbor.remote_asn)
        sessions.setdefault(each.switch.name, {})[str(each.neighbor.address)] = actual
    answers = {
        name: DeviceAnswers(device=name, when=datetime.now(UTC), sessions=own)
        for name, own in sessions.items()
    }
    return [([*one.subjects], one.text) for one in check_sessions(planned, answers, ())]


def pairs() -> list[frozenset[str]]:
    return sorted(
        {
            frozenset((each.switch.name, each.neighbor.peer))
            for each in planned_sessions(plan(network("eos")))
        },
        key=sorted,
    )


@pytest.mark.parametrize("count", range(LINKS + 1))
def test_each_session_that_is_down_is_told_once(count):
    every = pairs()
    assert LINKS == len(every)
    for down in map(set, combinations(every, count)):
        findings = told(down)
        alone = [frozenset(owners) for owners, _ in findings if len(owners) > 1]
        whole = [owners[0] for owners, text in findings if len(owners) == 1 and text.startswith("all ")]

        assert len(findings) == len(alone) + len(whole)
        assert len(set(alone)) == len(alone)
        assert {pair for pair in down if not pair & {*whole}} == {*alone}
        for name in whole:
            assert {pair for pair in every if name in pair} <= down
        for name in {name for pair in every for name in pair} - {*whole}:
            own = {pair for pair in every if name in pair}
            assert not own <= down or all(pair & {*whole} for pair in own)
