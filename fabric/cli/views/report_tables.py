"""The tables of lists as the report prints them."""

from __future__ import annotations

from collections.abc import Iterable

from fabric.cli.printing.tables import Table
from fabric.reporting.page import PageTable

DEVICES = ("device", "devices", "peer", "example")
"""Columns that name a device."""


def page_table(table: Table, title: str = "", note: str = "") -> PageTable:
    """A list as the page has it: without columns that nothing is in."""
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
    )


def page_tables(tables: Iterable[Table]) -> tuple[PageTable, ...]:
    """Several of them, without empty ones."""
    return tuple(table for table in map(page_table, tables) if table.rows)
