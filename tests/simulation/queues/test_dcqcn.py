"""A queue under an incast: closed forms before the first answer, order of marks and pauses, and no queue for one."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.qos.model import EcnMarking
from fabric.simulation.queues import Bottleneck, incast

CURVE = EcnMarking(kmin_bytes=800_000, kmax_bytes=3_200_000, pmax_percent=20, computed=False)


HEADROOM, RESUME = 200_000, 20_000


def link(speed_mbps: int = 400_000, free_bytes: int | None = 60_000_000, trip_us: int = 8) -> Bottleneck:
    return Bottleneck(
        speed_mbps=speed_mbps,
        round_trip_us=Fraction(trip_us),
        marking=CURVE,
        free_bytes=free_bytes,
        headroom_bytes=HEADROOM,
        resume_bytes=RESUME,
    )


@given(st.integers(2, 512), st.sampled_from((1_000_000, 10_000_000, 100_000_000)))
@settings(max_examples=15, deadline=None)
def test_a_paused_queue_never_holds_more_than_its_threshold_and_the_headroom_of_all_ports(
    senders, free_bytes
):
    whole = link(free_bytes=free_bytes)
    course = incast(whole, senders, until_us=500)
    step = senders * whole.speed_mbps * course.step_us / 8
    at_threshold = next(q for q in range(0, free_bytes, 1_000) if whole.over_threshold(q, senders) >= 0)

    assert course.most_bytes <= at_threshold + 1_000 + senders * HEADROOM + 2 * step
    assert (course.paused_us > 0) == (course.paused_at_us is not None)


def test_times_are_those_of_the_ends_of_steps():
    """Two senders pass kmin after 16 us, 800,000 B at 50 GB/s."""
    assert incast(link(), 2).marked_at_us in {16.0, 16.5}


def test_a_pause_is_longer_where_the_buffer_is_smaller():
    times = [incast(link(free_bytes=free), 16).paused_us for free in (2_000_000, 8_000_000, 400_000_000)]

    assert times == sorted(times, reverse=True)
    assert times[0] > times[-1] == 0


@given(st.integers(2, 64), st.sampled_from((100_000, 400_000, 800_000)))
@settings(max_examples=15, deadline=None)
def test_until_the_first_answer_the_queue_grows_by_what_the_senders_send_too_much(senders, speed_mbps):
    course = incast(link(speed_mbps, free_bytes=None), senders, until_us=60)

    answered = course.answered_at_us
    steps = int((60 if answered is None else answered - course.step_us) / course.step_us)
    grows = (senders - 1) * speed_mbps * course.step_us / 8
    assert [pytest.approx((step + 1) * grows, abs=1) for step in range(steps)] == list(
        course.queue_bytes[:steps]
    )


@given(st.integers(2, 64))
@settings(max_examples=15, deadline=None)
def test_no_answer_is_faster_than_a_round_trip_after_the_first_mark(senders):
    course = incast(link(), senders)

    assert course.answered_at_us is not None
    assert course.answered_at_us >= course.marked_at_us + 8 - course.step_us


def test_one_sender_makes_no_queue_and_keeps_its_rate():
    course = incast(link(), 1)

    assert (course.most_bytes, set(course.rate_mbps), course.paused_at_us) == (0, {400_000}, None)


def test_a_small_buffer_pauses_before_ecn_has_acted_and_a_large_one_does_not():
    assert incast(link(free_bytes=4_000_000), 16).pfc_first
    assert not incast(link(free_bytes=400_000_000), 16).pfc_first
    assert incast(link(free_bytes=None), 16).paused_at_us is None


@given(st.integers(2, 256), st.sampled_from((2_000_000, 20_000_000, 100_000_000)))
@settings(max_examples=15, deadline=None)
def test_a_class_that_is_not_paused_loses_what_its_queue_may_not_hold_and_nothing_before(senders, free_bytes):
    whole = replace(link(free_bytes=free_bytes), is_paused=False)
    course, endless = (
        incast(each, senders, until_us=200) for each in (whole, replace(whole, free_bytes=None))
    )

    # f = 1: half of the buffer, as the other half stays free
    assert whole.most_bytes == free_bytes // 2
    assert course.most_bytes <= free_bytes // 2
    assert (course.paused_at_us, course.paused_us) == (None, 0.0)
    assert (course.lost_at_us is None) == (course.lost_bytes == 0) == (endless.most_bytes <= free_bytes // 2)
    if course.lost_at_us is not None:
        until = int(course.lost_at_us / course.step_us) - 1
        assert course.queue_bytes[:until] == endless.queue_bytes[:until]
        assert endless.queue_bytes[until] > free_bytes // 2


def test_loss_comes_first_where_the_buffer_is_small_and_ecn_where_it_is_large():
    small, large = (
        incast(replace(link(free_bytes=free), is_paused=False), 16) for free in (4_000_000, 400_000_000)
    )

    assert (small.loss_first, small.pfc_first) == (True, False)
    assert (large.loss_first, large.lost_bytes) == (False, 0)


def test_a_sharper_curve_keeps_the_queue_shorter():
    queues = [
        incast(
            Bottleneck(
                speed_mbps=400_000,
                round_trip_us=Fraction(8),
                marking=EcnMarking(kmin_bytes=kmin, kmax_bytes=4 * kmin, pmax_percent=100, computed=False),
                free_bytes=None,
            ),
            4,
        ).most_bytes
        for kmin in (200_000, 800_000, 3_200_000)
    ]

    assert queues == sorted(queues)
    assert queues[0] < queues[-1]
