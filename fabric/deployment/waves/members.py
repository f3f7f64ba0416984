"""The devices of a wave that are changed together: what is to be done with each, and where it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil

import msgspec

from fabric.deployment.change_names import change_name
from fabric.deployment.device_steps import Ready
from fabric.deployment.events import DeviceStepped
from fabric.deployment.gates.timers import margin_s
from fabric.deployment.jobs import Job, State
from fabric.deployment.results import DeviceResult
from fabric.deployment.waves.run import Run, work_of
from fabric.diagnostics import DeviceError

Jobs = Iterator[tuple[str, tuple[object, ...]]]
"""Devices, and what a step is given beside the device's name."""


class Members:
    """The devices of a batch. Where each is stands in journal and results, and is told to whoever listens."""

    def __init__(self, run: Run, number: int, jobs: Sequence[Job], results: dict[str, DeviceResult]) -> None:
        self.run, self.number, self.results = run, number, results
        """The number is that of the wave."""
        self.session = change_name(f"{run.id}.{number}")
        self.work = {job.device: work_of(run, job, self.session, has_begun=False) for job in jobs}
        self.ready: dict[str, Ready] = {}
        """As they were just before the change; known once they were prepared."""

    @property
    def turns(self) -> list[int]:
        """Of their changes; one for most waves."""
        return sorted({work.job.turn for work in self.work.values()})

    def timer_s(self, turn: int) -> int:
        """So long devices of a turn wait for their confirmation (seconds).

        If nobody is left to revert them, the timers do it in turn too: each ends when the one before has gone back.
        """
        revert_in_s = self.run.pace.revert_in_s
        return revert_in_s + self.turns.index(turn) * ceil(margin_s(revert_in_s))

    @property
    def is_all_or_none(self) -> bool:
        """Whether they have turns: then none keeps its change unless all do."""
        return any(self.turns)

    def jobs(self, *more: object) -> Jobs:
        """All of them at once."""
        return ((name, (work, *more)) for name, work in self.work.items())

    def jobs_of(self, turn: int, *more: object) -> Jobs:
        """Those whose turn it is."""
        return ((name, (work, *more)) for name, work in self.work.items() if work.job.turn == turn)

    def begun(self, name: str, *, has_begun: bool) -> None:
        """Know whether the commit of a device may have begun; before the push none has."""
        self.work[name] = msgspec.structs.replace(self.work[name], has_begun=has_begun)

    def note(self, name: str, state: State, reason: str = "") -> None:
        """Write down where a device is, and tell it."""
        self.run.journal.mark(self.run.id, {name: state}, reason=reason)
        self.report(name, state, reason)

    def leave(self, name: str, error: DeviceError) -> None:
        """Write down that nobody knows what a device runs: its timer takes the change back, where it has one."""
        has_timer = self.work[name].kind.reverts
        reason = str(error) if has_timer else f"it takes nothing back by itself: {error}"
        self.note(name, State.LEFT_TO_TIMER, reason)

    def report(self, name: str, state: State, reason: str = "") -> None:
        """Tell where a device is that the journal knows of already."""
        self.results[name] = DeviceResult(device=name, state=state, reason=reason)
        self.run.on_event(
            DeviceStepped(run=self.run.id, wave=self.number, device=name, state=state, reason=reason)
        )
