"""A table as data: columns that know how people and machines read their values, and rows.

Rows are made again each time they are asked for, so that a million cables are never in memory at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from fabric.units import counted

Row = tuple[Any, ...]

DEVICES = ("device", "devices")
WAVES = ("wave", "waves")
PORTS = ("port", "ports")
SWITCHES = ("switch", "switches")
HOSTS = ("host", "hosts")
CABLES = ("cable", "cables")
ADAPTERS = ("adapter", "adapters")
FAULTS = ("fault", "faults")
"""What most tables and last lines count, for `counted`."""


def shown(value: Any) -> str:
    """A value as people read it: nothing for None, words for truth, commas for several."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | list):
        return ", ".join(shown(item) for item in value)
    return str(value)


def plain(value: Any) -> Any:
    """A value as JSON has it: numbers, text, lists; everything else as it is written."""
    if value is None or isinstance(value, bool | str | float):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, Fraction):
        return float(value)
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return str(value)


ALWAYS = -1
"""The rank of a column that somebody asked for by name."""


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column. `key` names the value and its unit for machines, `heading` for people."""

    key: str
    heading: str
    right: bool = False
    """Numbers stand at the right."""
    rank: int = 0
    """What is left out first where a terminal is too narrow: the highest. 0 is there as long as it fits, `ALWAYS`
    even where lines run over the edge."""
    wraps: bool = False
    """Text that may run over several lines in a terminal."""
    show: Callable[[Any], str] = shown
    style: Callable[[Any], str] = field(default=lambda _value: "")
    """A rich style for a value."""


@dataclass(frozen=True, kw_only=True)
class Table:
    """One table. `noun` is what is counted below it."""

    name: str
    columns: tuple[Column, ...]
    rows: Callable[[], Iterator[Row]]
    noun: tuple[str, str] = ("row", "rows")
    title: str = ""
    hides_empty: bool = False
    """People see no column that has nothing in any row; programs do."""
    total: Callable[[], str] | None = None
    """What people count, where that is not the rows: `18 switches, 32 hosts`."""

    def cells(self, row: Row) -> tuple[str, ...]:
        """One row as text."""
        return tuple(column.show(value) for column, value in zip(self.columns, row, strict=True))

    def record(self, row: Row) -> dict[str, Any]:
        """One row as a JSON object."""
        return {column.key: plain(value) for column, value in zip(self.columns, row, strict=True)}


def without_empty(table: Table) -> Table:
    """The table without columns that show nothing in any row, for people: programs read all of them."""
    cells = [table.cells(row) for row in table.rows()]
    kept = [at for at in range(len(table.columns)) if any(row[at] for row in cells)]

    def rows() -> Iterator[Row]:
        for row in table.rows():
            yield tuple(row[at] for at in kept)

    return replace(table, columns=tuple(table.columns[at] for at in kept), rows=rows)


def total(tables: Sequence[Table]) -> str:
    """What several tables hold: each in the words in which it is counted."""
    return ", ".join(
        table.total() if table.total else counted(sum(1 for _row in table.rows()), table.noun)
        for table in tables
    )
