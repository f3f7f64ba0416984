"""A workplace: who talks to the devices, and to how many at once."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fabric.deployment.connection.executors import each
from fabric.deployment.workplace import Workplace


def most_at_once(place: Workplace, devices: int) -> int:
    lock, now, most = threading.Lock(), 0, 0

    def talk() -> None:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        time.sleep(0.02)
        with lock:
            now -= 1

    with place.executor() as executor:
        assert len(list(each(executor, talk, ((f"d{i}", ()) for i in range(devices))))) == devices
    return most


@pytest.mark.parametrize("jobs", [1, 3])
def test_no_more_devices_are_talked_to_at_once_than_asked_for(jobs: int) -> None:
    assert most_at_once(Workplace(folder=Path(), jobs=jobs), 9) == jobs


def test_an_executor_of_the_caller_is_used_and_left_running() -> None:
    with ThreadPoolExecutor(2) as pool:
        assert most_at_once(Workplace(folder=Path(), jobs=9, given_executor=pool), 9) == 2
        assert pool.submit(lambda: 5).result() == 5
