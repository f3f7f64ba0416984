"""CONFIG_DB as it was found: whoever wrote it, asking never fails."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Book:
    """Tables with rows with fields that are texts or lists of texts. What is none of that is `strange`."""

    def __init__(self, tables: Mapping[str, Any]) -> None:
        self.strange: list[str] = []
        self._tables = {name: self._checked(name, rows) for name, rows in tables.items()}

    @property
    def names(self) -> tuple[str, ...]:
        """The tables that are there."""
        return tuple(self._tables)

    def rows(self, table: str) -> dict[str, dict[str, Any]]:
        """The rows of a table by key; none if there is no such table."""
        return self._tables.get(table, {})

    def row(self, table: str, key: str) -> dict[str, Any]:
        """The fields of a row; none if there is no such row."""
        return self.rows(table).get(key, {})

    def _checked(self, name: str, rows: Any) -> dict[str, dict[str, Any]]:
        if not isinstance(rows, dict):
            self.strange.append(name)
            return {}
        found = {}
        for key, row in rows.items():
            if isinstance(row, dict):
                found[key] = {field: value for field, value in row.items() if self._is_field(value)}
                self.strange += [f"{name}|{key}|{field}" for field in row.keys() - found[key].keys()]
            else:
                self.strange.append(f"{name}|{key}")
        return found

    @staticmethod
    def _is_field(value: Any) -> bool:
        return isinstance(value, str) or (isinstance(value, list) and all(isinstance(v, str) for v in value))


def number(text: Any) -> int | None:
    """A decimal number; None for everything else."""
    return int(text) if isinstance(text, str) and text.isascii() and text.isdecimal() else None


def words(value: Any) -> list[str]:
    """A list, or a text as a list of one."""
    return value if isinstance(value, list) else [value] if isinstance(value, str) else []


def word(value: Any) -> str:
    """A text; empty for everything else."""
    return value if isinstance(value, str) else ""
