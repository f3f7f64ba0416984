"""Confirming a wave: as a whole, or taken back as a whole wherever that can still be done.

A confirmation that goes wrong says little: the answer may have been lost, the device may come back before its timer
fires, or go back by itself. So it is asked again until its timer has run out. Only what is known to have gone back
divides the wave; then those that keep the change are taken back too, if every one of them still can be.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator

import msgspec

from fabric.deployment import device_steps
from fabric.deployment.connection.parallel_devices import each
from fabric.deployment.device_steps import Confirmed, Work
from fabric.deployment.equal_errors import grouped
from fabric.deployment.jobs import State
from fabric.deployment.journal_store.journal_records import Applied
from fabric.deployment.results import runs_neither
from fabric.deployment.waves import settle_devices, undo_devices
from fabric.deployment.waves.confirming import Confirming
from fabric.deployment.waves.run import Run
from fabric.deployment.waves.still_ours import Lock, WhileOurs, is_surely_lost, not_ours
from fabric.diagnostics import DeviceError
from fabric.planning.texts import digest

GRACE_S = 30
"""So long a device may take to go back after its timer has run out: nothing is decided before."""


class Confirmation(Confirming):
    """The devices of a wave whose gate has opened, each of which may keep its change by itself."""

    errors: dict[str, DeviceError] = msgspec.field(default_factory=dict)
    """Of the others: what went wrong last."""
    earlier: dict[str, Applied] = msgspec.field(default_factory=dict)

    @property
    def _run(self) -> Run:
        return self.members.run

    def go(self) -> str:
        """Confirm all of them; returns why not all keep the change, empty if they do."""
        self.earlier = self._run.journal.applied(self._run.site)
        for name, answer in each(self._run.executor, device_steps.confirm, self._jobs(self.members.work)):
            if isinstance(answer, DeviceError):
                self.errors[name] = answer
                self.members.leave(name, answer)
            else:
                self._keep(name, answer)
        if not self.errors:
            return ""
        first = dict(self.errors)
        self._again(self.deadline, is_allowed=True)
        if self.errors:
            self.give_up()
            self._again(self.deadline + GRACE_S, is_allowed=False)
        lost = {name: error for name, error in first.items() if name not in self.kept}
        return self._divided(grouped([*lost.values()])) if lost else ""

    def _again(self, until: float, *, is_allowed: bool) -> None:
        """Ask the rest until the moment is over: to confirm, and after that to take back what waits still.

        Not once the lock was taken away: what waits is whoever's who has it now.
        """
        while self.errors and not is_surely_lost(self._run):
            ours = WhileOurs(self._run)
            jobs = self._left(ours, is_allowed=is_allowed)
            for name, answer in each(self._run.executor, settle_devices.settle, jobs, ahead=False):
                self._settled(name, answer)
            if not self.errors or time.monotonic() + self._run.pace.gate_poll_s >= until:
                return
            time.sleep(self._run.pace.gate_poll_s)

    def _left(self, ours: WhileOurs, *, is_allowed: bool) -> Iterator[tuple[str, tuple[Work, bool]]]:
        """Those that have not answered. What a product keeps that goes back by itself, we may have confirmed."""
        for name, (work,) in ours(self._jobs(tuple(self.errors))):
            is_alone = not is_allowed and ours.lock is Lock.HELD and not work.kind.reverts
            yield name, (device_steps.allowed(work, is_allowed=is_allowed), is_alone)

    def _settled(self, name: str, answer: settle_devices.Settled | DeviceError) -> None:
        if isinstance(answer, DeviceError):
            self.errors[name] = answer
            return
        del self.errors[name]
        if self.ended(name, answer) is None:
            self._keep(name, self.kept[name])

    def _keep(self, name: str, end: Confirmed) -> None:
        self.kept[name] = end
        job = self.members.work[name].job
        self._run.journal.confirmed(self._run.id, self._run.site, job, end.running, end.note)
        self.members.report(name, State.CONFIRMED, end.note)

    def _divided(self, reason: str) -> str:
        """Some keep the change and some do not: taken back as a whole if all of it is known and can be."""
        if self.back != self.members.work.keys() - self.kept.keys():
            return f"{reason}; {self.words()}: `fabric plan` shows then what is left to do"
        if wrong := self._cannot_go_back():
            return f"{reason}; {self.stays(grouped(wrong))}"
        run, earlier = self._run, {name: self.earlier.get(name) for name in self.kept}
        run.journal.given_up(run.id, run.site, self.members.number, earlier, reason)
        ours = WhileOurs(run)
        for name, answer in each(run.executor, undo_devices.undo, ours(self._as_kept()), ahead=False):
            if isinstance(answer, DeviceError):
                self.members.note(name, State.FAILED, str(answer))
            else:
                self.members.note(name, answer, runs_neither(reason) if answer is State.FAILED else reason)
        return reason

    def _cannot_go_back(self) -> list[DeviceError]:
        """What stands in the way of it on those that keep the change, before the first of them is touched."""
        if wrong := not_ours(self.members, self.kept):
            return wrong
        own = {
            name: msgspec.structs.replace(work.job, text="", undoes=work.session)
            for name, work in self.members.work.items()
            if name in self.kept and work.kind.reverts
        }
        jobs = (
            (name, (msgspec.structs.replace(self.members.work[name], job=job),)) for name, job in own.items()
        )
        answers = each(self._run.executor, device_steps.rehearse, jobs)
        return [answer for _, answer in answers if isinstance(answer, DeviceError)]

    def _as_kept(self) -> Iterator[tuple[str, tuple[Work, str]]]:
        """Those that keep the change, each with the digest of what it runs."""
        return ((name, (self.members.work[name], digest(end.running))) for name, end in self.kept.items())

    def _jobs(self, names: Iterable[str]) -> Iterator[tuple[str, tuple[Work]]]:
        return ((name, (self.members.work[name],)) for name in names)
