"""The devices of a wave that is being confirmed: who keeps the change, and in words where the others are."""

from __future__ import annotations

import time
from collections.abc import Collection
from math import ceil

import msgspec

from fabric.deployment.device_steps import Confirmed, not_applied
from fabric.deployment.jobs import State
from fabric.deployment.refusal_message import named
from fabric.deployment.results import runs_neither
from fabric.deployment.waves.members import Members
from fabric.deployment.waves.settle_devices import Settled
from fabric.deployment.waves.still_ours import is_surely_lost
from fabric.diagnostics import DeviceError

OTHER = "neither what was there before nor the change"
WENT_BACK = "took the change back before it was confirmed"


class Confirming(msgspec.Struct):
    """The devices of a wave whose gate has opened."""

    members: Members
    deadline: float
    """When the first of their timers fires (monotonic, seconds)."""
    kept: dict[str, Confirmed] = msgspec.field(default_factory=dict)
    """The devices that keep the change."""
    back: set[str] = msgspec.field(default_factory=set)
    """Devices that are known to run what they ran before."""
    neither: set[str] = msgspec.field(default_factory=set)
    """Devices that are known to run anything else."""

    def ended(self, name: str, settled: Settled) -> DeviceError | None:
        """Take up where a device is that was asked again; returns why it does not keep the change, None if it does."""
        if settled.state is State.CONFIRMED:
            self.kept[name] = Confirmed(settled.running, settled.note)
            return None
        if settled.state is State.REVERTED:
            self.back.add(name)
            why = WENT_BACK
        else:
            self.neither.add(name)
            why = runs_neither("; ".join(not_applied(self.members.work[name], settled.running)))
        self.members.note(name, settled.state, why)
        return DeviceError(name, why)

    def give_up(self) -> None:
        """Write down that nothing of the wave is to be confirmed any more: whoever finds it open takes it back."""
        run = self.members.run
        if not is_surely_lost(run):
            run.journal.mark_wave(run.id, self.members.number, "gate")

    def stays(self, why: str) -> str:
        """What becomes of the devices if those that keep the change are not to be taken back."""
        return (
            f"{self.words()}, and not all can be taken back ({why}): `fabric plan` shows what is left to do, "
            f"`fabric rollback {self.members.run.id}` takes the others back"
        )

    def words(self) -> str:
        """Where each device is."""
        work = self.members.work
        lost = work.keys() - self.kept.keys() - self.back - self.neither
        timers = {name for name in lost if work[name].kind.reverts}
        first_s = self.members.run.pace.revert_in_s
        longest_s = max((self.members.timer_s(work[name].job.turn) for name in timers), default=first_s)
        left_s = max(0, ceil(self.deadline + longest_s - first_s - time.monotonic()))
        when = (
            f"back {f'within {left_s} s' if left_s else 'by now'} unless the confirmation has arrived there"
        )
        parts = (
            _clause(self.kept, "keeps the change", "keep the change"),
            _clause(self.back, "runs what was there before", "run what was there before"),
            _clause(self.neither, f"runs {OTHER}", f"run {OTHER}"),
            _clause(timers, f"goes {when}", f"go {when}"),
            _clause(lost - timers, "may keep it or not", "may keep it or not"),
        )
        return ", ".join(filter(None, parts))


def _clause(names: Collection[str], one: str, many: str) -> str:
    return f"{named(sorted(names))} {one if len(names) == 1 else many}" if names else ""
