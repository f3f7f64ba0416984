"""The buffer of a QFX against Juniper's own figures, and the order of pause and drop."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fabric.platforms.junos import PLATFORM
from fabric.platforms.junos.buffers import (
    EGRESS_ALPHA,
    KB,
    MEMORIES,
    Dedicated,
    Memory,
    alpha,
    divide,
    headroom_bytes,
    ingress_threshold,
)
from fabric.platforms.junos.lower_qos import applied_marking
from tests.platforms.everywhere import devices, texts
from tests.platforms.expected_facts import expected_facts
from tests.platforms.junos.devices import device_of
from tests.platforms.sites import klass, leaf, site


def test_the_shared_buffer_is_what_show_class_of_service_shared_buffer_prints():
    """The article's output: 23135 and 25964 KB dedicated are 75 and 55 percent of the default of a QFX5240."""
    known = MEMORIES["QFX5240"]
    shown = Memory(known.total, known.ingress, known.egress, known.shared, Dedicated(75, 55))

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


def headrooms(device):
    """Bytes that each port of a kind has to keep."""
    return {port.name: port.queueing.headroom.headroom_bytes for port in device.ports if port.queueing}


@pytest.mark.parametrize("hosts", [1, 4, 16])
def test_headroom_is_kept_for_the_worse_of_two_traffic_managers(hosts):
    device = leaf("junos", site(f"hosts: {{gpu: {{per_unit: {hosts}}}}}"))
    needed, cages = headrooms(device), {}
    for port in device.ports:
        cages.setdefault(port.slot.cage, []).append(needed[port.name])
    every = sorted((sum(one) for one in cages.values()), reverse=True)

    assert 2 * sum(every[: (len(every) + 1) // 2]) == headroom_bytes(device)
    assert headroom_bytes(device) >= sum(needed.values())


def test_partitions_are_the_whole_shared_buffer():
    for name in ("leaf", "no policy", "lossy"):
        buffers = divide(device_of(name))
        assert 100 == buffers.lossless + buffers.headroom + buffers.lossy


def test_marking_is_told_with_the_depth_it_assumes():
    device = device_of("leaf")
    depth = divide(device).depth_bytes(lossless=True)
    kind = next(one for one in device.queueing.profiles if one.name.startswith("lossless-400g"))
    ecn = next(one.ecn for one in kind.classes if one.name == "roce")
    kmin, kmax, pmax = applied_marking(ecn, depth)
    told = PLATFORM.derived(device)[f"{kind.name} roce marking"]

    assert f"{kmin} to {kmax} bytes, for {ecn.kmin_bytes} to {ecn.kmax_bytes} bytes" in told
    assert f"assumed queue depth of {depth} bytes" in told
    assert (kmin, kmax, pmax) in {queues[3].ecn for queues in expected_facts(device).profiles.values()}


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 80_000), st.integers(1, 80_000), st.integers(1, 100))
def test_rounding_keeps_a_curve_a_curve(low, more, chance):
    assume(low + more <= 80_000)
    device = leaf("junos", klass("roce", f"ecn: {{kmin: {low}KB, kmax: {low + more}KB, pmax: {chance}}}"))
    depth = divide(device).depth_bytes(lossless=True)
    curves = {queues[3].ecn for queues in expected_facts(device).profiles.values()}

    assert curves
    for kmin, kmax, pmax in curves:
        assert 0 < kmin < kmax <= depth
        assert chance == pmax


def test_the_switchs_own_routing_protocols_have_a_queue_and_a_guarantee_that_no_code_point_leads_to():
    (_switch, text), *_ = texts(devices("junos", "two tiers"))
    facts = PLATFORM.read(text).facts

    assert "host-outbound-traffic forwarding-class network-control" in facts.services["class-of-service"]
    assert 7 not in facts.traffic_class_to_queue.values()
    assert re.search(r"network-control-\S+ \{\s+transmit-rate percent 5;\s+priority low;", text)
    for queues in facts.profiles.values():
        assert sum(one.share_percent or 0 for one in queues.values()) == 95
