"""Confirming devices of which none may keep its change unless all do: the managers of a subnet."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from fabric.deployment import device_steps
from fabric.deployment.connection.device_session import COMMIT
from fabric.deployment.connection.parallel_devices import each
from fabric.deployment.equal_errors import grouped
from fabric.deployment.jobs import State
from fabric.deployment.results import runs_neither
from fabric.deployment.waves import settle_devices, undo_devices
from fabric.deployment.waves.confirming import Confirming
from fabric.deployment.waves.still_ours import TAKEN_AWAY, WhileOurs, not_ours
from fabric.diagnostics import DeviceError
from fabric.planning.texts import digest


class AllOrNone(Confirming):
    """The managers of a subnet whose gate has opened."""

    def go(self) -> str:
        """Confirm all of them, or take all of them back; returns why they were taken back, empty if they hold."""
        members = self.members
        for name, answer in each(members.run.executor, device_steps.confirm, members.jobs()):
            if isinstance(answer, DeviceError):
                members.leave(name, answer)
            else:
                self.kept[name] = answer
        wrong = self._again()
        if not wrong:
            self._keep()
            return ""
        reason = grouped(wrong)
        if problems := not_ours(members, self.kept, members.work.keys() - self.kept.keys()):
            self._keep()
            return f"{reason}; {self.stays(grouped(problems))}"
        self.give_up()
        self._undo(reason)
        return reason

    def _again(self) -> list[DeviceError]:
        """Once more where it went wrong: the connection may have died after the device took it."""
        work = self.members.work.items()
        jobs = (
            (name, (device_steps.allowed(one, is_allowed=True), False))
            for name, one in work
            if name not in self.kept
        )
        wrong: list[DeviceError | None] = []
        for name, answer in each(self.members.run.executor, settle_devices.settle, jobs):
            wrong.append(answer if isinstance(answer, DeviceError) else self.ended(name, answer))
        return [error for error in wrong if error is not None]

    def _keep(self) -> None:
        """Write down that those that keep the change are confirmed."""
        run, work = self.members.run, self.members.work
        ends = ((work[name].job, end.running, end.note) for name, end in self.kept.items())
        run.journal.confirmed_together(run.id, run.site, ends)
        for name, end in self.kept.items():
            self.members.report(name, State.CONFIRMED, end.note)

    def _undo(self, reason: str) -> None:
        """One could not be confirmed, so those that were are taken back too: while the lock is held.

        Each is asked twice: a connection that dies in the middle says nothing of the device behind it. One that keeps
        nothing itself and has begun to go back does not run what it has confirmed any more.
        """
        members, ours = self.members, WhileOurs(self.members.run)
        answers: dict[str, State | DeviceError] = {}
        names = members.work.keys() - self.back
        runs = {name: digest(end.running) for name, end in self.kept.items()}
        for _ in range(2):
            answers.update(self._undone(names, runs, ours))
            wrong = {name: answer for name, answer in answers.items() if isinstance(answer, DeviceError)}
            names = set(wrong)
            runs = {name: key for name, key in runs.items() if not self._may_be_half(name, wrong.get(name))}
        for name, answer in answers.items():
            if isinstance(answer, DeviceError):
                members.leave(name, answer)
            else:
                members.note(name, answer, runs_neither(reason) if answer is State.FAILED else reason)
        for name in self.kept.keys() - answers.keys():
            members.report(name, State.CONFIRMED, TAKEN_AWAY)

    def _may_be_half(self, name: str, error: DeviceError | None) -> bool:
        """Whether a device may have begun to go back: its product keeps nothing, and writes request by request."""
        return error is not None and error.step in ("", COMMIT) and not self.members.work[name].kind.reverts

    def _undone(
        self, names: Collection[str], runs: Mapping[str, str], ours: WhileOurs
    ) -> Iterator[tuple[str, State | DeviceError]]:
        """Take some of them back, turn by turn, as long as they are ours. `runs`: what those run that kept it."""
        for turn in self.members.turns:
            some = ((name, work) for name, (work,) in self.members.jobs_of(turn) if name in names)
            jobs = ours((name, (work, runs.get(name, ""))) for name, work in some)
            yield from each(self.members.run.executor, undo_devices.undo, jobs, ahead=False)
