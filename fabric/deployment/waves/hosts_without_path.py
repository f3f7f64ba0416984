"""Hosts without a path now, by the journal and by what their switches say: they do not come back into service."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from fabric.deployment import device_steps
from fabric.deployment.connection.parallel_devices import each
from fabric.deployment.events import GateWaiting
from fabric.deployment.gates import running_sessions
from fabric.deployment.journal_store.cordoned_hosts import Cordoned
from fabric.deployment.waves.run import Run, work_of_asking
from fabric.diagnostics import DeviceError

SILENT = "it does not answer, or no session with another switch is up, and hosts are to come back over it"

NO_RAILS = frozenset[str]()
RailsOfHosts = Mapping[str, frozenset[str]]
"""Rails that no leaf carries, by host: of every host of the site, and empty where nobody knows them."""


class WithoutPath(NamedTuple):
    """Rails of hosts that have no path."""

    rails: RailsOfHosts
    """By the journal, or over a switch that carries nothing as far as anybody can tell. One may run something else, of
    which nobody knows how its commit ended."""
    surely: RailsOfHosts
    """By the journal, or over a switch that was applied to and says so."""
    known_since: Mapping[int, RailsOfHosts] = {}
    """By run: rails over leaves that a later run has applied to, which have answered then."""

    def keeps_out(self, host: str, wave: Cordoned) -> bool:
        """Whether a host that was taken out of service for a wave is not to come back: it has lost a path.

        Where nobody knew before, or since, and nobody does now, it is as it was. A rail that it did not have then may
        not be built yet.
        """
        known = self.surely.get(host, NO_RAILS) | self.known_since.get(wave.run, {}).get(host, NO_RAILS)
        not_known = wave.not_known.get(host, NO_RAILS) - known
        without = self.rails.get(host, NO_RAILS)
        had = without & wave.rails.get(host, without)
        return bool(had - wave.had_none.get(host, NO_RAILS) - not_known)


class Dead(NamedTuple):
    """Switches that carry nothing, as far as anybody can tell."""

    quiet: frozenset[str] = frozenset()
    """They were applied to, answer, and have no session with another one."""
    unknown: frozenset[str] = frozenset()
    """They do not answer, nobody knows where they are, or nothing was applied to them and they have no session."""


def without_path_now(run: Run, number: int, waves: Sequence[Cordoned]) -> WithoutPath:
    """Of hosts that were taken out of service for some waves.

    Sessions that may be opening, as the run has changed one of their ends, are waited for as at a gate. `number`: of
    the wave that events name meanwhile.
    """
    by_journal = _without_path(run, Dead())._replace(known_since=_known_since(run, waves))
    # Who is kept out by the journal is not asked for.
    asked = [
        wave.of(
            host for host in wave.hosts if host in by_journal.rails and not by_journal.keeps_out(host, wave)
        )
        for wave in waves
    ]
    known, now, since = Dead(), by_journal, 0.0
    while True:
        if (dead := _dead(run, asked)) != known:
            known, now = dead, _without_path(run, dead)._replace(known_since=by_journal.known_since)
        is_lost = any(now.keeps_out(host, wave) for wave in asked for host in wave.hosts)
        opening = _may_open(run, dead.quiet | dead.unknown) if is_lost else ()
        since = since or time.monotonic()  # behind the first look, which may take long
        if not opening or (elapsed_s := time.monotonic() - since) >= run.pace.gate_timeout_s:
            return now
        missing = tuple(f"{name}: {SILENT}" for name in opening)
        run.on_event(GateWaiting(run=run.id, wave=number, missing=missing, elapsed_s=round(elapsed_s, 1)))
        time.sleep(run.pace.gate_poll_s)


def with_rails_before(run: Run, wave: Cordoned) -> Cordoned:
    """A wave that is about to begin, with the rails over which its hosts, which are in service, may have no path."""
    before = _without_path(run, _dead(run, (wave,)))
    had_none = {host: rails for host in wave.hosts if (rails := before.surely.get(host))}
    not_known = {
        host: rails
        for host in wave.hosts
        if (rails := before.rails.get(host, NO_RAILS) - had_none.get(host, NO_RAILS))
    }
    return msgspec.structs.replace(wave, had_none=had_none, not_known=not_known)


def rails_of(run: Run, hosts: Collection[str]) -> RailsOfHosts:
    """The rails of some hosts as the intent is now: those that no leaf carries if all of theirs are dead."""
    rails = run.cordon.without_path(run.journal, run.cordon.leaves(hosts))
    return {host: rails[host] for host in hosts if rails.get(host)}


def _without_path(run: Run, dead: Dead) -> WithoutPath:
    unknown = (dead.unknown | run.journal.unknown(run.site)) - dead.quiet
    surely = run.cordon.without_path(run.journal, dead.quiet)
    rails = run.cordon.without_path(run.journal, dead.quiet | unknown) if unknown else surely
    return WithoutPath(rails, surely)


def _known_since(run: Run, waves: Iterable[Cordoned]) -> Mapping[int, RailsOfHosts]:
    """By run: the rails of hosts over leaves that another run has applied to after it, where nobody knew of some."""
    last = {name: applied.run for name, applied in run.journal.applied(run.site).items()}
    unknown = [wave for wave in waves if wave.not_known]
    leaves = frozenset(run.cordon.leaves({host for wave in unknown for host in wave.not_known}))
    found = {}
    for number in {wave.run for wave in unknown}:
        if since := {leaf for leaf in leaves if last.get(leaf, 0) > number}:
            all_, left = (run.cordon.without_path(run.journal, dead) for dead in (leaves, leaves - since))
            found[number] = {host: rails - left.get(host, NO_RAILS) for host, rails in all_.items()}
    return found


def _may_open(run: Run, names: Iterable[str]) -> tuple[str, ...]:
    """Those of some switches that the run changes, or a neighbour of theirs."""
    changes = {step.job.device for step in run.journal.steps(run.id)}
    around = ((name, run.around(name)) for name in sorted(names))
    return tuple(
        name
        for name, found in around
        if name in changes or (found and any(session.peer in changes for session in found.sessions))
    )


def _dead(run: Run, waves: Iterable[Cordoned]) -> Dead:
    """Of the switches of hosts and of their waves that should have sessions with others.

    Not those that are drained by what was applied last: they carry nothing, as is known. One that is joined with no
    other switch carries hosts if it answers.
    """
    concerned = [wave for wave in waves if wave.hosts]
    names = {name for wave in concerned for name in (*wave.devices, *run.cordon.leaves(wave.hosts))}
    if not names:
        return Dead()
    applied = run.journal.applied(run.site)
    drained = {name for name, last in applied.items() if last.drained}
    around = ((name, run.around(name)) for name in sorted(names - drained))
    known = {name: found for name, found in around if found is not None}
    joined = {name: found for name, found in known.items() if found.sessions}
    asked = {name: work for name in known if (work := work_of_asking(run, name))}
    answers = dict(each(run.executor, device_steps.look, ((name, (work,)) for name, work in asked.items())))
    seen = {name: answer for name, answer in answers.items() if not isinstance(answer, DeviceError)}
    of_joined = {name: answer for name, answer in seen.items() if name in joined}
    alone = frozenset(running_sessions.without_session(joined, of_joined, asked, run.executor))
    quiet = alone & applied.keys()
    due = joined.keys() | (known.keys() & applied.keys())
    silent = (due - asked.keys()) | (answers.keys() - seen.keys())
    return Dead(quiet, (alone - quiet) | silent)
