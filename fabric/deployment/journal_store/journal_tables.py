"""The tables of the journal, and the engine that they live in: SQLite in a file, or PostgreSQL by URL."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from fabric.diagnostics import Refused, ToolMissing

if TYPE_CHECKING:
    from sqlalchemy import Engine, MetaData, Table

BUSY_S = 30
"""How long a writer waits for another one."""


class Tables(msgspec.Struct, frozen=True):
    """Every table of the journal."""

    runs: Any
    waves: Any
    steps: Any
    entries: Any
    applied: Any
    texts: Any
    locks: Any
    metadata: Any


@cache
def tables() -> Tables:
    """The tables. Times are ISO 8601 in UTC, texts are kept once by digest."""
    from sqlalchemy import MetaData  # slow

    metadata = MetaData()
    return Tables(
        runs=_table(
            metadata,
            "runs",
            (
                *("id", "site", "kind", "plan", "owner", "started", "finished", "state"),
                *("takes_back", "revision", "is_modified"),
            ),
        ),
        waves=_table(metadata, "waves", ("run", "number", "state", "updated"), keys=("run", "number")),
        steps=_table(
            metadata,
            "steps",
            ("run", "device", "wave", "state", "job", "session", "after", "reason", "updated"),
            keys=("run", "device"),
        ),
        entries=_table(metadata, "entries", ("id", "run", "at", "wave", "device", "state", "reason")),
        applied=_table(
            metadata,
            "applied",
            ("site", "device", "run", "artifact", "text", "after", "candidate", "at"),
            keys=("site", "device"),
        ),
        texts=_table(metadata, "texts", ("digest", "body"), keys=("digest",)),
        locks=_table(
            metadata,
            "locks",
            ("site", "owner", "machine", "process", "since", "token", "run", "identity"),
            keys=("site",),
        ),
        metadata=metadata,
    )


NUMBERS = frozenset({"id", "run", "number", "wave", "process", "takes_back", "is_modified"})
BINARY = frozenset({"body", "job"})


def _table(metadata: MetaData, name: str, columns: tuple[str, ...], keys: tuple[str, ...] = ("id",)) -> Table:
    from sqlalchemy import Column, Integer, LargeBinary, Table, Text  # slow

    def kind(column: str) -> Any:
        return Integer if column in NUMBERS else LargeBinary if column in BINARY else Text

    fields = [Column(column, kind(column), primary_key=column in keys) for column in columns]
    return Table(name, metadata, *fields)


def engine(where: Path | str) -> Engine:
    """Open the journal, and make what it lacks of its tables. `Refused` if it cannot be opened."""
    from sqlalchemy import create_engine, event  # slow
    from sqlalchemy.exc import SQLAlchemyError

    is_file = isinstance(where, Path)
    url = f"sqlite:///{where}" if is_file else str(where)
    try:
        if isinstance(where, Path):
            where.parent.mkdir(parents=True, exist_ok=True)
        database = create_engine(_with_driver(url), future=True)
        if database.dialect.name == "sqlite":
            event.listen(database, "connect", _durable)
        _complete(database)
    except ModuleNotFoundError as error:
        message = f"the journal needs {error.name}: pipx install '.[postgres]' in a checkout"
        raise ToolMissing(message) from None
    except (SQLAlchemyError, OSError) as error:
        # The text of an error of SQLAlchemy may hold the URL with its password.
        raise Refused(
            f"the journal cannot be opened: {type(error).__name__}", "check the journal's place"
        ) from None
    return database


def _complete(database: Engine) -> None:
    """Make the tables and columns that are missing: a journal of an earlier version is gone on with."""
    from sqlalchemy import inspect  # slow
    from sqlalchemy.exc import DatabaseError

    metadata = tables().metadata
    try:
        metadata.create_all(database)
    except DatabaseError:  # somebody else makes them at the same moment
        metadata.create_all(database)
    known = inspect(database)
    for table in metadata.sorted_tables:
        there = {column["name"] for column in known.get_columns(table.name)}
        for column in table.columns:
            if column.name not in there:
                _add(database, table.name, column)


def _add(database: Engine, table: str, column: Any) -> None:
    from sqlalchemy import inspect, text  # slow
    from sqlalchemy.exc import DatabaseError

    words = f"ALTER TABLE {table} ADD COLUMN {column.name} {column.type.compile(database.dialect)}"
    try:
        with database.begin() as connection:
            connection.execute(text(words))
    except DatabaseError:
        if column.name not in {known["name"] for known in inspect(database).get_columns(table)}:
            raise


def _with_driver(url: str) -> str:
    """`postgresql://` means the driver that we declare, whatever SQLAlchemy takes by default."""
    scheme, colon, rest = url.partition("://")
    return f"postgresql+psycopg{colon}{rest}" if scheme in {"postgres", "postgresql"} else url


def _durable(connection: Any, _record: Any) -> None:
    """Write-ahead log: a process that is killed loses nothing that it had written."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.execute(f"PRAGMA busy_timeout={BUSY_S * 1000}")
    cursor.close()
