"""Hosts without a path now, by the journal and by what their switches say: they do not come back into service."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence

from fabric.deployment import device_steps
from fabric.deployment.connection.parallel_devices import each
from fabric.deployment.events import GateWaiting
from fabric.deployment.gates import running_sessions
from fabric.deployment.journal_store.cordoned_hosts import Cordoned
from fabric.deployment.waves.run import Run, work_of_asking
from fabric.diagnostics import DeviceError

SILENT = "it does not answer, or no session with another switch is up, and hosts are to come back over it"


RailsOfHosts = Mapping[str, frozenset[str]]
"""Rails that no leaf carries, by host: of every host of the site, and empty where nobody knows them."""


def keeps_out(host: str, wave: Cordoned, without: RailsOfHosts) -> bool:
    """Whether a host that was taken out of service for a wave is not to come back: it has lost a path."""
    return bool(without.get(host, frozenset()) - wave.had_none.get(host, frozenset()))


def without_path_now(run: Run, number: int, waves: Sequence[Cordoned]) -> RailsOfHosts:
    """For hosts that were taken out of service for some waves: sessions that open are waited for as at a gate.

    `number`: of the wave that events name meanwhile.
    """
    by_journal = run.cordon.without_path(run.journal, ())
    # Who is kept out by the journal is not asked for.
    asked = [
        wave.of(host for host in wave.hosts if host in by_journal and not keeps_out(host, wave, by_journal))
        for wave in waves
    ]
    began = time.monotonic()
    while True:
        dead = _dead(run, asked)
        now = run.cordon.without_path(run.journal, dead) if dead else by_journal
        is_lost = any(keeps_out(host, wave, now) for wave in asked for host in wave.hosts)
        if not is_lost or (elapsed_s := time.monotonic() - began) >= run.pace.gate_timeout_s:
            return now
        missing = tuple(f"{name}: {SILENT}" for name in dead)
        run.on_event(GateWaiting(run=run.id, wave=number, missing=missing, elapsed_s=round(elapsed_s, 1)))
        time.sleep(run.pace.gate_poll_s)


def without_path_before(run: Run, wave: Cordoned) -> RailsOfHosts:
    """Of the hosts of a wave, before it begins: those that have a rail without a path.

    A switch that this run applies something to for the first time is about to give them one.
    """
    changes = {step.job.device for step in run.journal.steps(run.id)}
    begin = changes - run.journal.applied(run.site).keys()
    now = run.cordon.without_path(run.journal, set(_dead(run, (wave,))) - begin)
    return {host: rails for host in wave.hosts if (rails := now.get(host))}


def _dead(run: Run, waves: Iterable[Cordoned]) -> tuple[str, ...]:
    """Switches of hosts and of their waves that should have sessions with others, and have none, or do not answer.

    Not those that are drained by what was applied last: they carry nothing, as is known. One that nothing was applied
    to may run as intended, or stand in its box: it is asked, and carries nothing if nobody knows where. One that is
    joined with no other switch carries hosts if it answers.
    """
    concerned = [wave for wave in waves if wave.hosts]
    names = {name for wave in concerned for name in (*wave.devices, *run.cordon.leaves(wave.hosts))}
    if not names:
        return ()
    applied = run.journal.applied(run.site)
    drained = {name for name, last in applied.items() if last.drained}
    around = ((name, run.around(name)) for name in sorted(names - drained))
    known = {name: found for name, found in around if found is not None}
    joined = {name: found for name, found in known.items() if found.sessions}
    asked = {name: work for name in known if (work := work_of_asking(run, name))}
    answers = dict(each(run.executor, device_steps.look, ((name, (work,)) for name, work in asked.items())))
    seen = {name: answer for name, answer in answers.items() if not isinstance(answer, DeviceError)}
    silent = (joined.keys() - asked.keys() - applied.keys()) | (answers.keys() - seen.keys())
    joined_seen = {name: answer for name, answer in seen.items() if name in joined}
    quiet = running_sessions.without_session(joined, joined_seen, asked, run.executor)
    return tuple(sorted({*silent, *quiet}))
