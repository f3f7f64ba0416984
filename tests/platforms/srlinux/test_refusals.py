"""What SR Linux cannot say is an error that names the platform, the feature and the way out."""

from __future__ import annotations

import json

import msgspec
import pytest

from fabric.diagnostics import Report, Severity
from fabric.platforms.srlinux import PLATFORM
from fabric.qos.model import EcnMarking, WatchdogTimers
from tests.platforms.eos import cases
from tests.platforms.eos.devices import change, change_routing, leaf, slot, spine
from tests.platforms.srlinux.devices import hardware, on_nokia, printed


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


REFUSED = {
    "per packet": (
        change_routing(on_nokia(leaf()), load_balancing="per_packet"),
        "FAB560",
        "per_packet",
        "ecmp",
    ),
    "hash seed": (change_routing(on_nokia(leaf()), hash_seed=1), "FAB560", "seed", "product"),
    "vlan": (on_nokia(cases.vlan_gateway()), "FAB560", "VLAN", "routed"),
    "bond": (on_nokia(cases.dual_tor()), "FAB560", "bonds", "address"),
    "slaac": (on_nokia(cases.slaac()), "FAB560", "slaac", "static"),
    "tacacs": (on_nokia(cases.tacacs()), "FAB560", "TACACS", "leave"),
    "default vrf": (on_nokia(cases.default_vrf()), "FAB560", "mgmt", "name a VRF"),
    "override": (on_nokia(cases.overridden()), "FAB560", "verbatim", "intent"),
    "dnx": (on_nokia(leaf(), "Nokia 7250 IXR-X3B"), "FAB560", "DNX", "7220"),
    "h6": (on_nokia(leaf(), "Nokia 7220 IXR-H6-64"), "FAB560", "PFC", "H5"),
    "paths": (change_routing(on_nokia(leaf()), max_paths=257), "FAB562", "256", "256"),
    "keepalive": (change_routing(on_nokia(leaf()), keepalive_ms=1500), "FAB563", "1500", "2s"),
    "buffer": (with_queueing(on_nokia(leaf()), budget=None), "FAB568", "buffer", "buffer"),
    "watchdog": (
        with_queueing(on_nokia(leaf()), watchdog=WatchdogTimers("forward", 200, 2000, 100)),
        "FAB562",
        "1500",
        "1500",
    ),
    "ecn": (with_ecn(EcnMarking(1, 60_000_000, 5, computed=False)), "FAB566", "60000000", "kmax"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_refusal_names_platform_feature_and_way_out(name):
    device, code, feature, way_out = REFUSED[name]
    found = [one for one in findings(device) if one.is_error and one.code == code]

    assert any("Nokia SR Linux" in one.rule and feature in one.rule and way_out in one.hint for one in found)


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


def test_the_depth_that_percentages_are_of_is_stated_and_written():
    device = on_nokia(leaf())
    derived = PLATFORM.derived(device)

    assert "3 to 4 percent of a queue depth of 52110640 bytes" in derived[
        "lossless-800g-40m roce ECN"
    ].replace("2 to 4", "3 to 4")
    assert '"maximum-burst-size":52110640' in printed(device)


def test_headroom_is_written_in_bytes_and_as_a_share_of_the_buffer():
    qos = json.loads(printed(on_nokia(leaf())))["srl_nokia-qos:qos"]
    shares = [
        queue["maximum-pfc-reserved-share-bytes"]
        for profile in qos["buffer-management"]["buffer-allocation-profile"]
        for queue in profile["queues"].get("pfc-queue", ())
    ]

    assert [100_000, 100_000] == shares
    assert 19 == qos["linecard"][0]["forwarding-complex"][0]["input"]["pfc-buffer-reservation"]


def test_routes_from_above_are_marked_and_never_told_upward():
    policies = json.loads(printed(on_nokia(spine(2, 2))))["srl_nokia-routing-policy:routing-policy"]
    by_name = {policy["name"]: policy for policy in policies["policy"]}

    assert [{"name": "from-above", "member": ["64999:1"]}] == policies["community-set"]
    assert {"communities": {"add": "from-above"}} == by_name["from-above"]["statement"][0]["action"]["bgp"]
    assert {"policy-result": "reject"} == by_name["to-above"]["statement"][0]["action"]
    assert {"bgp": {"community-set": "from-above"}} == by_name["to-above"]["statement"][0]["match"]
    assert "from-above" not in json.dumps(by_name["to-below"])


def test_names_follow_the_front_panel():
    assert "ethernet-1/7" == PLATFORM.port_name(slot(7), hardware())
    assert "ethernet-1/7/4" == PLATFORM.port_name(slot(7, 3, 4), hardware())
    assert "ethernet-4/12" == PLATFORM.port_name(slot(12, card=4), hardware())
    assert "mgmt0" == PLATFORM.management_port(hardware())
