"""Rows as CSV, YAML and JSON: piece by piece, the same bytes each time."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import yaml

from fabric.documents.reading.strict_csv import as_text

MADE = "# Made by fabric-as-code.\n"


def csv_lines(rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """RFC 4180 lines, with plain line ends. Cells that a spreadsheet would run are text."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    for row in rows:
        texts = (" ".join(cell) if isinstance(cell, tuple) else cell for cell in row)
        writer.writerow(as_text(cell) if isinstance(cell, str) else cell for cell in texts)
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()


def csv_table(columns: Sequence[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """A heading, then the rows; `true` and `false` for booleans."""
    yield from csv_lines([columns])
    yield from csv_lines((_cell(cell) for cell in row) for row in rows)


def _cell(cell: object) -> object:
    return str(cell).lower() if isinstance(cell, bool) else cell


def yaml_text(value: Any) -> str:
    """A YAML block in the order of the keys, without anchors."""
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    text: str = yaml.dump(value, Dumper=dumper, sort_keys=False, width=1000, default_flow_style=False)
    return text


def yaml_entries(entries: Iterable[tuple[str, Any]], indent: int = 0) -> Iterator[str]:
    """Entries of one mapping, a piece each."""
    margin = " " * indent
    for key, value in entries:
        text = yaml_text({key: value})
        yield "".join(f"{margin}{line}" for line in text.splitlines(keepends=True))


def json_list(items: Iterable[Any], indent: int = 0) -> Iterator[str]:
    """A JSON array, an item on each line."""
    margin, lead = " " * indent, "["
    for item in items:
        yield f"{lead}\n{margin}  {json.dumps(item)}"
        lead = ","
    yield f"\n{margin}]" if lead == "," else "[]"


def json_text(value: Mapping[str, Any]) -> str:
    """An indented JSON document."""
    return json.dumps(value, indent=2) + "\n"


def slug(*words: str) -> str:
    """Words as a part of an address: lower case, digits, hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", " ".join(words).lower()).strip("-") or "unnamed"
