"""What Ansible's and Nornir's inventories share: groups of devices, and what is known of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fabric.exports import rows
from fabric.exports.network_view import View
from fabric.exports.printing import slug
from fabric.exports.rows import DeviceRow
from fabric.platforms.other_tools import OtherTools


def groups(device: DeviceRow) -> tuple[str, ...]:
    """The groups of a device: `role_leaf`, `network_compute`, `platform_...`, `unit_0`."""
    named = (
        ("role", device.role),
        ("network", device.network),
        ("platform", device.platform),
        ("hosts", device.group),
        ("unit", device.unit),
    )
    return tuple(_group(kind, name) for kind, name in named if name is not None)


def _group(kind: str, name: str | int) -> str:
    return f"{kind}_{slug(str(name)).replace('-', '_')}"


def tools_of(devices: Iterable[DeviceRow]) -> dict[str, tuple[str, OtherTools]]:
    """Platform, and what other tools call it, by the group of its devices."""
    return {
        _group("platform", device.platform): (device.platform, device.tools)
        for device in devices
        if device.platform
    }


def groups_of(devices: Iterable[DeviceRow]) -> dict[str, list[str]]:
    """Members of each group, in order of groups and devices."""
    members: dict[str, list[str]] = {}
    for device in devices:
        for group in groups(device):
            members.setdefault(group, []).append(device.name)
    return dict(sorted(members.items()))


def loopbacks(views: Iterable[View]) -> dict[str, str]:
    """The first loopback address of each switch."""
    own: dict[str, str] = {}
    for row in rows.address_rows(views):
        if row.kind == "loopback" and row.device:
            own.setdefault(row.device, row.host)
    return own


def facts(device: DeviceRow, own: Mapping[str, str]) -> dict[str, str | int]:
    """What is known of a device, by name; `own`: loopbacks."""
    known: dict[str, str | int | None] = {
        "role": device.role,
        "network": device.network,
        "model": device.model,
        "platform": device.platform,
        "unit": device.unit,
        "rail": device.rail,
        "plane": device.plane,
        "pod": device.pod,
        "asn": device.asn,
        "loopback": own.get(device.name),
        "serial": device.serial,
        "rack": device.rack,
        "rack_unit": device.rack_unit,
    }
    return {key: value for key, value in known.items() if value is not None}
