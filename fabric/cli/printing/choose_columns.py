"""`--columns`: the columns that somebody asked for, in their order, of every table that a command prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import click

from fabric.documents.suggest import did_you_mean
from fabric.tables.table import ALWAYS, Row, Table


def with_columns(tables: Sequence[Table], keys: Sequence[str]) -> tuple[tuple[Table, ...], tuple[str, ...]]:
    """The tables with the columns `keys`, and the names of those that have none of them.

    A table leaves out what only others have. `click.UsageError` for a key that no table has.
    """
    known = list(dict.fromkeys(column.key for table in tables for column in table.columns))
    for key in keys:
        if tables and key not in known:
            hint = did_you_mean(key, known) or f"there are {', '.join(known)}"
            message = f"--columns: there is no column {key!r}: {hint}"
            raise click.UsageError(message)
    chosen = {table.name: _with_columns(table, keys) for table in tables}
    without = tuple(name for name, table in chosen.items() if not table.columns)
    return tuple(table for table in chosen.values() if table.columns), without


def _with_columns(table: Table, keys: Sequence[str]) -> Table:
    places = {column.key: at for at, column in enumerate(table.columns)}
    kept = [places[key] for key in keys if key in places]

    def rows() -> Iterator[Row]:
        for row in table.rows():
            yield tuple(row[at] for at in kept)

    columns = tuple(replace(table.columns[at], rank=ALWAYS) for at in kept)
    return replace(table, columns=columns, rows=rows, hides_empty=False)
