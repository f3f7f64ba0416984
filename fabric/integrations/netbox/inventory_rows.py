"""What NetBox knows of a site's devices, as rows of the inventory: each value is one that it allows, or a finding."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from fabric.decoding import convert
from fabric.diagnostics import Diagnostic, Origin, Report
from fabric.documents.schema.scalar_types import decode
from fabric.integrations import codes
from fabric.integrations.netbox.read_devices import NetBoxDevice
from fabric.intent.inventory import DeviceFacts, HostFacts
from fabric.platforms import registry

HINT = "correct it in NetBox, or write the row by hand"
LONGEST_SHOWN = 80


class Matched(msgspec.Struct, frozen=True):
    """Rows of the inventory, and what is not in them."""

    devices: Mapping[str, Mapping[str, str | int]]
    hosts: Mapping[str, Mapping[str, str | int]]
    missing: tuple[str, ...]
    """Devices of the intent that NetBox does not have."""
    others: int
    """Devices of the site in NetBox that the intent does not have."""
    findings: tuple[Diagnostic, ...]


def match(found: Iterable[NetBoxDevice], switches: Mapping[str, str | None], hosts: Iterable[str]) -> Matched:
    """Devices by name. `switches`: platforms by name, None where none is configured."""
    report, known_hosts = Report(), dict.fromkeys(hosts)
    rows: dict[str, dict[str, str | int]] = {}
    others = 0
    for device in found:
        if device.name not in switches and device.name not in known_hosts:
            others += 1
        elif device.name in rows:
            _leave_out(report, device.name, "name", device.name, "it names two devices of the site")
        else:
            rows[device.name] = dict(_facts(device, switches, report))
    return Matched(
        {name: rows[name] for name in switches if name in rows},
        {name: rows[name] for name in known_hosts if name in rows},
        tuple(name for name in (*switches, *known_hosts) if name not in rows),
        others,
        report.finish(),
    )


def _facts(
    device: NetBoxDevice, switches: Mapping[str, str | None], report: Report
) -> Iterator[tuple[str, str | int]]:
    is_switch = device.name in switches
    kind: type = DeviceFacts if is_switch else HostFacts
    values: dict[str, Any] = {
        "serial": device.serial,
        "rack": device.rack,
        "position": _position(device.position),
    }
    if is_switch:
        values["address"] = device.address
        wanted = switches[device.name]
        if wanted and device.platform not in ("", wanted, registry.platform(wanted).title):
            rule = f"NetBox says {device.platform!r}, the intent {wanted!r}"
            _leave_out(report, device.name, "platform", device.platform, rule)
    for key, value in values.items():
        if value == "":
            continue
        try:
            convert({key: value}, kind, hook=decode)
        except (msgspec.ValidationError, ValueError):
            _leave_out(report, device.name, key, value, f"the inventory does not allow this {key}")
        else:
            yield key, value


def _position(text: str) -> str | int:
    """The lowest rack unit: `40.0` is 40, `40.5` stays a text, which the inventory does not allow."""
    whole = text.removesuffix(".0")
    return int(whole) if whole.isdecimal() and len(whole) < 4 else text


def _leave_out(report: Report, device: str, key: str, value: object, rule: str) -> None:
    shown = json.dumps(value)
    shown = shown if len(shown) <= LONGEST_SHOWN else f"{shown[:LONGEST_SHOWN]}..."
    at = Origin(("devices", device, key), "netbox")
    report.add(codes.LEFT_OUT.at(at, f"{device}: {key} {shown}: {rule}", value=shown, hint=HINT))


def inventory_text(matched: Matched) -> Iterator[str]:
    """The rows as an inventory. Strings are JSON's, which are YAML's."""
    for section, rows in (("devices", matched.devices), ("hosts", matched.hosts)):
        filled = {name: row for name, row in rows.items() if row}
        if filled:
            yield f"{section}:\n"
        for name, row in filled.items():
            yield f"  {name}: {json.dumps(row)}\n"
