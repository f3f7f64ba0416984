"""A site for NetBox's import forms, in the order in which they can be imported.

Columns: netbox 4.6, `dcim/forms/bulk_import.py`, `ipam/forms/bulk_import.py`; choices: `dcim/choices.py`. The form of
cables sets one termination a side, so cables with several links are JSON for the REST API: `create_cables.py` sends it.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterable, Iterator
from functools import partial

from fabric.exports import rows
from fabric.exports.inventories import create_netbox_cables
from fabric.exports.inventories.device_types import (
    OTHER,
    cages_of,
    device_type,
    ethernet_type,
    infiniband_type,
    maker_and_model,
    type_slug,
)
from fabric.exports.network_view import View
from fabric.exports.printing import csv_table, slug
from fabric.exports.rows import AddressRow, CableRow, DeviceRow, PortRow
from fabric.exports.source import Kind, Lines, Source
from fabric.platforms import registry

PLANNED = "planned"
RACK_SIZE = (19, 60)
"""Width in inches, and the highest position that an inventory can name."""
COLOURS = {"leaf": "2196f3", "spine": "3f51b5", "superspine": "673ab7", "host": "4caf50"}
OTHER_COLOUR = "9e9e9e"
CABLE_TYPES = {
    "dac": "dac-passive", "acc": "dac-active", "aec": "dac-active", "aoc": "aoc", "mmf": "mmf", "smf": "smf",
}  # fmt: skip
PROFILES = {1: "single-1c1p", 2: "trunk-2c1p", 4: "trunk-4c1p"}
"""By links: connector i of one side is connector i of the other, which is what each of our links is."""
FIELDS = ("network", "group", "unit", "rail", "plane", "pod", "asn")
"""Custom fields of devices, `fabric_` in front."""
README = """\
# NetBox import of {site}

Written for NetBox 4.6. Import the files in their order: each names objects of those before it.
Import > CSV takes the `.csv` files, Device Types > Import each file of `02-device-types`.

    00-custom-fields.csv    Customization > Custom Fields
    01-manufacturers.csv    Devices > Manufacturers
    02-device-types/        Devices > Device Types
    03-roles.csv            Devices > Device Roles
    04-platforms.csv        Devices > Platforms
    05-sites.csv            Organization > Sites
    06-racks.csv            Racks > Racks, from the inventory; empty without one
    07-devices.csv          Devices > Devices
    08-interfaces.csv       Devices > Interfaces
    09-cables.csv           Connections > Cables: those with one link
    09-cables.json          those with several: the form sets one termination a side
    10-vrfs.csv             IPAM > VRFs, one for each network
    11-prefixes.csv         IPAM > Prefixes
    12-ip-addresses.csv     IPAM > IP Addresses

Cables with several links need the REST API. The program only adds cables where nothing is plugged:

    NETBOX_URL=https://netbox.example.com NETBOX_TOKEN=... python3 create_cables.py 09-cables.json

Device types have no interfaces: which there are depends on how cages are split and on the software, so they come with
`08-interfaces.csv`. {height}
A gateway that several leaves share stands once, with the role `anycast` and on no interface.
"""
HEIGHTS = (
    "Heights in rack units are not in our catalogue: every type has 1, correct them before you mount devices."
)


def files(source: Source) -> Iterator[tuple[str, Lines]]:
    """The files of a site."""
    views, site = source.views, source.topology.site
    devices = tuple(rows.device_rows(views))
    yield "README.md", partial(iter, (README.format(site=site, height=HEIGHTS),))
    yield "create_cables.py", partial(iter, (inspect.getsource(create_netbox_cables),))
    yield "00-custom-fields.csv", _custom_fields
    yield "01-manufacturers.csv", partial(_manufacturers, devices)
    for path, text in device_types(views, devices):
        yield f"02-device-types/{path}.yaml", partial(iter, (text,))
    yield "03-roles.csv", partial(_roles, devices)
    yield "04-platforms.csv", partial(_platforms, devices)
    yield "05-sites.csv", partial(_site, source)
    yield "06-racks.csv", partial(_racks, site, devices)
    yield "07-devices.csv", partial(_devices, site, devices)
    yield "08-interfaces.csv", partial(_interfaces, views, devices)
    yield "09-cables.csv", partial(_cables, site, views)
    yield "09-cables.json", partial(_cables_of_many_links, site, views)
    yield "10-vrfs.csv", partial(_vrfs, source)
    yield "11-prefixes.csv", partial(_prefixes, site, views)
    yield "12-ip-addresses.csv", partial(_addresses, source, devices)


def _custom_fields() -> Iterator[str]:
    columns = ("name", "label", "group_name", "type", "object_types", "required", "ui_editable")
    numbers = FIELDS[2:]
    yield from csv_table(
        columns,
        (
            (
                f"fabric_{name}",
                "AS number" if name == "asn" else name.capitalize(),
                "Fabric",
                "integer" if name in numbers else "text",
                "dcim.device",
                False,
                "no",
            )
            for name in FIELDS
        ),
    )


def platform_title(name: str | None) -> str:
    """`Arista EOS`; empty for none."""
    return registry.platform(name).title if name else ""


def _manufacturers(devices: Iterable[DeviceRow]) -> Iterator[str]:
    yield from csv_table(("name", "slug"), ((name, slug(name)) for name in rows.manufacturers(devices)))


def device_types(views: Iterable[View], devices: Iterable[DeviceRow]) -> Iterator[tuple[str, str]]:
    """Name and text of the file of each type that the site has."""
    cages: dict[tuple[str, str], str] = {}
    for view in views:
        for port_map in view.topology.port_maps:
            hardware = view.intent.hardware.switches[port_map.model]
            cages[maker_and_model(hardware)] = cages_of(hardware)
    for manufacturer, model in sorted({(device.manufacturer, device.model) for device in devices}):
        name = type_slug(manufacturer, model)
        yield name, device_type(manufacturer, model, cages.get((manufacturer, model), ""))


def _roles(devices: Iterable[DeviceRow]) -> Iterator[str]:
    yield from csv_table(
        ("name", "slug", "color", "vm_role"),
        ((role, slug(role), COLOURS.get(role, OTHER_COLOUR), False) for role in rows.roles(devices)),
    )


def _platforms(devices: Iterable[DeviceRow]) -> Iterator[str]:
    names = sorted({device.platform for device in devices if device.platform})
    yield from csv_table(("name", "slug"), ((platform_title(name), name) for name in names))


def _site(source: Source) -> Iterator[str]:
    site = source.intent.site
    yield from csv_table(
        ("name", "slug", "status", "description"),
        [(site.site, slug(site.site), PLANNED, (site.description or "")[:200])],
    )


def _racks(site: str, devices: Iterable[DeviceRow]) -> Iterator[str]:
    yield from csv_table(
        ("site", "name", "status", "width", "u_height"),
        ((site, rack, PLANNED, *RACK_SIZE) for rack in rows.racks(devices)),
    )


def _devices(site: str, devices: Iterable[DeviceRow]) -> Iterator[str]:
    columns = (
        "name", "role", "manufacturer", "device_type", "platform", "serial", "status", "site", "rack",
        "position", "face", *(f"cf_fabric_{name}" for name in FIELDS),
    )  # fmt: skip
    yield from csv_table(
        columns,
        (
            (
                device.name,
                device.role,
                device.manufacturer,
                device.model,
                platform_title(device.platform),
                device.serial,
                PLANNED,
                site,
                *device.place,
                *(getattr(device, name) for name in FIELDS),
            )
            for device in devices
        ),
    )


INTERFACE_COLUMNS = ("device", "name", "type", "enabled", "mgmt_only", "speed", "mtu", "description")


def _interfaces(views: Iterable[View], devices: Iterable[DeviceRow]) -> Iterator[str]:
    yield from csv_table(INTERFACE_COLUMNS, interface_cells(views, devices))


def interface_cells(views: Iterable[View], devices: Iterable[DeviceRow]) -> Iterator[tuple[object, ...]]:
    """The rows of `INTERFACE_COLUMNS`: management ports and loopbacks first, then cabled ports."""
    views = tuple(views)
    with_loopback = {row.device for row in rows.address_rows(views) if row.kind == "loopback"}
    for device in devices:
        if device.management:
            yield device.name, device.management_port, OTHER, True, True, None, None, "management"
        if device.name in with_loopback:
            yield device.name, device.tools.loopback, "virtual", True, False, None, None, "loopback"
    for port in rows.port_rows(views):
        yield (
            port.device,
            port.port,
            port_type(port),
            port.is_enabled,
            False,
            port.speed_mbps * 1000 if port.speed_mbps else None,
            None if port.is_infiniband else port.ip_mtu_bytes,
            f"{port.peer}:{port.peer_port}",
        )


def port_type(port: PortRow) -> str:
    """The type of a port in NetBox's words."""
    if port.is_infiniband:
        return infiniband_type(port.lane_mbps)
    return ethernet_type(port.speed_mbps, port.form)


def _cables(site: str, views: Iterable[View]) -> Iterator[str]:
    interface = "dcim.interface"
    columns = (
        *(f"side_{side}_{what}" for side in "ab" for what in ("site", "device", "type", "name")),
        "type", "status", "profile", "label", "length", "length_unit",
    )  # fmt: skip
    yield from csv_table(
        columns,
        (
            (
                *(site, cable.a[0][0], interface, cable.a[0][1]),
                *(site, cable.b[0][0], interface, cable.b[0][1]),
                *(CABLE_TYPES[cable.kind], PLANNED, PROFILES[1], cable.number, cable.length_m, "m"),
            )
            for cable in rows.cable_rows(views)
            if len(cable.a) == 1
        ),
    )


def _cables_of_many_links(site: str, views: Iterable[View]) -> Iterator[str]:
    lead = "["
    for cable in rows.cable_rows(views):
        if len(cable.a) > 1:
            yield f"{lead}\n  {json.dumps(_api_cable(site, cable))}"
            lead = ","
    yield "\n]\n" if lead == "," else "[]\n"


def _api_cable(site: str, cable: CableRow) -> dict[str, object]:
    """A cable as the REST API has it, with names in the place of ids."""
    profile = PROFILES.get(len(cable.a))
    return {
        "label": cable.number,
        "type": CABLE_TYPES[cable.kind],
        "status": PLANNED,
        **({"profile": profile} if profile else {}),
        "length": cable.length_m,
        "length_unit": "m",
        "a_terminations": [_termination(site, *end) for end in cable.a],
        "b_terminations": [_termination(site, *end) for end in cable.b],
    }


def _termination(site: str, device: str, port: str) -> dict[str, str]:
    return {"object_type": "dcim.interface", "site": slug(site), "device": device, "name": port}


def vrf(site: str, network: str | None) -> str:
    """The VRF of a network; none for the management network."""
    return f"{site}-{network}" if network else ""


def _vrfs(source: Source) -> Iterator[str]:
    site = source.topology.site
    yield from csv_table(
        ("name", "enforce_unique", "description"),
        ((vrf(site, name), True, f"{name} of {site}") for name in source.names("ethernet")),
    )


def _prefixes(site: str, views: Iterable[View]) -> Iterator[str]:
    yield from csv_table(
        ("prefix", "vrf", "status", "scope_type", "scope_name", "is_pool", "description"),
        (
            (row.prefix, vrf(site, row.network), "container", "dcim.site", site, False, row.description)
            for row in rows.prefix_rows(views)
        ),
    )


ADDRESS_ROLES = {"loopback": "loopback", "gateway": "anycast"}


def _addresses(source: Source, devices: Iterable[DeviceRow]) -> Iterator[str]:
    columns = (
        "address", "vrf", "status", "role", "device", "interface", "is_primary", "dns_name", "description",
    )  # fmt: skip
    by_name = {device.name: device for device in devices}
    domain = source.intent.site.services.management.domain
    yield from csv_table(
        columns,
        (
            (
                row.address,
                vrf(source.topology.site, row.network),
                "active",
                ADDRESS_ROLES.get(row.kind),
                row.device,
                interface_of(row, by_name),
                row.kind == "management" if row.device else None,
                f"{row.device}.{domain}" if domain and row.kind == "management" else None,
                row.description,
            )
            for row in rows.address_rows(source.views)
        ),
    )


def interface_of(row: AddressRow, devices: dict[str, DeviceRow]) -> str | None:
    """The interface that has an address."""
    if row.device is None or row.port is not None:
        return row.port
    device = devices[row.device]
    return device.management_port if row.kind == "management" else device.tools.loopback


KIND = Kind("netbox", "a site for NetBox 4.6: CSV, YAML, JSON in import order", lambda _source: True, files)
