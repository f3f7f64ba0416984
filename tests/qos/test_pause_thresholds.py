"""The buffer of a switch, and whether ECN acts before PFC."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.qos.pause_thresholds import (
    Shared,
    dynamic_threshold_bytes,
    ecn_first_below_bytes,
    incast_bytes,
    most_senders,
    pause_threshold_bytes,
    room_beside_incast_bytes,
    static_threshold_bytes,
)

DCQCN = Shared(
    buffer_bytes=12_000_000,
    headroom_bytes=8 * 32 * 22_400,
    ports=32,
    lossless_classes=8,
    factor=Fraction(8),
)
"""The switch of section 4 of the DCQCN paper: 12 MB, 32 ports of 40G, 8 priorities, 22.4 KB headroom."""

switches = st.builds(
    lambda headroom, free, ports, classes, factor: Shared(
        buffer_bytes=headroom + free,
        headroom_bytes=headroom,
        ports=ports,
        lossless_classes=classes,
        factor=factor,
    ),
    st.integers(0, 10**8),
    st.integers(10**6, 2 * 10**8),
    st.integers(1, 512),
    st.integers(1, 8),
    st.sampled_from([Fraction(1, 16), Fraction(1, 4), Fraction(1), Fraction(8)]),
)


def test_the_static_threshold_of_the_dcqcn_paper_comes_out():
    assert 24_475 == static_threshold_bytes(DCQCN)


def test_the_dynamic_bound_of_the_dcqcn_paper_comes_out():
    assert 21_755 == ecn_first_below_bytes(DCQCN)


@pytest.mark.parametrize(
    ("classes", "bound"), [(1, 1857), (2, 746), (8, None)], ids=["one", "two", "eight classes"]
)
def test_more_lossless_classes_leave_less_for_ecn(classes, bound):
    shared = Shared(
        buffer_bytes=160_000_000,
        headroom_bytes=classes * 64 * 410_624,
        ports=64,
        lossless_classes=classes,
        factor=Fraction(8),
    )
    made = ecn_first_below_bytes(shared)

    assert bound == (made if made is None else round(made / 1000))


@given(switches)
def test_below_the_bound_every_queue_can_be_marked_before_any_port_pauses(shared):
    bound = ecn_first_below_bytes(shared)
    if bound is None or bound < 2:
        return
    all_queues = shared.ports * (bound - 1) * shared.lossless_classes

    # One port feeds all queues of one class; the other classes are as full.
    one_port = shared.ports * (bound - 1)
    assert one_port < dynamic_threshold_bytes(shared, all_queues)


@given(switches)
def test_above_the_bound_a_port_can_pause_before_marking(shared):
    bound = ecn_first_below_bytes(shared) or 0
    all_queues = shared.ports * (bound + 1) * shared.lossless_classes

    assert shared.ports * (bound + 1) > dynamic_threshold_bytes(shared, all_queues)


@given(switches)
def test_a_lone_port_pauses_where_its_own_queue_meets_the_threshold(shared):
    own = pause_threshold_bytes(shared)

    assert own <= dynamic_threshold_bytes(shared, own)
    assert own + 1 > dynamic_threshold_bytes(shared, own + 1)


@given(switches, st.integers(2, 64), st.integers(1000, 10**6), st.integers(1000, 10**6))
def test_the_room_beside_an_incast_is_exactly_what_is_left(shared, senders, kmin_bytes, flying_bytes):
    queue = incast_bytes(senders, kmin_bytes, flying_bytes)
    room = room_beside_incast_bytes(shared, senders, queue)
    each = Fraction(queue, senders)

    assert each <= dynamic_threshold_bytes(shared, queue + room)
    assert each > dynamic_threshold_bytes(shared, queue + room + 1)


def test_an_incast_grows_by_what_the_other_senders_have_in_flight():
    assert 400_000 + 7 * 500_000 == incast_bytes(8, 400_000, 500_000)


def test_the_largest_incast_is_found():
    shared = Shared(buffer_bytes=10_000_000, headroom_bytes=2_000_000, ports=8, lossless_classes=1)
    most = most_senders(shared, 400_000, 500_000, 64)

    def room(senders: int) -> int:
        return room_beside_incast_bytes(shared, senders, incast_bytes(senders, 400_000, 500_000))

    assert 15 == most
    assert room(most) >= 0 > room(most + 1)
