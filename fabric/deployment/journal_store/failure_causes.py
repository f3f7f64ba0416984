"""Why a journal cannot be read or written, in words: what SQLite and PostgreSQL answer, not what was sent to them."""

from __future__ import annotations

import shlex
from pathlib import Path

from fabric.deployment import codes
from fabric.diagnostics import JournalFailed
from fabric.file_access import denied

CAUSES = {
    "SQLITE_BUSY": "another process has held it for long",
    "SQLITE_LOCKED": "another process has held it for long",
    "SQLITE_FULL": "the disk is full",
    "SQLITE_CORRUPT": "the file is damaged",
    "SQLITE_NOTADB": "the file is damaged, or not a journal",
    "SQLITE_READONLY": "it may not be written",
    "SQLITE_PERM": "it may not be opened",
    "SQLITE_CANTOPEN": "the file cannot be opened",
    "SQLITE_IOERR_SHMSIZE": "the disk is full",  # no room for the file beside it (sqlite.org/rescode.html)
    "SQLITE_IOERR": "the disk answers with errors",
    "XX001": "its data are damaged",
    "XX002": "an index of it is damaged",
    "08": "the connection to the server was lost",
    "25006": "the server takes no writes: it is a standby",
    "28": "the server refuses the user or the password",
    "3D": "the server has no such database",
    "42501": "the user may not write there",
    "53100": "the server's disk is full",
    "53300": "the server has no connection left",
    "57P": "the server is being stopped or started",
}
"""By the beginning of SQLite's error name, or of PostgreSQL's SQLSTATE (PostgreSQL manual, appendix A)."""

PASSING = ("08", "25006", "53300", "57P")
"""Beginnings of the SQLSTATE of what passes: a restart, or another server that takes over."""

DAMAGE = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "XX001", "XX002")
"""Beginnings of the names of what no patience mends."""


def is_damage(error: BaseException) -> bool:
    """Whether what is stored is not what was written there."""
    return _name(error).startswith(DAMAGE)


def damaged(place: str, *, file: str | None) -> JournalFailed:
    """The failure that every command ends with then. `place`: where the journal is; `file`: if it is one, its name."""
    code = codes.JOURNAL_DAMAGED
    hint = code.fix
    if file:
        hint = hint.replace("JOURNAL.damaged", shlex.quote(f"{file}.damaged")).replace(
            "JOURNAL", shlex.quote(file)
        )
    return JournalFailed(f"{code.code}: the journal {place} is damaged", hint)


def cause(error: BaseException) -> str:
    """Why, in words; the name of the exception where that is not known."""
    name = _name(error)
    known = next((text for start, text in CAUSES.items() if name.startswith(start)), None)
    if known is None and _is_of_postgresql(error) and not name:
        return "the server does not answer"
    if known is None and isinstance(error, OSError):
        return (error.strerror or type(error).__name__).lower()
    return known or f"{type(error).__name__} {name}".strip()


def with_rights(why: str, file: str | None) -> tuple[str, str | None]:
    """The words of a cause with whose the file is, and what helps, if this user may not read and write it."""
    known = denied(Path(file)) if file else None
    return (why, None) if known is None else (f"{why}: {known.reason}", known.hint)


def passes(error: BaseException) -> bool:
    """Whether trying again may help: the connection to a server was lost, or is refused for now."""
    if not _is_of_postgresql(error):
        return False
    name = _name(error)
    return (
        name.startswith(PASSING) if name else type(error).__name__ in {"OperationalError", "InterfaceError"}
    )


def _name(error: BaseException) -> str:
    """SQLite's error name, PostgreSQL's SQLSTATE, or nothing."""
    source = getattr(error, "orig", None)
    return str(getattr(source, "sqlite_errorname", None) or getattr(source, "sqlstate", None) or "")


def _is_of_postgresql(error: BaseException) -> bool:
    return type(getattr(error, "orig", None)).__module__.partition(".")[0] == "psycopg"
