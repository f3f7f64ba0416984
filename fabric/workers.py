"""Work shared among forked processes: what it stands on is there at once, and only results are sent."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import threading
import traceback
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain
from typing import Any, BinaryIO, NamedTuple, TypeVar

from fabric.diagnostics import Refused

T = TypeVar("T")
R = TypeVar("R")

LEAST = 256
"""Fewer items than this are done in less time than processes take to pay."""
FIRST = 32
"""Items done before any process is made: all of them inherit what these have loaded and computed."""
BATCH = 8
"""Items that a process does before it sends their results."""
PIPE_BYTES = 1 << 20
"""What Linux allows everybody."""
HEADER_BYTES = 8
"""Before the results of a batch: their length."""


def processors() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def each(work: Callable[[T], R], items: Iterable[T], *, jobs: int) -> Iterator[Iterator[R]]:
    """`work` of each item, in their order, by up to `jobs` processes, which begin at once.

    Few items are done by this process alone, when they are asked for; so are all where the system cannot fork, or where
    other threads run, whose locks a fork would copy. An exception of `work` is raised here in its turn. `Refused` if a
    process is killed.
    """
    todo = list(items)
    can_fork = hasattr(os, "fork") and threading.active_count() == 1
    if not can_fork or jobs < 2 or len(todo) < LEAST:
        yield map(work, todo)
        return
    first = [work(item) for item in todo[:FIRST]]
    batches = [todo[at : at + BATCH] for at in range(FIRST, len(todo), BATCH)]
    crew: list[_Worker] = []
    try:
        gc.freeze()  # what is there is out of the collectors' sight, who would make a copy of it in each process
        for number in range(min(jobs, len(batches))):
            crew.append(_started(work, batches[number::jobs], crew))
        turns: Iterator[Iterator[R]] = (crew[number % jobs].results() for number in range(len(batches)))
        yield chain(first, chain.from_iterable(turns))
    finally:
        for worker in crew:
            worker.stop()
        gc.unfreeze()


class _Worker(NamedTuple):
    """A process, and the pipe from which its results are read."""

    process: int
    pipe: BinaryIO

    def results(self) -> Iterator[Any]:
        """Those of its next batch."""
        length = self.pipe.read(HEADER_BYTES)
        packed = self.pipe.read(int.from_bytes(length))
        if len(length) < HEADER_BYTES or len(packed) < int.from_bytes(length):
            raise Refused("a process of this program was killed", "if memory is short, give `--jobs 1`")
        made, error = pickle.loads(zlib.decompress(packed))  # noqa: S301  # from our own process
        yield from made
        if error is not None:
            raise error

    def stop(self) -> None:
        """End it, whatever it is doing."""
        self.pipe.close()
        os.kill(self.process, signal.SIGKILL)  # until it is waited for, its number is its own
        os.waitpid(self.process, 0)


def _started(work: Callable[[T], R], batches: Sequence[Sequence[T]], before: Iterable[_Worker]) -> _Worker:
    """A process that does these batches."""
    reading, writing = os.pipe()
    process = os.fork()
    if process:
        os.close(writing)
        _widen(reading)
        return _Worker(process, os.fdopen(reading, "rb"))
    try:  # from here on in the new process, which never leaves this function
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it is interrupted too, and ends it
        os.close(reading)
        for worker in before:
            os.close(worker.pipe.fileno())
        with os.fdopen(writing, "wb") as pipe:
            for batch in batches:
                packed = _packed(work, batch)
                pipe.write(len(packed).to_bytes(HEADER_BYTES) + packed)
                pipe.flush()
    finally:
        os._exit(0)


def _widen(pipe: int) -> None:
    """Let a process be far ahead of what is read, where the system allows it."""
    with suppress(ImportError, AttributeError, OSError):
        import fcntl

        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIPE_BYTES)


def _packed(work: Callable[[T], R], batch: Iterable[T]) -> bytes:
    """The results of a batch, with the exception that ended it."""
    made: list[R] = []
    error: BaseException | None = None
    try:
        made.extend(map(work, batch))
    except BaseException as raised:  # noqa: BLE001  # it is raised by the process that asked
        raised.add_note("".join(traceback.format_tb(raised.__traceback__)))
        error = raised
    return zlib.compress(pickle.dumps((made, error)), 1)
