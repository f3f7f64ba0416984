"""`guids_csv`: one row an adapter, joined to the hosts of the inventory and checked by its schema."""

from __future__ import annotations

from typing import Any

from fabric.diagnostics import Origin, Report
from fabric.documents import Document
from fabric.documents import codes as document_codes
from fabric.documents.places import SourceMap
from fabric.intent import codes

INTEGERS = frozenset({"nic"})
WHERE = ("name", "network", "nic")
"""Columns that identify the adapter of a row; all others are keys of an adapter."""

Row = tuple[dict[str, Any], SourceMap, int]
"""An adapter, its place, and the number of its row."""


def join_adapters(document: Document, table: Document, report: Report) -> None:
    """Put the rows of a table into `hosts.NAME.hcas.NETWORK`, ordered by NIC."""
    groups: dict[tuple[str, str], dict[int, Row]] = {}
    for index, row in enumerate(table.value):
        source_map = (table.source_map.children or {})[index]
        where = [row.pop(column, None) for column in WHERE]
        origin = Origin((index,), table.name)
        name, network, nic = where
        if not (isinstance(name, str) and isinstance(network, str) and isinstance(nic, int)):
            rule = "the row does not name its adapter"
            hint = "fill the columns `name`, `network` and `nic`; NICs are counted from 0"
            report.add(document_codes.CSV.at(origin, rule, hint=hint))
            continue
        known = groups.setdefault((name, network), {})
        if nic in known:
            rule = f"NIC {nic} of {name} in {network} is defined twice; the other is row {known[nic][2] + 2}"
            report.add(codes.DEFINED_TWICE.at(origin, rule, value=nic, hint="keep one of them"))
            continue
        known[nic] = (_adapter(row, source_map), source_map, index)
    for (name, network), adapters in groups.items():
        _join(document, table, name, network, adapters, report)


def _adapter(row: dict[str, Any], source_map: SourceMap) -> dict[str, Any]:
    """A row as the inventory writes it: port GUIDs are separated by blanks."""
    if "port_guids" in row:
        row["port_guids"] = row["port_guids"].split()
        cell = source_map.child("port_guids")
        if cell is not None:
            here = SourceMap(cell.file, cell.line, cell.column)
            cell.children = dict.fromkeys(range(len(row["port_guids"])), here)
    return row


def _join(
    document: Document, table: Document, name: str, network: str, adapters: dict[int, Row], report: Report
) -> None:
    gap = next((nic for nic in range(len(adapters)) if nic not in adapters), None)
    first = min(adapters)
    origin = Origin((adapters[first][2],), table.name)
    if gap is not None:
        rule = f"{name} has no row for NIC {gap} in {network}: the GUIDs behind it would be another's"
        hint = "add the row; NICs are counted from 0"
        report.add(document_codes.CSV.at(origin, rule, value=gap, hint=hint))
        return
    hosts, host_source_map = _under(document.value, document.source_map, "hosts")
    host, adapters_source_map = _under(hosts, host_source_map, name)
    hcas, hca_source_map = _under(host, adapters_source_map, "hcas")
    if not isinstance(hcas, dict):
        return  # the schema reports it
    if network in hcas:
        rule = f"the adapters of {name} in {network} are defined twice"
        report.add(codes.DEFINED_TWICE.at(origin, rule, value=name, hint="keep one of the two places"))
        return
    rows = [adapters[nic] for nic in sorted(adapters)]
    hcas[network] = [adapter for adapter, _, _ in rows]
    place = rows[0][1]
    children: dict[str | int, SourceMap] = {i: source_map for i, (_, source_map, _) in enumerate(rows)}
    hca_source_map.add(network, SourceMap(place.file, place.line, place.column, children=children))


def _under(value: Any, source_map: SourceMap, key: str) -> tuple[Any, SourceMap]:
    """The mapping under a key with its source map; made if there is none."""
    if not isinstance(value, dict):
        return None, source_map
    below = value.setdefault(key, {})
    child = source_map.child(key)
    if child is None:
        child = SourceMap(source_map.file, source_map.line, source_map.column, children={})
        source_map.add(key, child)
    return below, child
