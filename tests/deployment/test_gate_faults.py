"""Which faults a gate sees on which product: each kind is planted on each, and what one does not tell is listed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from fabric.deployment import Thresholds
from fabric.deployment.connection.device_session import Connection
from fabric.deployment.gates.judge import missing, not_counted, worse
from fabric.deployment.gates.snapshot import Snapshot, snapshot
from fabric.deployment.gates.thresholds import LLDP_S
from fabric.platforms.emulation import HasRoutes, PortFault
from fabric.platforms.registry import platform
from tests.platforms.sites import LEAF, SPINE, Words, services, state
from tests.verification.ethernet.played import PLAYED, Played, network, played

STRICT = Thresholds(errors=0, discards=0, pause_frames=0, marked=0)
OUT = "reason: swap the fan, owner: ops, expires: '2099-01-01'"
SHUT = state(f"drained: [{{device: {SPINE}, mode: shut, {OUT}}}]")
FAR_SHUT = state(f"drained: [{{device: leaf-1-0, mode: shut, {OUT}}}]")

PORT_FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "a port is down": ({"down": True}, ": is down"),
    "a port has another speed": ({"speed_mbps": 100_000}, "runs at 100,000 Mbit/s, before"),
    "a port corrects errors otherwise": ({"fec": "fc-fec"}, "error correction is "),
    "frames with errors": ({"errors_per_s": 7}, "frames with errors since"),
    "packets dropped": ({"discards_per_s": 7}, "packets dropped since"),
    "PFC frames received": ({"pause_received_per_s": 7}, "PFC frames since"),
    "PFC frames sent": ({"pause_sent_per_s": 7}, "PFC frames since"),
    "packets marked with ECN": ({"marked_per_s": 7}, "packets marked with ECN since"),
}
NEIGHBOR_FAULTS: dict[str, tuple[str, Words, str]] = {
    "a session is down": (SPINE, SHUT, "BGP session with "),
    "a route has fewer next hops": (SPINE, SHUT, " next hop, before "),
    "fewer prefixes are sent": ("leaf-1-0", FAR_SHUT, "prefixes of ipv4 are sent, before"),
    "a route is gone": ("leaf-1-0", FAR_SHUT, ": is gone"),
    "LLDP sees nobody": (SPINE, services("lldp: false"), "LLDP does not see spine-0 "),
}
SOUND = PortFault(speed_mbps=400_000)
"""What a port tells before: some products say nothing of a speed that nobody configured."""
NOT_TOLD = {
    ("cumulus", "packets marked with ECN"),
    ("junos", "PFC frames received"),
    ("junos", "PFC frames sent"),
    ("junos", "packets marked with ECN"),
    ("nxos", "packets marked with ECN"),
    ("sonic", "LLDP sees nobody"),
}
"""Product and kind of fault: the driver has no source for it. SONiC's LLDP is a container that no intent ends."""
ROUTES = {"a route has fewer next hops", "fewer prefixes are sent", "a route is gone"}
"""Seen where the emulator evaluates routes; of what runs FRR they are seen in the lab."""


@pytest.fixture(scope="module", params=PLAYED)
def site(request: pytest.FixtureRequest) -> Iterator[Played]:
    with played(network(request.param)) as made:
        yield made


def seen(site: Played) -> Snapshot:
    kind = platform(site.devices[LEAF].platform)
    with Connection(site.sandbox.targets[LEAF], kind) as device:
        return snapshot(device, kind)


def told(before: Snapshot, now: Snapshot) -> tuple[str, ...]:
    return (*missing(LEAF, before, now, {}, STRICT), *worse(LEAF, before, now, STRICT))


def judge(site: Played, kind: str, complaints: tuple[str, ...], words: str) -> None:
    has_routes = all(isinstance(device, HasRoutes) for device in site.sandbox.network.values())
    is_known = (site.devices[LEAF].platform, kind) not in NOT_TOLD and (has_routes or kind not in ROUTES)
    assert any(words in complaint for complaint in complaints) is is_known, complaints


def test_a_sound_device_is_told_nothing_of(site: Played) -> None:
    before = seen(site)
    site.sandbox.advance(10)

    assert told(before, seen(site)) == ()


@pytest.mark.parametrize("kind", PORT_FAULTS)
def test_a_fault_of_a_port_closes_the_gate(site: Played, kind: str) -> None:
    fault, words = PORT_FAULTS[kind]
    port = site.port(LEAF, SPINE)
    with site.faulty(LEAF, ports={port: SOUND}):
        before = seen(site)
        with site.faulty(LEAF, ports={port: msgspec.structs.replace(SOUND, **fault)}):
            now = seen(site)
    complaints = told(before, now)

    judge(site, kind, complaints, words)
    asked = {"PFC frames received": "PFC frames", "packets marked with ECN": kind}
    if kind in asked:
        is_unknown = (site.devices[LEAF].platform, kind) in NOT_TOLD
        assert (asked[kind] in not_counted(now, STRICT)) is is_unknown


def test_a_neighbour_whose_cable_was_cut_before_may_be_forgotten(site: Played) -> None:
    """Its entry lives for two minutes after that, into the time in which a gate watches."""
    assert seen(site).neighbors
    with site.faulty(LEAF):
        site.sandbox.set_faults(LEAF, ports={site.port(LEAF, SPINE): PortFault(down=True)})
        before = seen(site)
        site.sandbox.advance(LLDP_S)
        now = seen(site)

    assert before.neighbors - now.neighbors  # the control: it was still told
    assert not any("LLDP" in complaint for complaint in missing(LEAF, before, now, {}, STRICT))


@pytest.mark.parametrize("kind", NEIGHBOR_FAULTS)
def test_a_fault_of_a_neighbour_closes_the_gate(site: Played, kind: str) -> None:
    device, change, words = NEIGHBOR_FAULTS[kind]
    before = seen(site)
    with site.running(device, network(site.devices[LEAF].platform, change)):
        complaints = told(before, seen(site))

    judge(site, kind, complaints, words)
