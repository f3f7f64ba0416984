"""One run changes a site at a time. The lock lies in the journal, and names the run that it is for.

It is taken in the transaction that writes down that run, and given back in the one that writes down its end: there is
no lock of which nobody knows what it is for. All who share the journal share the lock.
"""

from __future__ import annotations

import importlib
import os
from typing import Any

import msgspec

from fabric.deployment import codes, moments
from fabric.deployment.journal_store import process_identity
from fabric.deployment.journal_store.given_up_locks import is_given_up
from fabric.deployment.journal_store.journal_access import JournalAccess
from fabric.deployment.journal_store.journal_statements import statements
from fabric.deployment.journal_store.journal_tables import tables
from fabric.deployment.refusal_message import refusal
from fabric.diagnostics import Refused


class Holder(msgspec.Struct, frozen=True):
    """Who holds the lock of a site."""

    owner: str
    machine: str
    process: int
    since: str
    token: str = ""
    """What tells this lock from every other one of the site."""
    run: int | None = None
    """What it is for. None: it was left by an earlier version of this program."""
    identity: str | None = None
    """What tells the process from others that get its number later."""

    @property
    def life(self) -> process_identity.Life:
        """Whether the process still runs, and the run in it, as far as that can be known here."""
        if is_given_up(self.token):
            return "dead"
        return process_identity.life(self.machine, self.process, self.identity or "")

    @property
    def is_dead(self) -> bool:
        """Whether the process is certainly gone."""
        return self.life == "dead"

    def __str__(self) -> str:
        text = f"{self.owner} (process {self.process} on {self.machine}) since {self.since}"
        if self.run is not None:
            text = f"{text}, for run {self.run}"
        return f"{text}, which is not running any more" if self.is_dead else text


def holder(journal: JournalAccess, site: str) -> Holder | None:
    """Who holds the lock of a site, if anybody."""
    t = tables().locks
    return next((_holder(row) for row in journal.rows(t.select().where(t.c.site == site))), None)


def under_way(journal: JournalAccess, site: str) -> Holder | None:
    """Who holds the lock of a site and is not known to be dead: a run is changing devices there, or about to."""
    known = holder(journal, site)
    return None if known is None or known.is_dead else known


def check_free(journal: JournalAccess, site: str) -> None:
    """`Refused` while a run is under way: devices are its own until it has ended."""
    if (known := under_way(journal, site)) is not None:
        raise locked_by(site, known)


def break_lock(journal: JournalAccess, site: str, known: Holder) -> bool:
    """Take the lock away from that holder. False, and nothing is done, if another one has it since."""
    t = tables().locks
    here = (t.c.site == site) & (t.c.token == known.token)
    return bool(journal.write(lambda connection: connection.execute(t.delete().where(here)).rowcount))


def locked_by(site: str, known: Holder) -> Refused:
    """The refusal: who holds the lock, and what to do about it."""
    hint = "wait until it has finished" if known.life == "alive" else None
    if known.life != "alive" and known.run is not None:
        hint = f"if that process is gone: `fabric unlock {known.run}` shows what it left, and takes the lock away"
    return refusal(codes.LOCKED, f"{site} is locked by {known}", hint)


def take(connection: Any, site: str, owner: str, token: str, known: Holder | None) -> None:
    """Take the lock if it is free, or that very lock if its holder is dead; `Refused` if somebody else has it.

    `known` is who was seen to hold it before the transaction. Of several that see the same dead holder one finds its
    token still there; for the others it has changed.
    """
    t = tables().locks
    row: dict[str, Any] = {
        "site": site,
        "owner": owner,
        "machine": process_identity.host_name(),
        "process": os.getpid(),
        "since": moments.now().isoformat(timespec="seconds"),
        "token": token,
        "run": None,
        "identity": str(process_identity.identity()),
    }
    if known is None:
        dialect = importlib.import_module(f"sqlalchemy.dialects.{connection.dialect.name}")
        connection.execute(dialect.insert(t).values(**row).on_conflict_do_nothing())
    elif known.is_dead:
        connection.execute(t.update().where((t.c.site == site) & (t.c.token == known.token)).values(**row))
    now = connection.execute(t.select().where(t.c.site == site)).mappings().first()
    if now is None or now["token"] != token:
        raise (
            locked_by(site, _holder(now))
            if now
            else refusal(codes.LOCKED, f"{site} is locked by somebody else")
        )


def name(connection: Any, token: str, run: int) -> None:
    """Write into the lock which run it is for."""
    t = tables().locks
    connection.execute(t.update().where(t.c.token == token).values(run=run))


def release(connection: Any, token: str) -> bool:
    """Give the lock back; False if it was taken away before."""
    t = tables().locks
    return bool(connection.execute(t.delete().where(t.c.token == token)).rowcount)


def run_of(connection: Any, token: str) -> int | None:
    """The run that the lock of that token names; None if it names none, or is not there."""
    t = tables().locks
    row = connection.execute(t.select().where(t.c.token == token)).mappings().first()
    return row["run"] if row else None


def is_held(connection: Any, token: str) -> bool:
    """Whether the lock is still there; it stays, where the database has locks of rows, until the transaction ends."""
    return connection.execute(statements().held_lock, {"of_token": token}).first() is not None


def _holder(row: Any) -> Holder:
    return Holder(**{field: row[field] for field in Holder.__struct_fields__})
