"""Depths and thresholds: no lossless queue drops before every sender is paused."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.platforms.srlinux import PLATFORM
from fabric.platforms.srlinux.buffers import (
    by_queue,
    depth_bytes,
    headroom_bytes,
    sizes_of,
)
from tests.platforms.sites import network, printed, site
from tests.platforms.srlinux.devices import CASES, asked

SIZES = st.tuples(st.integers(1, 64), st.integers(1, 32))
"""Hosts, on half cages, and spines."""


def sized(hosts, spines):
    """A leaf with so many hosts and spines."""
    tiers = f'tiers: {{leaf: {{max_oversubscription: "1000:1"}}, spine: {{count: {spines}}}}}'
    return asked(site(f"hosts: {{gpu: {{per_unit: {hosts}}}}}"), network(tiers))


def lossless_ports(device):
    return [port.queueing for port in device.ports if port.queueing and port.queueing.priorities]


@settings(max_examples=40, deadline=None)
@given(SIZES)
def test_all_ports_together_fit_into_any_lossless_queue_and_into_the_buffer(size):
    device = sized(*size)
    sizes = sizes_of(device)
    kinds = lossless_ports(device)
    sent = sum(sizes.pause_bytes + headroom_bytes(kind) for kind in kinds)
    shared = device.queueing.budget.buffer_bytes * (100 - sizes.reserved_percent) // 100
    depths = [
        depth_bytes(q, sizes) for kind in kinds for q in by_queue(kind).values() if q[0].priority is not None
    ]

    assert all(sent <= depth for depth in depths)
    assert len(kinds) * sizes.pause_bytes <= shared


@settings(max_examples=40, deadline=None)
@given(SIZES)
def test_two_senders_are_marked_before_either_is_paused(size):
    device = sized(*size)
    curves = [c.ecn for kind in lossless_ports(device) for c in kind.classes if c.ecn]

    assert all(curve.kmin_bytes < 2 * sizes_of(device).pause_bytes for curve in curves)


def test_a_small_switch_pauses_when_marking_is_complete():
    device = CASES["spine"]()
    curve = next(c.ecn for c in device.queueing.profiles[0].classes if c.ecn)

    assert curve.kmax_bytes == sizes_of(device).pause_bytes


def test_the_curve_is_written_in_bytes_and_the_depth_above_it_is_stated():
    device = CASES["leaf"]()
    text, depth = printed(device), sizes_of(device).lossless_bytes

    assert (
        f"{depth} bytes deep (maximum-burst-size)" == PLATFORM.derived(device)["lossless-800g-40m roce queue"]
    )
    assert f'"maximum-burst-size":{depth}' in text
    assert '"min-threshold":"991000","max-threshold":"3964000"' in text


def test_a_curve_in_percent_of_others_is_read_in_bytes():
    slope = {"traffic-type": "all", "drop-probability": "all", "enable-ecn": True}
    slope |= {"min-threshold-percent": 5, "max-threshold-percent": 80}
    qos = {
        "queues": {"queue": [{"name": "unicast-3", "queue-index": 3}]},
        "scheduler-policies": {
            "scheduler-policy": [
                {
                    "name": "p",
                    "scheduler": [{"sequence": 1, "input": [{"id": "x", "queue-name": "unicast-3"}]}],
                }
            ]
        },
        "buffer-management": {
            "queue-management-profile": [{"name": "p-3", "wred": {"wred-slope": [slope]}}],
            "buffer-allocation-profile": [
                {
                    "name": "p-egress",
                    "queues": {"queue": [{"queue-name": "unicast-3", "maximum-burst-size": 1000}]},
                }
            ],
        },
    }

    assert (50, 800, 0) == PLATFORM.read(json.dumps({"qos": qos})).facts.profiles["p"][3].ecn


def test_headroom_is_written_in_bytes_and_as_a_share_of_the_buffer():
    device = CASES["leaf"]()
    qos = json.loads(printed(device))["srl_nokia-qos:qos"]
    headrooms = [kind.headroom.headroom_bytes for kind in device.queueing.profiles]
    queues = [
        (queue["maximum-pfc-reserved-share-bytes"], queue["maximum-burst-size"])
        for profile in qos["buffer-management"]["buffer-allocation-profile"]
        for queue in profile["queues"].get("pfc-queue", ())
    ]

    assert [(headroom, 3_964_000) for headroom in headrooms] == queues
    assert 3 == qos["linecard"][0]["forwarding-complex"][0]["input"]["pfc-buffer-reservation"]


def test_bgp_and_notifications_share_a_class_that_is_served_first_up_to_its_limit():
    qos = json.loads(printed(CASES["leaf"]()))["srl_nokia-qos:qos"]
    points = {
        entry["value"]: entry["forwarding-class"] for entry in qos["classifiers"]["dscp-policy"][0]["dscp"]
    }
    queue = {c["name"]: c["output"]["unicast-queue"] for c in qos["forwarding-classes"]["forwarding-class"]}[
        points[48]
    ]
    first = qos["scheduler-policies"]["scheduler-policy"][0]["scheduler"][0]

    assert "cnp" == points[48]
    entry = {"id": queue, "input-type": "queue", "queue-name": queue, "peak-rate-percent": 5}
    assert ("strict", [entry]) == (first["priority"], first["input"])
