"""The PFC watchdog is consistent with its own polling and with what a buffer takes to drain."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.diagnostics import Origin, Report
from fabric.qos.policy import Watchdog
from fabric.qos.watchdog import check_detection, check_timers, drain_ns, longest_pause_ns, timers
from fabric.units import Duration

HERE = Origin(("watchdog",), "policy:mine")


def watchdog(detect_ms: int = 200, restore_ms: int = 200, poll_ms: int | None = None) -> Watchdog:
    return Watchdog(
        detect_ms=Duration(detect_ms),
        restore_ms=Duration(restore_ms),
        poll_ms=None if poll_ms is None else Duration(poll_ms),
    )


def findings(written: Watchdog) -> list[tuple[str, str]]:
    report = Report()
    check_timers(written, HERE, report)
    return [(found.code, str(found.origin)) for found in report]


def test_polling_defaults_to_half_of_the_shorter_timer():
    made = timers(watchdog(400, 200))

    assert (400, 200, 100) == (made.detect_ms, made.restore_ms, made.poll_ms)


@given(st.integers(2, 60_000), st.integers(2, 60_000))
def test_a_default_poll_is_never_too_seldom(detect_ms, restore_ms):
    made = timers(watchdog(detect_ms, restore_ms))

    assert 2 * made.poll_ms <= min(made.detect_ms, made.restore_ms)


def test_the_defaults_are_right():
    assert [] == findings(Watchdog())


@pytest.mark.parametrize(("detect_ms", "restore_ms", "poll_ms"), [(200, 200, 101), (400, 1000, 201)])
def test_a_poll_above_half_of_the_shorter_timer_is_an_error(detect_ms, restore_ms, poll_ms):
    assert [("FAB340", "watchdog.poll")] == findings(watchdog(detect_ms, restore_ms, poll_ms))


def test_restoring_sooner_than_detecting_is_a_warning():
    assert [("FAB341", "watchdog.restore")] == findings(watchdog(400, 200, 100))


def test_one_pause_frame_stops_400g_for_84_us_and_100g_for_335_us():
    assert (83_885, 335_540) == (longest_pause_ns(400_000), longest_pause_ns(100_000))


def test_a_buffer_of_160_mb_drains_through_400g_in_3_2_ms():
    assert 3_200_000 == drain_ns(160_000_000, 400_000)


@pytest.mark.parametrize(
    ("detect_ms", "buffer_bytes", "speed_mbps", "expected"),
    [
        (200, 160_000_000, 400_000, []),
        (32, 160_000_000, 400_000, []),
        (31, 160_000_000, 400_000, ["FAB341"]),
        (2, None, 400_000, []),
        (3, None, 100_000, ["FAB341"]),
        (1001, None, 400_000, ["FAB341"]),
    ],
)
def test_detection_takes_ten_times_the_drain_and_at_most_a_second(
    detect_ms, buffer_bytes, speed_mbps, expected
):
    report = Report()

    check_detection(timers(watchdog(detect_ms)), buffer_bytes, speed_mbps, HERE, report)

    assert expected == [found.code for found in report]
