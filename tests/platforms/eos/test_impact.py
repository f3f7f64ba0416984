"""What a change does to traffic, and which changes could lock us out."""

from __future__ import annotations

from ipaddress import ip_address, ip_network

import msgspec
import pytest

from fabric.devices.model import ManagementPort
from fabric.intent.model import Certificate, Gnmi, Ntp, Ssh, Syslog, Tacacs, User
from fabric.platforms.base import BlockImpact
from fabric.platforms.eos import PLATFORM
from tests.platforms.eos.cases import CASES, unnumbered
from tests.platforms.eos.devices import (
    HASH,
    address,
    change,
    change_routing,
    fabric_port,
    host,
    leaf,
    queueing,
    queueing_of,
    routing,
    services,
    session,
)
from tests.platforms.eos.printing import printed


def canonical(device):
    """The canonical text of a switch."""
    return PLATFORM.canonical(printed(device))


def judged(old, new):
    """Each changed block with what its change does."""
    before, after = ({b.key: b for b in PLATFORM.blocks(canonical(device))} for device in (old, new))
    return {
        key: PLATFORM.block_impact(key, before.get(key), after.get(key))
        for key in sorted(before | after)
        if before.get(key) != after.get(key)
    }


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
        ({"queueing": None}, "buffer"),
    ],
)
def test_a_port_that_changes_concerns_that_port_alone(changes, impact):
    found = judged(leaf(), with_port(leaf(), 1, **changes))

    assert {"interface Ethernet1/5"} == set(found)
    verdict = found["interface Ethernet1/5"]
    assert impact == verdict.impact
    assert (() if impact == "none" else ("Ethernet1/5",)) == verdict.ports
    assert verdict.reason


def test_a_port_that_goes_interrupts_it():
    device = leaf()
    found = judged(device, change(device, ports=device.ports[1:]))

    assert (
        BlockImpact("flap", ("Ethernet1/1",), found["interface Ethernet1/1"].reason)
        == found["interface Ethernet1/1"]
    )


def test_new_thresholds_set_up_buffers():
    marking = queueing_of(400_000)
    roce = msgspec.structs.replace(
        marking.classes[1], ecn=msgspec.structs.replace(marking.classes[1].ecn, kmin_bytes=7)
    )
    kind = msgspec.structs.replace(marking, classes=(marking.classes[0], roce, marking.classes[2]))
    device = change(leaf(), queueing=queueing(kind, queueing_of(800_000, 40)))

    assert {"qos profile lossless-400g-5m": "buffer"} == {
        k: v.impact for k, v in judged(leaf(), device).items()
    }


def test_what_is_told_changes_without_an_interruption():
    device = change_routing(leaf(), aggregates=(ip_network("10.0.0.0/23"),), max_paths=32)

    assert {"router bgp": "hitless"} == {k: v.impact for k, v in judged(leaf(), device).items()}


def test_a_new_session_disturbs_no_other():
    old, new = leaf(spines=2), leaf(spines=3)

    assert "hitless" == judged(old, new)["router bgp"].impact


def test_another_as_number_of_a_neighbour_interrupts_its_port_only():
    old = leaf()
    moved = msgspec.structs.replace(old.routing.neighbors[1], remote_asn=64999)
    found = judged(old, change_routing(old, neighbors=(old.routing.neighbors[0], moved)))

    assert ("flap", ("Ethernet34/1",)) == (found["router bgp"].impact, found["router bgp"].ports)


def test_a_neighbour_that_goes_interrupts_its_port():
    old = leaf()
    found = judged(old, change_routing(old, neighbors=old.routing.neighbors[:1]))

    assert ("flap", ("Ethernet34/1",)) == (found["router bgp"].impact, found["router bgp"].ports)


def test_an_unnumbered_neighbour_that_goes_interrupts_its_port():
    old = unnumbered()
    found = judged(old, change_routing(old, neighbors=old.routing.neighbors[2:]))

    assert ("flap", ("Ethernet33/1",)) == (found["router bgp"].impact, found["router bgp"].ports)


@pytest.mark.parametrize("changes", [{"drained": True}, {"routing": routing(password="env:BGP")}])
def test_what_concerns_a_group_interrupts_all_its_ports(changes):
    old = leaf()
    if "routing" in changes:
        changes = {"routing": msgspec.structs.replace(old.routing, password="env:BGP")}
    found = judged(old, change(old, **changes))

    assert ("flap", ("Ethernet33/1", "Ethernet34/1")) == (
        found["router bgp"].impact,
        found["router bgp"].ports,
    )


def test_our_own_as_number_interrupts_everything():
    found = judged(leaf(), change_routing(leaf(), asn=4_200_000_777))

    assert ("flap", ()) == (found["router bgp"].impact, found["router bgp"].ports)


def test_a_neighbour_of_which_no_port_is_known_counts_for_the_whole_device():
    old = "router bgp 1\n   neighbor 192.0.2.1 peer group X\n   neighbor 192.0.2.1 remote-as 2\n"
    new = "router bgp 1\n   neighbor 192.0.2.1 peer group X\n   neighbor 192.0.2.1 remote-as 3\n"
    (before,), (after,) = PLATFORM.blocks(old), PLATFORM.blocks(new)

    assert ("flap", ()) == (
        PLATFORM.block_impact("router bgp", before, after).impact,
        PLATFORM.block_impact("router bgp", before, after).ports,
    )


@pytest.mark.parametrize(
    ("key", "impact"),
    [
        ("route-map RM-TO-ABOVE permit 20", "hitless"),
        ("ip prefix-list PL-HOSTS", "hitless"),
        ("ip community-list", "hitless"),
        ("qos map", "buffer"),
        ("priority-flow-control", "buffer"),
        ("service routing protocols", "reload"),
        ("ip routing", "flap"),
        ("hostname", "none"),
        ("ntp", "none"),
        ("logging", "none"),
        ("snmp-server", "none"),
        ("username netops", "none"),
        ("management api http-commands", "none"),
        ("interface Management1", "none"),
        ("interface Vlan10", "flap"),
        ("something nobody knows", "flap"),
    ],
)
def test_sections_are_judged_by_what_they_are(key, impact):
    verdict = PLATFORM.block_impact(key, None, None)

    assert impact == verdict.impact
    assert verdict.reason


def test_management_that_has_nothing_to_do_with_us_locks_nobody_out():
    new = leaf(
        services=services(
            ntp=Ntp(servers=(ip_address("192.0.2.99"),)),
            syslog=Syslog(servers=()),
            gnmi=Gnmi(),
            certificate=Certificate(name="fabric"),
            banner="Hello",
            users={"netops": User(password_hash=HASH, role="admin"), "viewer": User(password_hash=HASH)},
        )
    )

    old = leaf(services=services(certificate=Certificate(name="fabric")))
    assert () == PLATFORM.owns_way_in(canonical(old), canonical(new))
    assert () == PLATFORM.owns_way_in(canonical(leaf()), canonical(leaf()))


@pytest.mark.parametrize(
    ("new", "word"),
    [
        (
            leaf(management=ManagementPort((address("198.51.100.12/24"),), host("198.51.100.1"), "MGMT")),
            "Management1",
        ),
        (
            leaf(management=ManagementPort((address("198.51.100.11/24"),), host("198.51.100.2"), "MGMT")),
            "ip route",
        ),
        (
            leaf(management=ManagementPort((address("198.51.100.11/24"),), host("198.51.100.1"), "OOB")),
            "vrf MGMT",
        ),
        (leaf(services=services(users={})), "username netops"),
        (leaf(services=services(users={"netops": User(password_hash=HASH)})), "username netops"),
        (leaf(services=services(ssh=Ssh(allow=(ip_network("10.9.9.0/24"),)))), "access-group"),
        (
            leaf(services=services(tacacs=Tacacs(servers=(ip_address("192.0.2.7"),), secret="env:T"))),
            "aaa auth",
        ),
    ],
)
def test_what_our_way_in_stands_on_is_a_reason(new, word):
    reasons = PLATFORM.owns_way_in(canonical(leaf()), canonical(new))

    assert any(word in reason for reason in reasons), reasons


def test_losing_the_api_is_a_reason():
    old = canonical(leaf())
    new = "".join(block.text for block in PLATFORM.blocks(old) if "http-commands" not in block.key)

    assert ("eAPI: `no shutdown` goes", "eAPI: `vrf MGMT` goes") == PLATFORM.owns_way_in(old, new)


def test_a_narrower_access_list_is_a_reason():
    old = canonical(CASES["all services"]())
    new = old.replace("   20 permit 10.9.0.0/16\n", "")

    assert any("SSH-ALLOW" in reason for reason in PLATFORM.owns_way_in(old, new))


def test_a_description_names_the_port_of_a_session():
    device = leaf(spines=1)
    port = fabric_port(0)

    assert session(port).port == port.name
    assert f"neighbor 10.128.0.0 description spine-0 over {port.name}\n" in printed(device)
