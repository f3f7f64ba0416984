"""Hosts behind devices of a wave, which the site's programs around it take out of service and bring back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fabric.deployment.journal_store.run_lifecycle import RunLifecycle
from fabric.deployment.moments import stamp

CORDONED, UNCORDONED = "cordoned", "uncordoned"
LEFT = "left without a path"
"""Of hosts that are not brought back though their wave is over."""


class CordonedHosts(RunLifecycle):
    """What is owed to hosts."""

    def cordon(self, run: int, wave: int, devices: Iterable[str]) -> None:
        """Write down that hosts behind some devices are taken out of service now, and are to be brought back."""
        entry = {"run": run, "at": stamp(), "wave": wave, "state": CORDONED}
        rows = [{**entry, "device": device} for device in devices]
        self.write(lambda connection: connection.execute(self._tables.entries.insert(), rows))

    def leave_cordoned(self, run: int, wave: int, hosts: Iterable[str]) -> None:
        """Write down that these hosts have no path after a wave: they are brought back when they have one."""
        entry = {"run": run, "at": stamp(), "wave": wave, "state": LEFT, "reason": " ".join(hosts)}
        self.write(lambda connection: connection.execute(self._tables.entries.insert().values(**entry)))

    def uncordoned(self, run: int, wave: int, reason: str = "") -> None:
        """Write down that the program that brings the hosts of a wave back has ended; `reason`: what was wrong."""
        entry = {"run": run, "at": stamp(), "wave": wave, "state": UNCORDONED, "reason": reason or None}
        self.write(lambda connection: connection.execute(self._tables.entries.insert().values(**entry)))

    def cordoned(self, run: int) -> dict[int, tuple[str, ...]]:
        """Waves of a run whose hosts nobody has brought back yet, and their devices."""
        return self._cordoned(self._tables.entries.c.run == run).get(run, {})

    def cordoned_by_run(self, site: str) -> dict[int, dict[int, tuple[str, ...]]]:
        """The same of all runs of a site."""
        runs = self._tables.runs
        here = runs.select().with_only_columns(runs.c.id).where(runs.c.site == site)
        return self._cordoned(self._tables.entries.c.run.in_(here))

    def _cordoned(self, which: Any) -> dict[int, dict[int, tuple[str, ...]]]:
        t = self._tables.entries
        query = t.select().where(which & t.c.state.in_([CORDONED, UNCORDONED])).order_by(t.c.id)
        left: dict[int, dict[int, tuple[str, ...]]] = {}
        for row in self.rows(query):
            waves = left.setdefault(row["run"], {})
            if row["state"] == UNCORDONED:
                waves.pop(row["wave"], None)
            else:
                waves[row["wave"]] = tuple(dict.fromkeys((*waves.get(row["wave"], ()), row["device"])))
        return {run: waves for run, waves in left.items() if waves}

    def left_cordoned(
        self, site: str, until: int | None = None
    ) -> Mapping[int, Mapping[int, tuple[str, ...]]]:
        """By runs of a site, up to one, and by their waves: the hosts that these have left without a path."""
        t, runs = self._tables.entries, self._tables.runs
        of_site = runs.c.site == site
        which = of_site if until is None else of_site & (runs.c.id <= until)
        here = runs.select().with_only_columns(runs.c.id).where(which)
        query = t.select().where(t.c.run.in_(here) & t.c.state.in_([LEFT, UNCORDONED])).order_by(t.c.id)
        left: dict[int, dict[int, tuple[str, ...]]] = {}
        for row in self.rows(query):
            waves = left.setdefault(row["run"], {})
            if row["state"] == UNCORDONED:
                waves.pop(row["wave"], None)
            else:
                waves[row["wave"]] = tuple(row["reason"].split())
        return {run: waves for run, waves in left.items() if waves}
