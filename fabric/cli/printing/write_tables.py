"""Tables and documents onto a stream: rich in a terminal, aligned text in a pipe, CSV and JSON for machines."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TextIO

from fabric.documents.print_findings import escaped
from fabric.documents.reading.strict_csv import as_text
from fabric.tables.table import ALWAYS, Table, plain

FORMAT_VERSION = "1.0"
"""Of every JSON document. Readers ignore unknown keys of the same major version."""
RICH_ROWS = 400
"""More rows than this are written as aligned text in a terminal too: rich lays a table out slowly."""
LEAST_WRAPPED = 24
"""Columns of the terminal that text needs to be readable over several lines."""
LEAST_READ = 8
"""Columns of the terminal below which such text is not folded any more: lines run over the edge instead."""
GAP = "  "


def printable(text: str) -> str:
    """Text without control characters: what a device says must not steer the terminal."""
    return escaped(text, keep="\t\n")


def one_line(text: str) -> str:
    """Text that begins no line of its own either: a reason cannot pass for a line of the report."""
    return escaped(text, keep="\t")


def as_json(value: Any, indent: int | None = None) -> str:
    """The value as JSON in which nothing steers the terminal: what is not printable stands as its escape."""
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    if text.isprintable():
        return text
    # Outside of strings JSON has only line breaks that are not printable, and none of its own within.
    return "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)


def write_csv(tables: Iterable[Table], stream: TextIO) -> int:
    """The tables as CSV (RFC 4180 quoting, one header each) and their number of rows."""
    writer = csv.writer(stream, lineterminator="\n")
    count = 0
    for table in tables:
        if count:
            stream.write("\n")
        writer.writerow(column.key for column in table.columns)
        for row in table.rows():
            writer.writerow(_csv(value) for value in row)
            count += 1
    return count


def _csv(value: Any) -> Any:
    content = plain(value)
    if isinstance(content, bool):
        return "true" if content else "false"
    text = " ".join(map(str, content)) if isinstance(content, list) else content
    return as_text(printable(text)) if isinstance(text, str) else text


def write_json(tables: Iterable[Table], head: Mapping[str, Any], stream: TextIO) -> int:
    """One document: the head, then each table's rows under its name, a row a line. Returns the number of rows."""
    count = 0
    opening = as_json({"format_version": FORMAT_VERSION, **head}, indent=2)[:-2]
    stream.write(opening)
    for table in tables:
        stream.write(f",\n  {json.dumps(table.name)}: [")
        comma = ""
        for row in table.rows():
            stream.write(f"{comma}\n    {as_json(table.record(row))}")
            comma = ","
            count += 1
        stream.write("\n  ]" if comma else "]")
    stream.write("\n}\n")
    return count


def write_document(document: Mapping[str, Any], stream: TextIO) -> None:
    """One JSON document."""
    stream.write(as_json({"format_version": FORMAT_VERSION, **document}, indent=2) + "\n")


class Measure(NamedTuple):
    """How wide each column of a table is, and which have something in them."""

    widths: list[int]
    says: list[bool]
    rows: int

    @classmethod
    def of(cls, table: Table) -> Measure:
        """One pass over the rows."""
        widths = [len(column.heading) for column in table.columns]
        says, count = [False] * len(widths), 0
        for row in table.rows():
            for i, cell in enumerate(table.cells(row)):
                if cell:
                    says[i] = True
                    widths[i] = max(widths[i], len(cell))
            count += 1
        return cls(widths, says, count)


def write_aligned(
    table: Table, stream: TextIO, *, heading: str = "{}", kept: Sequence[int] | None = None
) -> int:
    """Aligned columns, all of them or those `kept`, two blanks between. Returns the number of rows."""
    measure = Measure.of(table)
    chosen = range(len(table.columns)) if kept is None else kept
    widths = [measure.widths[i] for i in chosen]
    right = [table.columns[i].right for i in chosen]
    stream.write(heading.format(_line([table.columns[i].heading for i in chosen], widths, right)) + "\n")
    for row in table.rows():
        cells = table.cells(row)
        stream.write(printable(_line([cells[i] for i in chosen], widths, right)) + "\n")
    return measure.rows


def _line(cells: Iterable[str], widths: Iterable[int], right: Iterable[bool]) -> str:
    padded = (c.rjust(w) if r else c.ljust(w) for c, w, r in zip(cells, widths, right, strict=True))
    return GAP.join(padded).rstrip()


def write_terminal(table: Table, stream: TextIO, *, color: bool) -> tuple[int, tuple[str, ...]]:
    """A table for a terminal; returns the number of rows and the headings for which it is too narrow."""
    measure, width = Measure.of(table), shutil.get_terminal_size().columns
    kept, missing = fitting(table, measure, width)
    if measure.rows > RICH_ROWS or _overflows(table, measure, kept, width):
        write_aligned(table, stream, heading="\x1b[1m{}\x1b[0m" if color else "{}", kept=kept)
    else:
        _write_rich(table, kept, stream, color=color, width=width)
    return measure.rows, tuple(table.columns[i].heading for i in missing)


def _overflows(table: Table, measure: Measure, kept: Sequence[int], width: int) -> bool:
    """Whether not even the columns that are always there fit: rich would leave out what is in them, unsaid."""
    least = [LEAST_READ if table.columns[i].wraps else measure.widths[i] for i in kept]
    return sum(least) + len(GAP) * (len(kept) - 1) > width


def fitting(table: Table, measure: Measure, width: int) -> tuple[list[int], list[int]]:
    """The columns for which a terminal of `width` has room, and those that say something and had none.

    What is left out first: columns with nothing in them, then the least important. Those that are always there give way
    from the right where no text can be folded instead: a number is left out and named, never cut.
    """
    wraps = measure.rows <= RICH_ROWS
    wide = [
        min(w, max(LEAST_WRAPPED, len(c.heading))) if c.wraps and wraps else w
        for w, c in zip(measure.widths, table.columns, strict=True)
    ]
    empty = {i for i, says in enumerate(measure.says) if measure.rows and not says}
    order = sorted(range(len(wide)), key=lambda i: (i not in empty, -table.columns[i].rank, -i))
    kept = set(range(len(wide)))
    for column in order:
        if sum(wide[i] for i in kept) + len(GAP) * (len(kept) - 1) <= width:
            break
        folds = wraps and any(table.columns[i].wraps for i in kept)
        rank = table.columns[column].rank
        if rank != ALWAYS and (rank or column in empty or (column and not folds)):
            kept.discard(column)
    return sorted(kept), sorted(set(range(len(wide))) - kept - empty)


def _whole(table: Table, kept: Sequence[int], width: int) -> dict[int, int]:
    """Widths of the first columns that a terminal has room for: codes and names are not cut so that others fit."""
    widths, whole = Measure.of(table).widths, dict[int, int]()
    for i in kept:
        width -= widths[i] + len(GAP)
        if width < -len(GAP) or table.columns[i].wraps:
            break
        whole[i] = widths[i]
    return whole


def _write_rich(table: Table, kept: Sequence[int], stream: TextIO, *, color: bool, width: int) -> None:
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    grid = RichTable(box=None, pad_edge=False, padding=(0, len(GAP), 0, 0), collapse_padding=True)
    wraps = any(table.columns[i].wraps for i in kept)
    whole = _whole(table, kept, width)
    for i in kept:
        column = table.columns[i]
        grid.add_column(
            column.heading,
            justify="right" if column.right else "left",
            header_style="bold",
            overflow="fold",
            min_width=whole.get(i),
            no_wrap=wraps and not column.wraps,  # where text can give way, names and numbers stay whole
        )
    for row in table.rows():
        cells = table.cells(row)
        grid.add_row(*(Text(printable(cells[i]), table.columns[i].style(row[i])) for i in kept))
    Console(file=stream, width=width, force_terminal=color, no_color=not color, highlight=False).print(grid)
