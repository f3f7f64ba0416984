"""Hosts behind devices of a wave, which the site's programs around it take out of service and bring back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

import msgspec

from fabric.deployment.journal_store.run_lifecycle import RunLifecycle
from fabric.deployment.moments import stamp

CORDONED, UNCORDONED = "cordoned", "uncordoned"
LEFT = "left without a path"
"""Of hosts that are not brought back though their wave is over."""
HAD_NONE, NOT_KNOWN = "had no path", "not known"
"""Of rails of hosts that were in service when their wave came: without a path there, or nobody could tell."""
RAILS = "rails"
"""Of all that hosts had when their wave came."""


class Cordoned(msgspec.Struct, frozen=True):
    """Who is out of service because of a wave."""

    run: int = 0
    """Whose wave it is; 0 until that is written down."""
    devices: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    """Behind the devices; empty where nobody knows them."""
    is_over: bool = False
    """Whether the wave is over, and left these without a path; else nobody has looked whether they have one."""
    had_none: Mapping[str, frozenset[str]] = {}
    """Rails of hosts that had no path before, while their host was in service: that keeps nobody out."""
    not_known: Mapping[str, frozenset[str]] = {}
    """Rails of hosts in service of which nobody knew whether they had a path: no answer, or nothing applied yet."""
    rails: Mapping[str, frozenset[str]] = {}
    """Those that each host had, as far as that was written down. What comes into the intent later keeps nobody out."""

    def of(self, hosts: Iterable[str], *, is_over: bool = False) -> Cordoned:
        """The same of some of its hosts, and their rails."""
        some = dict.fromkeys(hosts)
        had_none, not_known, rails = (
            {host: rails for host, rails in known.items() if host in some}
            for known in (self.had_none, self.not_known, self.rails)
        )
        return Cordoned(self.run, self.devices, tuple(some), is_over, had_none, not_known, rails)

    def with_more(self, more: Cordoned) -> Cordoned:
        """Together with others, whose wave is not over."""
        return Cordoned(
            run=self.run,
            devices=_each_once(self.devices, more.devices),
            hosts=_each_once(self.hosts, more.hosts),
            had_none=_union(self.had_none, more.had_none),
            not_known=_union(self.not_known, more.not_known),
            rails=_union(self.rails, more.rails),
        )


Waves = Mapping[int, Cordoned]
"""By number of a wave."""


class CordonedHosts(RunLifecycle):
    """What is owed to hosts."""

    def cordon(self, run: int, wave: int, cordoned: Cordoned) -> None:
        """Write down that hosts are taken out of service now, beside those that are, and are to be brought back."""
        rows = _rows(run, wave, cordoned)
        self.write(lambda connection: connection.execute(self._tables.entries.insert(), rows))

    def uncordoned(
        self, run: int, wave: int, reason: str = "", left: Cordoned | None = None, *, by: int
    ) -> None:
        """Write down that the hosts of a wave have been brought back, but those that are `left` out of service.

        `reason`: what was wrong with the program that brings them back. `by`: the run that has done it. `Refused` if
        its lock was taken away: somebody may have taken the hosts out of service again.
        """
        ended = {"run": run, "at": stamp(), "wave": wave, "state": UNCORDONED, "reason": reason or None}
        rows = _rows(run, wave, left) if left is not None else []

        def write(connection: Any) -> None:
            self.check_held_within(connection, by)
            connection.execute(self._tables.entries.insert().values(**ended))
            if rows:
                connection.execute(self._tables.entries.insert(), rows)

        self.write(write)

    def cordoned(self, run: int) -> Waves:
        """The waves of a run whose hosts nobody has brought back yet."""
        return self._cordoned(self._tables.entries.c.run == run).get(run, {})

    def cordoned_by_run(self, site: str) -> Mapping[int, Waves]:
        """The same of all runs of a site, by their numbers."""
        runs = self._tables.runs
        of_site = runs.select().with_only_columns(runs.c.id).where(runs.c.site == site)
        return self._cordoned(self._tables.entries.c.run.in_(of_site))

    def _cordoned(self, which: Any) -> Mapping[int, Waves]:
        t = self._tables.entries
        states = [CORDONED, LEFT, HAD_NONE, NOT_KNOWN, RAILS, UNCORDONED]
        query = t.select().where(which & t.c.state.in_(states)).order_by(t.c.id)
        found: dict[int, dict[int, list[Mapping[str, Any]]]] = {}
        for row in self.rows(query):
            waves = found.setdefault(row["run"], {})
            if row["state"] == UNCORDONED:
                waves.pop(row["wave"], None)
            else:
                waves.setdefault(row["wave"], []).append(row)
        return {
            run: {wave: _read(run, rows) for wave, rows in waves.items()}
            for run, waves in found.items()
            if waves
        }


def _rows(run: int, wave: int, cordoned: Cordoned) -> list[dict[str, Any]]:
    """A row for rails of each kind of which there are some, one for each device, and last one for all hosts.

    What a run has done last is told by the last row.
    """
    entry = {"run": run, "at": stamp(), "wave": wave, "state": LEFT if cordoned.is_over else CORDONED}
    rows = []
    kinds = ((HAD_NONE, cordoned.had_none), (NOT_KNOWN, cordoned.not_known), (RAILS, cordoned.rails))
    for state, known in kinds:
        words = [f"{host}:{rail}" for host, rails in known.items() for rail in sorted(rails)]
        if words:
            rows.append({**entry, "device": None, "state": state, "reason": " ".join(words)})
    rows += [{**entry, "device": device, "reason": None} for device in cordoned.devices]
    return [*rows, {**entry, "device": None, "reason": " ".join(cordoned.hosts)}]


def _read(run: int, rows: Iterable[Mapping[str, Any]]) -> Cordoned:
    rows = list(rows)
    out = [row for row in rows if row["state"] in (CORDONED, LEFT)]
    return Cordoned(
        run=run,
        devices=_each_once(row["device"] for row in out if row["device"]),
        hosts=_words(row for row in out if not row["device"]),
        is_over=all(row["state"] == LEFT for row in out),
        had_none=_rails(row for row in rows if row["state"] == HAD_NONE),
        not_known=_rails(row for row in rows if row["state"] == NOT_KNOWN),
        rails=_rails(row for row in rows if row["state"] == RAILS),
    )


def _rails(rows: Iterable[Mapping[str, Any]]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for host, _, rail in (word.partition(":") for word in _words(rows)):
        found.setdefault(host, set()).add(rail)
    return {host: frozenset(rails) for host, rails in found.items()}


def _words(rows: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    return _each_once(word for row in rows for word in (row["reason"] or "").split())


def _union(
    one: Mapping[str, frozenset[str]], more: Mapping[str, frozenset[str]]
) -> dict[str, frozenset[str]]:
    return {host: one.get(host, frozenset()) | more.get(host, frozenset()) for host in {**one, **more}}


def _each_once(*names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(chain(*names)))
