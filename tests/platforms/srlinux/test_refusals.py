"""What SR Linux cannot say is an error that names the platform, the feature and the way out."""

from __future__ import annotations

import json

import msgspec
import pytest

from fabric.devices.model import LinkRole
from fabric.diagnostics import Report, Severity
from fabric.intent.model import Hashing, Ssh, User
from fabric.platforms.srlinux import PLATFORM
from fabric.qos.model import EcnMarking, WatchdogTimers
from fabric.units import Duration
from tests.platforms.eos import cases
from tests.platforms.eos.devices import address, change, change_routing, leaf, slot, spine
from tests.platforms.srlinux.devices import DYNAMIC, TRIDENT, hardware, on_nokia, printed


def findings(device):
    report = Report()
    PLATFORM.lower(device, report)
    return list(report)


def with_queueing(device, **changes):
    return change(device, queueing=msgspec.structs.replace(device.queueing, **changes))


def with_ecn(curve):
    device = on_nokia(leaf())
    kinds = tuple(
        msgspec.structs.replace(
            kind, classes=tuple(msgspec.structs.replace(c, ecn=curve) if c.ecn else c for c in kind.classes)
        )
        for kind in device.queueing.profiles
    )
    return with_queueing(device, profiles=kinds)


def short_slaac():
    """Hosts that shall make addresses of their own in a /127."""
    device = change(cases.slaac(), queueing=None)
    ports = tuple(
        msgspec.structs.replace(p, addresses=(address("fd00::1/127"),)) if p.role is LinkRole.HOST else p
        for p in device.ports
    )
    return change(device, ports=ports)


def of_an_attachment(device):
    """The same VLANs, for an attachment."""
    gateways = tuple(msgspec.structs.replace(one, attachment="filer") for one in device.gateways)
    return change(device, gateways=gateways)


def tenant():
    device = on_nokia(leaf())
    return change(device, ports=(msgspec.structs.replace(device.ports[0], vrf="blue"), *device.ports[1:]))


def with_services(**changes):
    device = on_nokia(leaf())
    return change(device, services=msgspec.structs.replace(device.services, **changes))


def with_user(name, user):
    return with_services(users={name: user})


REFUSED = {
    "per packet": (
        change_routing(on_nokia(leaf()), load_balancing="per_packet"),
        "FAB560",
        "per_packet",
        "ecmp",
    ),
    "flowlets": (change_routing(on_nokia(leaf()), load_balancing="flowlet"), "FAB560", "flowlet", "ecmp"),
    "queue pair": (
        change_routing(on_nokia(leaf()), hashing=Hashing(fields=("src_ip", "roce_qp"))),
        "FAB560",
        "roce_qp",
        "src_port",
    ),
    "hash seed": (change_routing(on_nokia(leaf()), hash_seed=65_536), "FAB562", "65535", "product"),
    "vlan on Tomahawk": (on_nokia(cases.vlan_gateway()), "FAB560", "mac-vrf", "D4"),
    "queues on a vlan": (
        change(on_nokia(cases.vlan_gateway(), TRIDENT), queueing=on_nokia(leaf()).queueing),
        "FAB560",
        "queueing on ports of a VLAN",
        "routed",
    ),
    "queues on a vlan of an attachment": (
        of_an_attachment(change(on_nokia(cases.vlan_gateway(), TRIDENT), queueing=on_nokia(leaf()).queueing)),
        "FAB560",
        "queueing on ports of a VLAN",
        "routed",
    ),
    "bond": (on_nokia(cases.dual_tor()), "FAB560", "bonds", "address"),
    "short slaac": (on_nokia(short_slaac()), "FAB562", "/127", "64"),
    "tenant": (tenant(), "FAB560", "blue", "vrf"),
    "lesser admin": (with_user("admin", User(password_hash="$6$a$b")), "FAB569", "admin", "role: admin"),
    "locked user": (with_user("guest", User()), "FAB569", "guest", "ssh_keys"),
    "idle time": (
        with_services(ssh=Ssh(idle_timeout_ms=Duration(1500))),
        "FAB560",
        "whole seconds",
        "whole seconds",
    ),
    "default vrf": (on_nokia(cases.default_vrf()), "FAB560", "mgmt", "name a VRF"),
    "override": (on_nokia(cases.overridden()), "FAB560", "verbatim", "intent"),
    "dnx": (on_nokia(leaf(), "Nokia 7250 IXR-X3B"), "FAB560", "DNX", "7220"),
    "h6": (on_nokia(leaf(), "Nokia 7220 IXR-H6-64"), "FAB560", "PFC", "H5"),
    "old release": (change(on_nokia(leaf()), release="24.10.1"), "FAB560", "24.10.1", "25.3"),
    "paths": (change_routing(on_nokia(leaf()), max_paths=257), "FAB562", "256", "256"),
    "keepalive": (change_routing(on_nokia(leaf()), keepalive_ms=1500), "FAB562", "1500", "2s"),
    "buffer": (with_queueing(on_nokia(leaf()), budget=None), "FAB568", "buffer", "buffer"),
    "watchdog": (
        with_queueing(on_nokia(leaf()), watchdog=WatchdogTimers("forward", 200, 2000, 100)),
        "FAB562",
        "1500",
        "1500",
    ),
    "ecn": (with_ecn(EcnMarking(1000, 300_000_000, 5, computed=False)), "FAB566", "300000000", "kmax"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_refusal_names_platform_feature_and_way_out(name):
    device, code, feature, way_out = REFUSED[name]
    found = [one for one in findings(device) if one.is_error and one.code == code]

    assert any("Nokia SR Linux" in one.rule and feature in one.rule and way_out in one.hint for one in found)


@pytest.mark.parametrize(("asked", "mode"), [("flowlet", "flow-dynamic"), ("per_packet", "per-packet")])
def test_paths_are_chosen_by_load_for_all_routes_of_a_new_release(asked, mode):
    tree = json.loads(printed(DYNAMIC[asked]()))
    default = tree["srl_nokia-network-instance:network-instance"][0]
    balancing = tree["srl_nokia-system:system"]["srl_nokia-load-balancing:load-balancing"]

    assert {"dynamic": {"mode": mode}} == balancing
    assert [{"ip-prefix": "0.0.0.0/0"}, {"ip-prefix": "::/0"}] == default["ip-load-balancing"][
        "dynamic-load-balancing"
    ]["prefix"]


def test_a_plain_leaf_and_spine_are_not_refused():
    assert [] == [one for d in (leaf(), spine(3, 2)) for one in findings(on_nokia(d)) if one.is_error]


def test_dropping_on_a_deadlock_is_told_to_be_forwarding():
    device = with_queueing(on_nokia(leaf()), watchdog=WatchdogTimers("drop", 200, 200, 100))
    found = [one for one in findings(device) if one.code == "FAB567"]

    assert [Severity.WARNING] == [one.severity for one in found]


def test_an_unknown_speed_is_refused():
    device = on_nokia(leaf())
    port = msgspec.structs.replace(device.ports[0], slot=slot(1, speed_mbps=1_600_000))

    assert "FAB561" in {one.code for one in findings(change(device, ports=(port,)))}


def test_routes_from_above_are_marked_and_never_told_upward():
    policies = json.loads(printed(on_nokia(spine(2, 2))))["srl_nokia-routing-policy:routing-policy"]
    by_name = {policy["name"]: policy for policy in policies["policy"]}

    assert [
        {"name": "from-above", "member": ["64999:1"]},
        {"name": "graceful-shutdown", "member": ["65535:0"]},
    ] == policies["community-set"]
    assert {"communities": {"add": "from-above"}} == by_name["from-above"]["statement"][1]["action"]["bgp"]
    assert {"policy-result": "reject"} == by_name["to-above"]["statement"][0]["action"]
    assert {"bgp": {"community-set": "from-above"}} == by_name["to-above"]["statement"][0]["match"]
    assert "from-above" not in json.dumps(by_name["to-below"])


def test_names_follow_the_front_panel():
    assert "ethernet-1/7" == PLATFORM.port_name(slot(7), hardware())
    assert "ethernet-1/7/4" == PLATFORM.port_name(slot(7, 3, 4), hardware())
    assert "ethernet-4/12" == PLATFORM.port_name(slot(12, card=4), hardware())
    assert "mgmt0" == PLATFORM.management_port(hardware())
