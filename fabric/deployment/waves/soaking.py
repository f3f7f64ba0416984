"""Waves go on being watched after they are confirmed: before the next step, before the next wave, at the end of a run.

What the gates compare with is in the journal, so that a run that is gone on with (`resume`) looks before it goes on.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

import msgspec

from fabric.decoding import from_json
from fabric.deployment.between_waves.soak import soak
from fabric.deployment.device_steps import Ready
from fabric.deployment.events import GateWaiting, WaveSoaks
from fabric.deployment.gates.purpose import Purpose
from fabric.deployment.gates.snapshot import Snapshot
from fabric.deployment.gates.watch import Gate
from fabric.deployment.jobs import Job, State
from fabric.deployment.waves.run import Run, work_of
from fabric.planning.texts import digest


class Kept(msgspec.Struct, frozen=True):
    """What a gate compares with, of one device."""

    up: Snapshot
    purpose: Purpose


class Soaking:
    """A wave of which devices are confirmed, if the run is to soak; else nothing of it is kept."""

    def __init__(self, run: Run, number: int) -> None:
        self.run, self.number = run, number
        self._gates: list[tuple[float, Gate]] = []
        """With when their devices were confirmed (monotonic, seconds)."""

    @property
    def devices(self) -> tuple[str, ...]:
        """Those that soak."""
        return tuple(name for _, gate in self._gates for name in gate.work)

    def add(self, gate: Gate) -> None:
        """A step is confirmed. Its gate holds texts and snapshots of its devices."""
        if not self.run.pace.soak_s:
            return
        self._gates.append((time.monotonic(), gate))
        kept = {name: _text(Kept(ready.up, ready.purpose)) for name, ready in gate.ready.items()}
        self.run.journal.keep(kept.values())
        self.run.journal.soaks(self.run.id, self.number, {name: digest(text) for name, text in kept.items()})

    def look(self) -> str:
        """What is wrong with the steps that still soak, before the next one of the wave; empty if nothing is."""
        since = time.monotonic() - self.run.pace.soak_s
        return self._wrong("a step of ", [gate for at, gate in self._gates if at > since], 0)

    def wait(self) -> str:
        """Watch the whole wave for as long as it is to soak; empty, or what is wrong for too long."""
        soak_s = self.run.pace.soak_s
        if self._gates:
            self.run.on_event(WaveSoaks(run=self.run.id, wave=self.number, for_s=soak_s))
        wrong = self._wrong("", [gate for _, gate in self._gates], soak_s)
        if self._gates and not wrong:
            self.run.journal.soaked(self.run.id, self.number)
        return wrong

    def _wrong(self, part: str, gates: Sequence[Gate], soak_s: float) -> str:
        wrong = soak(gates, soak_s, self.run.pace, self._waiting)
        return f"after {part}wave {self.number} was confirmed: {wrong}" if wrong else ""

    def _waiting(self, lost: tuple[str, ...], elapsed_s: float) -> None:
        event = GateWaiting(run=self.run.id, wave=self.number, missing=lost, elapsed_s=round(elapsed_s, 1))
        self.run.on_event(event)


def left_soaking(run: Run) -> Soaking | None:
    """The wave that soaked when the run was interrupted; None if none did, or the run is not to soak any more."""
    number, keys = run.journal.soaking(run.id) if run.pace.soak_s else (0, {})
    jobs = {step.job.device: step.job for step in run.journal.steps(run.id) if step.state is State.CONFIRMED}
    kept = {name: known for name in keys if name in jobs and (known := _kept(run, keys[name]))}
    if not kept:
        return None
    soaking = Soaking(run, number)
    soaking.add(_gate(run, number, jobs, kept))
    return soaking


def _gate(run: Run, number: int, jobs: Mapping[str, Job], kept: Mapping[str, Kept]) -> Gate:
    work = {name: work_of(run, jobs[name]) for name in kept}
    ready = {name: Ready("", known.up, known.purpose) for name, known in kept.items()}
    about = {"run": str(run.id), "wave": str(number), "site": run.site, "devices": " ".join(kept)}
    words = (run.thresholds, run.pace, run.executor, about, run.folder, run.hide, run.port_names)
    return Gate(work, ready, *words)


def _text(kept: Kept) -> str:
    return msgspec.json.encode(kept).decode()


def _kept(run: Run, key: str) -> Kept | None:
    """None if it is not there any more, or another version of this program wrote it."""
    with suppress(KeyError, msgspec.DecodeError):
        return from_json(run.journal.text(key), Kept)
    return None
