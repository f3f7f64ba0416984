"""The buffer of a QFX against Juniper's own figures, and the order of pause and drop."""

from __future__ import annotations

import re
from fractions import Fraction

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.platforms.junos import PLATFORM
from fabric.platforms.junos.buffers import (
    EGRESS_ALPHA,
    KB,
    MEMORIES,
    Dedicated,
    alpha,
    divide,
    headroom_bytes,
    ingress_threshold,
)
from fabric.platforms.junos.lower_qos import applied_marking
from fabric.qos.model import EcnMarking
from tests.platforms.eos.devices import HOST_PROFILE, change, host_port, leaf
from tests.platforms.everywhere import devices, texts
from tests.platforms.junos.devices import as_qfx


def test_the_shared_buffer_is_what_show_class_of_service_shared_buffer_prints():
    """The article's output: 23135 and 25964 KB dedicated are 75 and 55 percent of the default of a QFX5240."""
    shown = msgspec.structs.replace(MEMORIES["QFX5240"], dedicated=Dedicated(75, 55))

    assert 113_162 == shown.shared_bytes // KB


@pytest.mark.parametrize("name", sorted(MEMORIES))
def test_parts_are_not_more_than_the_whole(name):
    one = MEMORIES[name]

    assert one.ingress + one.egress + one.shared <= one.total
    assert one.shared_bytes < one.total * KB


@given(st.integers(1, 512))
def test_ports_pause_before_a_queue_drops_whatever_the_incast(ports):
    factor = alpha(ingress_threshold(ports))
    senders = ports - 1
    pauses = senders * factor / (1 + senders * factor)

    assert pauses < Fraction(EGRESS_ALPHA, 1 + EGRESS_ALPHA)
    assert ingress_threshold(ports) == 7 or 2 * senders * factor >= EGRESS_ALPHA


def test_headroom_is_kept_for_the_worse_of_two_traffic_managers():
    one = as_qfx(leaf(ports=(host_port(0), *(host_port(i, queueing=None) for i in range(2, 8)))))
    both = as_qfx(leaf(ports=tuple(host_port(i) for i in range(8))))
    each = HOST_PROFILE.headroom.headroom_bytes

    assert 2 * each == headroom_bytes(one)
    assert 8 * each == headroom_bytes(both)


def test_partitions_are_the_whole_shared_buffer():
    for device in (as_qfx(leaf()), as_qfx(change(leaf(), ports=(), queueing=None))):
        buffers = divide(device)
        assert 100 == buffers.lossless + buffers.headroom + buffers.lossy


def test_marking_is_told_with_the_depth_it_assumes():
    device = as_qfx(leaf())
    depth = divide(device).depth_bytes(lossless=True)
    ecn = HOST_PROFILE.classes[1].ecn
    kmin, kmax, pmax = applied_marking(ecn, depth)
    told = PLATFORM.derived(device)[f"{HOST_PROFILE.name} roce marking"]

    assert f"{kmin} to {kmax} bytes, for {ecn.kmin_bytes} to {ecn.kmax_bytes} bytes" in told
    assert f"assumed queue depth of {depth} bytes" in told
    assert (kmin, kmax, pmax) == PLATFORM.project(device).profiles[HOST_PROFILE.name][3].ecn


@given(st.integers(1, 10**9), st.integers(0, 10**9), st.integers(10**5, 10**9))
def test_rounding_keeps_a_curve_a_curve(low, more, depth):
    kmin, kmax, _ = applied_marking(EcnMarking(low, low + more, 50, computed=False), depth)

    assert 0 < kmin < kmax <= depth


def test_the_switchs_own_routing_protocols_have_a_queue_and_a_guarantee_that_no_code_point_leads_to():
    (_switch, text), *_ = texts(devices("junos", "two tiers"))
    facts = PLATFORM.read(text).facts

    assert "host-outbound-traffic forwarding-class network-control" in facts.services["class-of-service"]
    assert 7 not in facts.traffic_class_to_queue.values()
    assert re.search(r"network-control-\S+ \{\s+transmit-rate percent 5;\s+priority low;", text)
    for queues in facts.profiles.values():
        assert sum(one.share_percent or 0 for one in queues.values()) == 95
