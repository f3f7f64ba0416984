"""Signals while devices are changed: the wave that is under way is taken back in order, whatever is sent meanwhile.

The first signal (Ctrl-C, the end of a CI job, a closed terminal) raises `Interrupted`, like a `KeyboardInterrupt`. What
must not stop half way is *shielded*: there the first signal waits until it is done. Every later one only tells what is
being done. Nothing here helps against `kill -9`: for that there are the devices' own timers, the journal and `resume`.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Ctrl-C; what CI systems and `kill` send; what a closed terminal or a lost SSH connection sends."""
STDERR = 2


class Interrupted(KeyboardInterrupt):
    """A signal has ended a command in order."""

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(signal.Signals(number).name)


class _Handler:
    """What signals do while one command runs."""

    def __init__(self, report: Callable[[str], None]) -> None:
        self.report = report
        self.process = os.getpid()
        self.received: int | None = None
        self.is_raised = False
        self.shields: list[str] = []

    def __call__(self, number: int, _frame: object) -> None:
        if os.getpid() != self.process:  # a fork of ours has nothing to take back
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
            return
        is_first, self.received = self.received is None, self.received or number
        if is_first and not self.shields:
            self.raise_now()
        self.say(number)

    def say(self, number: int) -> None:
        """Tell what is being done."""
        doing = self.shields[-1] if self.shields else "ending in order"
        self.report(f"{signal.Signals(number).name}: {doing}; please wait")

    def raise_now(self) -> None:
        """End whatever runs in the main thread."""
        self.is_raised = True
        raise Interrupted(self.received or signal.SIGINT)

    def ended(self) -> None:
        """A shield has ended in order: what was sent meanwhile counts now."""
        if self.received is not None and not self.is_raised and not self.shields:
            self.raise_now()


_HANDLERS: list[_Handler] = []


def write_stderr(text: str) -> None:
    """Write a line from within a signal's handler, whatever the rest of the program is writing."""
    with suppress(OSError):  # the terminal may be what has gone
        os.write(STDERR, f"{text}\n".encode())


@contextmanager
def interruptible(report: Callable[[str], None] = write_stderr) -> Iterator[None]:
    """Within, the first of `SIGNALS` raises `Interrupted`, and later ones say what is being done.

    A signal that is ignored (`nohup`) stays so. Does nothing in other threads than the main one, which get no signals.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = _Handler(report)
    before = {number: signal.getsignal(number) for number in SIGNALS}
    caught = [number for number, known in before.items() if known is not signal.SIG_IGN]
    _HANDLERS.append(handler)
    try:
        for number in caught:
            signal.signal(number, handler)
        yield
    finally:
        for number in caught:
            signal.signal(number, before[number])
        _HANDLERS.remove(handler)


@contextmanager
def shielded(doing: str) -> Iterator[None]:
    """Within, no signal stops anything: it counts when this has ended. `doing`: what is told meanwhile."""
    handler = _HANDLERS[-1] if _HANDLERS else None
    if handler is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    handler.shields.append(doing)
    if handler.received is not None:
        handler.say(handler.received)
    try:
        yield
    finally:
        handler.shields.pop()
    handler.ended()
