"""Many devices at once, behind the one interface that everybody offers: `concurrent.futures.Executor`."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any, TypeVar

from fabric.diagnostics import DeviceError

THREADS = 32
"""Devices talked to at once: waiting for the network, not for a core."""
WINDOW = 128
"""Jobs handed to the executor ahead of time: what is made for them is not held for all."""

T = TypeVar("T")
Job = tuple[str, tuple[Any, ...]]
"""A device and the arguments of what is done with it."""


class StepLost(Exception):
    """An executor has lost what it was given, or could not begin it: told as an error of the device."""


@contextmanager
def threads(executor: Executor | None, count: int = THREADS) -> Iterator[Executor]:
    """The executor given, or a thread pool for as long as it is used."""
    if executor is not None:
        yield executor
        return
    with ThreadPoolExecutor(count, thread_name_prefix="device") as pool:
        yield pool


def each(
    executor: Executor, work: Callable[..., T], jobs: Iterable[Job]
) -> Generator[tuple[str, T | DeviceError], None, None]:
    """Device and result as they come, those of one moment in the order of the jobs.

    A `DeviceError` is a result, as is what the executor has lost; any other error is raised.
    """
    waiting: dict[Future[T], str] = {}
    ended: SimpleQueue[Future[T]] = (
        SimpleQueue()
    )  # `wait` would look at each of the waiting for each that ends
    window = max(WINDOW, getattr(executor, "slots", 0))
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
            done = {ended.get(), *(ended.get() for _ in range(ended.qsize()))}
            for future in [future for future in waiting if future in done] if len(done) > 1 else done:
                name = waiting.pop(future)
                yield name, _result(name, future)
    finally:
        # Interrupted: whatever has begun is waited for, so that nothing happens to a device behind our back.
        wait([future for future in waiting if not future.cancel()])


def _result(name: str, future: Future[Any]) -> Any:
    try:
        return future.result()
    except DeviceError as error:
        return error
    except StepLost as error:
        return DeviceError(name, str(error))
