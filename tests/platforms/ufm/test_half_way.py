"""A commit is a series of requests: wherever it stops, on the way there or back, UFM has what it had before.

Unless somebody has written something else there meanwhile: that stays, and is told.
"""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest

from fabric import api
from fabric.deployment import State
from fabric.deployment.waves.batch import Batch
from fabric.platforms.ufm.session import UfmDriver
from tests.platforms.ufm.server import Refused as Unwilling
from tests.platforms.ufm.test_push import ALLOWED, FAST, Site, of, site
from tests.platforms.ufm.test_two_at_once import planned

__all__ = ["site"]

BEFORE = {"0x1001": of(0), "0x1002": of(2)}
AFTER = {"0x1001": of(1), "0x1002": of(3)}
SHUT = "the gate does not open"


class Killed(BaseException):
    """Nobody writes this down."""


@pytest.fixture
def planned_site(site: Site) -> Site:
    planned(site, "dgx-0-1", "dgx-1-1")
    assert site.members() == BEFORE
    return site


def out_of_order(one: Site, after: int, requests: int = 2) -> None:
    """So many of the requests that write something are refused, after some that are taken: the way back with them."""
    seen = 0

    def fault(method: str, _path: str) -> None:
        nonlocal seen
        if method != "GET":
            seen += 1
            if after < seen <= after + requests:
                raise Unwilling(500, "out of order")

    one.node.fault = fault


def shut(monkeypatch: pytest.MonkeyPatch, then: Any = lambda: None) -> None:
    def gate(_batch: Batch) -> str:
        then()
        return SHUT

    monkeypatch.setattr(Batch, "_gate", gate)


@pytest.mark.parametrize("after", range(4))
def test_a_push_stops(planned_site: Site, after: int) -> None:
    out_of_order(planned_site, after)
    result = planned_site.apply()

    assert result.in_state(State.REVERTED) == ("ufm-1",)
    assert planned_site.members() == BEFORE


@pytest.mark.parametrize("after", [1, 2, 3])
def test_the_way_back_stops(planned_site: Site, monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    shut(monkeypatch, lambda: out_of_order(planned_site, after))
    result = planned_site.apply()

    assert result.in_state(State.REVERTED) == ("ufm-1",)
    assert planned_site.members() == BEFORE


@pytest.mark.parametrize("after", [1, 2])
def test_somebody_stops_it(planned_site: Site, after: int) -> None:
    seen = 0

    def fault(method: str, _path: str) -> None:
        nonlocal seen
        seen += method != "GET"
        if seen == after and method != "GET":
            os.kill(os.getpid(), signal.SIGINT)

    planned_site.node.fault = fault
    with pytest.raises(KeyboardInterrupt):
        planned_site.apply()
    assert planned_site.members() == BEFORE


@pytest.mark.parametrize("verb", [api.resume, api.rollback])
@pytest.mark.parametrize("after", range(5))
def test_it_is_killed(planned_site: Site, monkeypatch: pytest.MonkeyPatch, verb: Any, after: int) -> None:
    """Nobody but the run has touched it: that goes on, and goes back, from any half of it."""
    seen = 0

    def send(driver: UfmDriver, moves: Any) -> None:
        nonlocal seen
        for move in moves:
            if seen == after:
                raise Killed
            seen += 1
            driver._rest.call(move.method, move.path, move.body)

    def die(*_: Any) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(UfmDriver, "_send", send)
        patch.setattr(Batch, "_gate", die)
        patch.setattr(Batch, "_take_back", die)
        with pytest.raises(Killed):
            planned_site.apply()
    allowed = {"allow": ALLOWED} if verb is api.rollback else {}
    verb(api.compile(planned_site.folder), planned_site.place, pace=FAST, **allowed)

    assert planned_site.members() == (AFTER if verb is api.resume else BEFORE)


def test_a_failover_loses_what_was_written_last(planned_site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost() -> None:
        members = planned_site.node.database.partitions["0x1001"].members
        members.pop(next(iter(members)))

    shut(monkeypatch, lost)
    result = planned_site.apply()

    assert result.in_state(State.REVERTED) == ("ufm-1",)
    assert planned_site.members() == BEFORE


def test_somebody_writes_meanwhile(planned_site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    (theirs, *_) = of(2)

    def written() -> None:
        members = planned_site.node.database.partitions["0x1001"].members
        members[theirs] = next(iter(members.values()))

    shut(monkeypatch, written)
    result = planned_site.apply()

    assert result.in_state(State.FAILED) == ("ufm-1",)
    assert "runs neither what it ran before nor what was pushed" in result.devices[0].reason
    assert theirs in planned_site.members()["0x1001"]
