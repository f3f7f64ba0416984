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
        return self._devices(self._tables.entries.c.run == run).get(run, {})

    def cordoned_by_run(self, site: str) -> dict[int, dict[int, tuple[str, ...]]]:
        """The same of all runs of a site."""
        return self._devices(self._in_runs(site))

    def left_cordoned(
        self, site: str, until: int | None = None
    ) -> Mapping[int, Mapping[int, tuple[str, ...]]]:
        """By runs of a site, up to one, and by their waves: the hosts that these have left without a path."""
        found = self._open(self._in_runs(site, until), LEFT)
        return {
            run: {wave: tuple(rows[-1]["reason"].split()) for wave, rows in waves.items()}
            for run, waves in found.items()
        }

    def _devices(self, which: Any) -> dict[int, dict[int, tuple[str, ...]]]:
        return {
            run: {wave: tuple(dict.fromkeys(row["device"] for row in rows)) for wave, rows in waves.items()}
            for run, waves in self._open(which, CORDONED).items()
        }

    def _in_runs(self, site: str, until: int | None = None) -> Any:
        runs = self._tables.runs
        of_site = runs.c.site == site
        which = of_site if until is None else of_site & (runs.c.id <= until)
        return self._tables.entries.c.run.in_(runs.select().with_only_columns(runs.c.id).where(which))

    def _open(self, which: Any, state: str) -> dict[int, dict[int, list[Mapping[str, Any]]]]:
        """What was written down of waves in a state, by run and wave, since their hosts were last brought back."""
        t = self._tables.entries
        query = t.select().where(which & t.c.state.in_([state, UNCORDONED])).order_by(t.c.id)
        left: dict[int, dict[int, list[Mapping[str, Any]]]] = {}
        for row in self.rows(query):
            waves = left.setdefault(row["run"], {})
            if row["state"] == UNCORDONED:
                waves.pop(row["wave"], None)
            else:
                waves.setdefault(row["wave"], []).append(row)
        return {run: waves for run, waves in left.items() if waves}
