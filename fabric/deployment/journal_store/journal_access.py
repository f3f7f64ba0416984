"""How the journal is read and written: one transaction at a time, and what happens when that fails."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from fabric.deployment import codes
from fabric.deployment.journal_store.failure_causes import cause, damaged, is_damage, passes, with_rights
from fabric.deployment.journal_store.journal_tables import database_url, engine, tables
from fabric.diagnostics import JournalFailed

T = TypeVar("T")

PATIENCE_S = 45.0
"""So long a server may be away, as while another one takes over, until its journal counts as failed."""
RETRY_S = 0.5
"""Between two attempts."""


class JournalAccess:
    """The database under the journal. `JournalFailed` wherever it cannot be read or written."""

    def __init__(self, where: Path | str) -> None:
        self._engine = engine(where)
        self._tables = tables()
        url = self._engine.url
        self._place = database_url(url.render_as_string(hide_password=True))
        self._file = url.database if self._engine.dialect.name == "sqlite" else None
        self._file_id = _file_id(self._file)
        self._waiting: list[Callable[[Any], Any]] | None = None
        """Within `postponing`: what could not be written yet, in order."""

    def __repr__(self) -> str:
        return f"Journal({self._engine.url.render_as_string(hide_password=True)})"

    @property
    def engine(self) -> Any:
        """The database itself."""
        return self._engine

    def write(self, change: Callable[[Any], T]) -> T:
        """Do something in one transaction: all of it, or nothing. It may be done again if the connection is lost.

        `JournalFailed` if it cannot be done, but not within `postponing`: there it is done later, and None returned.
        """
        if self._waiting:
            self._waiting.append(change)
            return None  # type: ignore[return-value]  # nobody asks for what is only written down
        try:
            return self._write_now(change)
        except JournalFailed:
            if self._waiting is None:
                raise
            self._waiting.append(change)
            return None  # type: ignore[return-value]

    def check_writable(self) -> None:
        """`JournalFailed` if nothing can be written down. Nothing is."""
        t = self._tables.locks
        self.write(lambda connection: connection.execute(t.delete().where(t.c.token == "")))

    def rows(self, query: Any) -> list[dict[str, Any]]:
        """The rows of a query."""

        def read() -> list[dict[str, Any]]:
            with self._engine.connect() as connection:
                return [dict(row) for row in connection.execute(query).mappings()]

        return self._persistently(read)

    @contextmanager
    def postponing(self) -> Iterator[None]:
        """Within, a write that fails stops nothing: it and all after it are done at the end, or fail there."""
        outer, self._waiting = self._waiting, []
        try:
            yield
        finally:
            waiting, self._waiting = self._waiting, outer
            for change in waiting:
                self.write(change)

    def _write_now(self, change: Callable[[Any], T]) -> T:
        def write() -> T:
            if _file_id(self._file) != self._file_id:  # SQLite would go on writing to a file without a name
                raise self._failed("the file was removed or replaced")
            with self._engine.begin() as connection:
                if self._engine.dialect.name == "sqlite":
                    # By itself it would begin at the first write, and what was read before may be old by then.
                    connection.exec_driver_sql("BEGIN IMMEDIATE")
                return change(connection)

        return self._persistently(write)

    def _persistently(self, attempt: Callable[[], T]) -> T:
        from sqlalchemy.exc import SQLAlchemyError  # slow

        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                return attempt()
            except SQLAlchemyError as error:
                if is_damage(error):
                    raise self.damaged() from None
                if not passes(error) or time.monotonic() >= end:
                    raise self._failed(cause(error)) from None
            time.sleep(RETRY_S)

    def damaged(self) -> JournalFailed:
        """The failure if something is read that was not written so."""
        return damaged(self._place, file=self._file)

    def _failed(self, why: str) -> JournalFailed:
        failed = codes.JOURNAL_FAILED
        why, hint = with_rights(why, self._file)
        return JournalFailed(
            f"{failed.code}: the journal {self._place} has failed: {why}", hint or failed.fix
        )


def _file_id(file: str | None) -> tuple[int, int] | None:
    if file is None:
        return None
    try:
        known = os.stat(file)  # noqa: PTH116  # a name as SQLite has it
    except OSError:
        return None
    return known.st_dev, known.st_ino
