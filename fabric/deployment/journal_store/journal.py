"""What was done, step by step, so that a killed run can be gone on with or taken back.

Each step is written before it is taken and after. Texts are in plain form, or hold placeholders:
there is no secret in the journal.
"""

from __future__ import annotations

import importlib
import zlib
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from fabric.deployment import codes
from fabric.deployment.jobs import Job, State
from fabric.deployment.journal_store.journal_tables import engine, tables
from fabric.deployment.refusal_message import named, refusal
from fabric.planning import LastApplied
from fabric.planning.texts import digest


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """One apply or rollback."""

    id: int
    site: str
    kind: str
    plan: str
    owner: str
    started: str
    finished: str | None
    state: str


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One device of a run."""

    job: Job
    state: State
    session: str = ""
    """Name of the driver's session, where there is one."""
    after: str = ""
    """Digest of what the device ran after the confirmation, in plain form."""
    reason: str = ""


class Applied(msgspec.Struct, frozen=True, kw_only=True):
    """What was applied last to a device."""

    device: str
    run: int
    artifact: str
    text: str
    after: str
    candidate: str
    at: str


NOTHING_APPLIED = (
    "`fabric plan`, then `fabric apply` make the first run; if it was applied with another journal, set "
    "`FABRIC_JOURNAL` to that one's URL"
)
"""What to do where a journal has no run of a site."""


class Journal:
    """The journal of one or more sites."""

    def __init__(self, where: Path | str) -> None:
        self._engine = engine(where)
        self._tables = tables()

    def __repr__(self) -> str:
        return f"Journal({self._engine.url.render_as_string(hide_password=True)})"

    def begin(
        self, site: str, kind: str, plan: str, owner: str, jobs: Iterable[Job], texts: Iterable[str]
    ) -> int:
        """Write down a run with all its steps and texts; returns its number."""
        t = self._tables
        with self._engine.begin() as connection:
            row = {
                "site": site,
                "kind": kind,
                "plan": plan,
                "owner": owner,
                "started": _now(),
                "state": "running",
            }
            (number,) = connection.execute(t.runs.insert().values(**row)).inserted_primary_key or (0,)
            for text in texts:
                _keep(connection, t.texts, text)
            rows = [_row(number, job) for job in jobs]
            if rows:
                connection.execute(t.steps.insert(), rows)
        return int(number)

    def mark(
        self, run: int, devices: Mapping[str, State], *, session: str | None = None, reason: str = ""
    ) -> None:
        """Write down that devices reached a state."""
        t, now = self._tables, _now()
        with self._engine.begin() as connection:
            for device, state in devices.items():
                changed = {"state": state.value, "reason": reason, "updated": now}
                if session is not None:
                    changed["session"] = session
                here = (t.steps.c.run == run) & (t.steps.c.device == device)
                connection.execute(t.steps.update().where(here).values(**changed))
                entry = {"run": run, "at": now, "device": device, "state": state.value, "reason": reason}
                connection.execute(t.entries.insert().values(**entry))

    def mark_wave(self, run: int, number: int, state: str, reason: str = "") -> None:
        """Write down where a wave is: `pushing`, `gate`, `confirming`, `done`, `reverted`."""
        t, now = self._tables, _now()
        with self._engine.begin() as connection:
            key = {"run": run, "number": number}
            connection.execute(t.waves.delete().where((t.waves.c.run == run) & (t.waves.c.number == number)))
            connection.execute(t.waves.insert().values(**key, state=state, updated=now))
            connection.execute(
                t.entries.insert().values(run=run, at=now, wave=number, state=state, reason=reason)
            )

    def keep(self, texts: Iterable[str]) -> None:
        """Keep texts by their digests."""
        with self._engine.begin() as connection:
            for text in texts:
                _keep(connection, self._tables.texts, text)

    def confirmed(self, run: int, site: str, job: Job, after: str, ours: str) -> None:
        """Write down that a device keeps its text: `after` is what it runs, `ours` what of it we wrote."""
        t, now = self._tables, _now()
        with self._engine.begin() as connection:
            for text in (after, ours):
                _keep(connection, t.texts, text)
            here = (t.steps.c.run == run) & (t.steps.c.device == job.device)
            connection.execute(
                t.steps.update()
                .where(here)
                .values(state="confirmed", after=digest(after), reason="", updated=now)
            )
            connection.execute(
                t.entries.insert().values(run=run, at=now, device=job.device, state="confirmed")
            )
            known = (t.applied.c.site == site) & (t.applied.c.device == job.device)
            connection.execute(t.applied.delete().where(known))
            row = {
                "artifact": job.artifact,
                "text": digest(ours),
                "after": digest(after),
                "candidate": job.text,
            }
            connection.execute(
                t.applied.insert().values(site=site, device=job.device, run=run, at=now, **row)
            )

    def finish(self, run: int, state: str) -> None:
        """Write down how a run ended."""
        t = self._tables
        with self._engine.begin() as connection:
            connection.execute(t.runs.update().where(t.runs.c.id == run).values(state=state, finished=_now()))

    def runs(self, site: str) -> tuple[Run, ...]:
        """The runs of a site, the last one first."""
        t = self._tables
        query = t.runs.select().where(t.runs.c.site == site).order_by(t.runs.c.id.desc())
        return tuple(_as(Run, row) for row in self._rows(query))

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
        return tuple(_step(row) for row in self._rows(query))

    def wave_state(self, run: int, number: int) -> str:
        """Where a wave was last; empty if it never began."""
        t = self._tables
        query = t.waves.select().where((t.waves.c.run == run) & (t.waves.c.number == number))
        return next((str(row["state"]) for row in self._rows(query)), "")

    def entries(self, run: int) -> tuple[dict[str, Any], ...]:
        """Everything that was written down about a run, in order."""
        t = self._tables
        return tuple(self._rows(t.entries.select().where(t.entries.c.run == run).order_by(t.entries.c.id)))

    def text(self, key: str) -> str:
        """A text by its digest. `KeyError` if it is not there."""
        t = self._tables
        for row in self._rows(t.texts.select().where(t.texts.c.digest == key)):
            return zlib.decompress(row["body"]).decode()
        raise KeyError(key)

    def applied(self, site: str) -> dict[str, Applied]:
        """What was applied last, by device."""
        t = self._tables
        rows = self._rows(t.applied.select().where(t.applied.c.site == site).order_by(t.applied.c.device))
        return {row["device"]: _as(Applied, row) for row in rows}

    def last_applied(self, site: str) -> LastAppliedTexts:
        """For planning: what is ours on each device. Texts are read when asked for."""
        return LastAppliedTexts(self, self.applied(site))

    def forget(self, site: str, devices: Iterable[str]) -> None:
        """Devices count as never applied again: a rollback took back their first apply."""
        t = self._tables
        with self._engine.begin() as connection:
            for device in devices:
                known = (t.applied.c.site == site) & (t.applied.c.device == device)
                connection.execute(t.applied.delete().where(known))

    @property
    def engine(self) -> Any:
        """For the lock, which lives beside the runs."""
        return self._engine

    def _rows(self, query: Any) -> list[dict[str, Any]]:
        with self._engine.connect() as connection:
            return [dict(row) for row in connection.execute(query).mappings()]


class LastAppliedTexts(Mapping[str, LastApplied]):
    """What was applied last by device, for `PlanOptions.last_applied`."""

    def __init__(self, journal: Journal, applied: Mapping[str, Applied]) -> None:
        self._journal = journal
        self._applied = applied

    def __getitem__(self, device: str) -> LastApplied:
        known = self._applied[device]
        return LastApplied(known.artifact, self._journal.text(known.text), known.after)

    def __iter__(self) -> Iterator[str]:
        return iter(self._applied)

    def __len__(self) -> int:
        return len(self._applied)

    def digest(self, device: str) -> str:
        """Digest of what the device ran after its last apply."""
        return self._applied[device].after

    def after(self, device: str) -> str:
        """What the device ran after its last apply, in plain form."""
        return self._journal.text(self._applied[device].after)


def _keep(connection: Any, texts: Any, text: str) -> None:
    """Keep a text once, whoever else keeps it at the same moment."""
    dialect = importlib.import_module(f"sqlalchemy.dialects.{connection.dialect.name}")
    row = {"digest": digest(text), "body": zlib.compress(text.encode(), 1)}
    connection.execute(dialect.insert(texts).values(**row).on_conflict_do_nothing())


def _row(run: int, job: Job) -> dict[str, Any]:
    now = _now()
    planned = {"state": State.PLANNED.value, "session": "", "after": "", "reason": "", "updated": now}
    return {"run": run, "device": job.device, "wave": job.wave, "job": msgspec.json.encode(job), **planned}


def _step(row: Mapping[str, Any]) -> Step:
    job = msgspec.json.decode(row["job"], type=Job)
    return Step(
        job=job, state=State(row["state"]), session=row["session"], after=row["after"], reason=row["reason"]
    )


def _as(kind: type[Any], row: Mapping[str, Any]) -> Any:
    return kind(**{field: row[field] for field in kind.__struct_fields__})


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
