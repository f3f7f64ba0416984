"""A drain is done when traffic has left: on every product, by the counters of its ports towards other switches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from fabric.deployment import State
from fabric.deployment.events import DeviceStepped, TrafficUnknown
from fabric.deployment.gates.snapshot import Snapshot
from fabric.deployment.gates.traffic import Drain, traffic
from fabric.platforms.device_state import PortState
from fabric.platforms.emulation import PortFault
from tests.deployment.played_site import PACE, PLAYED, PlayedSite, ended, played_site
from tests.platforms.sites import LEAF, SPINE, Words, state

IMPATIENT = msgspec.structs.replace(PACE, gate_timeout_s=1)
SETTLED = ("done", "nothing")
"""How a run ends that leaves the site as intended, whatever a test before left it like."""
STUCK: dict[str, Any] = {"ports": {"*": PortFault(stuck_bytes_per_s=1e9)}}


def drained(device: str, mode: str) -> Words:
    return state(
        f"drained: [{{device: {device}, mode: {mode}, reason: swap the fan, owner: ops, expires: '2099-01-01'}}]"
    )


def shut(device: str, port: str) -> Words:
    return state(
        f"shut_ports: [{{device: {device}, port: {port}, reason: new optic, owner: ops, expires: '2099-01-01'}}]"
    )


@pytest.fixture(scope="module", params=PLAYED)
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedSite]:
    """A site that has been applied before."""
    with played_site(tmp_path_factory.mktemp("site"), request.param) as made:
        yield made


@pytest.mark.covering(most=1, apart=True)
def test_a_drain_waits_until_traffic_has_left_or_is_taken_back(site: PlayedSite) -> None:
    assert ended(site.apply()) in SETTLED
    before = site.running(SPINE)
    site.sandbox.set_faults(SPINE, **STUCK)
    compiled, plan = site.planned(drained(SPINE, "graceful"))
    (step,) = [device for device in plan.changed if device.device == SPINE]
    result = site.carry_out(compiled, pace=IMPATIENT)

    assert ("graceful", 4) == (step.drains, len(step.fabric_ports))
    assert result.in_state(State.REVERTED) == (SPINE,)
    assert "still carries" in result.waves[0].reason
    assert site.running(SPINE) == before

    site.sandbox.clear_faults(SPINE)
    result = site.apply(drained(SPINE, "graceful"))

    assert ended(result) == "done"
    assert not site.planned(drained(SPINE, "graceful"))[1].changed


@pytest.mark.covering(most=1, apart=True)
def test_what_a_drain_excuses_is_pushed_only_while_no_traffic_is_there(site: PlayedSite) -> None:
    """A port of a switch that is drained may flap, unless somebody still uses it."""
    assert ended(site.apply(drained(SPINE, "graceful"))) in SETTLED
    port = site.compiled().devices[SPINE].ports[0].name
    words = drained(SPINE, "graceful"), shut(SPINE, port)
    site.sandbox.set_faults(SPINE, **STUCK)
    result = site.apply(*words)

    assert result.outcome == "failed"
    assert "still carries" in result.waves[-1].reason
    assert "its drain has to be applied first" in result.waves[-1].reason
    assert State.COMMITTED not in [e.state for e in site.of(DeviceStepped) if e.device == SPINE]

    site.sandbox.clear_faults(SPINE)
    assert ended(site.apply(*words)) == "done"
    assert ended(site.apply(drained(SPINE, "graceful"))) == "done"


@pytest.mark.covering(most=1, apart=True)
def test_sessions_that_are_shut_and_a_drain_that_is_over_are_no_drain_to_wait_for(site: PlayedSite) -> None:
    """The second step takes nothing away any more; and traffic that comes back is what ending a drain is for."""
    assert ended(site.apply(drained(SPINE, "graceful"))) in SETTLED
    compiled, plan = site.planned(drained(SPINE, "shut"))
    assert [("shut", 4)] == [(d.drains, len(d.fabric_ports)) for d in plan.changed if d.device == SPINE]
    assert ended(site.carry_out(compiled)) == "done"

    site.sandbox.set_faults(SPINE, **STUCK)
    compiled, plan = site.planned()
    assert [("", 0)] == [(d.drains, len(d.fabric_ports)) for d in plan.changed if d.device == SPINE]
    assert ended(site.carry_out(compiled, pace=IMPATIENT)) == "done"
    site.sandbox.clear_faults(SPINE)


@pytest.mark.covering(most=1, apart=True)
def test_ports_towards_hosts_do_not_count(site: PlayedSite) -> None:
    """Hosts send to their leaf as long as they run: what has to leave it is what goes to other switches."""
    assert ended(site.apply()) in SETTLED
    result = site.apply(drained(LEAF, "shut"))

    assert (ended(result), site.of(TrafficUnknown)) == ("done", [])
    assert ended(site.apply()) == "done"


def reading(seconds: float, **counters: int | None) -> Snapshot:
    ports = {
        name: PortState(is_up=True, received_bytes=count, sent_bytes=0) for name, count in counters.items()
    }
    return Snapshot(ports=ports, read_s=seconds)


def draining(before: Snapshot) -> Drain:
    return Drain("spine", ("p1", "p2"), limit_mbps=10, counters_s=5, before=before)


def test_who_carried_nothing_before_is_drained_at_once() -> None:
    assert draining(reading(0, p1=7, p2=7)).read(reading(6, p1=1007, p2=7)) == ()


def test_a_reading_that_comes_too_early_decides_nothing() -> None:
    drain = draining(reading(0, p1=0, p2=0))

    assert "not known yet" in drain.read(reading(4, p1=0, p2=0))[0]
    assert "not known yet" in drain.read(reading(8, p1=10**9, p2=0))[0]
    assert drain.read(reading(9, p1=10**9, p2=0)) == (
        "spine p1: still carries 1,600 Mbit/s, 10 is allowed when drained (`drained_below`)",
    )
    assert drain.read(reading(10, p1=10**9, p2=0)) != ()
    assert drain.read(reading(14, p1=10**9, p2=0)) == ()


def test_counters_that_are_set_back_decide_nothing() -> None:
    assert traffic(reading(0, p1=9), reading(9, p1=1), ("p1",)) is None


def test_ports_without_counters_are_named_and_waited_for_by_nobody() -> None:
    drain = draining(reading(0, p1=None, p2=0))

    assert drain.read(reading(6, p1=None, p2=0)) == ()
    assert drain.unread == ("p1",)
