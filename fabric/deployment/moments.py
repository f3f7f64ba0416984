"""The clock on the wall, for people to read. Nothing is decided by it: deadlines are counted by `time.monotonic`.

A machine's clock may jump at any time (NTP, a virtual machine that was paused). What waits, waits by the monotonic
clock; what is written down or shown as a moment comes from here.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


def now() -> datetime:
    """This moment, in UTC."""
    return datetime.now(UTC)


def stamp() -> str:
    """This moment as the journal keeps it: ISO 8601 in UTC, with milliseconds."""
    return now().isoformat(timespec="milliseconds")


def clock_time(in_s: float) -> str:
    """The moment in so many seconds, for people: `12:34:56 UTC`."""
    return (now() + timedelta(seconds=in_s)).strftime("%H:%M:%S UTC")


def age(since: str) -> str:
    """How long ago a moment of the journal was, in words; clocks of two machines may differ."""
    try:
        seconds = int((now() - datetime.fromisoformat(since)).total_seconds())
    except (ValueError, TypeError):
        return "at an unknown time"
    if seconds < 0:
        return f"{_long(-seconds)} in the future, by the clock of this machine"
    return f"{_long(seconds)} ago"


def _long(seconds: int) -> str:
    minutes, hours, days = seconds // 60, seconds // 3600, seconds // 86400
    if days:
        return f"{days} d {hours % 24} h"
    if hours:
        return f"{hours} h {minutes % 60} min"
    return f"{minutes} min {seconds % 60} s" if minutes else f"{seconds} s"
