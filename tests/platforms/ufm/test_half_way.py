"""A commit is a series of requests: wherever it stops, on the way there or back, UFM has what it had before.

Unless somebody has written something else there meanwhile, or taken something away: that stays, and is told.
"""

from __future__ import annotations

import math
import os
import signal
from collections.abc import Callable
from copy import deepcopy
from importlib import import_module
from typing import Any, NamedTuple

import pytest

from fabric import api
from fabric.deployment import State, break_lock, device_steps, holder
from fabric.deployment.journal_store.journal import Journal
from fabric.deployment.unlock import give_up, left_behind
from fabric.deployment.waves import settle_devices
from fabric.deployment.waves.batch import Batch
from fabric.diagnostics import DeviceError, JournalFailed, Refused
from fabric.platforms.ufm.session import UfmDriver
from tests.platforms.ufm.server import Partition
from tests.platforms.ufm.server import Refused as Unwilling
from tests.platforms.ufm.test_push import ALLOWED, FAST, SITE, Site, of, site

__all__ = ["site"]

RED, GREEN = 'pkey: "0x1001"', '  green: {hosts: [dgx-0-1], partition: {pkey: "0x1003"}}\n'
INDEX0 = SITE.replace(RED, f"{RED}, index0: true").replace('pkey: "0x1002"', 'pkey: "0x1002", index0: true')
SHUT = "the gate does not open"


class Change(NamedTuple):
    """Two intents and the hosts of two tenants, one after the other."""

    before: str
    after: str
    red: tuple[str, str] = ("dgx-0-0", "dgx-0-1")
    blue: tuple[str, str] = ("dgx-1-0", "dgx-1-1")


CHANGES = {
    "other hosts": Change(SITE, SITE),
    "other hosts, first in their tables": Change(INDEX0, INDEX0),
    "one more host, first in its table": Change(INDEX0, INDEX0, red=("dgx-0-0", "dgx-0-0, dgx-0-1")),
    "one more tenant": Change(SITE, SITE + GREEN, red=("dgx-0-0", "dgx-0-0")),
    "one tenant less": Change(SITE + GREEN, SITE, red=("dgx-0-0", "dgx-0-0")),
    "other limits": Change(SITE, SITE.replace(RED, f"{RED}, rate_limit_gbps: 100")),
    "first in their tables from now on": Change(SITE, INDEX0, red=("dgx-0-0", "dgx-0-0")),
    "without IPoIB from now on": Change(SITE, SITE.replace(RED, f"{RED}, ipoib: false")),
}
RELEASES = ("6.19.0", "6.22.1-4")
"""The first one gives partitions names of its own."""


def every_change(law: Any) -> Any:
    """Of both releases."""
    return pytest.mark.parametrize("name", CHANGES)(pytest.mark.parametrize("release", RELEASES)(law))


class Killed(BaseException):
    """Nobody writes this down."""


def planned(one: Site, name: str, release: str = RELEASES[-1]) -> None:
    """A change that is planned on what it finds."""
    what, one.node.release = CHANGES[name], release
    one.text = what.before
    one.plan(what.red[0], what.blue[0], adopt=True)
    assert one.apply().outcome == "done"
    one.text = what.after
    assert one.plan(what.red[1], what.blue[1]).changed


@pytest.fixture
def planned_site(site: Site) -> Site:
    planned(site, "other hosts")
    return site


def found(one: Site) -> dict[str, Any]:
    """All of UFM's partitions, by P_Key."""
    rows = one.node.database.partitions.items()
    return {
        key: (row.mtu_limit, row.service_level, row.rate_limit, row.ip_over_ib, dict(row.members))
        for key, row in rows
    }


def out_of_order(one: Site, after: int, requests: float = 2) -> None:
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


def killed(one: Site, monkeypatch: pytest.MonkeyPatch, where: str, after: int = 99) -> None:
    """As `kill -9` does in the middle of a commit, or in a step of the wave."""
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
        patch.setattr(Batch, where, die)
        patch.setattr(Batch, "_take_back", die)
        with pytest.raises(Killed):
            one.apply()


def resumed(one: Site) -> None:
    api.resume(api.compile(one.folder), one.place, pace=FAST)


def rolled_back(one: Site, number: int | None = None) -> None:
    api.rollback(api.compile(one.folder), one.place, number, pace=FAST, allow=ALLOWED)


@pytest.mark.covering(2)
@every_change
@pytest.mark.parametrize("after", range(6))
def test_a_push_stops(site: Site, name: str, release: str, after: int) -> None:
    planned(site, name, release)
    before = found(site)
    out_of_order(site, after)
    result = site.apply()

    if result.outcome == "done":
        what = CHANGES[name]
        assert after > 0  # it has fewer requests
        assert site.plan(what.red[1], what.blue[1]).changed == ()
    else:
        assert result.in_state(State.REVERTED) == ("ufm-1",)
        assert found(site) == before


@pytest.mark.covering(2)
@every_change
@pytest.mark.parametrize("after", range(1, 5))
def test_the_way_back_stops(
    site: Site, monkeypatch: pytest.MonkeyPatch, name: str, release: str, after: int
) -> None:
    planned(site, name, release)
    before = found(site)
    shut(monkeypatch, lambda: out_of_order(site, after))
    result = site.apply()

    assert result.in_state(State.REVERTED) == ("ufm-1",)
    assert found(site) == before


@pytest.mark.parametrize("after", [1, 2])
def test_somebody_stops_it(planned_site: Site, after: int) -> None:
    before, seen = found(planned_site), 0

    def fault(method: str, _path: str) -> None:
        nonlocal seen
        seen += method != "GET"
        if seen == after and method != "GET":
            os.kill(os.getpid(), signal.SIGINT)

    planned_site.node.fault = fault
    with pytest.raises(KeyboardInterrupt):
        planned_site.apply()
    assert found(planned_site) == before


@pytest.mark.covering(2)
@every_change
@pytest.mark.parametrize("verb", [resumed, rolled_back])
@pytest.mark.parametrize("after", range(6))
def test_it_is_killed(
    site: Site,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    release: str,
    verb: Callable[[Site], None],
    after: int,
) -> None:
    """Nobody but the run has touched it: that goes on, and goes back, from any half of it."""
    planned(site, name, release)
    before = found(site)
    killed(site, monkeypatch, "_gate", after)
    verb(site)

    if verb is rolled_back:
        assert found(site) == before
    else:
        what = CHANGES[name]
        assert site.plan(what.red[1], what.blue[1]).changed == ()


@pytest.mark.parametrize("name", ["other hosts", "other hosts, first in their tables"])
def test_a_failover_loses_what_was_written_last(
    site: Site, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    planned(site, name)
    before = found(site)
    shut(monkeypatch, site.node.database.partitions["0x1001"].members.clear)
    result = site.apply()

    assert result.in_state(State.REVERTED) == ("ufm-1",)
    assert found(site) == before


@pytest.mark.parametrize("verb", [resumed, rolled_back])
def test_a_failover_loses_what_the_gate_has_let_pass(
    planned_site: Site, monkeypatch: pytest.MonkeyPatch, verb: Callable[[Site], None]
) -> None:
    before = found(planned_site)
    killed(planned_site, monkeypatch, "_confirm")
    members = planned_site.node.database.partitions["0x1001"].members
    members.pop(next(iter(members)))
    verb(planned_site)

    if verb is rolled_back:
        assert found(planned_site) == before
    else:
        assert planned_site.plan("dgx-0-1", "dgx-1-1").changed == ()


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


def test_another_operator_keeps_a_half_of_it(planned_site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """He has taken the lock away, and brought one tenant back, when our confirmation gets no answer."""
    confirm, done = device_steps.confirm, list[str]()

    def silent(work: Any) -> Any:
        if done:
            return confirm(work)
        done.append("begun")
        journal = planned_site.place.journal()
        known = holder(journal, "ufm")
        assert known is not None
        assert break_lock(journal, "ufm", known)
        give_up(journal, left_behind(journal, "ufm", 2))
        planned_site.plan("dgx-0-1", "dgx-1-0")
        done.append(planned_site.apply().outcome)
        raise DeviceError(work.job.device, "the connection died")

    monkeypatch.setattr(device_steps, "confirm", silent)
    with pytest.raises(Refused, match="the lock of run 2 was taken away"):
        planned_site.apply()

    assert done == ["begun", "done"]
    assert planned_site.members() == {"0x1001": of(1), "0x1002": of(2)}


@pytest.mark.parametrize("has_members", [True, False])
def test_somebody_takes_away_what_is_his(
    site: Site, monkeypatch: pytest.MonkeyPatch, *, has_members: bool
) -> None:
    """A partition that no change of ours touches."""
    site.plan("dgx-0-0", "dgx-1-0", adopt=True)
    site.apply()
    site.node.database.partitions["0x77"] = other = Partition("slurm")
    if has_members:
        other.members["0002c90300000001"] = {"membership": "full", "index0": True}
    site.plan("dgx-0-1", "dgx-1-1")
    shut(monkeypatch, lambda: site.node.database.partitions.pop("0x77"))
    result = site.apply()

    assert result.in_state(State.REVERTED) == ()
    assert "0x77" not in site.members()


def test_somebody_takes_something_away_before_the_push_begins(
    planned_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ends there: nothing that UFM has is ours."""
    mark_wave = Journal.mark_wave

    def marked(journal: Journal, run: int, number: int, state: str, reason: str = "") -> None:
        if state == "pushing":
            members = planned_site.node.database.partitions["0x1001"].members
            members.pop(next(iter(members)))
            raise JournalFailed("the disk is full")
        mark_wave(journal, run, number, state, reason)

    monkeypatch.setattr(Journal, "mark_wave", marked)
    with pytest.raises(JournalFailed, match="the disk is full"):
        planned_site.apply()
    assert len(planned_site.members()["0x1001"]) == 1


def in_order(one: Site) -> None:
    one.node.fault = lambda *_: None


@pytest.mark.covering(2)
@every_change
@pytest.mark.parametrize("after", range(4))
def test_a_run_ends_with_half_of_it(site: Site, name: str, release: str, after: int) -> None:
    """UFM refuses whatever is written from then on, and is well again an hour later."""
    planned(site, name, release)
    before = found(site)
    out_of_order(site, after, math.inf)
    result = site.apply()
    in_order(site)

    assert result.outcome == "failed" or after > 0  # it has fewer requests
    if result.outcome == "failed" and found(site) == before:
        with pytest.raises(Refused, match="FAB725"):
            rolled_back(site)
    else:
        rolled_back(site)
    assert found(site) == before


@pytest.mark.parametrize("number", [None, 2])
@pytest.mark.parametrize("after", range(1, 5))
def test_a_rollback_ends_with_half_of_it(planned_site: Site, after: int, number: int | None) -> None:
    """Whichever is named: that of the run goes on, and is planned from what UFM has."""
    before = found(planned_site)
    assert planned_site.apply().outcome == "done"
    out_of_order(planned_site, after, math.inf)
    rolled_back(planned_site)
    in_order(planned_site)
    rolled_back(planned_site, number)

    assert found(planned_site) == before


def test_half_that_somebody_has_changed_since_is_his(planned_site: Site) -> None:
    out_of_order(planned_site, 2, math.inf)
    planned_site.apply()
    in_order(planned_site)
    (theirs, *_) = of(2)
    planned_site.node.database.partitions["0x77"] = other = Partition("slurm")
    other.members[theirs] = {"membership": "full", "index0": True}
    seen = found(planned_site)

    with pytest.raises(Refused, match="ufm-1"):
        rolled_back(planned_site)
    assert found(planned_site) == seen


def test_a_plan_goes_on_from_half(planned_site: Site) -> None:
    """What it has to do is told, and done."""
    out_of_order(planned_site, 2, math.inf)
    (left,) = planned_site.apply().devices
    in_order(planned_site)

    assert (left.state, left.reason[:34]) == (State.LEFT_TO_TIMER, "it takes nothing back by itself: u")

    assert planned_site.plan("dgx-0-1", "dgx-1-1").changed
    assert planned_site.apply().outcome == "done"
    assert planned_site.plan("dgx-0-1", "dgx-1-1").changed == ()
    assert planned_site.members() == {"0x1001": of(1), "0x1002": of(3)}


@pytest.mark.parametrize("after", range(1, 5))
def test_a_rollback_that_ended_with_half_is_taken_back_and_done_again(planned_site: Site, after: int) -> None:
    before = found(planned_site)
    assert planned_site.apply().outcome == "done"
    new = found(planned_site)
    out_of_order(planned_site, after, math.inf)
    rolled_back(planned_site)
    in_order(planned_site)
    assert found(planned_site) not in (before, new)
    rolled_back(planned_site, 3)
    assert found(planned_site) == new
    rolled_back(planned_site, 2)

    assert found(planned_site) == before


LOW = '  green: {hosts: [dgx-0-1], partition: {pkey: "0x1000"}}\n'
"""A tenant that comes before the others."""


def half_of_a_new_tenant(site: Site, after: int) -> dict[str, Any]:
    """A run ends with so many requests of it done; returns what UFM had before."""
    site.plan("dgx-0-0", "dgx-1-0", adopt=True)
    assert site.apply().outcome == "done"
    before, site.text = found(site), SITE + LOW
    assert site.plan("dgx-0-0", "dgx-1-1").changed
    out_of_order(site, after, math.inf)
    site.apply()
    in_order(site)
    return before


@pytest.mark.parametrize("after", range(1, 8))
def test_half_of_a_new_tenant_goes_with_it(site: Site, after: int) -> None:
    """It is given up in the intent before all of it was there: nobody else has made that half."""
    before = half_of_a_new_tenant(site, after)
    site.text = SITE
    if site.plan("dgx-0-0", "dgx-1-0").changed:
        assert site.apply().outcome == "done"

    assert found(site) == before


@pytest.mark.parametrize("after", range(1, 6))
def test_half_of_a_first_apply_goes_with_what_is_given_up(site: Site, after: int) -> None:
    site.plan("dgx-0-0", "dgx-1-0", adopt=True)
    out_of_order(site, after, math.inf)
    site.apply()
    in_order(site)
    site.text = SITE.replace('  blue: {hosts: [BLUE], partition: {pkey: "0x1002"}}\n', "").replace(
        "0x1001", "0x1009"
    )
    assert site.text.count("pkey") == 1
    site.plan("dgx-0-0", "dgx-1-0", adopt=True)
    assert site.apply().outcome == "done"

    assert site.members() == {"0x1009": of(0)}


@pytest.mark.parametrize("after", range(1, 5))
def test_half_to_which_a_later_run_was_taken_back_goes_with_what_is_given_up(site: Site, after: int) -> None:
    before = half_of_a_new_tenant(site, after)
    half = found(site)
    assert site.plan("dgx-0-0", "dgx-1-1").changed
    assert site.apply().outcome == "done"
    rolled_back(site, 3)
    assert found(site) == half
    site.text = SITE
    site.plan("dgx-0-0", "dgx-1-0")
    assert site.apply().outcome == "done"

    assert found(site) == before


def put_right(one: Site, before: dict[str, Partition]) -> None:
    """Somebody brings all of UFM back to what it had."""
    one.node.database.partitions.clear()
    one.node.database.partitions.update(before)


def test_half_that_somebody_has_put_right_is_not_ours_any_more(planned_site: Site) -> None:
    journal = planned_site.place.journal()
    earlier, before = journal.applied("ufm"), deepcopy(planned_site.node.database.partitions)
    out_of_order(planned_site, 2, math.inf)
    planned_site.apply()
    in_order(planned_site)
    planned_site.plan("dgx-0-1", "dgx-1-1")
    assert journal.steps(2)[0].after
    put_right(planned_site, before)
    planned_site.plan("dgx-0-0", "dgx-1-0")

    assert journal.steps(2)[0].state is State.REVERTED
    assert journal.applied("ufm") == earlier
    assert api.drift(api.compile(planned_site.folder), planned_site.place).drifted == ()


def test_half_of_a_first_apply_that_somebody_has_put_right_is_not_ours_any_more(site: Site) -> None:
    """Another one has that P_Key since."""
    before = deepcopy(site.node.database.partitions)
    site.plan("dgx-0-0", "dgx-1-0", adopt=True)
    out_of_order(site, 3, math.inf)
    site.apply()
    in_order(site)
    site.plan("dgx-0-0", "dgx-1-0", adopt=True)
    put_right(site, before)
    site.plan("dgx-0-0", "dgx-1-0", adopt=True)
    site.node.database.partitions["0x1001"] = theirs = Partition("slurm")
    theirs.members["0002c90300000001"] = {"membership": "full", "index0": False}
    site.text = SITE.replace("0x1001", "0x1009")
    site.plan("dgx-0-0", "dgx-1-0", adopt=True)
    assert site.apply().outcome == "done"

    assert "0x1001" in site.members()


@pytest.mark.parametrize("after", [2, 3])
@pytest.mark.parametrize(
    "since", ["drift is written down", "a run that went back to it", "half of another run"]
)
def test_half_stays_ours_whatever_was_done_since(
    site: Site, monkeypatch: pytest.MonkeyPatch, after: int, since: str
) -> None:
    """A new tenant of which half is there is given up."""
    before = half_of_a_new_tenant(site, after)
    if since == "drift is written down":
        drift = api.drift(api.compile(site.folder), site.place, record=True)
        assert (drift.drifted, drift.recorded) == ((), None)
    elif since == "a run that went back to it":
        assert site.plan("dgx-0-0", "dgx-1-1").changed
        with monkeypatch.context() as patch:
            shut(patch)
            assert site.apply().in_state(State.REVERTED) == ("ufm-1",)
    else:
        site.text = SITE + GREEN
        assert site.plan("dgx-0-0", "dgx-1-0").changed
        out_of_order(site, 1, math.inf)
        site.apply()
        in_order(site)
    site.text = SITE
    site.plan("dgx-0-0", "dgx-1-0")
    assert site.apply().outcome == "done"

    assert found(site) == before


def test_half_that_two_have_found_is_taken_back(planned_site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of them is a person of another name."""
    before, asking = found(planned_site), import_module("fabric.deployment.left_to_timers")
    out_of_order(planned_site, 2, math.inf)
    planned_site.apply()
    in_order(planned_site)
    for name in ("ana@one", "bob@two", "bob@two"):
        monkeypatch.setattr(asking, "person", lambda name=name: name)
        planned_site.plan("dgx-0-1", "dgx-1-1")
        assert planned_site.place.journal().steps(2)[0].after
    rolled_back(planned_site)

    assert found(planned_site) == before


def test_what_another_operator_applies_while_half_is_asked_for_stays_written_down(
    planned_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    out_of_order(planned_site, 2, math.inf)
    planned_site.apply()
    in_order(planned_site)
    ended, done = settle_devices.ended, list[Any]()

    def asked(work: Any) -> Any:
        answer = ended(work)
        if not done:
            done.append("begun")
            planned_site.plan("dgx-0-1", "dgx-1-1")
            done.append(planned_site.apply().outcome)
            done.append(planned_site.place.journal().applied("ufm"))
        return answer

    monkeypatch.setattr(settle_devices, "ended", asked)
    planned_site.plan("dgx-0-1", "dgx-1-1")

    assert done[1] == "done"
    assert planned_site.place.journal().applied("ufm") == done[2]
