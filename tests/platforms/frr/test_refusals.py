"""What FRR on Linux cannot say is an error that names the platform, the feature and the way out."""

from __future__ import annotations

from ipaddress import ip_address

import msgspec
import pytest

from fabric.devices.model import HostAddressing
from fabric.diagnostics import Report
from fabric.intent.model import Gnmi, Hashing, Ntp, Services, Snmp, Tacacs
from fabric.platforms.base import Block
from fabric.platforms.frr import PLATFORM
from fabric.qos.model import EcnMarking, WatchdogTimers
from tests.platforms.eos.devices import address, change, change_routing, host_port, queueing, queueing_of
from tests.platforms.frr.devices import leaf, spine
from tests.platforms.frr.printing import printed


def refused(device):
    """The errors of a switch, by place."""
    report = Report()
    PLATFORM.lower(device, report)
    return {str(found.origin): found for found in report if found.is_error}


def classes(**changes):
    kind = queueing_of(400_000)
    changed = tuple(msgspec.structs.replace(c, **changes) if c.name == "roce" else c for c in kind.classes)
    return msgspec.structs.replace(queueing(msgspec.structs.replace(kind, classes=changed)), watchdog=None)


def on(asic):
    return change(leaf(), hardware=msgspec.structs.replace(leaf().hardware, asic=asic))


FORWARD = queueing(queueing_of(400_000), watchdog=WatchdogTimers("drop", 200, 200, 100))
CASES = {
    "networks.compute.routing.load_balancing": (
        change_routing(leaf(), load_balancing="flowlet"),
        ("FAB570", "flowlet", "ecmp"),
    ),
    "networks.compute.routing.hashing.fields": (
        change_routing(leaf(), hashing=Hashing(fields=("roce_qp",))),
        ("FAB570", "hash field roce_qp", "choose among src_ip"),
    ),
    "networks.compute": (
        change(leaf(), ports=(host_port(0, vrf="blue"),)),
        ("FAB570", "VRFs", "leave `vrf` out"),
    ),
    "watchdog": (change(leaf(), queueing=FORWARD), ("FAB570", "watchdog", "watchdog: none")),
    "networks.compute.tiers.leaf.model": (
        on("Broadcom Tomahawk 5"),
        ("FAB570", "no driver for Broadcom Tomahawk 5", "Spectrum-1 to -4"),
    ),
    "networks.compute.tiers.leaf.host_links.mode": (
        change(leaf(), ports=(host_port(0, bond=1, vlan=10),)),
        ("FAB570", "bond", "routed"),
    ),
    "networks.compute.tiers.leaf.host_links.assignment": (
        change(leaf(), host_addressing=HostAddressing("dhcp_relay")),
        ("FAB570", "DHCP relay", "static"),
    ),
    "networks.compute.tiers.leaf.host_links.prefix6_length": (
        change(
            leaf(),
            ports=(host_port(0, addresses=(address("fd00::/127"),)),),
            host_addressing=HostAddressing("slaac"),
        ),
        ("FAB570", "/127", "prefix6_length: 64"),
    ),
    "services.snmp": (
        change(leaf(), services=Services(snmp=Snmp(), lldp=False)),
        ("FAB570", "snmp", "leave"),
    ),
    "services.tacacs": (
        change(leaf(), services=Services(tacacs=Tacacs(servers=(ip_address("192.0.2.1"),), secret="env:T"))),
        ("FAB570", "tacacs", "leave"),
    ),
    "services.gnmi": (change(leaf(), services=Services(gnmi=Gnmi())), ("FAB570", "gnmi", "leave")),
    "classes.roce.priority": (
        change(leaf(), queueing=classes(priority=4)),
        ("FAB572", "not 4", "priority: 3"),
    ),
    "classes.roce.ecn": (
        change(leaf(), queueing=classes(ecn=EcnMarking(5, 5, 9, computed=False))),
        ("FAB573", "min below max", "raise"),
    ),
    "networks.compute.routing.bgp.keepalive": (
        change_routing(leaf(), keepalive_ms=1500),
        ("FAB573", "1500 ms", "2s"),
    ),
    "networks.compute.routing.max_paths": (
        change_routing(leaf(), max_paths=257),
        ("FAB573", "256", "256 or less"),
    ),
    "services.management.vrf": (
        change(leaf(), management=msgspec.structs.replace(leaf().management, vrf="A" * 16)),
        ("FAB573", "15 letters", "shorter"),
    ),
}


@pytest.mark.parametrize("place", CASES)
def test_a_refusal_names_platform_feature_and_way_out(place):
    device, (code, feature, way_out) = CASES[place]
    found = refused(device)
    finding = found.get(place) or next(one for at, one in found.items() if at.endswith(place))

    assert code == finding.code
    assert any(word in finding.rule for word in ("FRR", "Linux"))
    assert feature in finding.rule
    assert way_out in finding.hint


def test_a_plain_leaf_and_spine_are_not_refused():
    assert {} == refused(leaf()) | refused(spine())


@pytest.mark.parametrize("number", ["", "-2", "-3", "-4", "-5", "-6"])
def test_the_kernel_drives_spectrum_up_to_the_fourth(number):
    device = on(f"NVIDIA Spectrum{number}")

    assert (number in ("-5", "-6")) == bool(refused(device))
    assert (number not in ("-5", "-6")) == PLATFORM.capabilities(None, device.hardware).pfc


def test_what_the_system_holds_is_said_once():
    report = Report()
    PLATFORM.lower(change(leaf(), services=Services(ntp=Ntp(servers=(ip_address("192.0.2.1"),)))), report)

    assert ["not written for FRR on Linux: ntp, lldp"] == [one.rule for one in report if one.code == "FAB574"]


def test_what_the_driver_derives_is_said():
    kinds = ("lossless-400g-5m", "lossless-800g-40m")

    assert {f"{kind} {word} threshold" for kind in kinds for word in ("pause", "resume")} == set(
        PLATFORM.derived(leaf())
    )


@pytest.mark.parametrize(
    ("key", "old", "new", "impact", "ports"),
    [
        ("interface swp1", "iface swp1\n    alias a\n", "iface swp1\n    alias b\n", "none", ("swp1",)),
        ("interface swp1", "iface swp1\n    mtu 1500\n", "iface swp1\n    mtu 9000\n", "flap", ("swp1",)),
        ("cage swp1", "cage swp1 2\n", "cage swp1 1\n", "flap", ("swp1", "swp1s0", "swp1s1")),
        ("interface vlan10", "iface vlan10\n    mtu 1\n", "iface vlan10\n    mtu 2\n", "flap", ()),
        ("interface eth0", "iface eth0\n    alias a\n", "iface eth0\n    alias b\n", "none", ()),
        ("advertisements swp1", " ipv6 nd prefix a\n", " ipv6 nd prefix b\n", "hitless", ("swp1",)),
        ("sysctl.conf", "a = 1\n", "a = 2\n", "flap", ()),
        ("ports.rules", "a\n", "b\n", "reload", ()),
        ("queues swp1", "a swp1\n", "b swp1\n", "buffer", ("swp1",)),
        ("router bgp", " neighbor a description x\n", " neighbor a description y\n", "none", ()),
        ("router bgp", " neighbor a remote-as 1\n", " neighbor a remote-as 2\n", "flap", ()),
        ("router bgp", "  maximum-paths 2\n", "  maximum-paths 4\n", "hitless", ()),
        ("route-map RM-TO-ABOVE", "x\n", "y\n", "hitless", ()),
        ("strange thing", "x\n", "y\n", "flap", ()),
    ],
)
def test_the_impact_of_a_block_is_that_of_what_changes_in_it(key, old, new, impact, ports):
    found = PLATFORM.block_impact(key, Block(key, old), Block(key, new))

    assert (impact, ports) == (found.impact, found.ports)


def test_every_block_of_our_own_output_is_known_and_none_is_lost():
    form = PLATFORM.canonical(printed(leaf()))
    blocks = PLATFORM.blocks(form)
    kept = sorted(line for line in form.splitlines() if not line.startswith("#!part "))

    assert kept == sorted(line for block in blocks for line in block.text.splitlines())
    assert len(blocks) == len({block.key for block in blocks})
    assert {"router bgp", "interface swp1s0", "queues swp33", "cage swp1", "route-map RM-TO-ABOVE"} <= {
        b.key for b in blocks
    }


def test_a_new_address_of_management_could_lock_us_out():
    form = PLATFORM.canonical(printed(leaf()))

    assert () == PLATFORM.owns_way_in(form, form)
    assert ("`interface eth0` changes",) == PLATFORM.owns_way_in(
        form, form.replace("198.51.100.11", "198.51.100.12")
    )
    assert ("`net.ipv4.tcp_l3mdev_accept = 1` goes",) == PLATFORM.owns_way_in(
        form, form.replace("net.ipv4.tcp_l3mdev_accept = 1\n", "")
    )
    assert ("`interface MGMT` changes",) == PLATFORM.owns_way_in(
        form, form.replace("vrf-table auto", "vrf-table 1001")
    )


def test_every_kind_of_block_has_an_impact_of_its_own():
    from tests.platforms.frr.devices import CASES

    keys = {
        block.key for make in CASES.values() for block in PLATFORM.blocks(PLATFORM.canonical(printed(make())))
    }
    unknown = {
        key
        for key in keys
        if "not known" in PLATFORM.block_impact(key, None, Block(key, f"{key} 1\n")).reason
    }

    assert set() == unknown
