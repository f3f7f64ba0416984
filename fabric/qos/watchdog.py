"""The PFC watchdog: stops a queue that is paused for too long from stopping the fabric."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from fabric.diagnostics import Origin, Report
from fabric.qos import codes
from fabric.qos.model import WatchdogTimers
from fabric.qos.policy import Watchdog
from fabric.units import Duration, Speed

DRAIN_FACTOR = 10
"""Detection takes at least ten times what a full buffer takes to drain: only a storm lasts that long."""

LONGEST_DETECT_MS = 1000
"""Beyond it NICs give up: an InfiniBand timeout of 20 is 4.3 s (NCCL's default), retried seven times."""

LONGEST_PAUSE_QUANTA = 65_535
"""The field of a pause frame has 16 bits (802.3 annex 31B.2)."""


def timers(watchdog: Watchdog) -> WatchdogTimers:
    """The timers of a policy; polling, if not written, at half of the shorter one."""
    poll = watchdog.poll_ms
    return WatchdogTimers(
        action=watchdog.action,
        detect_ms=int(watchdog.detect_ms),
        restore_ms=int(watchdog.restore_ms),
        poll_ms=max(1, min(watchdog.detect_ms, watchdog.restore_ms) // 2) if poll is None else int(poll),
    )


def longest_pause_ns(speed_mbps: int) -> int:
    """How long one pause frame can stop a port, in nanoseconds, rounded up."""
    return ceil(Fraction(LONGEST_PAUSE_QUANTA * 512 * 1000, speed_mbps))


def drain_ns(buffer_bytes: int, speed_mbps: int) -> int:
    """How long a full buffer takes through one port, in nanoseconds, rounded up."""
    return ceil(Fraction(buffer_bytes * 8000, speed_mbps))


def check_timers(watchdog: Watchdog, origin: Origin, report: Report) -> None:
    """Report timers that contradict each other."""
    effective = timers(watchdog)
    shorter = min(effective.detect_ms, effective.restore_ms)
    if 2 * effective.poll_ms > shorter:
        rule = (
            f"polls every {Duration(effective.poll_ms)}, but the shorter timer is {Duration(shorter)}: "
            f"at most {Duration(shorter // 2)}"
        )
        hint = (
            f"write `poll: {Duration(shorter // 2)}` or less, or leave it out"
            if shorter > 1
            else "raise the timer"
        )
        value = str(Duration(effective.poll_ms))
        report.add(codes.WATCHDOG_POLL.at(origin.child("poll"), rule, value=value, hint=hint))
    if effective.restore_ms < effective.detect_ms:
        rule = (
            f"restores after {Duration(effective.restore_ms)}, sooner than it detects "
            f"({Duration(effective.detect_ms)}): a storm that goes on is let in again at once"
        )
        hint = f"write `restore: {Duration(effective.detect_ms)}` or more"
        value = str(watchdog.restore_ms)
        report.add(codes.WATCHDOG_TIME.at(origin.child("restore"), rule, value=value, hint=hint))


def check_detection(
    effective: WatchdogTimers, buffer_bytes: int | None, slowest_mbps: int, origin: Origin, report: Report
) -> None:
    """Report a detection time that a draining buffer reaches, or that NICs do not wait for."""
    longest = max(longest_pause_ns(slowest_mbps), drain_ns(buffer_bytes or 0, slowest_mbps))
    least_ms = ceil(Fraction(DRAIN_FACTOR * longest, 10**6))
    if effective.detect_ms < least_ms:
        rule = (
            f"detects after {Duration(effective.detect_ms)}, but a healthy port of {Speed(slowest_mbps)} can "
            f"stand still for {longest} ns: take at least {Duration(least_ms)}, ten times that"
        )
    elif effective.detect_ms > LONGEST_DETECT_MS:
        rule = f"detects after {Duration(effective.detect_ms)}: by then the NICs resend and jobs fail"
    else:
        return
    value = str(Duration(effective.detect_ms))
    report.add(codes.WATCHDOG_TIME.at(origin, rule, value=value, hint=codes.WATCHDOG_TIME.fix))
