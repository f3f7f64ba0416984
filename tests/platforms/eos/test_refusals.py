"""What EOS cannot say is an error that names the platform, the feature and the way out."""

from __future__ import annotations

from ipaddress import ip_address

import msgspec
import pytest

from fabric.devices.model import ExtraLines, HostAddressing
from fabric.diagnostics import Invalid, Origin, Report, Severity
from fabric.intent.model import Hashing, Ssh, User
from fabric.platforms.eos import PLATFORM
from fabric.qos.model import EcnMarking, WatchdogTimers
from fabric.units import Duration
from tests.platforms.eos.devices import (
    HASH,
    address,
    change,
    change_routing,
    hardware,
    host_port,
    leaf,
    queueing,
    queueing_of,
    services,
    slot,
    spine,
    switch,
)

NETWORK = ("networks", "compute")


def refused(device):
    """The errors of a switch, by place."""
    report = Report()
    PLATFORM.lower(device, report)
    return {str(found.origin): found for found in report if found.is_error}


def classes(**changes):
    """One kind of port whose RoCE class is changed."""
    kind = queueing_of(400_000)
    changed = tuple(msgspec.structs.replace(c, **changes) if c.name == "roce" else c for c in kind.classes)
    return queueing(msgspec.structs.replace(kind, classes=changed))


KEY = "ssh-ed25519 AAAA me"
CASES = {
    "networks.compute.routing.load_balancing": (
        change_routing(leaf(), load_balancing="per_packet"),
        ("FAB550", "per-packet", "flowlet"),
    ),
    "networks.compute.routing.hashing.seed": (
        change_routing(leaf(), hash_seed=3),
        ("FAB550", "seed", "product"),
    ),
    "networks.compute.routing.hashing.fields": (
        change_routing(leaf(), hashing=Hashing(fields=("roce_qp",))),
        ("FAB550", "hash fields", "leave `fields` out"),
    ),
    "networks.compute": (
        change(leaf(), ports=(host_port(0, vrf="blue"),)),
        ("FAB550", "VRFs", "leave `vrf` out"),
    ),
    "networks.compute.tiers.leaf.release": (change(leaf(), release="4.22.9M"), ("FAB550", "4.23", "upgrade")),
    "networks.compute.routing.bgp.keepalive": (
        change_routing(leaf(), keepalive_ms=1500),
        ("FAB554", "1500 ms", "2s"),
    ),
    "networks.compute.routing.max_paths": (
        change_routing(leaf(), max_paths=601),
        ("FAB558", "600", "600 or less"),
    ),
    "networks.compute.routing.allow_own_asn": (
        change_routing(leaf(), allow_own_asn=11),
        ("FAB558", "10", "10"),
    ),
    "networks.compute.tiers.leaf.ports.200000/8": (
        change(leaf(), ports=(host_port(0, slot=slot(1, speed_mbps=200_000)),)),
        ("FAB553", "200G over 8 lanes", "200g-4"),
    ),
    "networks.compute.tiers.leaf.host_links.prefix6_length": (
        change(
            leaf(),
            ports=(host_port(0, addresses=(address("fd00::/127"),)),),
            host_addressing=HostAddressing("slaac"),
        ),
        ("FAB558", "/127", "prefix6_length: 64"),
    ),
    "classes.roce.priority": (
        change(leaf(), queueing=classes(priority=4)),
        ("FAB552", "not 4", "priority: 3"),
    ),
    "classes.roce.queue": (
        change(leaf(), queueing=classes(traffic_class=7, priority=7)),
        ("FAB551", "traffic class 7", "below 7"),
    ),
    "classes.cnp.strict": (
        change(leaf(), queueing=classes(queue=7, traffic_class=7, priority=7)),
        ("FAB551", "by weight", "above 7"),
    ),
    "classes.cnp.queue": (
        change(leaf(), queueing=classes(queue=6)),
        ("FAB551", "one scheduler", "another queue"),
    ),
    "watchdog.action": (
        change(
            leaf(), queueing=queueing(queueing_of(400_000), watchdog=WatchdogTimers("forward", 200, 200, 100))
        ),
        ("FAB557", "cannot forward", "notify"),
    ),
    "watchdog.poll": (
        change(
            leaf(), queueing=queueing(queueing_of(400_000), watchdog=WatchdogTimers("drop", 200, 100, 60))
        ),
        ("FAB557", "5 to 50 ms", "half"),
    ),
    "services.ssh.idle_timeout": (
        change(leaf(), services=services(ssh=Ssh(idle_timeout_ms=Duration(90_000)))),
        ("FAB554", "minutes", "30min"),
    ),
    "services.users.keyholder": (
        change(leaf(), services=services(users={"keyholder": User(ssh_keys=(KEY,))})),
        ("FAB556", "without a password", "password_hash"),
    ),
    "services.users.many.ssh_keys": (
        change(leaf(), services=services(users={"many": User(password_hash=HASH, ssh_keys=(KEY,) * 3)})),
        ("FAB556", "has 3", "two keys"),
    ),
    "services.banner[2]": (
        change(leaf(), services=services(banner="Hello\n  indented")),
        ("FAB555", "line 2", "no spaces"),
    ),
    "overrides[0]": (
        change(leaf(), extra=(ExtraLines("x", "hostname y\nreload now", Origin(("overrides", 0))),)),
        ("FAB555", "reload now", "configuration lines only"),
    ),
}


@pytest.mark.parametrize("place", CASES)
def test_a_refusal_names_platform_feature_and_way_out(place):
    device, (code, feature, way_out) = CASES[place]
    finding = refused(device)[place]

    assert code == finding.code
    assert "Arista EOS" in finding.rule
    assert feature in finding.rule
    assert way_out in finding.hint


def test_a_plain_leaf_and_spine_are_not_refused():
    assert {} == refused(leaf()) | refused(spine(3, 2))


def test_jericho_has_no_flowlets_and_tomahawk_has():
    device = change_routing(spine(2), load_balancing="flowlet")
    place = "networks.compute.routing.load_balancing"

    assert {} == refused(device)
    assert "ecmp" in refused(change(device, hardware=hardware("tx-queue")))[place].hint


def test_equal_findings_of_many_ports_are_one():
    ports = tuple(host_port(i, slot=slot(i + 1, speed_mbps=200_000)) for i in range(9))

    assert 1 == len(refused(change(leaf(), ports=ports)))


def test_a_banner_may_not_end_itself_or_hide_a_comment():
    for banner in ("one\nEOF\nhostname evil", "one\n! two"):
        assert "services.banner[2]" in refused(change(leaf(), services=services(banner=banner)))


def test_two_classes_may_share_a_queue_if_they_want_the_same_of_it():
    kind = queueing_of(400_000)
    rest, roce, cnp = kind.classes
    shared = (rest, msgspec.structs.replace(roce, queue=1, ecn=None, priority=None), cnp)
    device = change(leaf(), queueing=queueing(msgspec.structs.replace(kind, classes=shared)))

    assert {} == refused(device)
    assert 100 == PLATFORM.project(device).profiles[kind.name][1].share_percent


def test_a_marking_curve_of_its_own_is_no_reason_to_refuse():
    assert {} == refused(change(leaf(), queueing=classes(ecn=EcnMarking(1, 2, 3, computed=False))))


def test_the_watchdog_comes_with_what_eos_needs_for_it():
    report = Report()
    PLATFORM.lower(leaf(), report)

    assert [("FAB559", Severity.INFO)] == [(found.code, found.severity) for found in report]


def test_nothing_is_printed_of_what_is_refused():
    from tests.platforms.eos.printing import printed

    with pytest.raises(Invalid, match="FAB550"):
        printed(change_routing(leaf(), load_balancing="per_packet"))


def test_what_eos_derives_itself_is_said_with_our_own_figure():
    derived = PLATFORM.derived(leaf())

    assert {"lossless-400g-5m headroom", "lossless-800g-40m headroom"} == set(derived)
    assert all("set by EOS" in text and "100000 bytes" in text for text in derived.values())
    assert {} == PLATFORM.derived(switch())


def test_capabilities_say_cannot_by_default_and_give_their_evidence():
    record = PLATFORM.capabilities("4.34.2F", hardware())
    flags = {
        name
        for name in record.__struct_fields__
        if name not in {"release", "sources", "vrfs", "watchdog_actions"}
    }

    assert "product-derived" == record.headroom == record.pause_threshold
    assert not record.per_packet_balancing
    assert not record.hash_seed
    assert flags - set(record.sources) <= {"max_lossless_priorities", "pause_threshold", "resume_threshold"}
    assert not PLATFORM.capabilities("4.20.1F", hardware()).bfd


def test_names_follow_the_front_panel():
    name = PLATFORM.port_name

    assert "Ethernet1/1" == name(slot(1), hardware())
    assert "Ethernet1/5" == name(slot(1, 1, 2), hardware())
    assert "Ethernet7/7" == name(slot(7, 3, 4), hardware())
    assert "Ethernet4/12/1" == name(slot(12, card=4), hardware())
    assert "Ethernet65" == name(msgspec.structs.replace(slot(65), cage_lanes=1), hardware())
    assert "Management1" == PLATFORM.management_port(hardware())
    assert "Management0" == PLATFORM.management_port(hardware(cages="3/1-36"))


def test_a_gateway_of_the_other_family_is_a_route_of_that_family():
    from tests.platforms.eos.cases import CASES as SWITCHES
    from tests.platforms.eos.printing import printed

    assert "\nipv6 route vrf MGMT ::/0 2001:db8::1\n" in printed(SWITCHES["ipv6"]())
    assert str(ip_address("2001:db8::1")) in printed(SWITCHES["ipv6"]())
