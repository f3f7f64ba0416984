"""The sandbox's clock: it runs like the world's, and can be put forward, timers firing in their order."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from itertools import count
from threading import Timer as ThreadTimer

Cancel = Callable[[], None]
Later = Callable[[float, Callable[[], None]], Cancel]


def later_in_thread(delay_s: float, call: Callable[[], None]) -> Cancel:
    """A timer of its own thread, for networks without an event loop."""
    timer = ThreadTimer(delay_s, call)
    timer.daemon = True
    timer.start()
    return timer.cancel


@dataclass(order=True, slots=True)
class Timer:
    """Something that happens at a time, seconds since the epoch. Those of the same time in the order they were set."""

    due_s: float
    number: int
    call: Callable[[], None] = field(compare=False)
    stop: Cancel = field(compare=False, default=lambda: None)
    is_over: bool = field(compare=False, default=False)


class Clock:
    """Time as the devices of one sandbox have it. Not for several threads at once."""

    def __init__(self, later: Later = later_in_thread, now: Callable[[], float] = time.time) -> None:
        self._later, self._now = later, now
        self._ahead_s = 0.0
        self._timers: list[Timer] = []
        self._numbers = count()

    def now(self) -> float:
        """Seconds since the epoch, and what was let pass."""
        return self._now() + self._ahead_s

    def later(self, delay_s: float, call: Callable[[], None]) -> Cancel:
        """Call something after a delay. The answer cancels it."""
        timer = Timer(self.now() + delay_s, next(self._numbers), call)
        heappush(self._timers, timer)
        self._wind(timer)

        def cancel() -> None:
            timer.is_over = True
            timer.stop()

        return cancel

    def advance(self, seconds: float) -> None:
        """Let time pass at once. What falls due on the way happens at its own time, what that sets too.

        `ValueError` if time should run back.
        """
        if not 0 <= seconds < float("inf"):
            message = f"{seconds} s: time only runs forward"
            raise ValueError(message)
        end_s = self.now() + seconds
        while self._timers and self._timers[0].due_s <= end_s:
            timer = heappop(self._timers)
            self._set(timer.due_s)
            timer.stop()
            self._fire(timer)
        self._set(end_s)
        self._timers = [timer for timer in self._timers if not timer.is_over]
        heapify(self._timers)
        for timer in self._timers:
            timer.stop()
            self._wind(timer)

    def _set(self, now_s: float) -> None:
        self._ahead_s = max(self._ahead_s, now_s - self._now())

    def _wind(self, timer: Timer) -> None:
        timer.stop = self._later(max(0.0, timer.due_s - self.now()), lambda: self._fire(timer))

    def _fire(self, timer: Timer) -> None:
        if timer.is_over:
            return
        timer.is_over = True
        while self._timers and self._timers[0].is_over:
            heappop(self._timers)
        timer.call()
