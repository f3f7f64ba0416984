"""Device types as the community's device-type library writes them: a YAML file a model, for NetBox and Nautobot.

Format: netbox-community/devicetype-library, `schema/devicetype.json` and `schema/components.json`; types of interfaces:
netbox 4.6, `dcim/choices.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from fabric.exports.network_view import front_panel
from fabric.exports.printing import slug, yaml_text
from fabric.exports.rows.devices import UNNAMED_MAKER
from fabric.exports.source import Kind, Lines, Source
from fabric.hardware import CageGroup, PortSlot, SwitchModel, cage_numbers
from fabric.platforms import registry
from fabric.units import Speed

HEIGHT_UNKNOWN = (
    "The height in rack units is not in the catalogue: 1 is written, correct it before you mount devices."
)
LONGEST_TEXT = 200
"""Characters of a description."""
ETHERNET_TYPES: tuple[tuple[str, dict[int, str]], ...] = (
    (
        "QSFP-DD",
        {speed: f"{speed}gbase-x-qsfpdd" for speed in (100, 200, 400, 800)} | {1600: "1.6tbase-x-qsfpdd1600"},
    ),
    (
        "OSFP",
        {400: "400gbase-x-osfp", 800: "800gbase-x-osfp", 1600: "1.6tbase-x-osfp1600"},
    ),
    ("QSFP112", {400: "400gbase-x-qsfp112"}),
    ("QSFP56", {200: "200gbase-x-qsfp56"}),
    ("QSFP28", {100: "100gbase-x-qsfp28"}),
    ("SFP56", {50: "50gbase-x-sfp56"}),
    ("SFP28", {25: "25gbase-x-sfp28"}),
    ("SFP+", {10: "10gbase-x-sfpp"}),
)
"""By the beginning of the form, and Gb/s."""
INFINIBAND_TYPES = {25: "infiniband-edr", 50: "infiniband-hdr", 100: "infiniband-ndr", 200: "infiniband-xdr"}
"""By Gb/s of a lane, whose rate is what the generations are."""
OTHER = "other"
"""NetBox's type for what it does not list, such as 200G out of an OSFP cage; the speed has a column of its own."""


def infiniband_type(lane_mbps: int | None) -> str:
    """The type of an InfiniBand port in NetBox's words."""
    return INFINIBAND_TYPES.get((lane_mbps or 0) // 1000, OTHER)


def ethernet_type(speed_mbps: int | None, form: str) -> str:
    """The type of an Ethernet port in NetBox's words."""
    gigabits = (speed_mbps or 0) // 1000
    types = next((types for begin, types in ETHERNET_TYPES if form.startswith(begin)), {})
    return types.get(gigabits, OTHER)


def device_type(manufacturer: str, model: str, description: str = "", **parts: Any) -> str:
    """The file of one type."""
    return "---\n" + yaml_text(
        {
            "manufacturer": manufacturer,
            "model": model,
            "slug": type_slug(manufacturer, model),
            "u_height": 1,
            "is_full_depth": True,
            **({"description": description[:LONGEST_TEXT]} if description else {}),
            "comments": HEIGHT_UNKNOWN,
            **parts,
        }
    )


def type_slug(manufacturer: str, model: str) -> str:
    """The slug of a type: with the manufacturer, as in the library."""
    return slug(manufacturer, model)


def cages_of(hardware: SwitchModel) -> str:
    """`64 x OSFP 800G, 2 x SFP+ 10G`."""
    return ", ".join(
        f"{len(cage_numbers(group.cages))} x {group.form} {Speed(group.max_mbps)}" for group in hardware.cages
    )


def maker_and_model(hardware: SwitchModel) -> tuple[str, str]:
    """Manufacturer and model of a switch."""
    maker = hardware.vendor if hardware.vendor != "generic" else UNNAMED_MAKER
    return maker, hardware.model.removeprefix(f"{maker} ")


def _catalogue(source: Source) -> Iterator[tuple[str, Lines]]:
    for _, hardware in sorted(source.intent.hardware.switches.items()):
        manufacturer, model = maker_and_model(hardware)
        yield (
            f"{manufacturer}/{type_slug(manufacturer, model)}.yaml",
            partial(_whole_type, manufacturer, model, hardware),
        )


def _whole_type(manufacturer: str, model: str, hardware: SwitchModel) -> Iterator[str]:
    yield device_type(manufacturer, model, cages_of(hardware), interfaces=list(_interfaces(hardware)))


def _interfaces(hardware: SwitchModel) -> Iterator[dict[str, Any]]:
    known = registry.names()
    software = next((entry.name for entry in hardware.software if entry.name in known), None)
    product = registry.platform(software) if software else None
    ethernet = hardware.technology == "ethernet"
    port = product.management_port(hardware) if product and ethernet else "mgmt0"
    yield {"name": port, "type": OTHER, "mgmt_only": True}
    for group in hardware.cages:
        for place, cage in cage_numbers(group.cages):
            slot = _whole_cage(group, place, cage)
            name = product.port_name(slot, hardware) if product and ethernet else front_panel(slot)
            kind = ethernet_type(group.max_mbps, group.form) if ethernet else infiniband_type(group.lane_mbps)
            yield {"name": name, "type": kind}


def _whole_cage(group: CageGroup, slot: int, cage: int) -> PortSlot:
    return PortSlot(
        slot=slot,
        cage=cage,
        sub_port=0,
        sub_ports=1,
        first_lane=0,
        lanes=group.lanes,
        cage_lanes=group.lanes,
        speed_mbps=group.max_mbps,
    )


KIND = Kind(
    "device-types",
    "every switch of the catalogue as a file of the device-type library",
    lambda _source: True,
    _catalogue,
)
