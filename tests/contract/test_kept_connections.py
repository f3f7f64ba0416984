"""What a wave does over one connection, held by every driver: reads and then commits; and what if it has died."""

from __future__ import annotations

import contextlib

from fabric.deployment.connection.device_session import Connection
from fabric.deployment.connection.kept_connections import connected, keeping
from fabric.deployment.gates.snapshot import snapshot
from fabric.platforms.registry import platform
from tests.contract.bench import Bench
from tests.contract.test_life_of_a_change import CHANGE, long_s, runs

KEY = CHANGE, "it"


def opened(device: Bench) -> Connection:
    return Connection(device.target, platform(device.platform))


def test_a_device_that_was_looked_at_is_changed_over_the_same_connection(device: Bench) -> None:
    made = []

    def new() -> Connection:
        made.append(opened(device))
        return made[-1]

    with keeping(CHANGE):
        with connected(KEY, new, is_kept=True) as connection:
            running = connection.running()
            snapshot(connection, platform(device.platform))
        with connected(KEY, new, goes_on=True) as connection:
            connection.stage(device.texts[1], CHANGE)
            connection.commit(long_s(device), running.__eq__)

    assert len(made) == 1
    assert runs(device, 1)
    with opened(device) as connection:
        connection.confirm(CHANGE)


def test_a_kept_connection_that_was_dropped_is_made_anew(device: Bench) -> None:
    with keeping(CHANGE):
        with connected(KEY, lambda: opened(device), is_kept=True) as first:
            first.running()
        with contextlib.suppress(OSError):
            device.drop_connections()
        for _ in range(2):
            with connected(KEY, lambda: opened(device), goes_on=True, is_kept=True) as connection:
                assert connection.running()
