"""What was done, step by step, so that a killed run can be gone on with or taken back.

Each step is written before it is taken and after. Texts are in plain form, or hold placeholders:
there is no secret in the journal.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any, Final

import msgspec

from fabric.deployment import codes
from fabric.deployment.jobs import Job, State
from fabric.deployment.journal_store.cordoned_hosts import UNCORDONED
from fabric.deployment.journal_store.journal_records import (
    Applied,
    Remark,
    Run,
    Step,
    product_of,
    record,
    step,
)
from fabric.deployment.journal_store.journal_statements import statements
from fabric.deployment.journal_store.journal_writes import confirm, keep, write_applied, write_step
from fabric.deployment.journal_store.last_applied import LastAppliedTexts
from fabric.deployment.journal_store.unsettled_steps import UnsettledSteps
from fabric.deployment.moments import stamp
from fabric.deployment.refusal_message import named, refusal
from fabric.planning.texts import digest

NOTHING_APPLIED = (
    "`fabric plan --adopt` makes the plan of the first run; if it was applied with another journal, set "
    "`FABRIC_JOURNAL` to that one's URL"
)
"""What to do where a journal has no run of a site."""
NOT_BEGUN: Final = "not begun"
"""Of a wave of which no device was changed, though the one before it holds."""
KEPT_AT_ONCE = 64
"""Texts that are written in one transaction, and devices by one statement."""


class Journal(UnsettledSteps):
    """The journal of one or more sites."""

    def mark(
        self, run: int, devices: Mapping[str, State], *, session: str | None = None, reason: str = ""
    ) -> None:
        """Write down that devices reached a state, unless the lock of the run was taken away."""
        known, now = statements(), stamp()
        more = {"reason": reason} if session is None else {"reason": reason, "session": session}
        # What is not confirmed any more does not run what it ran behind that.
        changes = [
            {"of_run": run, "of_device": device, "state": state.value, "updated": now, "after": "", **more}
            for device, state in devices.items()
        ]
        entry = {"run": run, "at": now, "reason": reason}
        entries = [{**entry, "device": device, "state": state.value} for device, state in devices.items()]

        def write(connection: Any) -> None:
            if devices:
                connection.execute(known.change_step, changes)
                connection.execute(known.add_entry, entries)

        self.write_of(run, write)

    def mark_wave(self, run: int, number: int, state: str, reason: str = "") -> None:
        """Write down where a wave is: `pushing`, `gate`, `confirming`, `done`, `reverted`, `not begun`.

        `Refused` if the run was held and its lock has been taken away: it must not go on.
        """

        def write(connection: Any) -> None:
            self.check_held_within(connection, run)
            self._mark_wave(connection, run, number, state, reason)

        self.write(write)

    def _mark_wave(self, connection: Any, run: int, number: int, state: str, reason: str) -> None:
        t, now = self._tables, stamp()
        connection.execute(t.waves.delete().where((t.waves.c.run == run) & (t.waves.c.number == number)))
        connection.execute(t.waves.insert().values(run=run, number=number, state=state, updated=now))
        entry = {"run": run, "at": now, "wave": number, "state": state, "reason": reason}
        connection.execute(t.entries.insert().values(**entry))

    def remark(self, run: int, state: str, reason: str) -> None:
        """Write down what concerns a whole run, for whoever reads its history."""
        entry = {"run": run, "at": stamp(), "state": state, "reason": reason}
        self.write(lambda connection: connection.execute(self._tables.entries.insert().values(**entry)))

    def keep(self, texts: Iterable[str]) -> None:
        """Keep texts by their digests."""
        for some in _batched(texts):
            self.write(partial(keep, texts=some))

    def confirmed(self, run: int, site: str, job: Job, after: str, reason: str = "") -> None:
        """Write down that a device keeps its text; `after` is what it runs, in plain form.

        Not if the lock of the run was taken away: somebody else may have applied something since.
        `reason`: why it keeps it, where nobody has confirmed it; or what else it runs.
        """
        self.write_of(run, lambda connection: confirm(connection, run, site, job, after, reason))

    def confirmed_together(self, run: int, site: str, ends: Iterable[tuple[Job, str, str]]) -> None:
        """The same of devices none of which keeps its text unless all do: a killed program has written all or none."""
        known = tuple(ends)

        def write(connection: Any) -> None:
            for job, after, reason in known:
                confirm(connection, run, site, job, after, reason)

        self.write_of(run, write)

    def recorded(self, run: int, site: str, job: Job, after: str) -> None:
        """As `confirmed`, of a device that is found to run its text: the job is written down with what was found."""

        def write(connection: Any) -> None:
            here = {"of_run": run, "of_device": job.device}
            connection.execute(statements().change_step, {**here, "job": msgspec.json.encode(job)})

        self.write_of(run, write)
        self.confirmed(run, site, job, after)

    def refreshed(self, run: int, site: str, job: Job, after: str) -> None:
        """Write down that a device runs something else since, in plain form. What is ours on it stays the same.

        It counts as a text that nobody applied, so that the next plan looks at all of it.
        """
        t, now = self._tables, stamp()

        def write(connection: Any) -> None:
            keep(connection, (after,))
            here = {"of_run": run, "of_device": job.device}
            changed = {"state": State.CONFIRMED.value, "after": digest(after), "updated": now}
            connection.execute(statements().change_step, {**here, **changed})
            known = (t.applied.c.site == site) & (t.applied.c.device == job.device)
            row = {"after": digest(after), "artifact": "", "run": run, "at": now}
            connection.execute(t.applied.update().where(known).values(**row))

        self.write_of(run, write)

    def given_up(
        self, run: int, site: str, wave: int, earlier: Mapping[str, Applied | None], reason: str
    ) -> None:
        """Write down, before the first is touched, that devices which keep their text are to be taken back.

        What was applied to them last is what was so before, and of their wave nothing may be confirmed any more. Not if
        the lock of the run was taken away.
        """

        def write(connection: Any) -> None:
            self._mark_wave(connection, run, wave, "gate", "")
            for device, applied in earlier.items():
                write_step(connection, run, device, State.LEFT_TO_TIMER, None, reason)
                write_applied(connection, site, device, applied)

        self.write_of(run, write)

    def sites(self) -> tuple[str, ...]:
        """The sites that have runs here, by name."""
        t = self._tables
        query = t.runs.select().with_only_columns(t.runs.c.site).distinct().order_by(t.runs.c.site)
        return tuple(row["site"] for row in self.rows(query))

    def runs(self, site: str) -> tuple[Run, ...]:
        """The runs of a site, the last one first."""
        t = self._tables
        query = t.runs.select().where(t.runs.c.site == site).order_by(t.runs.c.id.desc())
        return tuple(record(Run, row) for row in self.rows(query))

    def run(self, site: str, number: int | None = None) -> Run:
        """A run by its number, or the last one. `Refused` if there is none."""
        known = self.runs(site)
        for run in known:
            if number in (None, run.id):
                return run
        if not known:
            raise refusal(codes.NO_RUN, f"nothing was applied to {site} yet", NOTHING_APPLIED)
        last = named([str(run.id) for run in known])
        raise refusal(
            codes.NO_RUN, f"{site} has no run {number}", f"name one that there is, the last first: {last}"
        )

    def steps(self, run: int) -> tuple[Step, ...]:
        """The steps of a run, by wave and device."""
        t = self._tables
        query = t.steps.select().where(t.steps.c.run == run).order_by(t.steps.c.wave, t.steps.c.device)
        return tuple(step(row) for row in self.rows(query))

    def wave_state(self, run: int, number: int) -> str:
        """Where a wave was last; empty if it never began."""
        t = self._tables
        query = t.waves.select().where((t.waves.c.run == run) & (t.waves.c.number == number))
        return next((str(row["state"]) for row in self.rows(query)), "")

    def held_back(self, run: int) -> dict[int, str]:
        """Waves of a run that were not begun, though the one before holds, and why."""
        t = self._tables.entries
        query = t.select().where((t.c.run == run) & (t.c.state == NOT_BEGUN)).order_by(t.c.id)
        return {row["wave"]: row["reason"] or "" for row in self.rows(query)}

    def entries(self, run: int) -> tuple[dict[str, Any], ...]:
        """Everything that was written down about a run, in order."""
        t = self._tables
        return tuple(self.rows(t.entries.select().where(t.entries.c.run == run).order_by(t.entries.c.id)))

    def remarks(self, run: int) -> tuple[Remark, ...]:
        """What was written down of a run as a whole, in order: why it began, who took it over, what refused it."""
        t = self._tables.entries
        of_run = (t.c.run == run) & t.c.device.is_(None) & t.c.reason.is_not(None) & (t.c.reason != "")
        query = t.select().where(of_run & (t.c.wave.is_(None) | (t.c.state == UNCORDONED))).order_by(t.c.id)
        return tuple(record(Remark, row) for row in self.rows(query))

    def text(self, key: str) -> str:
        """A text by its digest. `KeyError` if it is not there, `JournalFailed` if it is not what was written."""
        return self.unpacked(key, self.packed((key,))[key])

    def packed(self, keys: Iterable[str]) -> dict[str, bytes]:
        """Texts by their digests as they are kept, those that are there."""
        t = self._tables
        found = (self.rows(t.texts.select().where(t.texts.c.digest.in_(some))) for some in _batched(keys))
        return {row["digest"]: row["body"] for rows in found for row in rows}

    def unpacked(self, key: str, body: bytes) -> str:
        """A text that is kept. `JournalFailed` if it is not what was written."""
        text = _unpacked(body)
        if digest(text) != key:
            raise self.damaged()
        return text

    def applied(self, site: str) -> dict[str, Applied]:
        """What was applied last, by device."""
        t = self._tables
        rows = self.rows(t.applied.select().where(t.applied.c.site == site).order_by(t.applied.c.device))
        return {row["device"]: record(Applied, row) for row in rows}

    def last_applied(
        self, site: str, platform_of: Callable[[str], str | None] = lambda _: None
    ) -> LastAppliedTexts:
        """For planning: what is ours on each device, or may be. Texts are read when asked for.

        Not of a device that was of another platform then than it is now, where that is known: it is another one, to
        which nothing was applied.
        """
        products, lost = self._products(site), self.unsettled(site, platform_of)
        now = {name: platform_of(name) or (lost[name].product if name in lost else None) for name in products}
        applied = {
            name: known
            for name, known in self.applied(site).items()
            if now.get(name) in (None, products.get(name))
        }
        return LastAppliedTexts(self, applied, lost)

    def _products(self, site: str) -> dict[str, str]:
        """The platform that each device had at its last apply."""
        t = self._tables
        of_run = (t.steps.c.run == t.applied.c.run) & (t.steps.c.device == t.applied.c.device)
        rows = self.rows(t.steps.select().where(of_run & (t.applied.c.site == site)))
        return {row["device"]: product_of(row) for row in rows}


def _unpacked(body: bytes) -> str:
    """A stored text; empty if what is stored is none."""
    try:
        return zlib.decompress(body).decode()
    except (zlib.error, UnicodeDecodeError):
        return ""


def _batched(items: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """As many at a time as are written by one statement."""
    source = iter(items)
    while some := tuple(islice(source, KEPT_AT_ONCE)):
        yield some
