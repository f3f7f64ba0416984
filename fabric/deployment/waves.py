"""One wave after the other: snapshot, push with timer, gate, confirm; or everything of it taken back."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, closing, contextmanager
from math import ceil
from pathlib import Path

import msgspec

from fabric.deployment import device_steps
from fabric.deployment.between_waves.cordon import Cordon
from fabric.deployment.between_waves.windows import Window
from fabric.deployment.change_names import change_name
from fabric.deployment.confirmation import Confirmation
from fabric.deployment.connection.kept_connections import keeping
from fabric.deployment.connection.parallel_devices import each
from fabric.deployment.connection.secrets import Secrets
from fabric.deployment.device_steps import Ready, Work
from fabric.deployment.equal_errors import grouped
from fabric.deployment.events import DeviceStepped, GateWaiting, OnEvent, ignore
from fabric.deployment.gates.bystanders import Beside, SurroundingsOf, look_beside, refusal_of, unknown
from fabric.deployment.gates.judge import PortNames, nobody_knows
from fabric.deployment.gates.manager_gate import EventContext, ManagerGate, manager_access
from fabric.deployment.gates.thresholds import Thresholds
from fabric.deployment.gates.timers import margin_s, too_short
from fabric.deployment.gates.watch import Gate, not_idle
from fabric.deployment.interruptions import shielded
from fabric.deployment.jobs import Job, State
from fabric.deployment.journal_store.journal import Journal
from fabric.deployment.moments import clock_time
from fabric.deployment.results import DeviceResult, whereabouts
from fabric.diagnostics import DeviceError, Diagnostic, JournalFailed
from fabric.platforms.base import Target


class Pace(msgspec.Struct, frozen=True, kw_only=True):
    """How fast and how carefully."""

    revert_in_s: int = 300
    """After so many seconds without confirmation each device takes the change back by itself."""
    gate_timeout_s: float = 60
    """So long what was up may take to come back."""
    gate_poll_s: float = 2
    counters_s: float = 5
    """Least time between two readings of counters of which a rate is made: products do not count on at every moment
    (SONiC reads those of its ASIC once a second, sonic-swss, portsorch.cpp)."""
    manager_timeout_s: float = 180
    """So long a subnet may take, after its managers have changed, until one of them is the master and has swept it and
    the others stand by."""
    manager_stall_s: float = 15
    """Managers of which none has moved for so long have stalled: they are restarted, each once alone and once with
    the others. More where a sweep of the subnet takes longer."""
    batch: int = 256
    """Most devices of a wave between push and confirmation; wider waves go in several such steps."""
    soak_s: float = 0
    """So long the gate of a wave goes on watching before the next one begins."""


class Run(msgspec.Struct, frozen=True):
    """What all waves of a run share."""

    id: int
    site: str
    journal: Journal
    targets: Mapping[str, Target]
    secrets: Secrets
    pace: Pace
    executor: Executor
    on_event: OnEvent = ignore
    thresholds: Thresholds = Thresholds()
    folder: Path = Path()
    """Of the site: its programs run there."""
    port_names: PortNames = nobody_knows
    around: SurroundingsOf = unknown
    allow: frozenset[str] = frozenset()
    """As of `ApplyOptions`."""
    cordon: Cordon = Cordon()
    windows: tuple[Window, ...] = ()
    now_reason: str = ""
    """Why its waves may begin outside all windows."""


class Batch:
    """The devices of a wave that are changed, gated and confirmed together."""

    def __init__(
        self,
        run: Run,
        number: int,
        jobs: Sequence[Job],
        devices: dict[str, DeviceResult],
        findings: list[Diagnostic],
    ) -> None:
        self.run, self.number, self.devices, self.findings = run, number, devices, findings
        self.session = change_name(f"{run.id}.{number}")
        self.work = {job.device: work_of(run, job, self.session) for job in jobs}
        self.ready: dict[str, Ready] = {}
        self.beside: dict[str, Beside] = {}
        self.is_allowed = False
        """Whether the journal says that the gate has let the wave pass."""
        self.gate: Gate | None = None
        self.deadline = 0.0
        """When the first of their timers fires; known from the push on (monotonic, seconds)."""
        context = EventContext(run.id, number, run.on_event)
        known = manager_access(jobs, run.targets, run.secrets)
        self.managers = ManagerGate(jobs, known, run.pace, run.executor, context) if known else None

    def go(self) -> str:
        """Everything, in order; returns why it was taken back, empty if it holds."""
        with keeping(self.session):
            return self._go()

    def _go(self) -> str:
        if reason := self._prepare():
            return reason
        self.deadline = time.monotonic() + self.run.pace.revert_in_s
        with ExitStack() as ending:
            try:
                reason = self._push() or self._gate() or self._managed() or self._allow()
                ending.enter_context(self._to_its_end("taking back" if reason else "confirming"))
            except BaseException as error:  # interrupted, or a bug: nothing is left to the timers alone
                with self._to_its_end("taking back"):
                    self._disallow()
                    self._revert(str(error) if isinstance(error, JournalFailed) else "interrupted")
                raise
            if not reason:
                return self._confirm()
            self._revert(reason)
        return reason + self._managed_again()

    @contextmanager
    def _to_its_end(self, doing: str) -> Iterator[None]:
        """Nothing stops what happens to all devices of the wave; signals say how long that may take."""
        left = clock_time(max(0.0, self.deadline - time.monotonic()))
        what = f"{doing} wave {self.number} on {len(self.work):,} devices (unconfirmed, each goes back at {left})"
        with shielded(what), self.run.journal.postponing():
            yield

    def _allow(self) -> str:
        """Write down that the wave may be confirmed, before any device is: not later than its timers allow."""
        self.run.journal.mark_wave(self.run.id, self.number, "confirming")
        self.is_allowed = True
        is_late = time.monotonic() >= self.deadline - self._margin_s() / 2
        return "the devices' timers were about to run out" if is_late else ""

    def _disallow(self) -> None:
        """Take that back, if it was written: whoever finds the wave open confirms nothing of it."""
        if self.is_allowed:
            self.run.journal.mark_wave(self.run.id, self.number, "gate")

    def whereabouts(self) -> str:
        """Where each device of the wave is, in words, for when that could not be written down."""
        left = clock_time(max(0.0, self.deadline - time.monotonic()))
        return f"in wave {self.number} of run {self.run.id} {whereabouts(self.devices.values(), left)}"

    def _prepare(self) -> str:
        wrong = []
        for name, answer in each(self.run.executor, device_steps.prepare, self._jobs()):
            if isinstance(answer, DeviceError):
                wrong.append(answer)
                self._note(name, State.FAILED, str(answer))
            else:
                seen = msgspec.structs.replace(answer.up, read_s=time.monotonic())
                self.ready[name] = msgspec.structs.replace(answer, up=seen)
                self.work[name] = msgspec.structs.replace(self.work[name], before=answer.before)
        self.run.journal.keep(ready.running for ready in self.ready.values())
        self.ready = {name: msgspec.structs.replace(one, running="") for name, one in self.ready.items()}
        if self.managers and not wrong:
            self.managers.look()
        return grouped(wrong) or self._too_short() or self._not_idle() or self._cut_off()

    def _not_idle(self) -> str:
        """Why a drained device is not to be interrupted: it carries traffic. Empty if none does."""
        run = self.run
        wrong = not_idle(self.work, self.ready, run.thresholds, run.pace, run.executor)
        return (
            f"{wrong[0]}: its drain has to be applied first, by itself, and its traffic to leave"
            if wrong
            else ""
        )

    def _cut_off(self) -> str:
        """Why somebody would be left without a way, as the network is now; empty if nobody would."""
        run, until = self.run, time.monotonic() + self.run.pace.gate_timeout_s
        while True:
            seen, cut = look_beside(self.work, self.ready, run.around, run.targets, run.executor, run.allow)
            self.beside = {} if cut else seen  # who may be cut off is missed by all others too
            reason = refusal_of(cut, run.allow)
            if not reason or time.monotonic() >= until:
                return reason
            self._waiting((reason,), self.run.pace.gate_timeout_s - (until - time.monotonic()))
            time.sleep(run.pace.gate_poll_s)  # what an earlier wave has moved may be coming back

    def _too_short(self) -> str:
        """Why the timers leave no time to watch for as long as it takes; empty if they do."""
        return too_short(self._new_gate().watch_s, self.run.pace.revert_in_s)

    def _push(self) -> str:
        self.run.journal.mark_wave(self.run.id, self.number, "pushing")
        self.run.journal.mark(self.run.id, dict.fromkeys(self.work, State.PUSHING), session=self.session)
        # If nobody is left to revert them, the timers do it in turn too: each ends when the one before has gone back.
        apart = ceil(self._margin_s())
        for place, turn in enumerate(sorted({work.job.turn for work in self.work.values()})):
            if reason := self._push_turn(turn, self.run.pace.revert_in_s + place * apart):
                return reason
        return ""

    def _push_turn(self, turn: int, seconds: int) -> str:
        """Those whose turn it is, with a timer of so many seconds; all devices of most waves."""
        wrong = []
        jobs = ((name, (work, seconds)) for name, work in self.work.items() if work.job.turn == turn)
        with closing(each(self.run.executor, device_steps.push, jobs)) as pushed:
            for name, answer in pushed:
                if isinstance(answer, DeviceError):
                    wrong.append(answer)
                    self._note(name, State.PUSHING, str(answer))
                else:
                    self._note(name, State.COMMITTED)
        return grouped(wrong)

    def _gate(self) -> str:
        """Until everything is up again and has been for long enough, or the devices' timers come near."""
        self.run.journal.mark_wave(self.run.id, self.number, "gate")
        gate = self.gate = self._new_gate()
        reason = gate.wait(self.deadline - self._margin_s(), self._waiting)
        for event in gate.unknown(self.run.id, self.number):
            self.run.on_event(event)
        is_late = time.monotonic() >= self.deadline - self._margin_s() / 2
        return reason or ("the devices' timers were about to run out" if is_late else "")

    def _new_gate(self) -> Gate:
        about = {"run": str(self.run.id), "wave": str(self.number), "site": self.run.site}
        about["devices"] = " ".join(self.work)
        run = self.run
        words = (run.thresholds, run.pace, run.executor, about, run.folder, run.port_names)
        return Gate(self.work, self.ready, *words, beside=self.beside)

    def _waiting(self, lost: tuple[str, ...], elapsed_s: float) -> None:
        event = GateWaiting(run=self.run.id, wave=self.number, missing=lost, elapsed_s=round(elapsed_s, 1))
        self.run.on_event(event)

    def _managed(self) -> str:
        """After the last manager of a subnet has changed: until one of them manages it with the new files."""
        problem = self.managers.wait(self.deadline - self._margin_s()) if self.managers else None
        if problem is not None:
            self.findings.append(problem)
            return f"{problem.code}: {problem.rule}"
        is_late = self.managers and time.monotonic() >= self.deadline - self._margin_s() / 2
        return "the devices' timers were about to run out" if is_late else ""

    def _managed_again(self) -> str:
        """After they were taken back: the old files need a master as well. Empty, or what is wrong all the same."""
        if not self.managers or not self.managers.was_managed:
            return ""
        problem = self.managers.wait(time.monotonic() + self.run.pace.manager_timeout_s)
        return f"; taken back, and still: {problem.rule}" if problem else ""

    def _margin_s(self) -> float:
        """Kept free before the timers fire, to confirm or to revert in order."""
        return margin_s(self.run.pace.revert_in_s)

    def _confirm(self) -> str:
        if self._is_all_or_none:
            return self._confirm_all_or_none()
        run = self.run
        return Confirmation(
            run.id,
            run.site,
            run.journal,
            run.executor,
            self.work,
            self._note,
            self._report,
            self.deadline,
            run.pace.gate_poll_s,
        ).go()

    def _confirm_all_or_none(self) -> str:
        running: dict[str, str] = {}
        for name, answer in each(self.run.executor, device_steps.confirm, self._jobs()):
            if isinstance(answer, DeviceError):
                self._note(name, State.LEFT_TO_TIMER, str(answer))
            else:
                running[name] = answer
        if reason := self._confirm_again(running) if len(running) < len(self.work) else "":
            self._undo(reason)
            return reason
        for name, text in running.items():
            self.run.journal.confirmed(self.run.id, self.run.site, self.work[name].job, text)
            self._report(name, State.CONFIRMED)
        return ""

    def _confirm_again(self, running: dict[str, str]) -> str:
        """Once more where it went wrong: the connection may have died after the device took it."""
        jobs = ((name, (work,)) for name, work in self.work.items() if name not in running)
        wrong: list[DeviceError] = []
        for name, answer in each(self.run.executor, device_steps.keep, jobs):
            if isinstance(answer, DeviceError):
                wrong.append(answer)
            else:
                running[name] = answer
        return grouped(wrong)

    def _undo(self, reason: str) -> None:
        """All or none: one could not be confirmed, so those that were are taken back too."""
        for name, answer in self._in_turn(device_steps.undo):
            if isinstance(answer, DeviceError):
                self._note(name, State.LEFT_TO_TIMER, str(answer))
            else:
                self._note(name, answer, reason)

    @property
    def _is_all_or_none(self) -> bool:
        return any(work.job.turn for work in self.work.values())

    def _revert(self, reason: str) -> None:
        for name, answer in self._in_turn(device_steps.revert):
            if isinstance(answer, DeviceError):
                self._note(name, State.LEFT_TO_TIMER, str(answer))
            elif answer is State.FAILED:
                self._note(name, answer, "runs neither what it ran before nor what was pushed")
            else:
                known = self.devices.get(name)
                own = known.reason if known and known.reason else reason
                self._note(name, answer, own)

    def _in_turn(self, step: Callable[[Work], State]) -> Iterator[tuple[str, State | DeviceError]]:
        """As they were pushed: managers of a subnet that start at the same moment may wait for each other for ever."""
        for turn in sorted({work.job.turn for work in self.work.values()}):
            jobs = ((name, (work,)) for name, work in self.work.items() if work.job.turn == turn)
            yield from each(self.run.executor, step, jobs)

    def _jobs(self, *more: object) -> Iterator[tuple[str, tuple[object, ...]]]:
        return ((name, (work, *more)) for name, work in self.work.items())

    def _note(self, name: str, state: State, reason: str = "") -> None:
        """Write down where a device is, and tell it."""
        self.run.journal.mark(self.run.id, {name: state}, reason=reason)
        self._report(name, state, reason)

    def _report(self, name: str, state: State, reason: str = "") -> None:
        self.devices[name] = DeviceResult(device=name, state=state, reason=reason)
        self.run.on_event(
            DeviceStepped(run=self.run.id, wave=self.number, device=name, state=state, reason=reason)
        )


def work_of(run: Run, job: Job, session: str = "") -> Work:
    """A job with everything that is needed to do it."""
    text = run.journal.text(job.text or job.wanted)
    return Work(job, run.targets[job.device], text, run.secrets, session)
