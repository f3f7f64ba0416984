"""How many devices are talked to at once, and when it is asked what is to be done with the next one."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from fabric.deployment.connection.parallel_devices import WINDOW, each, threads

JOBS = 2 * WINDOW


@pytest.mark.parametrize("slots", [1, 32, JOBS])
@pytest.mark.parametrize("when", ["ahead", "in time"])
def test_as_many_at_once_as_there_are_threads(slots: int, when: str) -> None:
    """What is not asked for ahead is asked for when there is a thread for it: no earlier, and no later."""
    together, lock, begun, early = threading.Barrier(slots), threading.Lock(), 0, 0

    def work() -> None:
        nonlocal begun
        with lock:
            begun += 1
        together.wait(timeout=60)

    def jobs() -> Iterator[tuple[str, tuple[()]]]:
        nonlocal early
        for number in range(JOBS):
            early = max(early, number - begun)
            yield str(number), ()

    with threads(None, slots) as pool:
        assert len(list(each(pool, work, jobs(), ahead=when == "ahead"))) == JOBS
    assert early <= (max(WINDOW, slots) if when == "ahead" else slots)
