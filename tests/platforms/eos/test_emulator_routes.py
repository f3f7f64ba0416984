"""Routes of the emulated lab: prefixes by session, next hops by prefix, and what a change takes away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from fabric.platforms.emulation import PortFault
from fabric.sandbox.emulated_network import Network
from tests.platforms.eos.test_emulator_sites import compiled, lab

LEAF, FAR, SPINE = "leaf-0-0-0", "leaf-0-1-0", "spine-0-0"


@pytest.fixture(name="network")
def _network() -> Iterator[Network]:
    """The lab, and afterwards as it was."""
    network = lab()
    before = {name: device.store.running for name, device in network.items()}
    yield network
    for name, device in network.items():
        device.faults.ports = {}
        network.changed(name)
        device.store.run(before[name])
    network.clock.advance(1000)


def own(name: str) -> set[str]:
    """What a leaf is to announce, as the intent has it: its loopback and its hosts' networks."""
    routing = compiled("lab-8").devices[name].routing
    return {str(prefix) for prefix in routing.aggregates} | {f"{routing.router_id}/32"}


def learned(network: Network, name: str = LEAF) -> dict[str, int]:
    """Next hops by prefix."""
    return {prefix: len(ways) for prefix, ways in network[name].learned(4).items()}


def received(network: Network, name: str = LEAF) -> list[tuple[int, int]]:
    """IPv4 prefixes received and accepted, by session."""
    ((_, states),) = network[name].bgp()
    return [(state.received[0], state.accepted[0]) for state in states]


def towards(name: str, peer: str) -> list[str]:
    return [port.name for port in compiled("lab-8").devices[name].ports if port.peer == peer]


def test_a_leaf_reaches_what_the_others_of_its_plane_announce_over_every_uplink(network):
    uplinks = len(compiled("lab-8").devices[LEAF].routing.neighbors)
    found = learned(network)

    assert dict.fromkeys(own(FAR), uplinks) == {p: found[p] for p in own(FAR)}
    assert not own(LEAF) & found.keys()
    assert not own("leaf-1-0-0") & found.keys()  # the other plane
    assert {(3, 3)} == set(received(network))  # two of the far leaf, one of the spine


def test_no_route_from_upstream_goes_up_again(network):
    spines = [name for name in network if name.startswith("spine-0-")]

    assert all(
        not learned(network, spine).get(f"{router_id(other)}/32") for spine in spines for other in spines
    )


def router_id(name: str) -> str:
    return str(compiled("lab-8").devices[name].routing.router_id)


def test_a_spine_that_is_lost_takes_its_share_of_the_next_hops(network):
    width, lost = learned(network)[f"{router_id(FAR)}/32"], len(towards(LEAF, SPINE))
    network[SPINE].faults.ports = {"*": PortFault(down=True)}
    network.changed(SPINE)

    assert width - lost == learned(network)[f"{router_id(FAR)}/32"]
    assert f"{router_id(SPINE)}/32" not in learned(network)


@pytest.mark.parametrize(
    "lines",
    [
        ("router bgp {asn}", "no redistribute connected"),
        ("no route-map RM-TO-ABOVE permit 20",),
        ("no ip prefix-list PL-HOSTS", "no ip prefix-list PL-LOOPBACKS"),
    ],
    ids=["nothing brought in", "nothing let out", "lists that permit nothing"],
)
def test_prefixes_that_are_withdrawn_are_missing_at_the_others_though_every_session_is_up(network, lines):
    asn = compiled("lab-8").devices[FAR].routing.asn
    network[FAR].drift(tuple(line.format(asn=asn) for line in lines))

    assert not own(FAR) & learned(network).keys()
    assert {(1, 1)} == set(received(network))
    assert all(state.word == "Established" for _, states in network[LEAF].bgp() for state in states)


def test_what_the_far_end_does_not_accept_is_received_and_not_installed(network):
    network[LEAF].drift(("no ip prefix-list PL-ACCEPTED",))

    assert {} == learned(network)
    assert {(3, 0)} == set(received(network))


def test_a_spine_that_is_drained_keeps_its_sessions_and_carries_no_route_of_others(network):
    before = learned(network)
    ways = network[LEAF].learned(4)[f"{router_id(FAR)}/32"]
    asn = compiled("lab-8").devices[SPINE].routing.asn
    lines = ("route-map LEAVE permit 10", "set community GSHUT additive", f"router bgp {asn}")
    network[SPINE].drift((*lines, "address-family ipv4", "neighbor DOWN route-map LEAVE out"))
    after = network[LEAF].learned(4)[f"{router_id(FAR)}/32"]
    share = len(towards(LEAF, SPINE))

    assert (len(ways), len(ways) - share) == (before[f"{router_id(FAR)}/32"], len(after))
    assert share == learned(network)[f"{router_id(SPINE)}/32"]  # its own: there is no other way


def test_a_session_that_only_seems_up_keeps_its_routes_until_its_hold_time_is_over(network):
    width = learned(network)[f"{router_id(FAR)}/32"]
    asn = compiled("lab-8").devices[SPINE].routing.asn
    for name in (LEAF, SPINE):
        network[name].drift(("router bfd", "interval 60000 min-rx 60000 multiplier 50 default"))
        network[name].drift(
            (f"router bgp {compiled('lab-8').devices[name].routing.asn}", "timers bgp 60 180")
        )
    network[SPINE].drift((f"no router bgp {asn}",))

    assert width == learned(network)[f"{router_id(FAR)}/32"]
    network.clock.advance(200)
    assert width - len(towards(LEAF, SPINE)) == learned(network)[f"{router_id(FAR)}/32"]


def test_most_paths_bound_the_next_hops(network):
    asn = compiled("lab-8").devices[LEAF].routing.asn
    network[LEAF].drift((f"router bgp {asn}", "maximum-paths 3 ecmp 3"))

    assert {3} == set(learned(network).values())


def test_a_driver_reads_widths_and_prefixes(network):
    """In the shape that EOS's own driver of this program reads."""
    from fabric.platforms.eos import session_state
    from fabric.platforms.eos.emulator import show
    from fabric.platforms.eos.session import BGP
    from fabric.platforms.eos.session_answers import Routes

    answers: list[Any] = [
        msgspec.convert(show.answer(network[LEAF], command, "json"), kind) for command, kind in BGP.items()
    ]
    sessions = session_state.bgp_sessions(*answers)
    widths = session_state.route_widths(
        *(
            msgspec.convert(show.answer(network[LEAF], f"show {family} route bgp", "json"), Routes)
            for family in ("ip", "ipv6")
        )
    )

    assert learned(network) == widths
    assert {3} == {session.received["ipv4"] for session in sessions.values()}
    assert {3} == {session.installed["ipv4"] for session in sessions.values()}
    assert {compiled("lab-8").devices[LEAF].routing.hold_s} == {s.hold_s for s in sessions.values()}
