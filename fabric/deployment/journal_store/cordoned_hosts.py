"""Hosts behind devices of a wave, which the site's programs around it take out of service and bring back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fabric.deployment.journal_store.run_lifecycle import RunLifecycle
from fabric.deployment.moments import stamp

CORDONED, UNCORDONED = "cordoned", "uncordoned"
CUT_OFF = "cut off"
"""Why hosts are not brought back though their wave is over."""
Waves = Mapping[int, tuple[str, ...]]
"""Devices by the number of their wave."""


class CordonedHosts(RunLifecycle):
    """What is owed to hosts."""

    def cordon(self, run: int, wave: int, devices: Iterable[str]) -> None:
        """Write down that hosts behind some devices are taken out of service now, and are to be brought back."""
        self._write_rows(run, wave, devices, CORDONED)

    def leave_cordoned(self, run: int, wave: int, devices: Iterable[str]) -> None:
        """Write down that hosts behind some devices have no path after the wave: they come back when they have one."""
        self._write_rows(run, wave, devices, CORDONED, CUT_OFF)

    def uncordoned(self, run: int, wave: int, reason: str = "") -> None:
        """Write down that the program that brings the hosts of a wave back has ended; `reason`: what was wrong."""
        entry = {"run": run, "at": stamp(), "wave": wave, "state": UNCORDONED, "reason": reason or None}
        self.write(lambda connection: connection.execute(self._tables.entries.insert().values(**entry)))

    def cordoned(self, run: int) -> Waves:
        """Waves of a run whose hosts nobody has brought back yet, and their devices."""
        return self._open(self._tables.entries.c.run == run).get(run, {})

    def left_cordoned(self, site: str, before: int) -> Mapping[int, Waves]:
        """By runs of a site before one: the waves that have left hosts without a path, which are still cordoned."""
        entries, runs = self._tables.entries, self._tables.runs
        here = runs.select().with_only_columns(runs.c.id).where((runs.c.site == site) & (runs.c.id < before))
        return self._open(entries.c.run.in_(here), CUT_OFF)

    def _open(self, which: Any, reason: str | None = None) -> dict[int, dict[int, tuple[str, ...]]]:
        """By run and wave the devices whose hosts are cordoned; `reason`: those alone that are so for that reason."""
        t = self._tables.entries
        query = t.select().where(which & t.c.state.in_([CORDONED, UNCORDONED])).order_by(t.c.id)
        left: dict[tuple[int, int], dict[str, str | None]] = {}
        for row in self.rows(query):
            of = row["run"], row["wave"]
            if row["state"] == UNCORDONED:
                left.pop(of, None)
            else:
                left.setdefault(of, {})[row["device"]] = row["reason"]
        found: dict[int, dict[int, tuple[str, ...]]] = {}
        for (run, wave), devices in left.items():
            names = tuple(name for name, why in devices.items() if reason in (None, why))
            if names:
                found.setdefault(run, {})[wave] = names
        return found

    def _write_rows(
        self, run: int, wave: int, devices: Iterable[str], state: str, reason: str | None = None
    ) -> None:
        entry = {"run": run, "at": stamp(), "wave": wave, "state": state, "reason": reason}
        rows = [{**entry, "device": device} for device in devices]
        self.write(lambda connection: connection.execute(self._tables.entries.insert(), rows))
