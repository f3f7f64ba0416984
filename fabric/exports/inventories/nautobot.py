"""A site for Nautobot's import, in the order in which it can be imported.

Source: Nautobot 3, `docs/user-guide/feature-guides/import-and-export.md`: columns are fields of the REST API, and what
they refer to goes by its natural key, `__` between. What differs from NetBox: locations with a type in the place of
sites, statuses as objects, namespaces in the place of VRFs that isolate, addresses that are assigned by an object of
their own, and cables that name their ends by UUID: those are JSON, a cable for each link, as before release 3.2.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import partial
from ipaddress import ip_interface

from fabric.exports import rows
from fabric.exports.inventories import netbox
from fabric.exports.inventories.device_types import OTHER
from fabric.exports.network_view import View
from fabric.exports.printing import csv_table
from fabric.exports.rows import DeviceRow
from fabric.exports.source import Kind, Lines, Source

PLANNED, ACTIVE = "Planned", "Active"
MANAGEMENT = "Global"
"""Nautobot's own namespace."""
NO_OBJECT = "NoObject"
"""What stands where a row refers to nothing: Nautobot would look for an object with an empty name."""
UNKNOWN_TYPES = "1.6tbase"
"""Types that NetBox has and Nautobot has not yet begin so."""
README = """\
# Nautobot import of {site}

Written for Nautobot 3. Choose Import from file on each list, in this order; the device types go to
Devices > Device Types > Import.

    01-manufacturers.csv      04-platforms.csv        07-racks.csv        10-cables.json        13-prefixes.csv
    02-device-types/          05-location-types.csv   08-devices.csv      11-namespaces.csv     14-ip-addresses.csv
    03-roles.csv              06-locations.csv        09-interfaces.csv   12-vrfs.csv           15-assignments.csv

`10-cables.json` has names where the REST API wants UUIDs (`termination_a_id`, `termination_b_id`): look them up by
`/api/dcim/interfaces/?device=NAME&name=PORT`. It has a cable for each link; Nautobot 3.2 can hold cables that break
out, by cable types of yours. {height}
"""


def _files(source: Source) -> Iterator[tuple[str, Lines]]:
    views, site = source.views, source.topology.site
    devices = tuple(rows.device_rows(views))
    yield "README.md", partial(iter, (README.format(site=site, height=netbox.HEIGHTS),))
    yield "01-manufacturers.csv", partial(_names, rows.manufacturers(devices))
    for path, text in netbox.device_types(views, devices):
        yield f"02-device-types/{path}.yaml", partial(iter, (text,))
    yield "03-roles.csv", partial(_roles, devices)
    yield "04-platforms.csv", partial(_platforms, devices)
    yield "05-location-types.csv", _location_types
    yield "06-locations.csv", partial(_locations, source)
    yield "07-racks.csv", partial(_racks, site, devices)
    yield "08-devices.csv", partial(_devices, site, devices)
    yield "09-interfaces.csv", partial(_interfaces, views, devices)
    yield "10-cables.json", partial(_cables, views)
    yield "11-namespaces.csv", partial(_names, [netbox.vrf(site, name) for name in source.names("ethernet")])
    yield "12-vrfs.csv", partial(_vrfs, source)
    yield "13-prefixes.csv", partial(_prefixes, site, views)
    yield "14-ip-addresses.csv", partial(_addresses, source)
    yield "15-assignments.csv", partial(_assignments, site, views, devices)


def _names(names: Iterable[str]) -> Iterator[str]:
    yield from csv_table(("name",), ((name,) for name in names))


def _roles(devices: Iterable[DeviceRow]) -> Iterator[str]:
    colour = netbox.COLOURS
    yield from csv_table(
        ("name", "color", "content_types"),
        ((role, colour.get(role, netbox.OTHER_COLOUR), "dcim.device") for role in rows.roles(devices)),
    )


def _platforms(devices: Iterable[DeviceRow]) -> Iterator[str]:
    drivers = {device.platform: device.tools.netmiko for device in devices if device.platform}
    yield from csv_table(
        ("name", "network_driver"),
        ((netbox.platform_title(name), driver) for name, driver in sorted(drivers.items())),
    )


def _location_types() -> Iterator[str]:
    yield from csv_table(("name", "content_types"), [("Site", "dcim.device,dcim.rack,ipam.prefix")])


def _locations(source: Source) -> Iterator[str]:
    site = source.intent.site
    yield from csv_table(
        ("name", "location_type__name", "status__name", "description"),
        [(site.site, "Site", PLANNED, (site.description or "")[:200])],
    )


def _racks(site: str, devices: Iterable[DeviceRow]) -> Iterator[str]:
    yield from csv_table(
        ("name", "location__name", "status__name", "width", "u_height"),
        ((rack, site, PLANNED, *netbox.RACK_SIZE) for rack in rows.racks(devices)),
    )


def _devices(site: str, devices: Iterable[DeviceRow]) -> Iterator[str]:
    columns = (
        "name", "role__name", "device_type__manufacturer__name", "device_type__model", "platform__name", "serial",
        "status__name", "location__name", "rack__name", "position", "face",
    )  # fmt: skip
    yield from csv_table(columns, (_device(site, device) for device in devices))


def _device(site: str, device: DeviceRow) -> tuple[object, ...]:
    rack, position, face = device.place
    return (
        device.name,
        device.role,
        device.manufacturer,
        device.model,
        netbox.platform_title(device.platform) or NO_OBJECT,
        device.serial,
        PLANNED,
        site,
        rack or NO_OBJECT,
        position,
        face,
    )


def _interfaces(views: Iterable[View], devices: Iterable[DeviceRow]) -> Iterator[str]:
    columns = ("device__name", "name", "type", "enabled", "mgmt_only", "mtu", "description", "status__name")
    yield from csv_table(
        columns,
        (
            (
                *(device, name, OTHER if str(kind).startswith(UNKNOWN_TYPES) else kind),
                *(enabled, mgmt_only, mtu, description, PLANNED),
            )
            for device, name, kind, enabled, mgmt_only, _speed, mtu, description in netbox.interface_cells(
                views, devices
            )
        ),
    )


def _cables(views: Iterable[View]) -> Iterator[str]:
    lead = "["
    for cable in rows.cable_rows(views):
        for (a, port), (b, peer) in zip(cable.a, cable.b, strict=True):
            record = {
                "label": cable.number,
                "type": netbox.CABLE_TYPES[cable.kind],
                "status": PLANNED,
                "length": cable.length_m,
                "length_unit": "m",
                "termination_a_type": "dcim.interface",
                "termination_a": {"device": a, "name": port},
                "termination_b_type": "dcim.interface",
                "termination_b": {"device": b, "name": peer},
            }
            yield f"{lead}\n  {json.dumps(record)}"
            lead = ","
    yield "\n]\n" if lead == "," else "[]\n"


def _vrfs(source: Source) -> Iterator[str]:
    names = [netbox.vrf(source.topology.site, name) for name in source.names("ethernet")]
    yield from csv_table(("name", "namespace__name"), ((name, name) for name in names))


def _namespace(site: str, network: str | None) -> str:
    return netbox.vrf(site, network) if network else MANAGEMENT


def _prefixes(site: str, views: Iterable[View]) -> Iterator[str]:
    """The pools, and a prefix for each address that is in none: an address needs a parent."""
    views = tuple(views)
    pools = [(row.prefix, row.network, "container", row.description) for row in rows.prefix_rows(views)]
    more: dict[tuple[str, str | None], None] = {}
    for row in rows.address_rows(views):
        if row.kind in ("management", "link", "gateway"):
            more[str(ip_interface(row.address).network), row.network] = None
    own = [(prefix, network, "network", "") for prefix, network in more]
    yield from csv_table(
        ("prefix", "namespace__name", "type", "status__name", "description"),
        (
            (prefix, _namespace(site, network), kind, ACTIVE, description)
            for prefix, network, kind, description in (*pools, *own)
        ),
    )


def _addresses(source: Source) -> Iterator[str]:
    site, domain = source.topology.site, source.intent.site.services.management.domain
    yield from csv_table(
        ("address", "namespace__name", "status__name", "type", "dns_name", "description"),
        (
            (
                row.address,
                _namespace(site, row.network),
                ACTIVE,
                "host",
                f"{row.device}.{domain}" if domain and row.kind == "management" else None,
                row.description,
            )
            for row in rows.address_rows(source.views)
        ),
    )


def _assignments(site: str, views: Iterable[View], devices: Iterable[DeviceRow]) -> Iterator[str]:
    by_name = {device.name: device for device in devices}
    columns = (
        "ip_address__parent__namespace__name", "ip_address__host", "interface__device__name", "interface__name",
    )  # fmt: skip
    yield from csv_table(
        columns,
        (
            (_namespace(site, row.network), row.host, row.device, netbox.interface_of(row, by_name))
            for row in rows.address_rows(views)
            if row.device
        ),
    )


KIND = Kind(
    "nautobot", "a site for Nautobot 3: CSV, YAML, JSON in import order", lambda _source: True, _files
)
