"""A device that hangs: who it is, is said while it is waited for, and not only when its timeout has run out."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event as Moment
from typing import Any

import pytest

from fabric.deployment import ObserveOptions, Result, apply, observe, resume, rollback
from fabric.deployment.connection import parallel_devices
from fabric.deployment.connection.parallel_devices import each, threads
from fabric.deployment.events import DevicesSilent, Event
from tests.deployment.box import BoxDriver
from tests.deployment.conftest import SOURCE, Network, apply_options, killed

LONGEST_S = 60
"""A test that nobody tells anything ends after so long."""
HANGS = "leaf-0-1-0"


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel_devices, "SILENCE_S", 0.05)


class Hanging:
    """A call of a driver that hangs on one device until it is said that the device does not answer."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
        self.heard, self.events = Moment(), list[Event]()
        answers = getattr(BoxDriver, call)

        def hangs(driver: BoxDriver, *given: Any, **named: Any) -> Any:
            if driver.box.name == HANGS:
                assert self.heard.wait(LONGEST_S), "nobody was told of it"
            return answers(driver, *given, **named)

        monkeypatch.setattr(BoxDriver, call, hangs)

    def of(self, network: Network) -> dict[str, Any]:
        """What a verb takes that changes the network, and tells this."""
        place = {"targets": network.targets(), "journal": network.journal}
        return {**place, "options": apply_options(), "on_event": self.on_event}

    def on_event(self, event: Event) -> None:
        self.events.append(event)
        if isinstance(event, DevicesSilent) and event.devices == (HANGS,):
            self.heard.set()


@pytest.fixture
def changed(applied: Network) -> Network:
    applied.edit("ntp 192.0.2.9", "ntp 192.0.2.10")
    return applied


@pytest.mark.parametrize("call", ["open", "get_config", "load_replace_candidate", "compare_config"])
def test_a_plan_tells_of_it(changed: Network, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    hanging = Hanging(monkeypatch, call)
    seen = observe(
        changed.targets(),
        changed.site.artifacts(),
        lambda _name: "toy",
        options=ObserveOptions(source=SOURCE),
        on_event=hanging.on_event,
    )

    assert set(seen) == set(changed.site.switches)
    assert hanging.heard.is_set()


@pytest.mark.parametrize(
    "call",
    ["open", "get_config", "load_replace_candidate", "commit_config", "get_port_states", "confirm_commit"],
)
def test_an_apply_tells_of_it_and_goes_on(
    changed: Network, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    saved = changed.plan()
    hanging = Hanging(monkeypatch, call)
    result = apply(saved, **hanging.of(changed))

    assert result.outcome == "done"
    assert hanging.heard.is_set()


@pytest.mark.parametrize("verb", [rollback, resume], ids=lambda verb: verb.__name__)
def test_whoever_takes_a_run_back_or_goes_on_with_it_tells_of_it(
    changed: Network, monkeypatch: pytest.MonkeyPatch, verb: Callable[..., Result]
) -> None:
    if verb is resume:
        killed(changed, changed.plan(), "committed", 1)
    else:
        changed.apply(changed.plan())
    hanging = Hanging(monkeypatch, "get_config")
    result = verb("lab", **hanging.of(changed))

    assert result.outcome == "done"
    assert hanging.heard.is_set()


def test_those_that_wait_for_their_turn_are_not_blamed() -> None:
    released, silent = Moment(), list[tuple[str, ...]]()

    def on_silence(devices: tuple[str, ...], waited_s: float) -> None:
        assert waited_s >= parallel_devices.SILENCE_S
        silent.append(devices)
        if len(silent) == 2:
            released.set()

    jobs = [("hangs", (LONGEST_S,)), ("its turn has not come", (LONGEST_S,))]
    with ThreadPoolExecutor(1) as pool, threads(pool, on_silence=on_silence) as executor:
        answers = dict(each(executor, released.wait, jobs))

    assert answers == {"hangs": True, "its turn has not come": True}
    assert silent == [("hangs",)] * 2, "it is said again, for as long as it lasts"


def test_who_did_not_ask_for_it_is_told_nothing() -> None:
    with threads(None) as executor:
        assert dict(each(executor, Moment().wait, [("hangs", (0.2,))])) == {"hangs": False}
