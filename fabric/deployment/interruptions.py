"""Signals while devices are changed: the wave that is under way is taken back in order, whatever is sent meanwhile.

The first signal (Ctrl-C, the end of a CI job, a closed terminal) raises `Interrupted`, like a `KeyboardInterrupt`. What
must not stop half way is *shielded*: there the first signal waits until it is done. Every later one only tells what is
being done. Python ignores what is raised in a destructor, or in a callback of a weak reference: a signal that arrives
there is sent again, and counts at the next event of the run at the latest. Nothing here helps against `kill -9`: for
that there are the devices' own timers, the journal and `resume`.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Ctrl-C; what CI systems and `kill` send; what a closed terminal or a lost SSH connection sends."""
STDERR = 2
AGAIN_S = 0.05
"""After so long a signal is sent again whose exception was ignored: what it fell into has ended by then."""


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
        self.again: threading.Timer | None = None
        """Who sends a signal again that was ignored."""

    def __call__(self, number: int, _frame: object) -> None:
        if os.getpid() != self.process:  # a fork of ours has nothing to take back
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
            return
        self.received = self.received or number
        if not self.is_raised and not self.shields:
            self.raise_now()
        self.say(number)

    def say(self, number: int) -> None:
        """Tell what is being done."""
        self.report(f"{signal.Signals(number).name}: {self.doing}; please wait")

    @property
    def doing(self) -> str:
        """What is being done, for whoever sends a signal."""
        return self.shields[-1] if self.shields else "ending in order"

    def raise_now(self) -> None:
        """End whatever runs in the main thread."""
        self.is_raised = True
        raise Interrupted(self.received or signal.SIGINT)

    def was_ignored(self) -> None:
        """What was raised last has stopped nothing: it is raised again."""
        self.is_raised = False
        self.again = threading.Timer(AGAIN_S, self._send_again)
        self.again.daemon = True
        self.again.start()

    def end(self) -> None:
        """No signal is sent from here on."""
        if self.again is not None:
            self.again.cancel()
            self.again.join()

    def _send_again(self) -> None:
        if not self.is_raised and self.received is not None:
            # To the main thread: what it waits for ends then.
            signal.pthread_kill(threading.main_thread().ident or 0, self.received)

    def count_now(self) -> None:
        """A signal counts that has stopped nothing yet: it came within a shield that has ended, or was ignored."""
        if self.received is not None and not self.is_raised and not self.shields:
            self.raise_now()


_HANDLERS: list[_Handler] = []


def notice_signals() -> None:
    """End the command here if a signal has come that has not ended it yet. To be called at each step of a run."""
    if _HANDLERS and threading.current_thread() is threading.main_thread():
        _HANDLERS[-1].count_now()


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
        with _unignored(handler):
            for number in caught:
                signal.signal(number, handler)
            yield
            handler.count_now()
    finally:
        handler.end()
        for number in caught:
            signal.signal(number, before[number])
        _HANDLERS.remove(handler)


@contextmanager
def _unignored(handler: _Handler) -> Iterator[None]:
    """Within, the handler hears of exceptions of its own that Python ignores, and nobody else does."""
    known = sys.unraisablehook

    def hear(ignored: sys.UnraisableHookArgs) -> None:
        if isinstance(ignored.exc_value, Interrupted):
            handler.was_ignored()
        else:
            known(ignored)

    sys.unraisablehook = hear
    try:
        yield
    finally:
        sys.unraisablehook = known


@contextmanager
def shielded(doing: str = "") -> Iterator[None]:
    """Within, no signal stops anything: it counts when this has ended.

    `doing`: what is told meanwhile; empty: what would be told without this.
    """
    handler = _HANDLERS[-1] if _HANDLERS else None
    if handler is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    handler.shields.append(doing or handler.doing)
    if handler.received is not None:
        handler.say(handler.received)
    try:
        yield
    finally:
        handler.shields.pop()
    handler.count_now()
