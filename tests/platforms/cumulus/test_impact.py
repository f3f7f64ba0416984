"""What a change does to traffic, and which changes could lock us out."""

from __future__ import annotations

from ipaddress import ip_address, ip_network

import msgspec
import pytest

from fabric.devices.model import HostAddressing, ManagementPort
from fabric.intent.model import Hashing, Ntp, Ssh, Tacacs, User
from fabric.platforms.cumulus import PLATFORM
from fabric.units import Duration
from tests.platforms.cumulus.devices import CASES, FACTORY, adaptive, ported, with_services
from tests.platforms.cumulus.printing import printed
from tests.platforms.eos.cases import unnumbered
from tests.platforms.eos.devices import (
    HASH,
    address,
    change,
    change_routing,
    host,
    leaf,
    queueing,
    queueing_of,
)


def canonical(device):
    """The canonical text of a switch."""
    return PLATFORM.canonical(printed(ported(device)))


def judged_texts(old, new):
    """Each changed object of two canonical texts with what its change does."""
    before, after = ({b.key: b for b in PLATFORM.blocks(text)} for text in (old, new))
    return {
        key: PLATFORM.block_impact(key, before.get(key), after.get(key))
        for key in sorted(before | after)
        if before.get(key) != after.get(key)
    }


def judged(old, new):
    """Each changed object of two switches."""
    return judged_texts(canonical(old), canonical(new))


def impacts(old, new):
    """Changed objects and the class of their change."""
    return {key: found.impact for key, found in judged(old, new).items()}


def with_port(device, index, **changes):
    """The same switch, one port changed."""
    ports = list(device.ports)
    ports[index] = msgspec.structs.replace(ports[index], **changes)
    return change(device, ports=tuple(ports))


def test_equal_switches_change_nothing():
    assert {} == judged(leaf(), leaf())


@pytest.mark.parametrize(
    ("changes", "impact"),
    [
        ({"peer_port": "nic1"}, "none"),
        ({"ip_mtu_bytes": 4000}, "flap"),
        ({"enabled": False}, "flap"),
        ({"addresses": (address("10.0.7.0/31"),)}, "flap"),
        ({"queueing": None}, "reload"),
    ],
)
def test_a_port_that_changes_is_judged_by_its_worst_setting(changes, impact):
    found = judged(leaf(), with_port(leaf(), 1, **changes))

    assert {"interface swp1s1"} == set(found)
    verdict = found["interface swp1s1"]
    assert impact == verdict.impact
    assert (() if impact in ("none", "reload") else ("swp1s1",)) == verdict.ports
    assert verdict.reason


def test_a_lossy_port_that_loses_its_queues_concerns_that_port_alone():
    found = judged(CASES["lossy"](), with_port(CASES["lossy"](), 1, queueing=None))

    assert ("buffer", ("swp1s1",)) == (found["interface swp1s1"].impact, found["interface swp1s1"].ports)


def test_a_new_curve_sets_up_queues_and_leaves_pfc_alone():
    kind = queueing_of(400_000)
    ecn = msgspec.structs.replace(kind.classes[1].ecn, kmin_bytes=7)
    classes = (kind.classes[0], msgspec.structs.replace(kind.classes[1], ecn=ecn), kind.classes[2])
    other = queueing(msgspec.structs.replace(kind, classes=classes), queueing_of(800_000, 40))

    assert {"qos congestion-control lossless-400g-5m": "buffer"} == impacts(
        leaf(), change(leaf(), queueing=other)
    )


def test_a_longer_cable_reloads_switchd():
    kind = msgspec.structs.replace(queueing_of(400_000), cable_m=50)
    other = queueing(kind, queueing_of(800_000, 40))

    assert {"qos pfc lossless-400g-5m": "reload"} == impacts(leaf(), change(leaf(), queueing=other))


def test_what_is_told_changes_without_an_interruption():
    new = change_routing(leaf(), aggregates=(ip_network("10.0.0.0/23"),), max_paths=32)

    assert {"vrf default router bgp address-family": "hitless"} == impacts(leaf(), new)


def test_hash_fields_move_flows_and_a_seed_interrupts():
    fields = change_routing(leaf(), hashing=Hashing(fields=("src_ip", "dst_ip")))

    assert {"system forwarding": "hitless"} == impacts(leaf(), fields)
    assert {"system forwarding": "flap"} == impacts(leaf(), change_routing(leaf(), hash_seed=3))


def test_a_new_session_disturbs_no_other():
    found = judged(leaf(spines=2), leaf(spines=3))
    verdict = found["vrf default router bgp neighbor 10.128.0.4"]

    assert ("hitless", ("swp35",)) == (verdict.impact, verdict.ports)


def test_another_as_number_of_a_neighbour_interrupts_its_port_only():
    old = leaf()
    moved = msgspec.structs.replace(old.routing.neighbors[1], remote_asn=64999)
    found = judged(old, change_routing(old, neighbors=(old.routing.neighbors[0], moved)))

    assert {"vrf default router bgp neighbor 10.128.0.2": ("flap", ("swp34",))} == {
        key: (one.impact, one.ports) for key, one in found.items()
    }


def test_an_unnumbered_neighbour_that_goes_interrupts_its_port():
    old = unnumbered()
    found = judged(old, change_routing(old, neighbors=old.routing.neighbors[2:]))

    assert ("flap", ("swp33",)) == tuple(
        getattr(found["vrf default router bgp neighbor swp33"], field) for field in ("impact", "ports")
    )


def test_what_concerns_a_group_interrupts_the_sessions():
    device = change_routing(leaf(), password="env:BGP")

    assert {"vrf default router bgp peer-group UP": "flap"} == impacts(leaf(), device)


def test_a_drain_moves_traffic_before_it_shuts_sessions():
    graceful = change(leaf(), drained=True, keeps_sessions=True)

    assert {"router bgp": "hitless"} == impacts(leaf(), graceful)
    assert {"vrf default router bgp peer-group UP": "flap"} == impacts(
        graceful, change(graceful, keeps_sessions=False)
    )


def test_adaptive_routing_reloads_switchd():
    old = change_routing(adaptive(), load_balancing="ecmp")

    assert {
        "interface swp1s0": "reload",
        "interface swp1s1": "reload",
        "router adaptive-routing": "reload",
    } == impacts(old, adaptive())


def test_advertisements_to_hosts_are_hitless():
    old = change(CASES["slaac"](), host_addressing=HostAddressing("static"))

    assert {"hitless"} == set(impacts(old, CASES["slaac"]()).values())


@pytest.mark.parametrize(
    ("key", "impact"),
    [
        ("qos mapping", "buffer"),
        ("qos pfc-watchdog", "buffer"),
        ("qos pfc x", "reload"),
        ("qos traffic-pool", "reload"),
        ("qos roce", "reload"),
        ("router bgp", "flap"),
        ("router bfd", "hitless"),
        ("router policy prefix-list PL-HOSTS", "hitless"),
        ("bridge", "flap"),
        ("interface vlan10", "flap"),
        ("interface lo", "hitless"),
        ("interface eth0", "none"),
        ("service dhcp-relay", "hitless"),
        ("service ntp", "none"),
        ("system hostname", "none"),
        ("system aaa", "none"),
        ("vrf default router bgp path-selection", "flap"),
        ("evpn", "flap"),
        ("something nobody knows", "flap"),
    ],
)
def test_objects_are_judged_by_what_they_are(key, impact):
    verdict = PLATFORM.block_impact(key, None, None)

    assert impact == verdict.impact
    assert verdict.reason


@pytest.mark.parametrize("case", sorted(CASES))
def test_every_object_that_we_print_is_known(case):
    for block in PLATFORM.blocks(canonical(CASES[case]())):
        assert "not known" not in PLATFORM.block_impact(block.key, block, None).reason


def test_management_that_has_nothing_to_do_with_us_locks_nobody_out():
    old = leaf()
    new = with_services(
        leaf(),
        ntp=Ntp(servers=(ip_address("192.0.2.99"),)),
        ssh=Ssh(idle_timeout_ms=Duration(600_000)),
        banner="Hello",
        users=old.services.users | {"viewer": User(password_hash=HASH)},
    )

    assert () == PLATFORM.owns_way_in(canonical(old), canonical(new))
    assert () == PLATFORM.owns_way_in(canonical(new), canonical(old))
    assert () == PLATFORM.owns_way_in(canonical(old), canonical(old))


OTHER = {"other": User(password_hash=HASH, role="admin")}
PORT = {"addresses": (address("198.51.100.11/24"),), "gateway": host("198.51.100.1"), "vrf": "MGMT"}


@pytest.mark.parametrize(
    ("new", "word"),
    [
        (
            change(
                leaf(), management=ManagementPort(**(PORT | {"addresses": (address("198.51.100.12/24"),)}))
            ),
            "eth0",
        ),
        (change(leaf(), management=ManagementPort(**(PORT | {"gateway": host("198.51.100.2")}))), "gateway"),
        (change(leaf(), management=ManagementPort(**(PORT | {"vrf": "default"}))), "vrf mgmt"),
        (change(leaf(), management=ManagementPort((), None, "MGMT")), "198.51.100.11/24"),
        (with_services(leaf(), users=OTHER), "user netops"),
        (with_services(leaf(), users=OTHER | {"netops": User(password_hash=HASH)}), "role system-admin"),
        (
            with_services(leaf(), tacacs=Tacacs(servers=(ip_address("192.0.2.7"),), secret="env:T")),
            "authentication-order",
        ),
    ],
)
def test_what_our_way_in_stands_on_is_a_reason(new, word):
    reasons = PLATFORM.owns_way_in(canonical(leaf()), canonical(new))

    assert any(word in reason for reason in reasons), reasons


def test_losing_the_factory_account_is_a_reason():
    old = with_services(leaf(), users=leaf().services.users | {"cumulus": FACTORY})
    reasons = PLATFORM.owns_way_in(canonical(old), canonical(leaf()))

    assert "`system aaa user cumulus role system-admin` goes" in reasons


@pytest.mark.parametrize("key", ["system api", "system ssh-server", "system control-plane", "interface eth0"])
def test_losing_an_object_of_our_way_in_is_a_reason(key):
    old = canonical(leaf())
    new = "".join(block.text for block in PLATFORM.blocks(old) if block.key != key)

    assert old != new
    assert PLATFORM.owns_way_in(old, new)


def test_another_control_plane_list_is_a_reason():
    old = canonical(leaf())
    new = old.replace("acl-default-dos:", "mine: {}\n          acl-default-dos:")

    assert ("`system control-plane acl mine` comes",) == PLATFORM.owns_way_in(old, PLATFORM.canonical(new))
