"""Waves go on being watched after they are confirmed: before the next step, before the next wave, at the end of a run.

What the gates compare with is in the journal, so that a run that is gone on with (`resume`) looks before it goes on.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

import msgspec

from fabric.decoding import from_json
from fabric.deployment.between_waves.soak import Watched, soak
from fabric.deployment.device_steps import Ready
from fabric.deployment.events import GateWaiting, WaveSoaks
from fabric.deployment.gates.bystanders import Beside
from fabric.deployment.gates.manager_gate import ManagerGate
from fabric.deployment.gates.purpose import Purpose
from fabric.deployment.gates.snapshot import Snapshot
from fabric.deployment.gates.watch import Gate
from fabric.deployment.jobs import Job, State
from fabric.deployment.waves.gate import gate_of_managers, wave_gate
from fabric.deployment.waves.run import Run, work_of, work_of_asking
from fabric.planning.texts import digest
from fabric.platforms.manager_state import ManagerState


class Kept(msgspec.Struct, frozen=True):
    """What a gate compares with, of one device."""

    up: Snapshot
    purpose: Purpose
    is_beside: bool = False
    """A device beside the wave: it does not change with it."""
    manager: ManagerState | None = None
    """Of a subnet manager: what it was."""


class Soaks(NamedTuple):
    """A step of a wave that is confirmed."""

    since: float
    """Monotonic, seconds."""
    gate: Gate
    managers: ManagerGate | None
    """Of the subnet whose managers were changed."""

    @property
    def watched(self) -> tuple[Watched, ...]:
        """Both gates, if there are two."""
        return (self.gate, self.managers) if self.managers else (self.gate,)


class Soaking:
    """A wave of which devices are confirmed, if the run is to soak; else nothing of it is kept."""

    def __init__(self, run: Run, number: int) -> None:
        self.run, self.number = run, number
        self._steps: list[Soaks] = []

    @property
    def devices(self) -> tuple[str, ...]:
        """Those that soak."""
        return tuple(name for step in self._steps for name in step.gate.work)

    def add(self, gate: Gate, managers: ManagerGate | None = None) -> None:
        """A step is about to be confirmed. Its gates hold texts and snapshots of its devices."""
        if not self.run.pace.soak_s:
            return
        known = {
            name: kept
            for name, kept in _known(gate, managers).items()
            if not (kept.is_beside and name in self.devices)
        }
        for step in self._steps:
            step.gate.later.update(gate.purposes)
        self._steps.append(Soaks(time.monotonic(), gate, managers))
        texts = {name: msgspec.json.encode(kept).decode() for name, kept in known.items()}
        self.run.journal.keep(texts.values())
        self.run.journal.soaks(self.run.id, self.number, {name: digest(text) for name, text in texts.items()})

    def look(self) -> str:
        """What is wrong with the steps that still soak, before the next one of the wave; empty if nothing is."""
        since = time.monotonic() - self.run.pace.soak_s
        return self._wrong("a step of ", [step for step in self._steps if step.since > since], 0)

    def wait(self) -> str:
        """Watch the whole wave for as long as it is to soak; empty, or what is wrong for too long."""
        soak_s = self.run.pace.soak_s
        if self._steps:
            self.run.on_event(WaveSoaks(run=self.run.id, wave=self.number, for_s=soak_s))
        wrong = self._wrong("", self._steps, soak_s)
        if self._steps and not wrong:
            self.run.journal.soaked(self.run.id, self.number)
        return wrong

    def _wrong(self, part: str, steps: Sequence[Soaks], soak_s: float) -> str:
        watched = [gate for step in steps for gate in step.watched]
        wrong = soak(watched, soak_s, self.run.pace, self._waiting)
        return f"after {part}wave {self.number} was confirmed: {wrong}" if wrong else ""

    def _waiting(self, lost: tuple[str, ...], elapsed_s: float) -> None:
        event = GateWaiting(run=self.run.id, wave=self.number, missing=lost, elapsed_s=round(elapsed_s, 1))
        self.run.on_event(event)


def left_soaking(run: Run) -> Soaking | None:
    """The wave that soaked when the run was interrupted; None if none did, or the run is not to soak any more."""
    number, keys = run.journal.soaking(run.id) if run.pace.soak_s else (0, {})
    jobs = {step.job.device: step.job for step in run.journal.steps(run.id) if step.state is State.CONFIRMED}
    kept = {name: known for name, key in keys.items() if (known := _kept(run, key))}
    if not jobs.keys() & kept.keys():
        return None
    soaking = Soaking(run, number)
    soaking.add(_gate(run, number, jobs, kept), _managers(run, number, kept))
    return soaking


def _known(gate: Gate, managers: ManagerGate | None) -> dict[str, Kept]:
    """What the gates of a step compare with, by device."""
    before = managers.before if managers else {}
    known = {name: Kept(Snapshot(), Purpose(name), is_beside=True, manager=before[name]) for name in before}
    known |= {name: Kept(one.before, Purpose(name), is_beside=True) for name, one in gate.beside.items()}
    return known | {
        name: Kept(ready.up, ready.purpose, manager=before.get(name)) for name, ready in gate.ready.items()
    }


def _managers(run: Run, number: int, kept: Mapping[str, Kept]) -> ManagerGate | None:
    """The gate of the managers of a subnet, as they were before the wave; None if it has changed none."""
    jobs = [step.job for step in run.journal.steps(run.id) if step.job.wave == number]
    return gate_of_managers(
        run, number, jobs, {name: known.manager for name, known in kept.items() if known.manager}
    )


def _gate(run: Run, number: int, jobs: Mapping[str, Job], kept: Mapping[str, Kept]) -> Gate:
    changed = {name: known for name, known in kept.items() if name in jobs and not known.is_beside}
    work = {name: work_of(run, jobs[name]) for name in changed}
    ready = {name: Ready("", known.up, known.purpose) for name, known in changed.items()}
    beside = {
        name: Beside(asking, known.up)
        for name, known in kept.items()
        if known.is_beside and (asking := work_of_asking(run, name))
    }
    return wave_gate(run, number, work, ready, beside)


def _kept(run: Run, key: str) -> Kept | None:
    """None if it is not there any more, or another version of this program wrote it."""
    with suppress(KeyError, msgspec.DecodeError):
        return from_json(run.journal.text(key), Kept)
    return None
