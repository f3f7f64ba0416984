"""How often a device is logged in to: once at a plan, five times at an apply, however long its gate watches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from fabric.deployment import Pace, Thresholds
from fabric.deployment.connection import device_session
from tests.deployment.box import BoxDriver
from tests.deployment.conftest import Clock, Network

LOGINS = ("before the first wave", "prepared and pushed", "first look", "last look", "confirmed")


class Log:
    """What drivers of the devices were asked to do, in order."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls: list[tuple[str, int, str]] = []
        for name in ("open", "close", "commit_config", "confirm_commit", "get_port_states"):
            monkeypatch.setattr(BoxDriver, name, self._logged(name, getattr(BoxDriver, name)))

    def _logged(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(driver: BoxDriver, *arguments: Any, **named: Any) -> Any:
            self.calls.append((driver.box.name, id(driver), name))
            return function(driver, *arguments, **named)

        return call

    def count(self, what: str) -> Counter[str]:
        """How often each device was asked to do it."""
        return Counter(device for device, _, call in self.calls if call == what)

    def drivers(self, device: str, what: str) -> list[int]:
        """The connections of a device over which it was asked to do it."""
        return [driver for name, driver, call in self.calls if (name, call) == (device, what)]


@pytest.fixture(name="log")
def _log(monkeypatch: pytest.MonkeyPatch) -> Log:
    kept: list[Any] = []  # so that no two have the same `id`
    made = device_session._driver

    def make(*arguments: Any) -> Any:
        kept.append(made(*arguments))
        return kept[-1]

    monkeypatch.setattr(device_session, "_driver", make)
    return Log(monkeypatch)


@pytest.fixture(name="clock")
def _clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    clock.drive_waves(monkeypatch)
    return clock


def test_a_device_is_logged_in_to_once_at_a_plan(make: Callable[..., Network], log: Log) -> None:
    network = make()
    network.plan(adopt=True)

    assert dict.fromkeys(network.site.switches, 1) == log.count("open") == log.count("close")


@pytest.mark.parametrize("watch_s", [8, 80])
def test_logins_of_an_apply_do_not_grow_with_its_looks(
    make: Callable[..., Network], log: Log, clock: Clock, watch_s: float
) -> None:
    network = make()
    saved = network.plan(adopt=True)
    log.calls.clear()
    pace = Pace(revert_in_s=1000, gate_poll_s=1)
    assert network.apply(saved, pace=pace, thresholds=Thresholds(watch_s=watch_s)).outcome == "done"

    assert dict.fromkeys(network.site.switches, len(LOGINS)) == log.count("open") == log.count("close")
    looks = set(log.count("get_port_states").values())
    assert min(looks) > len(LOGINS), "the gate has looked more often than it has logged in"


def test_a_commit_is_looked_at_and_confirmed_over_connections_made_after_it(
    make: Callable[..., Network], log: Log, clock: Clock
) -> None:
    network = make()
    network.apply(thresholds=Thresholds(watch_s=8))

    for device in network.site.switches:
        (committed,) = log.drivers(device, "commit_config")
        (confirmed,) = log.drivers(device, "confirm_commit")
        opened = log.drivers(device, "open")
        first, last, confirming = opened[opened.index(committed) + 1 :]
        looks = log.drivers(device, "get_port_states")
        after = looks[looks.index(first) :]
        assert confirming == confirmed
        assert [first, last] == list(dict.fromkeys(after))
        assert last == after[-1] != after[-2]


def test_a_kept_connection_that_has_died_is_made_anew(
    make: Callable[..., Network], log: Log, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = make()
    victim, other = sorted(network.site.switches)[:2]
    looked: set[int] = set()
    pending = BoxDriver.get_pending_commit

    def hung_up(driver: BoxDriver) -> Any:
        """Over a connection that was used for a look, of one device: it is closed at the other end."""
        if driver.box.name == victim and id(driver) in looked:
            raise ConnectionResetError
        return pending(driver)

    states = BoxDriver.get_port_states

    def looks(driver: BoxDriver) -> Any:
        looked.add(id(driver))
        return states(driver)

    monkeypatch.setattr(BoxDriver, "get_pending_commit", hung_up)
    monkeypatch.setattr(BoxDriver, "get_port_states", looks)
    assert network.apply(thresholds=Thresholds(watch_s=8)).outcome == "done"
    assert log.count("open")[victim] > log.count("open")[other]
    assert log.count("open") == log.count("close")


def test_nothing_stays_open_where_a_wave_is_taken_back(
    make: Callable[..., Network], log: Log, clock: Clock
) -> None:
    network = make()
    network.apply()
    network.edit("ntp 192.0.2.9", "ntp 192.0.2.10")
    saved = network.plan()
    network.box(saved[0].waves[1].devices[0]).fail("commit")

    assert network.apply(saved).outcome == "failed"
    assert log.count("open") == log.count("close")
