"""The tables of the journal, and the engine that they live in: SQLite in a file, or PostgreSQL by URL."""

from __future__ import annotations

import errno
import logging
import os
import re
import stat
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from fabric.deployment import codes
from fabric.deployment.journal_store.failure_causes import cause, damaged, is_damage, with_rights
from fabric.deployment.refusal_message import refusal
from fabric.diagnostics import ToolMissing

if TYPE_CHECKING:
    from sqlalchemy import Engine, MetaData, Table

BUSY_S = 30
"""How long a writer waits for another one."""
WHOLE_BYTES = 1 << 30
"""Files up to this size are looked at as a whole when they are opened: a second for a gigabyte."""
_whole: set[tuple[int, ...]] = set()
"""Files that this process has looked at, as they were then."""
PRIVATE, SHARED = 0o600, 0o660
CONNECTION: dict[str, int] = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}
"""Of libpq: seconds; the last one milliseconds. What the URL says goes before."""


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
                *("takes_back", "revision", "is_modified", "phases_left", "intent"),
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
            ("site", "device", "run", "artifact", "text", "after", "candidate", "at", "drained"),
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


SEVERAL_HOSTS = re.compile(r"(.*@)?([^/?@]*,[^/?@]*)(/[^?]*)?(?:\?(.*))?")
"""Of a URL, behind its scheme: login, hosts, database, options."""
NUMBERS = frozenset(
    {"id", "run", "number", "wave", "process", "takes_back", "is_modified", "phases_left", "drained"}
)
BINARY = frozenset({"body", "job"})


def _table(metadata: MetaData, name: str, columns: tuple[str, ...], keys: tuple[str, ...] = ("id",)) -> Table:
    from sqlalchemy import Column, Integer, LargeBinary, Table, Text  # slow

    def kind(column: str) -> Any:
        return Integer if column in NUMBERS else LargeBinary if column in BINARY else Text

    fields = [Column(column, kind(column), primary_key=column in keys) for column in columns]
    return Table(name, metadata, *fields)


def engine(where: Path | str) -> Engine:
    """Open the journal, and make what it lacks of its tables.

    `Refused` if it cannot be opened, `JournalFailed` if its file is damaged.
    """
    from sqlalchemy import create_engine, event  # slow
    from sqlalchemy.exc import SQLAlchemyError

    is_file = isinstance(where, Path)
    url = f"sqlite:///{where}" if is_file else str(where)
    try:
        if isinstance(where, Path):
            where.parent.mkdir(parents=True, exist_ok=True)
        database = create_engine(_with_driver(url), future=True, pool_pre_ping=True)
        logging.getLogger(_name_of(database.pool)).addFilter(_is_no_signal)
        if database.dialect.name == "sqlite":
            make_private(database.url.database)
            event.listen(database, "connect", _durable)
            _check_whole(database)
        else:
            event.listen(database, "do_connect", _bounded)
        _complete(database)
    except ModuleNotFoundError as error:
        message = f"the journal needs {error.name}: pipx install '.[postgres]' in a checkout"
        raise ToolMissing(message) from None
    except (SQLAlchemyError, OSError, ValueError) as error:
        # The text of an error of SQLAlchemy may hold the URL with its password.
        shown = database_url(url)
        if is_damage(error):
            raise damaged(shown, file=shown if url.startswith("sqlite") else None) from None
        why, hint = with_rights(cause(error), shown if url.startswith("sqlite") else None)
        raise refusal(codes.JOURNAL_FAILED, f"the journal {shown} cannot be opened: {why}", hint) from None
    return database


def _name_of(pool: object) -> str:
    """The logger of a pool of connections, as SQLAlchemy names it."""
    return f"{type(pool).__module__}.{type(pool).__qualname__}"


def _is_no_signal(record: logging.LogRecord) -> bool:
    """A signal may fall into the pool, which logs it with a traceback, on stderr, and raises it: that is enough."""
    return not (record.exc_info and isinstance(record.exc_info[1], KeyboardInterrupt))


def _check_whole(database: Engine) -> None:
    """Look at every page of a file before anything of it is believed: `JournalFailed` if one is damaged."""
    file = database.url.database
    if not file or file == ":memory:":
        return
    *_, size, _ = known = _stamp(file)
    if size > WHOLE_BYTES or known in _whole:
        return
    with database.connect() as connection:
        answer = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
    if answer != "ok":
        raise damaged(file, file=file)
    _whole.add(known)


def _stamp(file: str) -> tuple[int, ...]:
    known = os.stat(file)  # noqa: PTH116  # a name as SQLite has it
    return known.st_dev, known.st_ino, known.st_size, known.st_mtime_ns


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
    """`postgresql://` means the driver that we declare, whatever SQLAlchemy takes by default.

    Several servers may be written as libpq has them (`//a:5432,b:5432/fabric`), which SQLAlchemy does not read.
    """
    scheme, colon, rest = url.partition("://")
    if scheme.partition("+")[0] not in {"postgres", "postgresql"}:
        return url
    if several := SEVERAL_HOSTS.fullmatch(rest):
        login, hosts, database, query = several.groups(default="")
        words = [*(f"host={host}" for host in hosts.split(",")), *([query] if query else [])]
        rest = f"{login}{database or '/'}?{'&'.join(words)}"
    return f"postgresql+psycopg{colon}{rest}"


def database_url(url: str) -> str:
    """Where a journal is, without passwords: a file, or hosts and database."""
    from sqlalchemy import make_url  # slow
    from sqlalchemy.exc import ArgumentError

    scheme, _, rest = url.partition("://")
    if scheme == "sqlite":
        return rest.removeprefix("/")
    try:
        known = make_url(url)
    except (ArgumentError, ValueError):
        return f"{scheme}://…"
    place = f"{known.host}:{known.port}" if known.port else known.host or ""
    several = known.query.get("host", place)
    hosts = several if isinstance(several, str) else ",".join(several)
    return f"{scheme}://{hosts}/{known.database or ''}"


def make_private(file: str | None) -> None:
    """A journal's file is its owner's alone, whatever the umask; SQLite's files beside it take its mode over.

    One that a group may write was given to it on purpose: the group keeps it. Others never read it.
    """
    if not file or file == ":memory:":
        return
    if Path(file).is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), file)
    # Only a file that was not there: to close one that is open elsewhere in this process would drop the locks that
    # SQLite holds on it (fcntl(2), "Record locking"), and another process might take the log away beneath us.
    with suppress(FileExistsError):
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE))
    given = Path(file).stat().st_mode
    mode = SHARED if given & stat.S_IWGRP else PRIVATE
    for name in (file, f"{file}-wal", f"{file}-shm"):
        with suppress(OSError):  # somebody else's, or not there
            Path(name).chmod(mode)


def _bounded(_dialect: Any, _record: Any, _arguments: Any, options: dict[str, Any]) -> None:
    """A server that has gone is noticed: a connection is not waited for, nor an answer, for ever."""
    for name, value in CONNECTION.items():
        options.setdefault(name, value)


def _durable(connection: Any, _record: Any) -> None:
    """Write-ahead log: a process that is killed loses nothing that it had written."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.execute(f"PRAGMA busy_timeout={BUSY_S * 1000}")
    cursor.close()
