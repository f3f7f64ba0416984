"""What a change does to traffic, and which changes could lock us out."""

from __future__ import annotations

from ipaddress import ip_address, ip_network

import msgspec
import pytest

from fabric.devices.model import ManagementPort
from fabric.intent.model import Certificate, Gnmi, Ntp, Ssh, Syslog, Tacacs, User
from fabric.platforms.base import Block
from fabric.platforms.junos import PLATFORM
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
    services,
    session,
)
from tests.platforms.junos.devices import CASES, as_qfx, device_of, printed

BORDER = session(fabric_port(5), asn=4_200_000_099, peer="spine-9", port="et-0/0/50")


def canonical(device):
    """The canonical text of a switch."""
    return PLATFORM.canonical(printed(as_qfx(device)))


def judged(old, new):
    """Each changed piece with what its change does."""
    before, after = ({b.key: b for b in PLATFORM.blocks(canonical(device))} for device in (old, new))
    return {
        key: PLATFORM.block_impact(key, before.get(key), after.get(key))
        for key in sorted(before | after)
        if before.get(key) != after.get(key)
    }


def worst(old, new):
    """The gravest impact of a change, with all its ports."""
    ranks = ("none", "hitless", "buffer", "flap", "reload", "isolating")
    found = judged(old, new).values()
    ports = {port for one in found for port in one.ports}
    return max((one.impact for one in found), key=ranks.index, default="none"), ports


def with_port(device, index, **changes):
    """The same switch, one port changed."""
    ports = list(device.ports)
    ports[index] = msgspec.structs.replace(ports[index], **changes)
    return change(device, ports=tuple(ports))


@pytest.mark.parametrize("case", sorted(CASES))
def test_equal_switches_change_nothing(case):
    device = CASES[case]()

    assert {} == judged(device, device)


@pytest.mark.parametrize(
    ("changes", "impact"),
    [
        ({"peer": "host-777"}, "none"),
        ({"enabled": False}, "flap"),
        ({"ip_mtu_bytes": 1500}, "flap"),
        ({"addresses": (address("10.0.7.0/31"),)}, "flap"),
    ],
)
def test_a_change_of_a_port_concerns_that_port(changes, impact):
    port = as_qfx(leaf()).ports[0].name

    assert (impact, set() if impact == "none" else {port}) == worst(leaf(), with_port(leaf(), 0, **changes))


def test_another_queueing_profile_sets_up_the_queues_of_its_port_anew():
    changed = judged(leaf(), with_port(leaf(), 0, queueing=queueing_of(800_000, 40)))

    assert {"class-of-service interfaces et-0/0/1:0"} == set(changed)
    found = changed["class-of-service interfaces et-0/0/1:0"]
    assert ("buffer", ("et-0/0/1:0",)) == (found.impact, found.ports)


def test_splitting_a_cage_concerns_all_its_parts():
    key = "interfaces et-0/0/1"
    old, new = (
        Block(key, f"interfaces {{\n    et-0/0/1 {{\n        number-of-sub-ports {n};\n    }}\n}}\n")
        for n in (2, 4)
    )

    assert ("et-0/0/1", *(f"et-0/0/1:{i}" for i in range(4))) == PLATFORM.block_impact(key, old, new).ports


def test_dividing_the_buffer_stops_all_ports():
    long_cables = queueing(*(queueing_of(speed, 2000) for speed in (400_000, 800_000)))
    headroom = msgspec.structs.replace(long_cables.profiles[0].headroom, headroom_bytes=5_000_000)
    kinds = tuple(msgspec.structs.replace(kind, headroom=headroom) for kind in long_cables.profiles)
    ports = tuple(
        msgspec.structs.replace(port, queueing=kinds[0 if port.slot.sub_ports > 1 else 1])
        for port in leaf().ports
    )
    changed = judged(leaf(), change(leaf(), ports=ports, queueing=queueing(*kinds)))
    found = changed["class-of-service shared-buffer"]

    assert ("flap", ()) == (found.impact, found.ports)
    assert "flap" == changed["class-of-service congestion-notification-profile"].impact


def test_a_new_session_leaves_the_others_up():
    more = change_routing(leaf(), neighbors=(*leaf().routing.neighbors, BORDER))

    assert ("hitless", set()) == worst(leaf(), more)


def test_a_session_that_goes_or_changes_its_number_concerns_its_port():
    first, *others = leaf().routing.neighbors
    port = device_of("leaf").routing.neighbors[0].port
    renumbered = msgspec.structs.replace(first, remote_asn=4_200_009_999)

    assert ("flap", {port}) == worst(leaf(), change_routing(leaf(), neighbors=tuple(others)))
    assert ("flap", {port}) == worst(leaf(), change_routing(leaf(), neighbors=(renumbered, *others)))


@pytest.mark.parametrize("changes", [{"password": "env:NEW"}, {"hold_ms": 30_000, "keepalive_ms": 10_000}])
def test_what_all_sessions_share_concerns_all_their_ports(changes):
    before = as_qfx(leaf())
    after = msgspec.structs.replace(before, routing=msgspec.structs.replace(before.routing, **changes))
    old, new = ({b.key: b for b in PLATFORM.blocks(PLATFORM.canonical(printed(d)))} for d in (before, after))
    found = PLATFORM.block_impact(
        "protocols bgp group UP", old["protocols bgp group UP"], new["protocols bgp group UP"]
    )

    assert ("flap", ("et-0/0/33", "et-0/0/34")) == (found.impact, found.ports)


def test_bfd_timers_and_policies_change_while_sessions_stay():
    assert ("hitless", set()) == worst(leaf(), change_routing(leaf(), bfd_interval_ms=900))
    assert "hitless" == worst(leaf(), change_routing(leaf(), host_prefixes=(), aggregates=()))[0]


def test_another_as_number_concerns_the_whole_switch():
    assert ("flap", set()) == worst(leaf(), change_routing(leaf(), asn=4_200_000_199))


@pytest.mark.parametrize(
    "changes",
    [
        {"ntp": Ntp(servers=(ip_address("192.0.2.99"),))},
        {"syslog": Syslog(servers=())},
        {"gnmi": Gnmi(), "certificate": Certificate(name="fabric")},
        {"lldp": False},
        {"ssh": Ssh(allow=(ip_network("198.51.100.0/24"),))},
    ],
)
def test_services_touch_no_traffic(changes):
    assert worst(leaf(), leaf(services=services(**changes)))[0] in ("none", "hitless")


def test_what_is_not_known_counts_as_an_interruption():
    block = Block("protocols isis", "protocols {\n    isis {\n        x;\n    }\n}\n")

    assert "flap" == PLATFORM.block_impact("protocols isis", None, block).impact


@pytest.mark.parametrize(
    ("new", "word"),
    [
        (
            leaf(management=ManagementPort((address("198.51.100.12/24"),), host("198.51.100.1"), "MGMT")),
            "mgmt-0",
        ),
        (
            leaf(management=ManagementPort((address("198.51.100.11/24"),), host("198.51.100.2"), "MGMT")),
            "static",
        ),
        (
            leaf(management=ManagementPort((address("198.51.100.11/24"),), None, "default")),
            "management-instance",
        ),
        (leaf(services=services(users={})), "netops"),
        (
            leaf(services=services(users={"netops": User(password_hash=HASH, role="operator")})),
            "FABRIC-ADMIN",
        ),
        (
            leaf(services=services(tacacs=Tacacs(servers=(ip_address("192.0.2.9"),), secret="env:T"))),
            "authentication-order",
        ),
        (leaf(services=services(ssh=Ssh(allow=(ip_network("10.0.0.0/8"),)))), "filter"),
    ],
)
def test_what_our_way_in_stands_on_is_told(new, word):
    assert any(word in reason for reason in PLATFORM.owns_way_in(canonical(leaf()), canonical(new)))


def test_ssh_that_goes_is_told():
    text = canonical(leaf())

    assert PLATFORM.owns_way_in(text, text.replace("ssh;", "tls;"))


@pytest.mark.parametrize(
    "new",
    [
        leaf(services=services(gnmi=Gnmi(), certificate=Certificate(name="fabric"), ntp=Ntp(servers=()))),
        leaf(hosts=2),
        change_routing(leaf(), asn=4_200_000_199),
        leaf(
            services=services(
                users={"netops": User(password_hash=HASH, role="admin"), "new": User(password_hash=HASH)}
            )
        ),
    ],
)
def test_other_changes_leave_our_way_in_alone(new):
    assert () == PLATFORM.owns_way_in(canonical(leaf()), canonical(new))
