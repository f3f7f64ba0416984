"""Confirmations that fail on some devices: the wave is confirmed or taken back as a whole, or the report names each."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

import msgspec
import pytest

from fabric.deployment import Event, Result, State, apply
from fabric.deployment.events import DeviceStepped
from fabric.planning import Plan
from tests.deployment.conftest import FAST, AtOnce, Clock, Network, apply_at_once, apply_options
from tests.planning.toy import canonical

FAULTS = {
    "cannot confirm": ("confirm",),
    "answer lost": ("after confirm",),
    "silent": ("open",),
    "cannot go back": ("confirm", "rollback"),
}
UNKNOWN = {"silent", "cannot go back"}
"""What becomes of such a device cannot be known while the fault lasts."""
TIMER_S = 200
SPINES = ("spine-0-0", "spine-0-1")


@pytest.mark.parametrize("seed", range(16))
def test_a_wave_is_confirmed_or_taken_back_as_a_whole(
    seed: int, make: Callable[..., Network], monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = random.Random(seed)  # noqa: S311  # the same faults each time
    network = make()
    assert network.apply().outcome == "done"
    before = {name: canonical(box.running) for name, box in network.boxes().items()}
    saved = changed(network)
    wave = saved[0].waves[1].devices
    faults = {name: drawn.choice(sorted(FAULTS)) for name in drawn.sample(wave, drawn.randint(1, 4))}
    heals = drawn.random() < 0.5
    result = confirmed(network, saved, faults, monkeypatch, heals_after_s=20 if heals else None)

    states = {device.device: device.state for device in result.waves[1].devices}
    for name, state in states.items():
        runs_old = canonical(network.box(name).running) == before[name]
        assert state is not State.CONFIRMED or not runs_old
        assert state is not State.REVERTED or runs_old
        assert (network.journal.applied("lab")[name].run == 2) == (state is State.CONFIRMED)
    if heals or not UNKNOWN & set(faults.values()):
        assert len(set(states.values())) == 1, (faults, states)
        assert not any(box.is_pending for box in network.boxes().values())
    else:
        assert result.waves[1].state == "failed"
        lost = [name for name, fault in faults.items() if fault in UNKNOWN]
        assert all(name in result.waves[1].reason for name in lost)
        assert "`fabric plan`" in result.waves[1].reason
    if heals:
        assert result.outcome == "done"


def test_nothing_is_taken_back_if_one_cannot_be(
    make: Callable[..., Network], monkeypatch: pytest.MonkeyPatch
) -> None:
    network = make()
    network.apply()
    saved = changed(network)
    first, second, *_ = saved[0].waves[1].devices
    result = confirmed(network, saved, {first: "cannot confirm"}, monkeypatch, forgets=second)

    states = {device.device: device.state for device in result.waves[1].devices}
    assert states.pop(first) is State.REVERTED
    assert set(states.values()) == {State.CONFIRMED}
    assert f"{first} runs what was there before, and not all can be taken back ({second}: load" in (
        result.waves[1].reason
    )
    assert "`fabric rollback 2` takes the others back" in result.waves[1].reason


@pytest.mark.parametrize("asked", ["once", "again"])
@pytest.mark.parametrize("wave", ["each by itself", "all or none"])
def test_what_is_typed_after_the_gate_has_looked_for_the_last_time_is_told(
    wave: str, asked: str, make: Callable[..., Network], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also of a device whose first confirmation went wrong, and where none keeps its change unless all do."""
    network = make()
    network.apply()
    saved = in_turn(network) if wave == "all or none" else changed(network)
    number = len(saved[0].waves)
    name = saved[0].waves[-1].devices[-1]
    box, mark_wave = network.box(name), network.journal.mark_wave

    def types() -> None:
        box.change(lambda text: text.replace("ntp ", "ntp 192.0.2.99\nntp ", 1))

    def marked(run: int, of: int, state: str, reason: str = "") -> None:
        mark_wave(run, of, state, reason)
        if (of, state) == (number, "confirming"):
            box.fail("confirm") if asked == "again" else types()

    def hears(event: Event) -> None:
        if isinstance(event, DeviceStepped) and event.state is State.LEFT_TO_TIMER:
            box.fail()
            types()

    monkeypatch.setattr(network.journal, "mark_wave", marked)
    result = apply_at_once(network, saved, hears)
    told = {device.device: device.reason for wave in result.waves for device in wave.devices}
    kept = {step.job.device: step.reason for step in network.journal.steps(2)}

    assert result.outcome == "done"
    assert told[name].startswith("since the gate's last look: ")
    assert "`ntp 192.0.2.99` was not pushed" in told[name]
    assert {name} == {device for device, reason in told.items() if reason}
    assert {name} == {device for device, reason in kept.items() if reason}


def test_a_device_that_may_have_confirmed_and_was_typed_on_since_is_not_said_to_have_gone_back(
    make: Callable[..., Network],
) -> None:
    network = make()
    network.apply()
    saved = in_turn(network)
    box = network.box(saved[0].waves[0].devices[-1])
    box.fail("after confirm")

    def hears(event: Event) -> None:
        if isinstance(event, DeviceStepped) and event.state is State.LEFT_TO_TIMER:
            box.fail()
            box.change(lambda text: text.replace("ntp ", "ntp 192.0.2.99\nntp ", 1))

    result = apply_at_once(network, saved, hears)

    assert "`ntp 192.0.2.99` was not pushed" in result.waves[0].reason
    assert "took the change back" not in result.waves[0].reason


def in_turn(network: Network) -> tuple[Plan, Mapping[str, str]]:
    """The change of both spines as managers of one subnet: one after the other, and all of them or none."""
    network.edit("ntp 192.0.2.9", "ntp 192.0.2.10", *SPINES)
    saved, texts = network.plan()
    wave = msgspec.structs.replace(saved.waves[0], devices=SPINES, canary=False, in_turn=True, number=1)
    return msgspec.structs.replace(saved, waves=(wave,), couplings=(), diagnostics=()), texts


def changed(network: Network) -> tuple[Plan, Mapping[str, str]]:
    network.edit("ntp 192.0.2.9", "ntp 192.0.2.10")
    return network.plan()


def confirmed(
    network: Network,
    saved: tuple[Plan, Mapping[str, str]],
    faults: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    *,
    heals_after_s: float | None = None,
    forgets: str = "",
) -> Result:
    """The change, whose second wave meets faults when it is to be confirmed; time passes while it sleeps."""
    clock = Clock()
    clock.drive_waves(monkeypatch)
    began: list[float] = []
    mark_wave, sleep = network.journal.mark_wave, clock.sleep

    def marked(run: int, number: int, state: str, reason: str = "") -> None:
        mark_wave(run, number, state, reason)
        if (number, state) == (2, "confirming"):
            began.append(clock.now)
            for name, fault in faults.items():
                network.box(name).fail(*FAULTS[fault])
            if forgets:
                network.box(forgets).fail("load before")

    def passes(seconds: float) -> None:
        sleep(seconds)
        if began and heals_after_s is not None and clock.now > began[0] + heals_after_s:
            for name in faults:
                network.box(name).fail()

    monkeypatch.setattr(network.journal, "mark_wave", marked)
    monkeypatch.setattr(clock, "sleep", passes)
    pace = msgspec.structs.replace(FAST, revert_in_s=TIMER_S, gate_poll_s=5)
    return apply(
        saved,
        targets=network.targets(),
        journal=network.journal,
        options=apply_options(pace=pace),
        executor=AtOnce(),
    )
