"""How the journal is read and written: one transaction at a time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from fabric.deployment.journal_store.journal_tables import engine, tables

T = TypeVar("T")


class JournalAccess:
    """The database under the journal."""

    def __init__(self, where: Path | str) -> None:
        self._engine = engine(where)
        self._tables = tables()

    def __repr__(self) -> str:
        return f"Journal({self._engine.url.render_as_string(hide_password=True)})"

    @property
    def engine(self) -> Any:
        """The database itself."""
        return self._engine

    def write(self, change: Callable[[Any], T]) -> T:
        """Do something in one transaction: all of it, or nothing."""
        with self._engine.begin() as connection:
            return change(connection)

    def rows(self, query: Any) -> list[dict[str, Any]]:
        """The rows of a query."""
        with self._engine.connect() as connection:
            return [dict(row) for row in connection.execute(query).mappings()]
