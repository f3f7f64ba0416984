"""The tables of lists as the report prints them."""

from __future__ import annotations

from collections.abc import Iterable

from fabric.reporting.page import PageTable
from fabric.tables.column_meanings import MEANINGS
from fabric.tables.table import Table


def page_table(table: Table, title: str = "", note: str = "", *, explained: bool = False) -> PageTable:
    """A list as the page has it: without columns that nothing is in; `explained`: with the meaning of each."""
    rows = [table.cells(row) for row in table.rows()]
    kept = [i for i in range(len(table.columns)) if any(row[i] for row in rows)]
    columns = [table.columns[i] for i in kept]
    return PageTable(
        title=title or table.title or table.name,
        headings=tuple(column.heading for column in columns),
        rows=tuple(tuple(row[i] for i in kept) for row in rows),
        numbers=tuple(column.right for column in columns),
        devices=tuple(column.key == "device" for column in columns),
        note=note,
        meanings=tuple(MEANINGS[column.key][1] for column in columns) if explained else (),
    )


def page_tables(tables: Iterable[Table], title: str = "") -> tuple[PageTable, ...]:
    """Several of them, without empty ones."""
    return tuple(shown for table in tables if (shown := page_table(table, title)).rows)
