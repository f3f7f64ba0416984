"""One apply per site. The lock lies in the journal, so that all who share the journal share the lock."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from secrets import token_hex
from typing import Any

import msgspec

from fabric.deployment import codes
from fabric.deployment.journal import Journal
from fabric.deployment.refusals import refusal
from fabric.deployment.tables import tables


class Holder(msgspec.Struct, frozen=True):
    """Who holds the lock of a site."""

    owner: str
    machine: str
    process: int
    since: str

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
    token = token_hex(8)
    _acquire(journal, site, owner, token, take_over=take_over)
    try:
        yield
    finally:
        _release(journal, site, token)


def holder(journal: Journal, site: str) -> Holder | None:
    """Who holds the lock of a site, if anybody."""
    t = tables().locks
    with journal.engine.connect() as connection:
        row = connection.execute(t.select().where(t.c.site == site)).mappings().first()
    return Holder(row["owner"], row["machine"], row["process"], row["since"]) if row else None


def break_lock(journal: Journal, site: str) -> Holder | None:
    """Take the lock away from whoever holds it; returns who that was."""
    known = holder(journal, site)
    t = tables().locks
    with journal.engine.begin() as connection:
        connection.execute(t.delete().where(t.c.site == site))
    return known


def _acquire(journal: Journal, site: str, owner: str, token: str, *, take_over: bool) -> None:
    from sqlalchemy.exc import IntegrityError  # slow

    row: dict[str, Any] = {
        "site": site,
        "owner": owner,
        "machine": socket.gethostname(),
        "process": os.getpid(),
    }
    row |= {"since": datetime.now(UTC).isoformat(timespec="seconds"), "token": token}
    known = holder(journal, site)
    if known and known.is_dead and take_over:
        break_lock(journal, site)
    try:
        with journal.engine.begin() as connection:
            connection.execute(tables().locks.insert().values(**row))
    except IntegrityError:
        known = holder(journal, site) or known
    else:
        return
    raise refusal(codes.LOCKED, f"{site} is locked by {known}")


def _release(journal: Journal, site: str, token: str) -> None:
    t = tables().locks
    with journal.engine.begin() as connection:
        connection.execute(t.delete().where((t.c.site == site) & (t.c.token == token)))
