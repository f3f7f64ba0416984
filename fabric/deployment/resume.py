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

    And if the lock was taken away while devices were asked, which is looked at before each of them. They are asked in
    the turns in which they were changed, up to the first that goes wrong: managers of a subnet that restart at the same
    moment may wait for each other.
    """
    run.journal.check_held(run.id)
    by_turn = attrgetter("job.wave", "job.turn")
    steps = sorted((step for step in known if step.state.is_open), key=by_turn)
    waves = {number: _allows(run, number) for number in {step.job.wave for step in steps}}
    for (wave, _), some in groupby(steps, by_turn):
        open_ = {step.job.device: step for step in some}
        jobs = _while_held(run, open_, is_allowed=waves[wave])
        strange: list[DeviceError] = []
        for name, answer in each(run.executor, settle_devices.settle, jobs, ahead=False):
            if isinstance(answer, DeviceError):
                strange.append(answer)
            elif answer.state is State.FAILED:
                wrong = f": {answer.wrong}" if answer.wrong else ""
                strange.append(DeviceError(name, f"runs a configuration that was not planned{wrong}"))
            else:
                _settled(run, open_[name], answer)
        if strange:
            raise refusal(codes.NOT_AS_LEFT, grouped(strange))


def _allows(run: Run, wave: int) -> bool:
    """Whether what is open of a wave may be confirmed: its gate had let it pass before the run was interrupted.

    Of devices none of which keeps its change unless all do, none may once one of them has gone back: that is written
    down before the first of them is touched.
    """
    if run.journal.wave_state(run.id, wave) != "confirming":
        return False
    steps = [step for step in run.journal.steps(run.id) if step.job.wave == wave]
    if not any(step.job.turn for step in steps) or _all_stay(run, steps):
        return True
    run.journal.mark_wave(run.id, wave, "gate")
    return False


def _all_stay(run: Run, steps: Sequence[Step]) -> bool:
    """Whether each device of a wave waits for its confirmation still, or keeps the change."""
    if any(not (step.state.is_open or step.state is State.CONFIRMED) for step in steps):
        return False
    jobs = ((step.job.device, (work_left(run, step),)) for step in steps if step.state.is_open)
    stay = (State.LEFT_TO_TIMER, State.CONFIRMED)
    return all(
        not isinstance(answer, DeviceError) and answer.state in stay
        for _, answer in each(run.executor, settle_devices.ended, jobs)
    )


def _while_held(
    run: Run, open_: Mapping[str, Step], *, is_allowed: bool
) -> Iterator[tuple[str, tuple[device_steps.Work, bool]]]:
    """The devices, each as long as nobody else can have changed it. `Refused` from then on."""
    for name, step in open_.items():
        run.journal.check_held(run.id)
        yield name, (device_steps.allowed(work_left(run, step), is_allowed=is_allowed), True)


def _settled(run: Run, step: Step, answer: settle_devices.Settled) -> None:
    """Write down where a device is at rest."""
    name = step.job.device
    if answer.state is State.CONFIRMED:
        run.journal.confirmed(run.id, run.site, step.job, answer.running, answer.note)
    else:
        run.journal.mark(run.id, {name: State.PLANNED}, reason="taken back after the run was interrupted")
    run.on_event(
        DeviceStepped(run=run.id, wave=step.job.wave, device=name, state=answer.state, reason=answer.note)
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
