"""A wave between the site's programs: hosts are taken out of service before it, and brought back however it ends.

What is owed to the hosts is in the journal before the first program runs: a run that was interrupted, or killed, while
one of them ran brings the hosts back when it is gone on with (`resume`), and a rollback of it does at its end. Hosts
that a wave leaves without a path stay out of service, and the run after which they have one again brings them back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress

import msgspec

from fabric.deployment.between_waves.cordon import CordonedWave
from fabric.deployment.events import CordonFailed, GateWaiting, HostsCutOff
from fabric.deployment.gates.site_commands import ToldOfProgram
from fabric.deployment.interruptions import Interrupted, shielded
from fabric.deployment.jobs import Job
from fabric.deployment.refusal_message import named
from fabric.deployment.results import DeviceResult, WaveResult
from fabric.deployment.waves.run import Run
from fabric.diagnostics import JournalFailed
from fabric.planning.model import Impact, shown_impacts


def impacts_of(jobs: Iterable[Job]) -> tuple[Impact, ...]:
    """The worst impact of some jobs, and beside `lockout` what they do to traffic."""
    return shown_impacts(Impact(impact) for job in jobs for impact in (job.impact, *job.impacts))


def cordoned(
    run: Run,
    number: int,
    jobs: Sequence[Job],
    wave: Callable[[], WaveResult],
    held: Callable[[str], WaveResult],
) -> WaveResult:
    """A wave between the programs of the site, if it isolates a host.

    `wave` carries it out; `held` is what becomes of it where the program before it has failed, with the reason.
    """
    cordon = run.cordon
    if not cordon.concerns(jobs):
        return wave()
    owed = run.journal.cordoned(run.id).get(number, ())
    devices = tuple(dict.fromkeys((*owed, *(job.device for job in jobs))))
    if cordon.after:
        with _placed(f"wave {number} of run {run.id} touched no further device"):
            run.journal.cordon(run.id, number, devices)
    about = _about(run, number, jobs, devices)
    try:
        reason, has_begun = cordon.run(cordon.before, about, _waiting(run, number))
        if not has_begun and not owed and cordon.after:
            # Who was not cordoned may have been drained by somebody else: nobody brings them back.
            run.journal.uncordoned(run.id, number, "nothing was cordoned")
            return held(f"{reason}; nothing was cordoned, so `after` does not run")
        result = held(reason) if reason else wave()
    except Interrupted:
        with shielded(f"`{cordon.after}` brings hosts of wave {number} back"), suppress(JournalFailed):
            _bring_back(run, number, about)
        raise
    except BaseException:
        with suppress(JournalFailed):
            _bring_back(run, number, about)
        raise
    problem = _bring_back(run, number, about)
    return msgspec.structs.replace(result, reason=result.reason or problem)


def bring_back_left(run: Run, of: int, *, but: Iterable[int] = ()) -> tuple[WaveResult, ...]:
    """Bring back the hosts that a run has left cordoned when it was interrupted, but those of some waves.

    The waves for which that has failed, with the reason. A program that has failed is not run again.
    """
    waves = {number: names for number, names in run.journal.cordoned(of).items() if number not in set(but)}
    if not waves:
        return ()
    steps = {step.job.device: step for step in run.journal.steps(of)}
    failed: list[WaveResult] = []
    for number, names in sorted(waves.items()):
        left = [steps[name] for name in names if name in steps]
        problem = _bring_back(run, number, _about(run, number, [step.job for step in left], names, of))
        if problem:
            devices = tuple(DeviceResult(device=step.job.device, state=step.state) for step in left)
            failed.append(WaveResult(number=number, state="done", devices=devices, reason=problem))
    return tuple(failed)


def bring_back_earlier(run: Run, until: int) -> tuple[WaveResult, ...]:
    """Bring back the hosts that waves of runs up to one have left without a path, and that have one now."""
    problems: list[tuple[int, str]] = []
    for of, waves in run.journal.left_cordoned(run.site, until).items():
        devices = run.journal.cordoned(of)
        for number in sorted(waves):
            about = _about(run, number, (), devices.get(number, ()), of)
            problems.append((number, _bring_back(run, number, about)))
    return tuple(
        WaveResult(number=number, state="done", devices=(), reason=problem)
        for number, problem in problems
        if problem
    )


def _bring_back(run: Run, number: int, about: CordonedWave) -> str:
    """Run `after`, and write down that it has ended: what has gone wrong with it. An interrupted one is still owed.

    Not for hosts that have no path: they stay cordoned, which each run tells. Of hosts that the site has no longer
    nobody is told.
    """
    cordon, of = run.cordon, int(str(about.about["run"]))
    if cordon.after is None and number not in run.journal.cordoned(of):
        return ""
    known = run.journal.left_cordoned(run.site, of).get(of, {}).get(number)
    hosts, paths = known or about.hosts, cordon.paths()
    left = tuple(host for host in hosts if paths.get(host) is False)
    if left and (known is None or of != run.id):
        run.on_event(HostsCutOff(run=run.id, wave=number, hosts=left, since=of))
    if left and known is None:
        with _placed(f"hosts of wave {number} have no path and stay cordoned"):
            run.journal.leave_cordoned(of, number, left)
    if left and len(left) == len(hosts):
        return ""
    if cordon.after is None:
        problem = f"the intent names no `after` any more: hosts of {named(about.devices)} are still cordoned"
    else:
        back = tuple(host for host in hosts if paths.get(host, not paths))
        of_them = msgspec.structs.replace(about, hosts=back, about={**about.about, "cut_off": left})
        problem = cordon.run(cordon.after, of_them, _waiting(run, number)).problem
    if problem:
        run.on_event(CordonFailed(run=run.id, wave=number, reason=problem))
    with _placed(f"`after` of wave {number} has ended"):
        run.journal.uncordoned(of, number, problem)
        if left:
            run.journal.cordon(of, number, about.devices)
            run.journal.leave_cordoned(of, number, left)
    return problem


@contextmanager
def _placed(where: str) -> Iterator[None]:
    """A journal that fails within is told with what has become of the hosts."""
    try:
        yield
    except JournalFailed as failed:
        raise JournalFailed(f"{failed.reason}; {where}", failed.hint) from None


def _about(
    run: Run, number: int, jobs: Sequence[Job], devices: tuple[str, ...], of: int | None = None
) -> CordonedWave:
    impacts = [impact.value for impact in impacts_of(jobs) or (Impact.ISOLATING,)]
    return CordonedWave(
        folder=run.folder,
        about={
            "site": run.site,
            "run": of or run.id,
            "wave": number,
            "impact": impacts[0],
            "impacts": impacts,
        },
        devices=devices,
        hosts=run.cordon.hosts(devices),
        told_every_s=run.pace.gate_poll_s,
        hide=run.hide,
    )


def _waiting(run: Run, number: int) -> ToldOfProgram:
    def waiting(command: str, elapsed_s: float) -> None:
        event = GateWaiting(run=run.id, wave=number, missing=(f"`{command}`",), elapsed_s=round(elapsed_s, 1))
        run.on_event(event)

    return waiting
