"""Runs a program that the site or the operator names, so that it can neither hang a run nor outlive it.

It gets a session of its own. When its time is up the whole group is ended, SIGTERM first and SIGKILL soon after, as it
is when the run itself is interrupted. Nobody waits for its pipes: a child in the background may hold them open.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile

import msgspec

from fabric.deployment.interruptions import shielded

GRACE_S = 2
"""Between SIGTERM and SIGKILL at most: part of the time that a program has, and never more than a quarter of it."""
LINGER_S = 0.5
"""So long what a program has started may go on printing after the program itself has ended."""
SHORTEST_LOOK_S, LONGEST_LOOK_S = 0.005, 0.25
"""Between two looks whether it has ended."""
KEPT_BYTES = 1 << 16
"""Of what it prints, the last so many: nobody reads more."""
NOT_STARTED = (126, 127)
"""Exit codes of a shell, and of `env`, for a program that cannot be run or is not found (POSIX, 2.8.2)."""

Waiting = Callable[[float], None]
"""Told while a program runs: for how long it has (seconds)."""


def tell_nobody(_elapsed_s: float) -> None:
    """Tell nobody."""


class NotStarted(Exception):  # becomes part of a reason
    """The program was not begun; the text says why."""


class Program(msgspec.Struct, frozen=True, kw_only=True):
    """A program, and how it is run. No shell reads its words."""

    words: Sequence[str]
    folder: Path
    environ: Mapping[str, str] | None = None
    """None: that of this process."""
    given: bytes = b""
    """Its standard input."""
    limit_s: float
    """After so long all of it has been ended."""
    hears_errors: bool = True
    """Whether what it says on its standard error counts as printed; else it is thrown away."""
    longest_bytes: int | None = None
    """It is ended once it has printed more; None: only the end of what it prints is kept."""
    told_every_s: float = 2


class Ended(msgspec.Struct, frozen=True):
    """How a program ended, and what it has printed."""

    code: int | None
    """As of `Popen`; None: it was ended, for its time was up or it printed too much."""
    printed: bytes


def run_program(program: Program, waiting: Waiting = tell_nobody) -> Ended:
    """Run it to its end, or end it. `NotStarted` if it cannot be run at all."""
    grace_s = min(GRACE_S, program.limit_s / 4)
    process: subprocess.Popen[bytes] | None = None
    has_ended = False
    try:
        with shielded():  # a signal counts as soon as the program would be ended with it
            process = _started(program)
        follower = _Follower(process, program, waiting)
        has_ended = follower.follow(time.monotonic() + program.limit_s - grace_s)
    finally:
        if process is not None:
            if not has_ended:
                _end_group(process, grace_s)
            assert process.stdout is not None  # noqa: S101  # it is a pipe
            process.stdout.close()
    return Ended(process.wait() if has_ended else None, bytes(follower.printed))


def _started(program: Program) -> subprocess.Popen[bytes]:
    if signal.getsignal(signal.SIGCHLD) == signal.SIG_IGN:
        raise NotStarted("this process ignores SIGCHLD, so nobody would know how it ends")
    try:
        with TemporaryFile() as given:  # a pipe would wait for a reader
            given.write(program.given)
            given.seek(0)
            return subprocess.Popen(  # noqa: S603  # named by the site's intent or by the operator
                list(program.words),
                cwd=program.folder,
                env=program.environ,
                stdin=given,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT if program.hears_errors else subprocess.DEVNULL,
                start_new_session=True,
            )
    except OSError as error:
        raise NotStarted(error.strerror or type(error).__name__) from None
    except (ValueError, IndexError):  # a zero byte, or no words at all
        raise NotStarted("it is not the name of a program") from None


class _Follower:
    """Reads what a program prints until it has ended, its time is up, or it has printed too much."""

    def __init__(self, process: subprocess.Popen[bytes], program: Program, waiting: Waiting) -> None:
        assert process.stdout is not None  # noqa: S101  # it is a pipe
        self.process, self.stream, self.program, self.waiting = process, process.stdout, program, waiting
        self.printed = bytearray()
        self.is_open = True

    def follow(self, end: float) -> bool:
        """Whether it has ended by itself before that moment (monotonic, seconds)."""
        began = reported = time.monotonic()
        look_s = SHORTEST_LOOK_S
        with selectors.DefaultSelector() as selector:
            selector.register(self.stream, selectors.EVENT_READ)
            while not has_ended(self.process.pid):
                now = time.monotonic()
                if now >= end or self._is_too_much:
                    return False
                if now - reported >= self.program.told_every_s:
                    reported = now
                    self.waiting(now - began)
                self._read_within(selector, min(look_s, end - now))
                look_s = min(2 * look_s, LONGEST_LOOK_S)
            until = time.monotonic() + LINGER_S
            while self.is_open and not self._is_too_much and (left_s := until - time.monotonic()) > 0:
                self._read_within(selector, left_s)
        return not self._is_too_much

    @property
    def _is_too_much(self) -> bool:
        return self.program.longest_bytes is not None and len(self.printed) > self.program.longest_bytes

    def _read_within(self, selector: selectors.BaseSelector, seconds: float) -> None:
        """Wait for so long at most, and read what there is."""
        if not self.is_open:
            time.sleep(seconds)
        elif selector.select(seconds):
            some = os.read(self.stream.fileno(), KEPT_BYTES)
            self.printed += some
            self.is_open = some != b""
            if self.program.longest_bytes is None:
                del self.printed[:-KEPT_BYTES]


def has_ended(process: int) -> bool:
    """Whether a child has ended. It is not reaped: until then its number, and that of its group, is nobody else's."""
    return os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None


def _end_group(process: subprocess.Popen[bytes], grace_s: float) -> None:
    """End it and all that it has started in its session."""
    end = time.monotonic() + grace_s
    try:
        _signal_group(process.pid, signal.SIGTERM)
        while time.monotonic() < end and not has_ended(process.pid):
            time.sleep(SHORTEST_LOOK_S)
    finally:  # whatever interrupts this
        _signal_group(process.pid, signal.SIGKILL)
    with suppress(subprocess.TimeoutExpired):  # one that hangs in the kernel ends when that lets it
        process.wait(GRACE_S)


def _signal_group(group: int, number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):  # of another user, by `sudo`
        os.killpg(group, number)
