"""The waves of a run, one after the other, and what stands between two of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

from fabric.deployment.between_waves.windows import closed
from fabric.deployment.events import PartFinished, WaveFinished, WaveStarted
from fabric.deployment.jobs import Job, State
from fabric.deployment.journal_store.journal import NOT_BEGUN
from fabric.deployment.results import DeviceResult, WaveResult, outcome_of, wave_state
from fabric.deployment.waves.batch import Batch
from fabric.deployment.waves.bring_back import impacts_of
from fabric.deployment.waves.cordoned import cordoned
from fabric.deployment.waves.run import Run
from fabric.deployment.waves.soaking import Soaking, left_soaking
from fabric.diagnostics import Diagnostic, JournalFailed, Refused


class Carried(NamedTuple):
    """What became of the waves."""

    waves: tuple[WaveResult, ...]
    is_stopped: bool = False
    """The window has closed: the rest can be gone on with."""


def carry_out(run: Run, jobs: Sequence[Job], earlier: Sequence[WaveResult] = ()) -> Carried:
    """Do the jobs wave by wave. After the first wave that does not hold, the rest is not begun.

    `earlier`: waves of before that are part of the outcome.
    """
    results = list(earlier)
    soaking = left_soaking(run)
    late: list[str] = []
    for number in sorted({job.wave for job in jobs}):
        wave = [job for job in jobs if job.wave == number]
        if results and (results[-1].state != "done" or results[-1].reason):
            results.append(_not_begun(number, wave))
            continue
        if soaking and (reason := soaking.wait()):
            results.append(_held(run, number, wave, reason))
            continue
        soaking = Soaking(run, number)
        in_window = partial(_in_window, run, number, wave, late)
        begins = partial(in_window, partial(_wave, run, wave, soaking, late))
        held = partial(_held, run, number, wave)
        results.append(in_window(partial(cordoned, run, number, wave, begins, held)))
    if soaking and outcome_of(results) == "done" and (reason := soaking.wait()):
        others = [wave for wave in results if wave.number != soaking.number]
        results = [*others, _broken_since(run, soaking, reason)]
    return Carried(tuple(results), bool(late))


def _broken_since(run: Run, soaking: Soaking, reason: str) -> WaveResult:
    """The last wave, which was confirmed and did not hold: told and written down."""
    number = soaking.number
    run.journal.mark_wave(run.id, number, "done", reason)
    run.on_event(WaveFinished(run=run.id, wave=number, state="failed", reason=reason))
    devices = tuple(DeviceResult(device=name, state=State.CONFIRMED) for name in soaking.devices)
    return WaveResult(number=number, state="done", devices=devices, reason=reason)


def _in_window(
    run: Run, number: int, jobs: Sequence[Job], late: list[str], begin: Callable[[], WaveResult]
) -> WaveResult:
    """A wave, or what stands before it, unless no window is open: then it is held, and `late` has the reason.

    It is asked twice: the program that takes hosts out of service may take longer than the window is open.
    """
    if reason := closed(run.windows, run.now_reason):
        late.append(reason)
        return _held(run, number, jobs, reason)
    return begin()


def _not_begun(number: int, jobs: Iterable[Job], reason: str = "") -> WaveResult:
    waiting = tuple(DeviceResult(device=job.device, state=State.PLANNED) for job in jobs)
    return WaveResult(number=number, state="not begun", devices=waiting, reason=reason)


def _held(run: Run, number: int, jobs: Iterable[Job], reason: str) -> WaveResult:
    """A wave that does not begin, though the one before it holds: told and written down."""
    run.journal.mark_wave(run.id, number, NOT_BEGUN, reason)
    run.on_event(WaveFinished(run=run.id, wave=number, state="not begun", reason=reason))
    return _not_begun(number, jobs, reason)


def _wave(run: Run, jobs: Sequence[Job], soaking: Soaking, late: list[str]) -> WaveResult:
    number = soaking.number
    names = tuple(job.device for job in jobs)
    impacts, canary = tuple(impact.value for impact in impacts_of(jobs)), jobs[0].canary
    # What is confirmed or reverted all together is one step, however wide.
    width = len(jobs) if any(job.turn or job.together for job in jobs) else min(run.pace.batch, len(jobs))
    run.on_event(
        WaveStarted(
            run=run.id,
            wave=number,
            devices=names,
            impact=impacts[0],
            impacts=impacts,
            canary=canary,
            at_once=width,
        )
    )
    steps = [jobs[start : start + width] for start in range(0, len(jobs), width)]
    devices: dict[str, DeviceResult] = {}
    findings: list[Diagnostic] = []
    with _telling_where(run, number) as begun:
        reason = ""
        for place, step in enumerate(steps):
            if place and (reason := _between_steps(run, soaking, late)):
                break
            begun[:] = [Batch(run, number, step, devices, findings, soaking.add)]
            if reason := begun[0].go():
                break
            if len(steps) > 1:
                done = tuple(job.device for job in step)
                event = PartFinished(run=run.id, wave=number, devices=done, done=len(devices), of=len(jobs))
                run.on_event(event)
        for name in names:
            devices.setdefault(name, DeviceResult(device=name, state=State.PLANNED))
        ordered = tuple(devices[name] for name in names)
        state = wave_state(ordered, reason)
        run.journal.mark_wave(run.id, number, state, reason)
    run.on_event(WaveFinished(run=run.id, wave=number, state=state, reason=reason))
    return WaveResult(number=number, state=state, devices=ordered, reason=reason, diagnostics=tuple(findings))


@contextmanager
def _telling_where(run: Run, number: int) -> Iterator[list[Batch]]:
    """Say where each device is if that cannot be written down. The list: the last step that has begun, alone.

    A step holds the texts of its devices: all of them would hold those of the whole fabric.
    """
    begun: list[Batch] = []
    try:
        yield begun
    except (JournalFailed, Refused) as failed:
        nobody = f"wave {number} of run {run.id} touched no further device"
        place = begun[0].whereabouts() if begun else nobody
        raise type(failed)(f"{failed}; {place}", failed.hint) from None


def _between_steps(run: Run, soaking: Soaking, late: list[str]) -> str:
    """Why the next step of a wave is not begun: what soaks is broken, or no window is open any more."""
    if wrong := soaking.look():
        return wrong
    if reason := closed(run.windows, run.now_reason):
        late.append(reason)
    return reason
