"""One step of a wave: snapshot, push with timers, gate, confirm; or everything of it taken back."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager

from fabric.deployment.connection.kept_connections import keeping
from fabric.deployment.events import GateWaiting
from fabric.deployment.gates.bystanders import Beside
from fabric.deployment.gates.manager_gate import ManagerGate
from fabric.deployment.gates.timers import margin_s, too_short
from fabric.deployment.gates.watch import Gate
from fabric.deployment.interruptions import shielded
from fabric.deployment.jobs import Job
from fabric.deployment.moments import clock_time
from fabric.deployment.results import DeviceResult, whereabouts
from fabric.deployment.waves.confirm_all_or_none import AllOrNone
from fabric.deployment.waves.confirm_each import Confirmation
from fabric.deployment.waves.gate import gate_of_managers, wave_gate
from fabric.deployment.waves.members import Members
from fabric.deployment.waves.prepare import carries_traffic, cuts_off, take_snapshots
from fabric.deployment.waves.push import push
from fabric.deployment.waves.run import Run
from fabric.deployment.waves.still_ours import Lock, WhileOurs, is_surely_lost
from fabric.deployment.waves.take_back import take_back
from fabric.diagnostics import Diagnostic, JournalFailed
from fabric.units import counted

TOO_LATE = "the devices' timers were about to run out"


class Batch:
    """The devices of a wave that are changed, gated and confirmed together."""

    def __init__(
        self,
        run: Run,
        number: int,
        jobs: Sequence[Job],
        results: dict[str, DeviceResult],
        findings: list[Diagnostic],
        keep: Callable[[Gate, ManagerGate | None], None],
    ) -> None:
        """`keep`: told of the gates, before anything is confirmed, that whoever goes on with the run looks at again."""
        self.run, self.number, self.findings, self.keep = run, number, findings, keep
        self.members = Members(run, number, jobs, results)
        self.beside: dict[str, Beside] = {}
        self.is_allowed = False
        """Whether the journal says that the gate has let the wave pass."""
        self.gate: Gate | None = None
        self.deadline = 0.0
        """When the first of their timers fires; known from the push on (monotonic, seconds)."""
        self.managers = gate_of_managers(run, number, jobs)

    def go(self) -> str:
        """Everything, in order; returns why it was taken back, empty if it holds."""
        with keeping(self.members.session):
            return self._go()

    def _go(self) -> str:
        if reason := self._prepare():
            return reason
        self.deadline = time.monotonic() + self.run.pace.revert_in_s
        with ExitStack() as ending:
            try:
                reason = push(self.members) or self._gate() or self._managed() or self._allow()
                ending.enter_context(self._to_its_end("taking back" if reason else "confirming"))
            except BaseException as error:  # interrupted, or a bug: nothing is left to the timers alone
                with self._to_its_end("taking back"):
                    self._take_back(_why(error))
                raise
            if not reason:
                return self._confirm()
            self._take_back(reason)
        return reason + self._managed_again()

    @contextmanager
    def _to_its_end(self, doing: str) -> Iterator[None]:
        """Nothing stops what happens to all devices of the wave; signals say how long that may take."""
        left, devices = self._deadline_time(), counted(len(self.members.work), ("device", "devices"))
        what = f"{doing} wave {self.number} on {devices} (unconfirmed, each goes back at {left})"
        with shielded(what), self.run.journal.postponing():
            yield

    def whereabouts(self) -> str:
        """Where each device of the wave is, in words, for when that could not be written down."""
        devices = whereabouts(self.members.results.values(), self._deadline_time())
        return f"in wave {self.number} of run {self.run.id} {devices}"

    def _deadline_time(self) -> str:
        return clock_time(max(0.0, self.deadline - time.monotonic()))

    def _prepare(self) -> str:
        """Why nothing is pushed; empty if it may be."""
        self.run.journal.check_held(self.run.id)  # it may have waited for long since the wave before
        reason = take_snapshots(self.members)
        if self.managers and not reason:
            self.managers.remember()
        return reason or self._too_short() or carries_traffic(self.members) or self._cuts_off()

    def _too_short(self) -> str:
        """Why the timers leave no time to watch for as long as it takes; empty if they do."""
        return too_short(self._new_gate().watch_s, self.run.pace.revert_in_s)

    def _cuts_off(self) -> str:
        self.beside, reason = cuts_off(self.members, self._waiting)
        return reason

    def _gate(self) -> str:
        """Until everything is up again and has been for long enough, or the devices' timers come near."""
        self.run.journal.mark_wave(self.run.id, self.number, "gate")
        gate = self.gate = self._new_gate()
        reason = gate.wait(self._last_moment(), self._waiting)
        for event in gate.unknown(self.run.id, self.number):
            self.run.on_event(event)
        return reason or self._too_late()

    def _new_gate(self) -> Gate:
        return wave_gate(self.run, self.number, self.members.work, self.members.ready, self.beside)

    def _waiting(self, lost: tuple[str, ...], elapsed_s: float) -> None:
        event = GateWaiting(run=self.run.id, wave=self.number, missing=lost, elapsed_s=round(elapsed_s, 1))
        self.run.on_event(event)

    def _managed(self) -> str:
        """After the last manager of a subnet has changed: until one of them manages it with the new files."""
        if not self.managers:
            return ""
        problem = self.managers.wait(self._last_moment(), self._is_ours)
        if problem is not None:
            self.findings.append(problem)
            return f"{problem.code}: {problem.rule}"
        return self._too_late()

    def _managed_again(self) -> str:
        """After they were taken back: the old files need a master as well. Empty, or what is wrong all the same."""
        if not self.managers or not self.managers.was_managed or not self._is_ours():
            return ""
        problem = self.managers.wait(time.monotonic() + self.run.pace.manager_timeout_s, self._is_ours)
        return f"; taken back, and still: {problem.rule}" if problem else ""

    def _is_ours(self) -> bool:
        """Whether managers may be restarted: another operator may have them in hand by now."""
        return not is_surely_lost(self.run)

    def _last_moment(self) -> float:
        """When a gate ends at the latest: the rest is for confirming or reverting in order (monotonic, seconds)."""
        return self.deadline - margin_s(self.run.pace.revert_in_s)

    def _too_late(self) -> str:
        """Why nothing is confirmed any more; empty if there is time."""
        is_late = time.monotonic() >= self.deadline - margin_s(self.run.pace.revert_in_s) / 2
        return TOO_LATE if is_late else ""

    def _allow(self) -> str:
        """Write down that the wave may be confirmed, before any device is: not later than its timers allow."""
        if self.gate is not None:
            self.keep(self.gate, self.managers)
        self.run.journal.mark_wave(self.run.id, self.number, "confirming")
        self.is_allowed = True
        return self._too_late()

    def _confirm(self) -> str:
        kind = AllOrNone if self.members.is_all_or_none else Confirmation
        return kind(self.members, self.deadline).go()

    def _take_back(self, reason: str) -> None:
        """Unless the lock was taken away: somebody may have gone on with the run, and confirmed what waits."""
        ours = WhileOurs(self.run)
        if ours.lock is Lock.LOST:
            return
        if self.is_allowed:  # whoever finds the wave open confirms nothing of it
            self.run.journal.mark_wave(self.run.id, self.number, "gate")
        take_back(self.members, reason, ours)


def _why(error: BaseException) -> str:
    """Why a wave is taken back in the middle of it: a signal, the journal, or an error of ours."""
    if isinstance(error, KeyboardInterrupt):
        return "interrupted"
    return (
        str(error)
        if isinstance(error, JournalFailed)
        else f"an error of this program: {type(error).__name__}"
    )
