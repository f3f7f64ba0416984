"""Maintenance windows: when a wave may begin. They are the calendar's, so the clock on the wall decides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo

import msgspec

from fabric.deployment import codes, moments
from fabric.deployment.refusal_message import refusal

DAYS_AHEAD = 15
"""Days that are looked ahead: every window opens once a week, but for one that the clocks skip."""
SAME_AS_UTC = (UTC, ZoneInfo("UTC"))
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


class Window(msgspec.Struct, frozen=True, kw_only=True):
    """So long on some days of the week. One that ends before it begins ends on the next day."""

    days: frozenset[int]
    """On which it begins: 0 is Monday."""
    begins: time
    ends: time
    zone: tzinfo

    def spans(self, moment: datetime) -> Iterator[tuple[datetime, datetime]]:
        """Beginnings and ends, in UTC, from the day before a moment on."""
        today = moment.astimezone(self.zone).date()
        for offset in range(-1, DAYS_AHEAD):
            day = today + timedelta(days=offset)
            if day.weekday() in self.days:
                last = day if self.ends > self.begins else day + timedelta(days=1)
                begin, end = self._at(day, self.begins), self._at(last, self.ends)
                if begin < end:  # of the hour that summer time skips there may be nothing left
                    yield begin, end

    def _at(self, day: date, hour: time) -> datetime:
        """An hour that summer time skips is when the clocks are put forward: nothing is open at other hours instead."""
        there = datetime.combine(day, hour, self.zone)
        moment = there.astimezone(UTC)
        if moment.astimezone(self.zone).replace(tzinfo=None) == there.replace(tzinfo=None):
            return moment
        # By the offset of afterwards, so it lies before the change.
        before = there.replace(fold=1).astimezone(UTC)
        offset = before.astimezone(self.zone).utcoffset()
        while before < moment and before.astimezone(self.zone).utcoffset() == offset:
            before += timedelta(minutes=1)
        return before


def open_until(windows: Iterable[Window], moment: datetime) -> datetime | None:
    """When the window closes that is open at a moment; None if none is."""
    ends = [end for window in windows for begin, end in window.spans(moment) if begin <= moment < end]
    return max(ends, default=None)


def next_opening(windows: Iterable[Window], moment: datetime) -> datetime:
    """When the next window opens after a moment."""
    return min(begin for window in windows for begin, _ in window.spans(moment) if begin > moment)


def check_window(windows: Sequence[Window], now_reason: str) -> None:
    """`Refused` outside all windows, if there are any, and nobody has given a reason to go on now."""
    if reason := closed(windows, now_reason):
        raise refusal(codes.OUTSIDE_WINDOW, reason)


def closed(windows: Sequence[Window], now_reason: str) -> str:
    """Why no wave may begin now; empty if one may."""
    moment = moments.now()
    if not windows or now_reason or open_until(windows, moment) is not None:
        return ""
    opens = next_opening(windows, moment)
    zone = next(window.zone for window in windows if opens in (begin for begin, _ in window.spans(moment)))
    local = opens.astimezone(zone).strftime(f"%a %Y-%m-%d %H:%M {zone}")
    in_utc = "" if zone in SAME_AS_UTC else opens.strftime(", which is %a %H:%M UTC")
    return f"no maintenance window is open; the next one opens {local}{in_utc}"
