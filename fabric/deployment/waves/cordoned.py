"""A wave between the site's programs: hosts are taken out of service before it, and brought back however it ends.

What is owed to the hosts is in the journal before the first program runs: a run that was interrupted, or killed, while
one of them ran brings the hosts back when it is gone on with (`resume`), and a rollback of it does at its end. Hosts
that a wave leaves without a path stay out of service, and the run after which they have one again brings them back.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

import msgspec

from fabric.deployment.between_waves.cordon import Cordon, CordonedWave
from fabric.deployment.events import CordonFailed, GateWaiting, HostsCutOff, HostsNotKnown
from fabric.deployment.gates.site_commands import ToldOfProgram
from fabric.deployment.gates.waiting import ToldWaiting
from fabric.deployment.interruptions import Interrupted, shielded
from fabric.deployment.jobs import Job
from fabric.deployment.journal_store.cordoned_hosts import Cordoned
from fabric.deployment.journal_store.journal import Journal
from fabric.deployment.refusal_message import named
from fabric.deployment.results import DeviceResult, WaveResult
from fabric.deployment.waves.run import Run
from fabric.deployment.waves.without_session import without_session
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
    devices = cordon.concerned(jobs, run.allow)
    if not devices:
        return wave()
    owed = run.journal.cordoned(run.id).get(number)
    new = Cordoned(devices, cordon.hosts(devices))
    everybody = (owed or new).with_more(new.devices, new.hosts)
    about = _about(run, run.id, number, everybody)
    names = {*everybody.devices, *cordon.leaves(everybody.hosts)} if cordon.after else set()
    dead_before = without_session(run, names)
    had_path = cordon.paths(run.journal, dead_before) if cordon.after else {}
    if cordon.after:
        with _placed(f"wave {number} of run {run.id} touched no further device"):
            run.journal.cordon(run.id, number, new)
    with _back_if_it_breaks(run, number, devices):
        reason, has_begun = cordon.run(cordon.before, about, _waiting(run, number))
        if not has_begun and cordon.after:
            # Who was not cordoned may have been drained by somebody else: nobody brings them back.
            run.journal.uncordoned(run.id, number, "nothing was cordoned", owed)
            if owed is None:
                return held(f"{reason}; nothing was cordoned, so `after` does not run")
        result = held(reason) if reason else wave()
        dead = (*dead_before, *without_session(run, names - {*dead_before}, _waiting_for(run, number)))
    problem = _bring_back(run, run.id, number, dead, had_path)
    return msgspec.structs.replace(result, reason=result.reason or problem)


@contextmanager
def _back_if_it_breaks(run: Run, number: int, devices: tuple[str, ...]) -> Iterator[None]:
    """Bring the hosts of a wave back if what is done within is interrupted, or breaks."""
    if run.cordon.after is None:
        yield
        return
    try:
        yield
    except Interrupted:
        with shielded(f"`{run.cordon.after}` brings hosts of wave {number} back"), suppress(JournalFailed):
            _bring_back(run, run.id, number)
        raise
    except JournalFailed as failed:
        try:
            _bring_back(run, run.id, number)
        except JournalFailed:
            hosts = f"hosts behind {named(devices)} may still be cordoned"
            raise JournalFailed(f"{failed.reason}; {hosts}", failed.hint) from None
        raise
    except BaseException:
        with suppress(JournalFailed):
            _bring_back(run, run.id, number)
        raise


def asked_for_hosts(journal: Journal, site: str, cordon: Cordon, isolating: Sequence[str]) -> tuple[str, ...]:
    """The switches that are asked before hosts come back: those of hosts behind some devices, and of earlier runs."""
    if cordon.after is None:
        return ()
    waves = [wave for of in journal.cordoned_by_run(site).values() for wave in of.values()]
    hosts = dict.fromkeys((*cordon.hosts(isolating), *(host for wave in waves for host in wave.hosts)))
    return tuple(dict.fromkeys((*(name for wave in waves for name in wave.devices), *cordon.leaves(hosts))))


def bring_back(
    run: Run, of: Iterable[int] | None = None, *, but: Iterable[int] = (), are_over: bool = True
) -> tuple[WaveResult, ...]:
    """Bring back the hosts that runs (none given: all of the site) have left cordoned, but those of some waves.

    `are_over`: also those that had no path when their wave was over. Whether a switch carries them is asked of the
    switch, too: its sessions may have died since it was changed. Returns the waves for which it has failed, with the
    reason. A program that has failed is not run again.
    """
    owed = run.journal.cordoned_by_run(run.site)
    waves = [
        (number_of_run, number, wave)
        for number_of_run in sorted(owed.keys() & set(owed if of is None else of))
        for number, wave in sorted(owed[number_of_run].items())
        if number not in set(but) and (are_over or not wave.is_over)
    ]
    failed: list[WaveResult] = []
    dead = _dead(run, waves[0][1], [wave for _, _, wave in waves]) if waves else ()
    for number_of_run, number, wave in waves:
        if problem := _bring_back(run, number_of_run, number, dead):
            failed.append(_failed(run, number_of_run, number, wave, problem))
    return tuple(failed)


def _dead(run: Run, number: int, waves: Sequence[Cordoned]) -> tuple[str, ...]:
    """The switches that hosts are to come back over, and that have no session; given time, as some may be opening."""
    paths = run.cordon.paths(run.journal, ())
    hosts = dict.fromkeys(host for wave in waves for host in wave.hosts if paths.get(host))
    devices = {name for wave in waves if not hosts.keys().isdisjoint(wave.hosts) for name in wave.devices}
    return without_session(run, {*devices, *run.cordon.leaves(hosts)}, _waiting_for(run, number))


def _waiting_for(run: Run, number: int) -> ToldWaiting:
    words = "it does not answer, or no session with another switch is up, and hosts are to come back over it"

    def waiting(dead: tuple[str, ...], elapsed_s: float) -> None:
        missing = tuple(f"{name}: {words}" for name in dead)
        run.on_event(GateWaiting(run=run.id, wave=number, missing=missing, elapsed_s=round(elapsed_s, 1)))

    return waiting


def _failed(run: Run, of: int, number: int, cordoned: Cordoned, problem: str) -> WaveResult:
    """With the devices, if it is a wave of the same run."""
    steps = run.journal.steps(run.id) if of == run.id else []
    left = [step for step in steps if step.job.device in cordoned.devices]
    devices = tuple(DeviceResult(device=step.job.device, state=step.state) for step in left)
    return WaveResult(number=number, state="done", devices=devices, reason=problem)


def _bring_back(
    run: Run, of: int, number: int, dead: Collection[str] = (), had_path: Mapping[str, bool] | None = None
) -> str:
    """Run `after`, and write down that it has ended: what has gone wrong with it. An interrupted one is still owed.

    Not for hosts that have no path, by the journal or as some switches are `dead`, if they `had_path` until then: they
    stay cordoned, which each run tells. Hosts that the site has no longer are told once, and owed nothing more.
    """
    with _placed(f"hosts of wave {number} may still be cordoned"):
        owed = run.journal.cordoned(of).get(number)
        if owed is None:
            return ""
        paths = run.cordon.paths(run.journal, ())
        alive = run.cordon.paths(run.journal, dead) if dead else paths
    had = had_path or {}
    lost = {host for host, has_path in alive.items() if not has_path and had.get(host) is not False}
    cut_off = tuple(host for host in owed.hosts if paths.get(host) is False or host in lost)
    left = Cordoned(owed.devices, cut_off, is_over=True) if cut_off else None
    if cut_off and not (owed.is_over and of == run.id):
        run.on_event(HostsCutOff(run=run.id, wave=number, hosts=cut_off, since=of))
    back = tuple(host for host in owed.hosts if host not in cut_off and paths.get(host, not paths))
    if gone := tuple(host for host in owed.hosts if paths and host not in paths):
        run.on_event(HostsNotKnown(run=run.id, wave=number, hosts=gone, since=of))
    if owed.hosts and not back:
        with _placed(f"hosts of wave {number} stay cordoned"):
            run.journal.uncordoned(of, number, _not_known(gone), left)
        return ""
    if owed.is_over:
        with _placed(f"`after` of wave {number} has not begun"):
            run.journal.cordon(of, number, Cordoned(owed.devices, back))
    problem = _run_after(run, of, number, Cordoned(owed.devices, back), cut_off)
    if problem:
        run.on_event(CordonFailed(run=run.id, wave=number, reason=problem))
    with _placed(f"`after` of wave {number} has ended"):
        run.journal.uncordoned(of, number, problem or _not_known(gone), left)
    return problem


def _not_known(hosts: tuple[str, ...]) -> str:
    return f"not in the intent any more: {named(hosts)}" if hosts else ""


def _run_after(run: Run, of: int, number: int, back: Cordoned, cut_off: tuple[str, ...]) -> str:
    """What is wrong with the program that brings hosts back; empty if nothing is."""
    if run.cordon.after is None:
        return f"the intent names no `after` any more: hosts of {named(back.devices)} are still cordoned"
    about = _about(run, of, number, back)
    about = msgspec.structs.replace(about, about={**about.about, "cut_off": cut_off})
    return run.cordon.run(run.cordon.after, about, _waiting(run, number)).problem


@contextmanager
def _placed(where: str) -> Iterator[None]:
    """A journal that fails within is told with what has become of the hosts."""
    try:
        yield
    except JournalFailed as failed:
        raise JournalFailed(f"{failed.reason}; {where}", failed.hint) from None


def _about(run: Run, of: int, number: int, cordoned: Cordoned) -> CordonedWave:
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


def _waiting(run: Run, number: int) -> ToldOfProgram:
    def waiting(command: str, elapsed_s: float) -> None:
        event = GateWaiting(run=run.id, wave=number, missing=(f"`{command}`",), elapsed_s=round(elapsed_s, 1))
        run.on_event(event)

    return waiting
