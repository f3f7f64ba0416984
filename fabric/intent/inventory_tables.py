"""Inventories as CSV: the rows join the mapping of the inventory, and are checked by the same schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import inspect as types

from fabric.diagnostics import Origin
from fabric.documents import Document, InvalidDocument
from fabric.documents import codes as document_codes
from fabric.documents.places import SourceMap
from fabric.documents.reading.strict_csv import read_csv
from fabric.intent import codes, guid_rows
from fabric.intent.inventory import DeviceFacts, HostFacts
from fabric.intent.join_files import Reader
from fabric.intent.site_folder import Unreadable, join

INVENTORY_FILE = "inventory.yaml"
MACS = "macs-"
LISTED = {"device": "name", "management": "address", "rack_unit": "position"}
"""Columns of `fabric show devices --format csv` by the keys of the inventory."""
COMPUTED = frozenset(
    "network role pod unit rail plane model platform asn loopback loopback6 drained".split()  # noqa: SIM905
)
"""Columns of that list that follow from the intent: a list that is fed back may have them, and they say nothing."""


def columns(kind: type) -> tuple[frozenset[str], frozenset[str]]:
    """The keys of a record, and those of them that hold whole numbers."""
    fields = types.type_info(kind).fields  # type: ignore[attr-defined]  # of a Struct: a StructType
    numbers = (f.encode_name for f in fields if "IntType" in repr(f.type))
    return frozenset(f.encode_name for f in fields), frozenset(numbers)


def join_tables(reader: Reader, document: Document) -> None:
    """Add the rows of `devices_csv`, `hosts_csv` and `guids_csv` to the inventory."""
    if not isinstance(document.value, dict):
        return
    for section, kind in (("devices", DeviceFacts), ("hosts", HostFacts)):
        file = document.value.get(f"{section}_csv")
        if isinstance(file, str):
            _join_table(reader, document, section, kind, file)
    file = document.value.get("guids_csv")
    if isinstance(file, str):
        origin = Origin(("guids_csv",), document.name)
        table = _read(reader, f"{document.name}:guids", file, origin, guid_rows.INTEGERS)
        if table is not None:
            guid_rows.join_adapters(document, table, reader.report)


def _join_table(reader: Reader, document: Document, section: str, kind: type, file: str) -> None:
    origin = Origin((f"{section}_csv",), document.name)
    known, integers = columns(kind)
    is_list_of_devices = kind is DeviceFacts
    other_names = LISTED if is_list_of_devices else {}
    table = _read(reader, f"{document.name}:{section}", file, origin, integers, other_names)
    if table is None:
        return
    left_out = COMPUTED if is_list_of_devices else frozenset()
    entries = document.value.setdefault(section, {})
    source_map = document.source_map.child(section)
    if source_map is None:
        source_map = SourceMap(table.source_map.file, 1, 1, children={})
        document.source_map.add(section, source_map)
    if not isinstance(entries, dict):
        return  # the schema reports it
    for index, row in enumerate(table.value):
        row_source_map = (table.source_map.children or {})[index]
        name = row.pop("name", None)
        if not isinstance(name, str):
            rule, hint = "the row has no name", "fill the column `name`"
            reader.report.add(document_codes.CSV.at(Origin((index,), table.name), rule, hint=hint))
        elif name in entries:
            rule = f"{name} is defined twice; the other place is {document.place((section, name))}"
            finding = codes.DEFINED_TWICE.at(
                Origin((index,), table.name), rule, value=name, hint="keep one of them"
            )
            reader.report.add(finding)
        else:
            for column in left_out & row.keys():
                del row[column]
            entries[name] = _shaped(row, row_source_map, known)
            source_map.add(name, row_source_map)


def _read(
    reader: Reader,
    name: str,
    file: str,
    origin: Origin,
    integers: frozenset[str],
    other_names: Mapping[str, str] | None = None,
) -> Document | None:
    try:
        path = join(INVENTORY_FILE, file)
    except Unreadable as error:
        rule, hint = f"cannot read {file!r}: {error}", document_codes.UNREADABLE.fix
        reader.report.add(document_codes.UNREADABLE.at(origin, rule, value=file, hint=hint))
        return None
    data = reader.data(path, origin)
    if data is None:
        return None
    try:
        table = reader.documents[name] = read_csv(data, reader.files.shown(path), name, integers, other_names)
    except InvalidDocument as error:
        reader.report.extend(error.diagnostics)
        reader.documents.update(error.sources.documents)
        return None
    return table


def _join_macs(row: dict[str, Any], source_map: SourceMap) -> None:
    """Columns `macs-NETWORK` hold the MAC addresses of a host in one network, with blanks between."""
    columns = [column for column in row if column.startswith(MACS)]
    if columns:
        row["macs"] = {column.removeprefix(MACS): row.pop(column).split() for column in columns}
        cells = source_map.children or {}
        children: dict[str | int, SourceMap] = {c.removeprefix(MACS): cells[c] for c in columns if c in cells}
        source_map.add(
            "macs", SourceMap(source_map.file, source_map.line, source_map.column, children=children)
        )


def _shaped(row: dict[str, Any], source_map: SourceMap, known: frozenset[str]) -> dict[str, Any]:
    """A row as the inventory writes it: of a host, columns that are not keys of it are facts."""
    if "facts" not in known:
        return row
    _join_macs(row, source_map)
    facts = {column: row.pop(column) for column in list(row) if column not in known}
    if facts:
        row["facts"] = facts
        children: dict[str | int, SourceMap] = {
            c: m for c, m in (source_map.children or {}).items() if c in facts
        }
        source_map.add(
            "facts", SourceMap(source_map.file, source_map.line, source_map.column, children=children)
        )
    return row
