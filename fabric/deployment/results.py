"""Stage 7: what happened to each change."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from fabric.deployment.jobs import State
from fabric.deployment.refusal_message import named
from fabric.diagnostics import Diagnostic

Outcome = Literal["nothing", "done", "failed", "stopped"]
"""`nothing`: there was nothing to do. `failed`: a wave was reverted, or broke while it soaked, and the rest was not
begun. `stopped`: the maintenance window has closed between two steps, and the rest can be gone on with."""


class DeviceResult(msgspec.Struct, frozen=True, kw_only=True):
    """What happened to one device."""

    device: str
    state: State
    reason: str = ""


RUNS_NEITHER = "runs neither what it ran before nor what was pushed"


def runs_neither(why: str) -> str:
    """The reason of a device that a person has to look at; `why`: what was wrong there, or with its wave, before."""
    return why if why.startswith(RUNS_NEITHER) else f"{RUNS_NEITHER}: {why}" if why else RUNS_NEITHER


def whereabouts(devices: Iterable[DeviceResult], timers: str) -> str:
    """Devices by state, in words; `timers`: when those that are unconfirmed go back by themselves."""
    by_state: dict[State, list[str]] = {}
    for device in devices:
        by_state.setdefault(device.state, []).append(device.device)
    late = f" (back at {timers})"
    return (
        "; ".join(
            f"{state.value}{late if state.is_open else ''}: {named(names)}"
            for state, names in by_state.items()
        )
        or "no device was changed"
    )


WaveState = Literal["done", "reverted", "stopped", "failed", "not begun"]


def wave_state(devices: Iterable[DeviceResult], reason: str) -> WaveState:
    """How a wave has ended; `reason`: why not all of it was done. If no device was changed it has not begun."""
    states = {device.state for device in devices}
    if not reason:
        return "done"
    if states <= {State.PLANNED}:
        return "not begun"
    if states <= {State.REVERTED, State.PLANNED}:
        return "reverted"
    return "stopped" if states <= {State.CONFIRMED, State.PLANNED} else "failed"


class WaveResult(msgspec.Struct, frozen=True, kw_only=True):
    """What happened to one wave."""

    number: int
    state: WaveState
    """`reverted`: every device runs what it ran before. `stopped`: some steps are confirmed, the rest was not begun.
    `failed`: anything else; see each device."""
    devices: tuple[DeviceResult, ...]
    reason: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()
    """Why it was taken back, where that is more than a word about a device."""


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What happened."""

    run: int | None
    kind: Literal["apply", "rollback", "resume"]
    outcome: Outcome
    waves: tuple[WaveResult, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    """Those of its waves."""

    adopted: tuple[str, ...] = ()
    """Devices that were recorded as ours, in a run of their own: they needed no change."""

    @property
    def devices(self) -> tuple[DeviceResult, ...]:
        """All devices in the order of their waves."""
        return tuple(device for wave in self.waves for device in wave.devices)

    def in_state(self, state: State) -> tuple[str, ...]:
        """The devices in a state."""
        return tuple(device.device for device in self.devices if device.state is state)


def outcome_of(waves: Iterable[WaveResult]) -> Outcome:
    """`done` if every wave is, and nothing has gone wrong after it."""
    return "done" if all(wave.state == "done" and not wave.reason for wave in waves) else "failed"
