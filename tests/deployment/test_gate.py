"""The gate and the timers on the devices: it never waits beyond them, and never lets a wave pass when they are near."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from fabric.deployment import Pace, State, apply
from fabric.deployment.events import GateWaiting
from tests.deployment.conftest import Clock, Network, apply_options

SLOW = Pace(revert_in_s=100, gate_timeout_s=10_000, gate_poll_s=5)
"""The devices take the change back after 100 s; the margin kept free before that is 25 s."""


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    made.drive_waves(monkeypatch)
    return made


def test_the_gate_gives_up_before_the_timers_fire(applied: Network, clock: Clock) -> None:
    """However long it may wait by itself: what it takes back in order, no timer has to."""
    address = applied.site.switches["spine-0-0"].ports[0].addresses[0].ip
    applied.edit(f"neighbor {address} remote-as ", f"neighbor {address} remote-as 1", "leaf-0-0-0")
    made, texts = applied.plan()
    saved = (msgspec.structs.replace(made, couplings=(), diagnostics=()), texts)
    result = applied.apply(saved, allow=frozenset({"isolating"}), pace=SLOW)
    waited = [event.elapsed_s for event in applied.events if isinstance(event, GateWaiting)]

    assert result.in_state(State.REVERTED) == ("leaf-0-0-0",)
    assert f"BGP session with {address}: is down" in result.waves[0].reason
    assert 60 <= max(waited) < 75
    assert clock.now < SLOW.revert_in_s
    assert applied.box("leaf-0-0-0").log[-1] != "timer fired"


@pytest.mark.parametrize(("late_s", "outcome"), [(0, "done"), (70, "done"), (90, "failed"), (101, "failed")])
def test_a_wave_that_is_up_too_late_is_taken_back(
    applied: Network, clock: Clock, late_s: float, outcome: str
) -> None:
    """Half of the margin is needed to confirm: later, some devices would keep the change and some would not."""
    applied.edit("ntp 192.0.2.9", "ntp 192.0.2.10", "leaf-0-0-0")

    def late(event: Any) -> None:
        if getattr(event, "state", "") == State.COMMITTED:
            clock.now += late_s

    result = apply(
        applied.plan(),
        targets=applied.targets(),
        journal=applied.journal,
        options=apply_options(pace=SLOW),
        on_event=late,
    )

    assert result.outcome == outcome
    if outcome == "failed":
        assert result.waves[0].reason == "the devices' timers were about to run out"
        assert result.in_state(State.REVERTED) == ("leaf-0-0-0",)


def test_a_device_that_goes_back_to_something_else_is_told_as_failed(applied: Network) -> None:
    """Reverted is what runs the old text again; anything else is for a person to look at."""
    applied.edit("ntp 192.0.2.9", "ntp 192.0.2.10", "leaf-0-0-0")

    def meddle(event: Any) -> None:
        """Somebody changes what runs and what the timer would bring back."""
        if getattr(event, "state", "") == State.COMMITTED:
            with applied.box("leaf-0-0-0").state() as state:
                state["running"] += "ntp 192.0.2.66\n"
                state["pending"]["before"] += "ntp 192.0.2.67\n"

    result = apply(
        applied.plan(),
        targets=applied.targets(),
        journal=applied.journal,
        options=apply_options(),
        on_event=meddle,
    )

    assert result.waves[0].state == "failed"
    assert result.in_state(State.FAILED) == ("leaf-0-0-0",)
    assert result.devices[0].reason.startswith("runs neither what it ran before nor what was pushed: ")
    assert result.devices[0].reason.endswith(result.waves[0].reason)
    assert "ntp 192.0.2.67" in applied.box("leaf-0-0-0").running
