"""Many devices at once, behind the one interface that everybody offers: `concurrent.futures.Executor`."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from contextvars import ContextVar
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from fabric.diagnostics import DeviceError

THREADS = 32
"""Devices talked to at once: waiting for the network, not for a core."""
WINDOW = 128
"""Jobs handed to the executor ahead of time: what is made for them is not held for all."""

SILENCE_S = 15.0
"""When no device has answered for so long, those that are waited for are named; and again after so long."""

T = TypeVar("T")
Job = tuple[str, tuple[Any, ...]]
"""A device and the arguments of what is done with it."""
OnSilence = Callable[[tuple[str, ...], float], None]
"""Called with the devices that are waited for, and how many seconds none has answered."""
_ON_SILENCE: ContextVar[OnSilence | None] = ContextVar("_ON_SILENCE", default=None)


class DeviceThreads(ThreadPoolExecutor):
    """A thread for each device that is talked to at once."""

    def __init__(self, slots: int) -> None:
        super().__init__(slots, thread_name_prefix="device")
        self.slots = slots
        """So many jobs it has room for, as every executor says that has a limit."""


class StepLost(Exception):
    """An executor has lost what it was given, or could not begin it: told as an error of the device."""


@contextmanager
def threads(
    executor: Executor | None, count: int = THREADS, *, on_silence: OnSilence | None = None
) -> Iterator[Executor]:
    """The executor given, or a thread pool for as long as it is used. `on_silence` hears of who keeps it waiting."""
    before = _ON_SILENCE.set(on_silence or _ON_SILENCE.get())
    try:
        if executor is not None:
            yield executor
        else:
            with DeviceThreads(count) as pool:
                yield pool
    finally:
        _ON_SILENCE.reset(before)


def each(
    executor: Executor, work: Callable[..., T], jobs: Iterable[Job], *, ahead: bool = True
) -> Generator[tuple[str, T | DeviceError], None, None]:
    """Device and result as they come, those of one moment in the order of the jobs.

    A `DeviceError` is a result, as is what the executor has lost; any other error is raised. Without `ahead` a job is
    asked for when the executor has room for it: what was looked at for it is not minutes old.
    """
    waiting: dict[Future[T], str] = {}
    ended: SimpleQueue[Future[T]] = (
        SimpleQueue()
    )  # `wait` would look at each of the waiting for each that ends
    slots = getattr(executor, "slots", 0)
    window = max(WINDOW, slots) if ahead else slots or THREADS
    source = iter(jobs)
    try:
        while True:
            for name, arguments in source:
                future = executor.submit(work, *arguments)
                waiting[future] = name
                future.add_done_callback(ended.put)
                if len(waiting) >= window:
                    break
            if not waiting:
                return
            done = {_first(ended, waiting), *(ended.get() for _ in range(ended.qsize()))}
            for future in [future for future in waiting if future in done] if len(done) > 1 else done:
                name = waiting.pop(future)
                yield name, _result(name, future)
    finally:
        # Interrupted: whatever has begun is waited for, so that nothing happens to a device behind our back.
        wait([future for future in waiting if not future.cancel()])


def _first(ended: SimpleQueue[Future[T]], waiting: Mapping[Future[T], str]) -> Future[T]:
    """The next that ends. A device that hangs may take a minute until its timeout: who it is, is said before."""
    began, on_silence = time.monotonic(), _ON_SILENCE.get()
    while True:
        try:
            return ended.get(timeout=SILENCE_S if on_silence else None)
        except Empty:
            asked = tuple(name for future, name in waiting.items() if future.running())
            if on_silence and asked:
                on_silence(asked, time.monotonic() - began)


def _result(name: str, future: Future[Any]) -> Any:
    try:
        return future.result()
    except DeviceError as error:
        return error
    except StepLost as error:
        return DeviceError(name, str(error))
