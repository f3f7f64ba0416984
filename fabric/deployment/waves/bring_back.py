"""Hosts that a wave has taken out of service are brought back: at its end, or by a run after which they have a path."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import msgspec

from fabric.deployment.between_waves.cordon import Answer, Cordon, CordonedWave
from fabric.deployment.events import CordonFailed, GateWaiting, HostsCutOff, HostsNotKnown
from fabric.deployment.gates.site_commands import ToldOfProgram
from fabric.deployment.jobs import Job
from fabric.deployment.journal_store.cordoned_hosts import Cordoned
from fabric.deployment.journal_store.journal import Journal
from fabric.deployment.refusal_message import named
from fabric.deployment.results import DeviceResult, WaveResult
from fabric.deployment.waves.hosts_without_path import WithoutPath, without_path_now
from fabric.deployment.waves.run import Run
from fabric.diagnostics import JournalFailed
from fabric.planning.model import Impact, shown_impacts

AFTER_FAILED = "after failed"
"""Of a run that ran `after` for hosts of another run."""


def asked_for_hosts(journal: Journal, site: str, cordon: Cordon, isolating: Sequence[str]) -> tuple[str, ...]:
    """The switches that are asked before hosts come back: those of hosts behind some devices, and of earlier runs."""
    waves = [wave for of in journal.cordoned_by_run(site).values() for wave in of.values()]
    new = cordon.hosts(isolating) if cordon.after else ()
    hosts = dict.fromkeys((*new, *(host for wave in waves for host in wave.hosts)))
    return tuple(dict.fromkeys((*(name for wave in waves for name in wave.devices), *cordon.leaves(hosts))))


def bring_back(
    run: Run, of: Iterable[int] | None = None, *, but: Iterable[int] = (), are_over: bool = True
) -> tuple[WaveResult, ...]:
    """Bring back the hosts that runs (none given: all of the site) have left cordoned, but those of some waves.

    `are_over`: also those that had no path when their wave was over. Returns the waves for which it has failed, with
    the reason. A program that has failed is not run again.
    """
    owed = run.journal.cordoned_by_run(run.site)
    waves = [
        (number_of_run, number, wave)
        for number_of_run in sorted(owed.keys() & set(owed if of is None else of))
        for number, wave in sorted(owed[number_of_run].items())
        if number not in set(but) and (are_over or not wave.is_over)
        if (number_of_run, number) not in run.hosts_left
    ]
    if not waves:
        return ()
    run.journal.check_held(run.id)
    failed: list[WaveResult] = []
    without = without_path_now(run, waves[0][1], [wave for _, _, wave in waves])
    for at, (number_of_run, number, wave) in enumerate(waves):
        left = run.journal.cordoned(number_of_run).get(number)
        if not left:
            continue
        if at and not all(without.keeps_out(host, left) for host in left.hosts):
            # The program of the wave before may have run for an hour.
            without = without_path_now(run, number, [left])
        if problem := _bring_back(run, number_of_run, number, left, without):
            failed.append(_failed(run, number_of_run, number, wave, problem))
    return tuple(failed)


def wait_for_paths(run: Run, number: int) -> WithoutPath:
    """What the hosts of a wave have lost when it is over: sessions that open are given time."""
    with placed(f"hosts of wave {number} may still be cordoned"):
        run.journal.check_held(run.id)
        owed = run.journal.cordoned(run.id).get(number)
        return without_path_now(run, number, (owed,)) if owed else WithoutPath({}, {})


def bring_back_wave(run: Run, number: int, without: WithoutPath) -> str:
    """Bring back the hosts of a wave: what has gone wrong with the program, empty if nothing has."""
    with placed(f"hosts of wave {number} may still be cordoned"):
        owed = run.journal.cordoned(run.id).get(number)
    return _bring_back(run, run.id, number, owed, without) if owed else ""


def _failed(run: Run, of: int, number: int, cordoned: Cordoned, problem: str) -> WaveResult:
    """With the devices, if it is a wave of the same run."""
    steps = run.journal.steps(run.id) if of == run.id else []
    left = [step for step in steps if step.job.device in cordoned.devices]
    devices = tuple(DeviceResult(device=step.job.device, state=step.state) for step in left)
    place = "" if of == run.id else f"wave {number} of run {of}: "
    return WaveResult(number=number, state="done", devices=devices, reason=f"{place}{problem}")


def _bring_back(run: Run, of: int, number: int, owed: Cordoned, without: WithoutPath) -> str:
    """Run `after`, and write down that it has ended: what has gone wrong with it. An interrupted one is still owed.

    Not for hosts that have no path: they stay cordoned, which each run tells. So do all where the program is not there.
    Hosts that the site has no longer are told once, and owed nothing more.
    """
    gone = tuple(host for host in owed.hosts if without.rails and host not in without.rails)
    out = tuple(host for host in owed.hosts if without.keeps_out(host, owed))
    stay = {*gone, *out}
    back = tuple(host for host in owed.hosts if host not in stay)
    left = owed.of(out, is_over=True) if out else None
    if out and (of, number) not in run.hosts_told:
        run.hosts_told.add((of, number))
        run.on_event(HostsCutOff(run=run.id, wave=number, hosts=out, since=of))
    if gone:
        run.on_event(HostsNotKnown(run=run.id, wave=number, hosts=gone, since=of))
    if owed.hosts and not back:
        with placed(f"hosts of wave {number} stay cordoned"):
            run.journal.uncordoned(of, number, _not_known(gone), left, by=run.id)
        return ""
    with placed(f"`after` of wave {number} has not begun"):
        run.journal.check_held(run.id)
        if owed.is_over:
            run.journal.cordon(of, number, owed.of(back))
    problem, has_begun = _run_after(run, of, number, owed.of(back), out)
    if problem:
        problem = f"{problem}; {_what_of(owed.of(back), has_begun=has_begun)}"
        run.on_event(CordonFailed(run=run.id, wave=number, reason=problem, hosts=back, since=of))
    if not has_begun:
        left = owed.of((*back, *out))
        run.hosts_left.add((of, number))
    with placed(f"`after` of wave {number} has ended"):
        run.journal.uncordoned(of, number, problem or _not_known(gone), left, by=run.id)
        if has_begun:
            _owed_no_more(run, frozenset(back))
        if problem and of != run.id:
            run.journal.remark(run.id, AFTER_FAILED, f"for wave {number} of run {of}: {problem}")
    return problem


def _what_of(back: Cordoned, *, has_begun: bool) -> str:
    """What a program that has failed to bring hosts back leaves to the operator: all of them, by name.

    Once it has begun nobody owes them anything, and nothing else names them.
    """
    who = ", ".join(back.hosts) or f"the hosts behind {', '.join(back.devices)}"
    if has_begun:
        return f"it is not run for them again, so see whether they are in service: {who}"
    return f"out of service until `fabric apply` finds the program: {who}"


def _owed_no_more(run: Run, back: frozenset[str]) -> None:
    """Hosts that are back are owed to no other wave: `after` does not run for them again."""
    for of, waves in run.journal.cordoned_by_run(run.site).items():
        for number, wave in waves.items():
            left = wave.of((host for host in wave.hosts if host not in back), is_over=wave.is_over)
            if left.hosts != wave.hosts:
                run.journal.uncordoned(of, number, "", left if left.hosts else None, by=run.id)


def impacts_of(jobs: Iterable[Job]) -> tuple[Impact, ...]:
    """The worst impact of some jobs, and beside `lockout` what they do to traffic."""
    return shown_impacts(Impact(impact) for job in jobs for impact in (job.impact, *job.impacts))


def _not_known(hosts: tuple[str, ...]) -> str:
    return f"not in the intent any more: {named(hosts)}" if hosts else ""


def _run_after(run: Run, of: int, number: int, back: Cordoned, cut_off: tuple[str, ...]) -> Answer:
    """What the program that brings hosts back has come to."""
    if run.cordon.after is None:
        return Answer("the intent names no `after` any more")
    about = about_wave(run, of, number, back)
    about = msgspec.structs.replace(about, about={**about.about, "cut_off": cut_off})
    return run.cordon.run(run.cordon.after, about, waiting_for_program(run, number))


@contextmanager
def placed(where: str) -> Iterator[None]:
    """A journal that fails within is told with what has become of the hosts."""
    try:
        yield
    except JournalFailed as failed:
        raise JournalFailed(f"{failed.reason}; {where}", failed.hint) from None


def about_wave(run: Run, of: int, number: int, cordoned: Cordoned) -> CordonedWave:
    """What the programs are told of a wave of a run: of `run` itself, or of an earlier one."""
    jobs = [step.job for step in run.journal.steps(of) if step.job.device in cordoned.devices]
    impacts = [impact.value for impact in impacts_of(jobs) or (Impact.ISOLATING,)]
    return CordonedWave(
        folder=run.folder,
        about={"site": run.site, "run": of, "wave": number, "impact": impacts[0], "impacts": impacts},
        devices=cordoned.devices,
        hosts=cordoned.hosts,
        told_every_s=run.pace.gate_poll_s,
        hide=run.hide,
    )


def waiting_for_program(run: Run, number: int) -> ToldOfProgram:
    """Whoever looks on is told that a program of the site runs still."""

    def waiting(command: str, elapsed_s: float) -> None:
        event = GateWaiting(run=run.id, wave=number, missing=(f"`{command}`",), elapsed_s=round(elapsed_s, 1))
        run.on_event(event)

    return waiting
