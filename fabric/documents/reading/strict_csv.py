"""CSV tables with the place of every cell (RFC 4180; a byte-order mark, as spreadsheets write it, is skipped).

Spreadsheets run a cell that begins like a formula. What we write is text: such a cell gets an apostrophe in front,
which is taken off again where we read (OWASP, CSV injection).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from fabric.documents import codes
from fabric.documents.places import Document, SourceMap
from fabric.documents.reading.decode_text import decode
from fabric.documents.reading.file_findings import Findings
from fabric.documents.reading.paused_gc import paused_gc
from fabric.documents.reading.yaml_scalars import LONGEST_NUMBER
from fabric.documents.schema.describe import quoted
from fabric.units import counted

MARK = b"\xef\xbb\xbf"
CELL = re.compile(r'[ \t]*(?:"(?P<quoted>(?:[^"\r\n]|"")*)"[ \t]*|(?P<bare>[^,"\r\n]*))(?P<end>,|\r?\n|\Z)')
INTEGER = re.compile(rf"(?:0|[1-9][0-9]{{0,{LONGEST_NUMBER - 1}}})\Z")
MAX_ROWS = 200_000
FORMULA = re.compile(r"'*[=+\-@\t\r]")
"""What a spreadsheet takes for the beginning of a formula; and what we have put apostrophes before."""


def as_text(cell: str) -> str:
    """A cell that no spreadsheet runs. `read_csv` gives the cell back as it was."""
    return f"'{cell}" if FORMULA.match(cell) else cell


def _as_written(cell: str) -> str:
    """The reverse of `as_text`."""
    return cell[1:] if cell.startswith("'") and FORMULA.match(cell) else cell


class Cell(msgspec.Struct, gc=False):
    """A cell and the column, from 1, at which it starts."""

    text: str
    column: int


def read_csv(
    data: bytes,
    file: str,
    name: str,
    integers: frozenset[str] = frozenset(),
    other_names: Mapping[str, str] | None = None,
) -> Document:
    """Read a table: a list of rows, each a mapping of column to text; empty cells are left out.

    Columns named in `integers` hold whole numbers where they look like one; `other_names` gives columns the name
    that they go by here. `InvalidDocument` with every finding.
    """
    text = decode(data.removeprefix(MARK), file, name)
    findings = Findings(file, name)
    table = _Table(findings)
    rows: list[dict[str, Any]] = []
    source_map = SourceMap(file, 1, 1, children={})
    with paused_gc():
        lines = table.lines(text)
        header = table.header(*next(lines, (1, [])), other_names or {})
        for line, cells in lines:
            row, row_source_map = table.row(header, line, cells, integers)
            source_map.add(len(rows), row_source_map)
            rows.append(row)
    findings.finish()
    return Document(name, rows, source_map)


class _Table:
    """Splits a text into rows and reports what is wrong with them."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings

    def lines(self, text: str) -> Iterator[tuple[int, list[Cell]]]:
        """Line number and cells of each line that is not blank."""
        position, start, number, cells = 0, 0, 1, []
        while position < len(text):
            match = CELL.match(text, position)
            if match is None:
                self.refuse(number, position - start + 1, "a quote is open, or text follows a closing quote")
                return
            in_quotes = match["quoted"]
            content = match["bare"].strip() if in_quotes is None else in_quotes.replace('""', '"')
            cells.append(Cell(_as_written(content), position - start + 1))
            position = match.end()
            if match["end"] != ",":
                if len(cells) > 1 or cells[0].text:
                    yield number, cells
                number, start, cells = number + 1, position, []
                if number > MAX_ROWS:
                    self.refuse(number, 1, f"more than {MAX_ROWS:,} rows")
                    return
        if cells:  # the last line ends in a comma
            yield number, [*cells, Cell("", position - start + 1)]

    def header(self, number: int, cells: list[Cell], other_names: Mapping[str, str]) -> list[str]:
        """The names of the columns."""
        names = [other_names.get(cell.text, cell.text) for cell in cells]
        if "name" not in names:
            semicolons = len(names) == 1 and ";" in names[0]
            hint = (
                "separate cells by commas, not semicolons"
                if semicolons
                else "the first line names the columns"
            )
            self.refuse(number, 1, "there is no column `name`", hint)
        for index, cell in enumerate(cells):
            if not cell.text or names[index] in names[:index]:
                self.refuse(number, cell.column, f"the column {quoted(cell.text)} is empty or a duplicate")
        return names

    def row(
        self, header: list[str], line: int, cells: list[Cell], integers: frozenset[str]
    ) -> tuple[dict[str, Any], SourceMap]:
        """One row and its source map."""
        source_map = SourceMap(self.findings.file, line, cells[0].column, children={})
        if len(cells) != len(header):
            self.refuse(
                line,
                cells[-1].column,
                f"the row has {counted(len(cells), 'cell')}, the header {len(header)}",
            )
        row: dict[str, Any] = {}
        for column, cell in zip(header, cells, strict=False):
            if cell.text:
                is_number = column in integers and INTEGER.match(cell.text)
                row[column] = int(cell.text) if is_number else cell.text
                source_map.add(column, SourceMap(self.findings.file, line, cell.column))
        return row, source_map

    def refuse(
        self, line: int, column: int, rule: str, hint: str = "check commas and quotes of the line"
    ) -> None:
        """Keep a finding at a place of its own."""
        self.findings.add(line, column, codes.CSV, rule, hint)
