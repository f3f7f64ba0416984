"""Depths and thresholds: no lossless queue drops before every sender is paused."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.platforms.srlinux import PLATFORM
from fabric.platforms.srlinux.buffers import (
    applied,
    by_queue,
    depth_bytes,
    headroom_bytes,
    percents,
    sizes_of,
)
from fabric.qos.model import EcnMarking
from tests.platforms.eos.devices import change, leaf, spine
from tests.platforms.srlinux.devices import BUDGET, on_nokia, printed

SIZES = st.tuples(st.integers(0, 64), st.integers(1, 32))


def lossless_ports(device):
    return [port.queueing for port in device.ports if port.queueing and port.queueing.priorities]


@settings(max_examples=40, deadline=None)
@given(SIZES)
def test_all_ports_together_fit_into_any_lossless_queue_and_into_the_buffer(size):
    device = on_nokia(leaf(*size))
    sizes = sizes_of(device)
    kinds = lossless_ports(device)
    sent = sum(sizes.pause_bytes + headroom_bytes(kind) for kind in kinds)
    shared = BUDGET.buffer_bytes * (100 - sizes.reserved_percent) // 100
    depths = [
        depth_bytes(q, sizes) for kind in kinds for q in by_queue(kind).values() if q[0].priority is not None
    ]

    assert all(sent <= depth for depth in depths)
    assert len(kinds) * sizes.pause_bytes <= shared


@settings(max_examples=40, deadline=None)
@given(SIZES)
def test_two_senders_are_marked_before_either_is_paused(size):
    device = on_nokia(leaf(*size))
    sizes = sizes_of(device)
    curves = [
        applied(q[0].ecn, depth_bytes(q, sizes))
        for kind in lossless_ports(device)
        for q in by_queue(kind).values()
        if q[0].ecn
    ]

    assert all(kmin < 2 * sizes.pause_bytes for kmin, _, _ in curves)


@given(st.integers(1, 10_000_000), st.integers(0, 10_000_000), st.integers(100_000, 268_435_456))
def test_a_curve_stays_a_curve_and_moves_by_a_percent_of_the_depth_at_most(kmin, more, depth):
    curve = EcnMarking(kmin, kmin + more, 10, computed=False)
    low, high = percents(curve, depth)
    made, _, _ = applied(curve, depth)

    assert 1 <= low <= high
    assert (low < high) == (more > 0) or low < high
    assert abs(made - kmin) <= depth // 100 + 1


def test_a_small_switch_marks_where_the_policy_says():
    device = on_nokia(spine(4, 2))
    sizes = sizes_of(device)
    curve = next(c.ecn for c in device.queueing.profiles[0].classes if c.ecn)
    shared = next(q for q in by_queue(device.queueing.profiles[0]).values() if q[0].ecn)
    kmin, kmax, pmax = applied(curve, depth_bytes(shared, sizes))

    assert (curve.kmax_bytes, 100) == (sizes.pause_bytes, pmax)
    assert curve.kmin_bytes == pytest.approx(kmin, rel=0.01)
    assert curve.kmax_bytes == pytest.approx(kmax, rel=0.01)


def test_a_policy_without_a_port_of_its_kind_still_has_a_depth():
    device = change(on_nokia(leaf()), ports=())

    assert sizes_of(device).lossless_bytes >= sizes_of(device).pause_bytes > 0


def test_the_depth_that_percentages_are_of_is_stated_and_written():
    device = on_nokia(leaf())
    said = PLATFORM.derived(device)["lossless-800g-40m roce ECN"]

    assert "9 to 16 percent of a queue depth of 14444445 bytes" in said
    assert '"maximum-burst-size":14444445' in printed(device)


def test_headroom_is_written_in_bytes_and_as_a_share_of_the_buffer():
    qos = json.loads(printed(on_nokia(leaf())))["srl_nokia-qos:qos"]
    queues = [
        (queue["maximum-pfc-reserved-share-bytes"], queue["maximum-burst-size"])
        for profile in qos["buffer-management"]["buffer-allocation-profile"]
        for queue in profile["queues"].get("pfc-queue", ())
    ]

    assert [(100_000, 2_300_000), (100_000, 2_300_000)] == queues
    assert 19 == qos["linecard"][0]["forwarding-complex"][0]["input"]["pfc-buffer-reservation"]


def test_bgp_and_notifications_share_a_class_that_nothing_holds_back():
    qos = json.loads(printed(on_nokia(leaf())))["srl_nokia-qos:qos"]
    points = {
        entry["value"]: entry["forwarding-class"] for entry in qos["classifiers"]["dscp-policy"][0]["dscp"]
    }
    queue = {c["name"]: c["output"]["unicast-queue"] for c in qos["forwarding-classes"]["forwarding-class"]}[
        points[48]
    ]
    first = qos["scheduler-policies"]["scheduler-policy"][0]["scheduler"][0]

    assert "cnp" == points[48]
    assert ("strict", [{"id": queue, "input-type": "queue", "queue-name": queue}]) == (
        first["priority"],
        first["input"],
    )
