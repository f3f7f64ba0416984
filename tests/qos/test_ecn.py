"""Marking curves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.qos.ecn import STEP_BYTES, auto_marking, in_flight_bytes, least_kmin_bytes, round_trip_ns

speeds = st.sampled_from([10_000, 25_000, 100_000, 200_000, 400_000, 800_000, 1_600_000])
trips = st.integers(2000, 100_000)


def test_a_round_trip_is_cables_switches_and_hosts():
    two_tiers = round_trip_ns([5, 40, 40, 5])

    assert 2 * (90 * 10**9 // 198_000_000 + 3 * 1000 + 1500) <= two_tiers
    assert 9910 == two_tiers


def test_a_path_without_a_cable_is_refused():
    with pytest.raises(ValueError, match="at least one cable"):
        round_trip_ns([])


def test_400g_for_8_us_has_400_kb_in_flight():
    assert 400_000 == in_flight_bytes(400_000, 8000)


def test_the_curve_starts_at_what_one_sender_has_in_flight():
    made = auto_marking(400_000, 8000, first_below_bytes=None, pause_bytes=None)

    assert (400_000, 1_600_000, 100) == (made.kmin_bytes, made.kmax_bytes, made.pmax_percent)
    assert made.computed


def test_the_curve_starts_below_the_bound_where_ecn_stops_being_first():
    made = auto_marking(400_000, 8000, first_below_bytes=300_000, pause_bytes=None)

    assert 299_000 == made.kmin_bytes


def test_the_curve_never_starts_so_low_that_the_link_runs_empty():
    made = auto_marking(400_000, 8000, first_below_bytes=10_000, pause_bytes=None)

    assert 58_000 == made.kmin_bytes


def test_the_curve_ends_below_the_pause_threshold():
    made = auto_marking(400_000, 8000, first_below_bytes=None, pause_bytes=1_000_000)

    assert 999_000 == made.kmax_bytes


@given(speeds, trips, st.none() | st.integers(1000, 10**8), st.integers(10**7, 10**9))
def test_kmin_is_below_kmax_is_below_the_pause_threshold(speed_mbps, trip_ns, bound, factor):
    pause = max(factor, 2 * in_flight_bytes(speed_mbps, trip_ns) + 10_000)
    made = auto_marking(speed_mbps, trip_ns, first_below_bytes=bound, pause_bytes=pause)

    assert 0 < made.kmin_bytes < made.kmax_bytes < pause
    assert made.kmin_bytes >= least_kmin_bytes(speed_mbps, trip_ns)


@given(speeds, speeds, trips)
def test_a_faster_port_is_not_marked_earlier(one, two, trip_ns):
    slow, fast = (
        auto_marking(speed, trip_ns, first_below_bytes=None, pause_bytes=None) for speed in sorted((one, two))
    )

    assert slow.kmin_bytes <= fast.kmin_bytes


@given(speeds, trips)
def test_at_its_bound_a_curve_is_not_first_any_more(speed: int, trip: int) -> None:
    """`first_below_bytes` is where pausing starts: a kmin of just that is too late, one byte below is not."""
    free = auto_marking(speed, trip, first_below_bytes=None, pause_bytes=None)
    below = auto_marking(speed, trip, first_below_bytes=free.kmin_bytes + 1, pause_bytes=None)
    at = auto_marking(speed, trip, first_below_bytes=free.kmin_bytes, pause_bytes=None)
    least = least_kmin_bytes(speed, trip)

    assert below.kmin_bytes == free.kmin_bytes
    assert at.kmin_bytes < free.kmin_bytes or at.kmin_bytes - least < STEP_BYTES


@given(speeds, trips)
def test_at_its_bound_a_curve_would_pause_first(speed: int, trip: int) -> None:
    free = auto_marking(speed, trip, first_below_bytes=None, pause_bytes=None)
    below = auto_marking(speed, trip, first_below_bytes=None, pause_bytes=free.kmax_bytes + 1)
    at = auto_marking(speed, trip, first_below_bytes=None, pause_bytes=free.kmax_bytes)

    assert below.kmax_bytes == free.kmax_bytes
    assert at.kmin_bytes < at.kmax_bytes < free.kmax_bytes
