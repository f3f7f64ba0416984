"""Steps whose devices may hold something of their change still, though their runs have ended.

A step is lost where a run ended without knowing what its device runs. It is settled by a later step that the device
keeps, or by whoever asks the device and finds out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from fabric.deployment.jobs import State
from fabric.deployment.journal_store.journal_records import REFRESH, Step, product_of, step
from fabric.deployment.journal_store.journal_writes import confirm, write_step
from fabric.deployment.journal_store.soaking_waves import SoakingWaves

OPEN = [state.value for state in State if state.is_open]


class Unsettled(msgspec.Struct, frozen=True):
    """What a device may hold of changes that nobody has seen whole there, or gone, since."""

    steps: tuple[tuple[int, Step], ...]
    """Each with its run, the first one first."""
    after: str
    """Digest of what the device was last known to run, in plain form."""
    touched: int
    """The last run that may have changed the device, or has looked at it."""

    @property
    def last(self) -> tuple[int, Step]:
        """The one that may be found there as a whole."""
        return self.steps[-1]

    @property
    def product(self) -> str:
        """The platform that the device had then."""
        return self.last[1].job.platform


class _Known(NamedTuple):
    """What is known of one step of a device, without its job."""

    run: int
    product: str
    after: str


class UnsettledSteps(SoakingWaves):
    """The lost steps of a site, and what becomes of them."""

    def unsettled(
        self, site: str, platform_of: Callable[[str], str | None] = lambda _: None
    ) -> dict[str, Unsettled]:
        """By device: its lost steps since the last one that it has kept.

        Whoever has only written down what runs there, has settled nothing: whose it is stays as it was. `platform_of`:
        that of a device now, where it is known, else it is that of its last lost step. What was lost on a switch of
        another platform, the one before, does not count.
        """
        lost: dict[str, list[dict[str, Any]]] = {}
        for row in self.rows(self._lost(site)):
            lost.setdefault(row["device"], []).append(row)
        known: dict[str, list[_Known]] = {device: [] for device in lost}
        kept = {device: rows[0]["kept"] or 0 for device, rows in lost.items()}
        for row in self.rows(self._touching(site, lost, min(kept.values()))) if lost else ():
            if row["run"] >= kept[row["device"]]:
                known[row["device"]].append(_Known(row["run"], product_of(row), row["after"]))
        found = ((name, _unsettled(rows, known[name], platform_of(name))) for name, rows in lost.items())
        return {device: left for device, left in found if left is not None}

    def left_open(self, site: str) -> tuple[tuple[int, Step], ...]:
        """The last lost step, and its run, of each device that no later run has touched or written down."""
        last = ((known.last, known.touched) for known in self.unsettled(site).values())
        return tuple(lost for lost, touched in last if lost[0] == touched)

    def write_ending(
        self, site: str, known: Unsettled, state: State, running: str | None, reason: str
    ) -> bool:
        """Write down what became of the last lost step of a device. Not if it is known better by now.

        `running`: what the device keeps of it, or half of it, in plain form; None: neither.
        Returns whether it was written: another one may have asked the device too, or have changed it meanwhile.
        """
        run, lost = known.last

        def write(connection: Any) -> bool:
            if not self._is_as_read(connection, site, known):
                return False
            if state is State.CONFIRMED and running is not None:
                confirm(connection, run, site, lost.job, running, reason)
            else:
                write_step(connection, run, lost.job.device, state, running, reason)
            return True

        return self.write(write)

    def unknown(self, site: str) -> frozenset[str]:
        """Devices of which nobody knows what they run: a run, also one that has not finished, has left them open."""
        t, run = self._tables.steps, self.unfinished(site)
        rows = self.rows(t.select().where(t.c.run == run.id)) if run is not None else ()
        lost = {one.job.device for one in map(step, rows) if one.is_lost}
        return frozenset(lost.union(left.job.device for _, left in self.left_open(site)))

    def _lost(self, site: str) -> Any:
        """The query for lost steps, by run, each with the last run whose change the device has kept before (`kept`)."""
        from sqlalchemy import func, select  # slow

        t = self._tables
        here = t.runs.c.site == site
        is_kept = (t.steps.c.state == State.CONFIRMED.value) & (t.runs.c.kind != REFRESH)
        kept = (
            select(t.steps.c.device, func.max(t.steps.c.run).label("kept"))
            .select_from(self._of_runs())
            .where(here & is_kept)
            .group_by(t.steps.c.device)
            .subquery()
        )
        was_lost = (t.steps.c.state == State.FAILED.value) & (t.steps.c.session != "")
        is_lost = t.runs.c.finished.is_not(None) & (t.steps.c.state.in_(OPEN) | was_lost)
        is_since = kept.c.kept.is_(None) | (t.steps.c.run > kept.c.kept)
        steps = self._of_runs().outerjoin(kept, kept.c.device == t.steps.c.device)
        query = select(t.steps, kept.c.kept).select_from(steps)
        return query.where(here & is_lost & is_since).order_by(t.steps.c.run)

    def _touching(self, site: str, devices: Iterable[str], since: int = 0) -> Any:
        """The query for steps of runs from `since` that may have changed devices, or have looked at them, by run."""
        t = self._tables
        columns = (t.steps.c.device, t.steps.c.run, t.steps.c.state, t.steps.c.after, t.steps.c.job)
        touched = t.steps.c.device.in_([*devices]) & (t.steps.c.state != State.PLANNED.value)
        rows = self._of_runs().select().with_only_columns(*columns)
        return rows.where((t.runs.c.site == site) & (t.steps.c.run >= since) & touched).order_by(
            t.steps.c.run
        )

    def _of_runs(self) -> Any:
        t = self._tables
        return t.steps.join(t.runs, t.steps.c.run == t.runs.c.id)

    def _is_as_read(self, connection: Any, site: str, known: Unsettled) -> bool:
        """Whether the last lost step of a device is still as it was read, and the last that has touched it the same."""
        run, lost = known.last
        applied = self._tables.applied
        here = (applied.c.site == site) & (applied.c.device == lost.job.device)
        # Whoever confirms something there writes this row, and waits.
        connection.execute(applied.select().where(here).with_for_update())
        last: Mapping[str, Any] = {}
        for last in connection.execute(self._touching(site, (lost.job.device,))).mappings():
            if last["run"] == run and (last["state"], last["after"]) != (lost.state.value, lost.after):
                return False
        return bool(last) and last["run"] == known.touched


def _unsettled(
    lost: Sequence[Mapping[str, Any]], known: Sequence[_Known], product: str | None
) -> Unsettled | None:
    """Of the lost steps of a device, and of all that have touched it since the last one that it has kept."""
    now = product or product_of(lost[-1])
    steps = tuple((row["run"], step(row)) for row in lost if product_of(row) == now)
    if not steps:
        return None
    seen = [one.after for one in known if one.after and one.product == now]
    return Unsettled(steps, seen[-1] if seen else steps[0][1].job.before, known[-1].run)
