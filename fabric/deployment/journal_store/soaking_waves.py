"""Waves that are confirmed and still watched: what their gates compare with outlives the program."""

from __future__ import annotations

from collections.abc import Mapping

from fabric.deployment.journal_store.cordoned_hosts import CordonedHosts
from fabric.deployment.moments import stamp

SOAKS, SOAKED = "soaks", "soaked"


class SoakingWaves(CordonedHosts):
    """What is known of a device from before a change that it keeps, for as long as the change soaks."""

    def soaks(self, run: int, wave: int, kept: Mapping[str, str]) -> None:
        """Write down that devices soak; `kept` has the digest of a text that is kept by the name of each."""
        entry = {"run": run, "at": stamp(), "wave": wave, "state": SOAKS}
        rows = [{**entry, "device": name, "reason": key} for name, key in kept.items()]
        self.write(lambda connection: connection.execute(self._tables.entries.insert(), rows))

    def soaked(self, run: int, wave: int) -> None:
        """Write down that a wave has soaked for as long as it should."""
        entry = {"run": run, "at": stamp(), "wave": wave, "state": SOAKED}
        self.write(lambda connection: connection.execute(self._tables.entries.insert().values(**entry)))

    def soaking(self, run: int) -> tuple[int, Mapping[str, str]]:
        """The last wave of a run that has not soaked to its end, and what is kept of its devices; none: 0."""
        t = self._tables.entries
        query = t.select().where((t.c.run == run) & t.c.state.in_([SOAKS, SOAKED])).order_by(t.c.id)
        number, kept = 0, dict[str, str]()
        for row in self.rows(query):
            if row["wave"] != number or row["state"] == SOAKED:
                number, kept = row["wave"], {}
            if row["state"] == SOAKS:
                kept[row["device"]] = row["reason"]
        return (number, kept) if kept else (0, {})
