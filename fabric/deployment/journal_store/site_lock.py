"""One apply per site. The lock lies in the journal, so that all who share the journal share the lock."""

from __future__ import annotations

import importlib
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from secrets import token_hex
from typing import Any

import msgspec

from fabric.deployment import codes
from fabric.deployment.journal_store.journal import Journal
from fabric.deployment.journal_store.journal_tables import tables
from fabric.deployment.refusal_message import refusal


class Holder(msgspec.Struct, frozen=True):
    """Who holds the lock of a site."""

    owner: str
    machine: str
    process: int
    since: str
    token: str = ""
    """What tells this lock from every other one of the site."""

    @property
    def is_dead(self) -> bool:
        """Whether the process is certainly gone: it ran here, and nothing has its number now."""
        if self.machine != socket.gethostname():
            return False
        try:
            os.kill(self.process, 0)
        except ProcessLookupError:
            return True
        except PermissionError:
            return False
        return False

    def __str__(self) -> str:
        text = f"{self.owner} (process {self.process} on {self.machine}) since {self.since}"
        return f"{text}, which is not running any more" if self.is_dead else text


@contextmanager
def locked(journal: Journal, site: str, owner: str, *, take_over: bool = False) -> Iterator[None]:
    """Hold the lock of a site. `Refused`, with who holds it and since when, if somebody else does.

    With `take_over` a lock whose process is dead is taken.
    """
    token = token_hex()
    _acquire(journal, site, owner, token, take_over=take_over)
    try:
        yield
    finally:
        _release(journal, site, token)


def holder(journal: Journal, site: str) -> Holder | None:
    """Who holds the lock of a site, if anybody."""
    with journal.engine.connect() as connection:
        return _holder(connection, site)


def break_lock(journal: Journal, site: str) -> Holder | None:
    """Take the lock away from whoever holds it; returns who that was. A lock taken since then is left alone."""
    known = holder(journal, site)
    if known is not None:
        _release(journal, site, known.token)
    return known


def _holder(connection: Any, site: str) -> Holder | None:
    t = tables().locks
    row = connection.execute(t.select().where(t.c.site == site)).mappings().first()
    return Holder(row["owner"], row["machine"], row["process"], row["since"], row["token"]) if row else None


def _acquire(journal: Journal, site: str, owner: str, token: str, *, take_over: bool) -> None:
    """Take the lock if it is free, or that very lock whose holder is dead: one statement each, or nothing.

    Of several that see the same dead holder one finds its token still there; for the others it has changed.
    """
    t = tables().locks
    row: dict[str, Any] = {
        "site": site,
        "owner": owner,
        "machine": socket.gethostname(),
        "process": os.getpid(),
        "since": datetime.now(UTC).isoformat(timespec="seconds"),
        "token": token,
    }
    known = holder(journal, site)
    with journal.engine.begin() as connection:
        if known is None:
            dialect = importlib.import_module(f"sqlalchemy.dialects.{connection.dialect.name}")
            connection.execute(dialect.insert(t).values(**row).on_conflict_do_nothing())
        elif take_over and known.is_dead:
            here = (t.c.site == site) & (t.c.token == known.token)
            connection.execute(t.update().where(here).values(**row))
        now = _holder(connection, site)
    if now is None or now.token != token:
        raise refusal(codes.LOCKED, f"{site} is locked by {now or known or 'somebody else'}")


def _release(journal: Journal, site: str, token: str) -> None:
    t = tables().locks
    with journal.engine.begin() as connection:
        connection.execute(t.delete().where((t.c.site == site) & (t.c.token == token)))
