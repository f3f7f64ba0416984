"""BGP and LLDP are computed from the wires and both ends' configurations."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_address

import pytest

from fabric.sandbox import Sandbox
from tests.platforms.eos import emulated

CONFIGS = emulated.configs()
HOLD_S = 180
"""Longest hold time of these configurations, and longer than LLDP's time to live."""


@pytest.fixture(name="box", scope="module")
def _box() -> Iterator[Sandbox]:
    with emulated.sandbox(block=2) as made:
        yield made


@pytest.fixture(name="fabric")
def _fabric(box: Sandbox) -> Sandbox:
    for name, config in CONFIGS.items():
        emulated.applied(box, name, config)
    return box


def peers(box: Sandbox, name: str = "leaf1") -> dict[str, bool]:
    """Neighbours by address, and whether they are up."""
    found = emulated.opened(box, name).get_bgp_neighbors().get("global", {"peers": {}})["peers"]
    return {address: peer["is_up"] for address, peer in found.items()}


def changed(box: Sandbox, name: str, *lines: str) -> None:
    """Somebody types on a console, and every session and neighbour that this ends has ended."""
    box.drift(name, *lines)
    box.advance(HOLD_S)


def test_both_sessions_come_up_from_both_ends(fabric):
    assert {"10.0.0.0": True} == peers(fabric)
    assert {"10.0.0.1": True, "10.0.0.3": True} == peers(fabric, "spine1")


def test_a_session_is_told_in_the_shape_that_napalm_reads(fabric):
    fabric.drift("spine1", "router bgp 65000", "redistribute connected")
    found = emulated.opened(fabric, "leaf1").get_bgp_neighbors()["global"]
    peer = found["peers"]["10.0.0.0"]

    assert ("10.255.0.1", 65101, 65000) == (found["router_id"], peer["local_as"], peer["remote_as"])
    assert ("10.255.0.0", True) == (peer["remote_id"], peer["is_enabled"])
    assert 2 == peer["address_family"]["ipv4"]["received_prefixes"]


CAUSES = [
    pytest.param("leaf1", ("interface Ethernet1/1", "shutdown"), id="our port is shut"),
    pytest.param("spine1", ("interface Ethernet1/1", "shutdown"), id="their port is shut"),
    pytest.param("spine1", ("interface Ethernet1/1", "speed 400g-4"), id="speeds differ"),
    pytest.param("leaf1", ("interface Ethernet1/1", "ip address 10.0.0.5/31"), id="another subnet"),
    pytest.param("leaf1", ("interface Ethernet1/1", "ip address 10.0.0.1/30"), id="another mask"),
    pytest.param("leaf1", ("interface Ethernet1/1", "vrf MGMT"), id="another vrf"),
    pytest.param(
        "leaf1", ("router bgp 65101", "neighbor 10.0.0.0 remote-as 65009"), id="wrong remote AS here"
    ),
    pytest.param(
        "spine1", ("router bgp 65000", "neighbor 10.0.0.1 remote-as 65009"), id="wrong remote AS there"
    ),
    pytest.param("spine1", ("no router bgp 65000",), id="no BGP there"),
    pytest.param("spine1", ("router bgp 65000", "no neighbor 10.0.0.1"), id="no neighbour there"),
    pytest.param("leaf1", ("router bgp 65101", "neighbor FABRIC password 0 other"), id="another password"),
    pytest.param("leaf1", ("router bgp 65101", "no neighbor FABRIC password"), id="no password"),
    pytest.param("spine1", ("router bgp 65000", "neighbor FABRIC shutdown"), id="shut there"),
    pytest.param("leaf1", ("router bgp 65101", "shutdown"), id="all BGP shut"),
    pytest.param("leaf1", ("no ip routing",), id="no routing"),
    pytest.param(
        "leaf1",
        ("router bgp 65101", "address-family ipv4", "no neighbor FABRIC activate"),
        id="not activated",
    ),
]


@pytest.mark.parametrize(("device", "lines"), CAUSES)
def test_a_session_is_down_if_one_thing_is_wrong_at_one_end(fabric, device, lines):
    if "speed" in lines[-1]:
        changed(fabric, "leaf1", "interface Ethernet1/1", "speed 800g-8")
    changed(fabric, device, *lines)

    assert not any(peers(fabric).values())
    assert not peers(fabric, "spine1").get("10.0.0.1", False)
    assert peers(fabric, "leaf2")["10.0.0.2"] == (
        lines != ("no router bgp 65000",) and "FABRIC shutdown" not in lines[-1]
    )


def test_a_session_shut_by_hand_is_told_as_not_enabled(fabric):
    changed(fabric, "leaf1", "router bgp 65101", "neighbor 10.0.0.0 shutdown")
    peer = emulated.opened(fabric, "leaf1").get_bgp_neighbors()["global"]["peers"]["10.0.0.0"]

    assert (False, False) == (peer["is_up"], peer["is_enabled"])


def test_passwords_match_across_groups_of_different_names(fabric):
    changed(
        fabric, "leaf1", "router bgp 65101", "neighbor OTHER peer group", "neighbor OTHER password 0 shared",
        "neighbor 10.0.0.0 peer group OTHER", "address-family ipv4", "neighbor OTHER activate",
    )  # fmt: skip

    assert {"10.0.0.0": True} == peers(fabric)


def test_unnumbered_sessions_find_each_other_over_link_local_addresses(fabric):
    group = ("neighbor FABRIC peer group", "no neighbor FABRIC password")
    for name, asn, peer in (("leaf1", 65101, 65000), ("spine1", 65000, 65101)):
        lines = ("interface Ethernet3/1", "no switchport", "ipv6 enable", f"router bgp {asn}")
        changed(
            fabric, name, *lines, *group, f"neighbor interface Ethernet3/1 peer-group FABRIC remote-as {peer}"
        )
    unnumbered = {address: up for address, up in peers(fabric).items() if address.startswith("fe80::")}
    (address,) = unnumbered

    assert [True] == list(unnumbered.values())
    assert ip_address(address.partition("%")[0]).is_link_local
    assert address.endswith("%Et3/1")

    changed(fabric, "spine1", "interface Ethernet3/1", "no ipv6 enable")

    assert not any(up for name, up in peers(fabric).items() if name.startswith("fe80:"))


def test_a_listen_range_with_a_filter_takes_neighbours_in(fabric):
    changed(
        fabric, "spine1", "peer-filter LEAVES", "10 match as-range 65100-65199 result accept", "router bgp 65000",
        "no neighbor 10.0.0.1", "bgp listen range 10.0.0.0/24 peer-group FABRIC peer-filter LEAVES",
    )  # fmt: skip

    assert {"10.0.0.0": True} == peers(fabric)


def heard(box: Sandbox, name: str) -> dict[str, list[dict[str, str]]]:
    """LLDP neighbours as NAPALM reads them."""
    found: dict[str, list[dict[str, str]]] = emulated.opened(box, name).get_lldp_neighbors()
    return found


def test_lldp_tells_what_the_wires_are(fabric):
    assert [{"hostname": "spine1", "port": "Ethernet1/1"}] == heard(fabric, "leaf1")["Ethernet1/1"]
    assert [{"hostname": "host1", "port": "nic0"}] == heard(fabric, "leaf1")["Ethernet2/1"]


def test_lldp_tells_the_configured_host_name(fabric):
    changed(fabric, "spine1", "hostname renamed")

    assert "renamed" == heard(fabric, "leaf1")["Ethernet1/1"][0]["hostname"]


@pytest.mark.parametrize(
    ("device", "lines"),
    [
        ("leaf1", ("interface Ethernet1/1", "no lldp receive")),
        ("spine1", ("interface Ethernet1/1", "no lldp transmit")),
        ("spine1", ("no lldp run",)),
        ("spine1", ("interface Ethernet1/1", "shutdown")),
    ],
)
def test_lldp_hears_nothing_if_either_end_is_off(fabric, device, lines):
    changed(fabric, device, *lines)

    assert "Ethernet1/1" not in heard(fabric, "leaf1")


def test_ports_are_up_where_both_ends_are_on(fabric):
    changed(fabric, "spine1", "interface Ethernet1/1", "shutdown")
    ports = emulated.opened(fabric, "leaf1").get_interfaces()

    assert (False, True) == (ports["Ethernet1/1"]["is_up"], ports["Ethernet1/1"]["is_enabled"])
    assert ports["Ethernet2/1"]["is_up"]
    assert (True, 9214) == (ports["Management1"]["is_up"], ports["Ethernet2/1"]["mtu"])


@pytest.mark.parametrize(("device", "lines"), [cause for cause in CAUSES if "speed" not in str(cause.id)])
def test_a_session_ends_at_once_where_its_device_knows_and_by_hold_time_at_the_other_end(
    fabric, device, lines
):
    ends = {"leaf1": "10.0.0.0", "spine1": "10.0.0.1"}
    other = "spine1" if device == "leaf1" else "leaf1"
    fabric.drift(device, *lines)

    assert not peers(fabric, device).get(ends[device], False)
    carrier_is_lost = lines[-1] == "shutdown" and lines[0].startswith("interface")
    assert carrier_is_lost != peers(fabric, other)[ends[other]]
    fabric.advance(HOLD_S - 2)
    assert carrier_is_lost != peers(fabric, other)[ends[other]]
    fabric.advance(2)
    assert not peers(fabric, other)[ends[other]]


def test_a_session_whose_cause_returns_in_time_never_fell(fabric):
    before = up_since(fabric)
    fabric.drift("spine1", "router bgp 65000", "neighbor FABRIC shutdown")
    fabric.advance(HOLD_S - 5)
    fabric.drift("spine1", "router bgp 65000", "no neighbor FABRIC shutdown")
    fabric.advance(10)

    assert before == up_since(fabric)
    assert {"10.0.0.0": True} == peers(fabric)


def up_since(box: Sandbox) -> float:
    """Since when the session of leaf1 is up."""
    ((_, (state,)),) = box.run(box.network["leaf1"].bgp)
    return state.since_s


@pytest.mark.parametrize(
    ("ours", "theirs", "hold_s"),
    [
        (("timers bgp 3 9",), (), 9),
        ((), ("timers bgp 10 30",), 30),
        (("timers bgp 3 9",), ("timers bgp 10 30",), 9),
        (("neighbor FABRIC timers 2 6",), ("timers bgp 10 30",), 6),
        (("neighbor FABRIC bfd",), (), 180),
        (("neighbor FABRIC bfd",), ("neighbor FABRIC bfd",), 0.9),
        (
            ("neighbor FABRIC bfd", "exit", "router bfd", "interval 1000 min-rx 1000 multiplier 5 default"),
            ("neighbor FABRIC bfd",),
            5,
        ),
    ],
)
def test_the_shorter_hold_time_counts_and_bfd_where_both_ends_have_it(fabric, ours, theirs, hold_s):
    changed(fabric, "leaf1", "router bgp 65101", *ours)
    changed(fabric, "spine1", "router bgp 65000", *theirs)
    assert {"10.0.0.0": True} == peers(fabric)
    fabric.drift("spine1", "no router bgp 65000")
    fabric.advance(hold_s * 0.5)
    assert {"10.0.0.0": hold_s > 5 or peers(fabric)["10.0.0.0"]} == peers(fabric)  # the machine may be slow
    fabric.advance(hold_s * 0.5)

    assert {"10.0.0.0": False} == peers(fabric)


def test_a_neighbour_of_lldp_stays_for_its_time_to_live(fabric):
    fabric.drift("spine1", "lldp hold-time 60")
    heard(fabric, "leaf1")
    fabric.drift("spine1", "interface Ethernet1/1", "shutdown")
    fabric.advance(55)
    assert "Ethernet1/1" in heard(fabric, "leaf1")
    fabric.advance(5)
    assert "Ethernet1/1" not in heard(fabric, "leaf1")


def test_what_restarts_loses_its_sessions_and_so_do_its_neighbours(fabric):
    emulated.opened(fabric, "spine1").device.run_commands(["enable", "write memory"])
    fabric.set_faults("spine1", reboot_s=60)
    fabric.reboot("spine1")

    assert {"10.0.0.0": False} == peers(fabric)
    fabric.advance(61)
    fabric.clear_faults("spine1")
    assert {"10.0.0.0": True} == peers(fabric)


def test_a_line_that_no_neighbour_notices_asks_none_of_them(fabric):
    looks: list[str] = []
    spine = fabric.network["spine1"]
    spine.look, look = lambda port="": looks.append(port), spine.look
    fabric.drift("leaf1", "ntp server 203.0.113.9")
    assert [] == looks
    fabric.drift("leaf1", "interface Ethernet1/1", "mtu 1500")
    spine.look = look

    assert ["Ethernet1/1", "Ethernet3/1"] == looks
