"""A run that was killed: bring its devices to rest, then go on with it or take it back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from itertools import groupby
from operator import attrgetter

import msgspec

from fabric.deployment import codes, device_steps
from fabric.deployment.apply import finished
from fabric.deployment.change_names import person
from fabric.deployment.check_before_apply import check_beginning, check_devices, interrupted
from fabric.deployment.connection.hide_secrets import hidden_from_logs
from fabric.deployment.connection.parallel_devices import each
from fabric.deployment.connection.secrets import references
from fabric.deployment.equal_errors import grouped
from fabric.deployment.events import DeviceStepped, OnEvent, device_threads, guarded, ignore
from fabric.deployment.gates.timers import check_timer
from fabric.deployment.jobs import State
from fabric.deployment.journal_store.journal import Journal
from fabric.deployment.journal_store.journal_records import Run as Record
from fabric.deployment.journal_store.journal_records import Step
from fabric.deployment.options import ApplyOptions, run_of
from fabric.deployment.refusal_message import named, refusal
from fabric.deployment.results import DeviceResult, Result, WaveResult, wave_state
from fabric.deployment.waves import settle_devices
from fabric.deployment.waves.run import Run, work_left
from fabric.diagnostics import DeviceError
from fabric.platforms.base import Target

Ended = tuple[Step, settle_devices.Settled]
"""What was open of a device, and where it is at rest."""


def resume(
    site: str,
    *,
    targets: Mapping[str, Target],
    journal: Journal,
    options: ApplyOptions,
    as_planned: bool = False,
    executor: Executor | None = None,
    on_event: OnEvent = ignore,
) -> Result:
    """Go on with the last run of a site if it did not finish: what it left open first, then what is not done.

    `as_planned`: also if the intent says something else by now.

    What waited for a confirmation that the gate had already allowed is confirmed; everything else that waited, or was
    kept over a restart, is taken back and done again. `Refused`, before anything is touched, if the run has finished,
    or if one of its devices does not answer or runs something that neither this run nor the one before wrote.
    """
    record = journal.run(site)
    if record.finished is not None:
        hint = "`fabric plan` shows what is left to do"
        raise refusal(codes.NO_RUN, f"run {record.id} has finished ({record.state})", hint)
    if record.only_records:
        hint = "it changed nothing; what it did not record is recorded by the same command, typed again"
        raise refusal(codes.NO_RUN, f"run {record.id} was killed while it recorded devices", hint)
    check_beginning(options)
    known = journal.steps(record.id)
    if _is_superseded(record, known, options):
        _go_on_as_planned(journal, record, known, is_wanted=as_planned)
    check_timer(options.pace.revert_in_s, ((step.job.device, step.job.platform) for step in known))
    secrets = options.source.resolve(
        references(journal.text(step.job.text) for step in known if step.job.text)
    )
    journal.take_over(site, record.id, options.owner or person())
    listen = guarded(on_event)
    with journal.holding(record.id), device_threads(executor, listen) as pool, hidden_from_logs(secrets):
        run = run_of((record.id, site), journal, targets, secrets, options, pool, listen)
        known = journal.steps(record.id)  # another one may have gone on with it while secrets were asked for
        asking, since = interrupted(run, known), f"run {record.id} was interrupted"
        check_devices(asking, pool, codes.NOT_AS_LEFT, since, unfinished=record.id)
        settle(run, known)
        jobs = [step.job for step in journal.steps(record.id) if step.state is not State.CONFIRMED]
        result = finished(run, "resume", jobs)
    return msgspec.structs.replace(
        result, run=record.id, waves=_with_earlier(journal.steps(record.id), result.waves)
    )


def _is_superseded(record: Record, known: Iterable[Step], options: ApplyOptions) -> bool:
    """Whether a run has something left to do, and the intent is another one by now."""
    is_same = record.intent in (None, "", options.intent)
    return not is_same and any(step.state is not State.CONFIRMED for step in known)


def _go_on_as_planned(journal: Journal, record: Record, known: Iterable[Step], *, is_wanted: bool) -> None:
    """Write down that a run is gone on with whose intent has changed since; `Refused` unless that is wanted."""
    if is_wanted:
        journal.remark(record.id, "resumed as it was planned", "the intent has changed since")
        return
    left = sorted(step.job.device for step in known if step.state is not State.CONFIRMED)
    then = f" (commit {record.revision[:10]})" if record.revision else ""
    rule = f"the intent has changed since run {record.id} was planned: {named(left)} would get what it said then{then}"
    back = f"`fabric rollback {record.id}` takes the run back; `fabric apply --resume --yes` goes on as it was planned"
    raise refusal(codes.STALE, rule, back)


def settle(run: Run, known: Iterable[Step]) -> None:
    """Bring to rest what a killed run may have left open. `Refused` if a device is not as we left it.

    And if the lock was taken away while devices were asked, which is looked at before each of them.
    """
    run.journal.check_held(run.id)
    steps = sorted((step for step in known if step.state.is_open), key=attrgetter("job.wave", "job.turn"))
    allowed = {number: _allows(run, number) for number in {step.job.wave for step in steps}}
    for wave, some in groupby(steps, attrgetter("job.wave")):
        _settle_wave(run, tuple(some), is_allowed=allowed[wave])


def _settle_wave(run: Run, steps: Sequence[Step], *, is_allowed: bool) -> None:
    """Devices are asked in the turns in which they were changed, up to the first that goes wrong.

    Managers of a subnet that restart at the same moment may wait for each other; and of them all keep their change or
    none: nothing is written down of one before all are at rest.
    """
    together: list[Ended] = []
    for _, some in groupby(steps, attrgetter("job.turn")):
        open_ = {step.job.device: step for step in some}
        jobs = _while_held(run, open_, is_allowed=is_allowed)
        strange: list[DeviceError] = []
        for name, answer in each(run.executor, settle_devices.settle, jobs, ahead=False):
            if isinstance(answer, DeviceError) or answer.state is State.FAILED:
                strange.append(_strange(name, answer))
            elif open_[name].job.turn:
                together.append((open_[name], answer))
            else:
                _settled(run, [(open_[name], answer)])
        if strange:
            raise refusal(codes.NOT_AS_LEFT, grouped(strange))
    if is_allowed and any(answer.state is not State.CONFIRMED for _, answer in together):
        _shut(run, steps[0].job.wave)  # one has gone back since it was looked at
        _settle_wave(run, steps, is_allowed=False)
    else:
        _settled(run, together)


def _strange(name: str, answer: settle_devices.Settled | DeviceError) -> DeviceError:
    if isinstance(answer, DeviceError):
        return answer
    return DeviceError(
        name, f"runs a configuration that was not planned{f': {answer.wrong}' if answer.wrong else ''}"
    )


def _allows(run: Run, wave: int) -> bool:
    """Whether what is open of a wave may be confirmed: its gate had let it pass before the run was interrupted.

    Of devices none of which keeps its change unless all do, none may once one of them has gone back: that is written
    down before the first of them is touched. `Refused`, and nothing is written, if one does not say where it is.
    """
    if run.journal.wave_state(run.id, wave) != "confirming":
        return False
    steps = [step for step in run.journal.steps(run.id) if step.job.wave == wave]
    if not any(step.job.turn for step in steps) or _all_stay(run, steps):
        return True
    _shut(run, wave)
    return False


def _shut(run: Run, wave: int) -> None:
    """Write down that nothing of a wave is to be confirmed any more."""
    run.journal.mark_wave(run.id, wave, "gate")


def _all_stay(run: Run, steps: Sequence[Step]) -> bool:
    """Whether each device of a wave waits for its confirmation still, or keeps the change."""
    if any(not (step.state.is_open or step.state is State.CONFIRMED) for step in steps):
        return False
    jobs = ((step.job.device, (work_left(run, step),)) for step in steps if step.state.is_open)
    is_back, strange = False, list[DeviceError]()
    for name, answer in each(run.executor, settle_devices.ended, jobs):
        if isinstance(answer, DeviceError) or (answer.state is State.FAILED and not answer.is_half):
            strange.append(_strange(name, answer))
        else:
            is_back |= answer.state in (State.REVERTED, State.FAILED)
    if strange:
        raise refusal(codes.NOT_AS_LEFT, grouped(strange))
    return not is_back


def _while_held(
    run: Run, open_: Mapping[str, Step], *, is_allowed: bool
) -> Iterator[tuple[str, tuple[device_steps.Work, bool]]]:
    """The devices, each as long as nobody else can have changed it. `Refused` from then on."""
    for name, step in open_.items():
        run.journal.check_held(run.id)
        yield name, (device_steps.allowed(work_left(run, step), is_allowed=is_allowed), True)


def _settled(run: Run, ends: Sequence[Ended]) -> None:
    """Write down where devices are at rest: those that keep the change all at once."""
    kept = [(step.job, end.running, end.note) for step, end in ends if end.state is State.CONFIRMED]
    if kept:
        run.journal.confirmed_together(run.id, run.site, kept)
    back = [step.job.device for step, end in ends if end.state is not State.CONFIRMED]
    if back:
        reason = "taken back after the run was interrupted"
        run.journal.mark(run.id, dict.fromkeys(back, State.PLANNED), reason=reason)
    for step, end in ends:
        job = step.job
        run.on_event(
            DeviceStepped(run=run.id, wave=job.wave, device=job.device, state=end.state, reason=end.note)
        )


def _with_earlier(steps: Iterable[Step], reported: Sequence[WaveResult]) -> tuple[WaveResult, ...]:
    """The waves of a run that was gone on with, and what it had confirmed before: whole waves, and parts of some."""
    reached = {device.device for wave in reported for device in wave.devices}
    earlier: dict[int, list[DeviceResult]] = {}
    for step in steps:
        if step.state is State.CONFIRMED and step.job.device not in reached:
            result = DeviceResult(device=step.job.device, state=step.state, reason=step.reason)
            earlier.setdefault(step.job.wave, []).append(result)
    waves = [_joined(wave, earlier.pop(wave.number, [])) if wave.devices else wave for wave in reported]
    whole = [WaveResult(number=number, state="done", devices=tuple(some)) for number, some in earlier.items()]
    return tuple(sorted((*whole, *waves), key=lambda wave: wave.number))


def _joined(wave: WaveResult, earlier: Sequence[DeviceResult]) -> WaveResult:
    """A wave with the devices that it had confirmed before it was interrupted."""
    if not earlier:
        return wave
    devices = (*earlier, *wave.devices)
    state = "done" if wave.state == "done" else wave_state(devices, wave.reason or wave.state)
    return msgspec.structs.replace(wave, devices=devices, state=state)
