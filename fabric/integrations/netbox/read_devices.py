"""Devices of one site in NetBox, from its REST API or from a CSV export of its list of devices."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from fabric.diagnostics import Invalid, Origin
from fabric.integrations import codes
from fabric.integrations.netbox.client import NetBox

COLUMNS = {
    "name": "name",
    "serial": "serial",
    "serial number": "serial",
    "rack": "rack",
    "position": "position",
    "position (u)": "position",
    "platform": "platform",
    "site": "site",
    "ip address": "address",
    "primary ip": "address",
    "primary_ip": "address",
}
"""Headings of NetBox's table of devices, and of its import form, in lower case."""


class NetBoxDevice(msgspec.Struct, frozen=True):
    """One device as NetBox has it; nothing is checked yet. Empty: not set."""

    name: str
    site: str
    serial: str = ""
    rack: str = ""
    position: str = ""
    platform: str = ""
    address: str = ""
    """With its prefix length."""


def from_api(server: NetBox, site: str) -> Iterator[NetBoxDevice]:
    """The devices of a site, by its slug. `Invalid` if one of another site comes along: then the filter is ignored."""
    for record in server.records("dcim/devices", {"site": site}):
        own = _text(record, "site", "slug")
        if own != site:
            rule = f"devices of site {own!r} came, {site!r} was asked for: the filter is ignored"
            raise Invalid(
                [codes.NOT_UNDERSTOOD.at(Origin((), "netbox"), rule, hint=codes.NOT_UNDERSTOOD.fix)]
            )
        yield NetBoxDevice(
            name=_text(record, "name"),
            site=own,
            serial=_text(record, "serial"),
            rack=_text(record, "rack", "name"),
            position=_text(record, "position"),
            platform=_text(record, "platform", "slug"),
            address=_text(record, "primary_ip", "address"),
        )


def _text(record: Mapping[str, Any], *keys: str) -> str:
    """A value inside a record as text; empty if there is none."""
    value: Any = record
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return "" if value is None or isinstance(value, dict | list | bool) else str(value)


def from_csv(text: str, sites: Iterable[str]) -> Iterator[NetBoxDevice]:
    """The devices of an export whose site is one of these names, or that has no such column."""
    known = frozenset(sites)
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""))
    try:
        columns = [COLUMNS.get(heading.strip().lower(), "") for heading in next(reader, [])]
        if "name" not in columns:
            rule = "the table has no column `Name`: export the list of devices from NetBox as CSV, all data"
            raise Invalid(
                [codes.NOT_UNDERSTOOD.at(Origin((), "netbox"), rule, hint=codes.NOT_UNDERSTOOD.fix)]
            )
        for cells in reader:
            row = {column: cell.strip() for column, cell in zip(columns, cells, strict=False) if column}
            if "site" not in columns or row.get("site") in known:
                yield NetBoxDevice(**{"name": "", "site": "", **row})
    except csv.Error as error:
        rule = f"line {reader.line_num} is not CSV: {error}"
        raise Invalid(
            [codes.NOT_UNDERSTOOD.at(Origin((), "netbox"), rule, hint=codes.NOT_UNDERSTOOD.fix)]
        ) from None
