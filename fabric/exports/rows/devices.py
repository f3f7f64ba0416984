"""Switches, hosts and attachments of a site as rows: each once, in whatever networks it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from fabric.exports.network_view import View
from fabric.intent.inventory import DeviceFacts
from fabric.platforms import registry
from fabric.platforms.other_tools import UNNAMED, OtherTools
from fabric.topology.roles import NONE, Role

UNNAMED_MAKER = "Generic"
"""Manufacturer of what the catalogue does not know."""
HOST_MAKERS = ("AMD", "NVIDIA")
"""Words of the catalogue's names of host models that are manufacturers."""


class DeviceRow(msgspec.Struct, frozen=True, kw_only=True):
    """One device. What does not apply is None."""

    name: str
    role: str
    """`leaf`, `spine`, `superspine`, `host`, or the kind of an attachment."""
    is_switch: bool
    network: str
    """The first one that it is in."""
    manufacturer: str
    model: str
    """As the catalogue prints it."""
    platform: str | None = None
    """The software of a switch, by the name of our platform."""
    serial: str | None = None
    rack: str | None = None
    rack_unit: int | None = None
    management: str | None = None
    """Management address with its prefix length."""
    management_port: str = "mgmt0"
    group: str | None = None
    """Of a host: its group in the intent."""
    unit: int | None = None
    rail: int | None = None
    plane: int | None = None
    pod: int | None = None
    asn: int | None = None

    @property
    def management_host(self) -> str | None:
        """The management address alone."""
        return self.management.partition("/")[0] if self.management else None

    @property
    def tools(self) -> OtherTools:
        """What other tools call its software."""
        return registry.platform(self.platform).other_tools if self.platform else UNNAMED

    @property
    def place(self) -> tuple[str | None, int | None, str | None]:
        """Rack, position and face, as far as the inventory has them."""
        position = self.rack_unit if self.rack else None
        return self.rack, position, "front" if position else None


def manufacturers(devices: Iterable[DeviceRow]) -> tuple[str, ...]:
    """Every manufacturer of the site."""
    return tuple(sorted({device.manufacturer for device in devices}))


def roles(devices: Iterable[DeviceRow]) -> tuple[str, ...]:
    """Every role of the site."""
    return tuple(sorted({device.role for device in devices}))


def racks(devices: Iterable[DeviceRow]) -> tuple[str, ...]:
    """Every rack of the site."""
    return tuple(sorted({device.rack for device in devices if device.rack}))


def device_rows(views: Iterable[View]) -> Iterator[DeviceRow]:
    """Every device once, by network and in the order of its nodes."""
    seen: set[str] = set()
    for view in views:
        for node, name in enumerate(view.topology.names):
            if name not in seen:
                seen.add(name)
                yield _device(view, node)


def _device(view: View, node: int) -> DeviceRow:
    topology, facts = view.topology, view.facts(node)
    role = Role(topology.role[node])
    manufacturer, model = _model(view, node)
    platform = view.platform(node)
    return DeviceRow(
        name=topology.names[node],
        role=role_name(view, node),
        is_switch=role.is_switch,
        network=topology.name,
        manufacturer=manufacturer,
        model=model,
        platform=platform,
        serial=facts.serial if facts else None,
        rack=(facts.rack or None) if facts else None,
        rack_unit=facts.position if facts else None,
        management=str(facts.address) if isinstance(facts, DeviceFacts) and facts.address else None,
        management_port=_management_port(view, node, platform),
        group=topology.host_group.get(node),
        unit=_number(topology.unit[node]),
        rail=_number(topology.rail[node]) if role is Role.LEAF else None,
        plane=_number(topology.plane[node]),
        pod=_number(topology.pod[node]),
        asn=_asn(view, node) if role.is_switch else None,
    )


def role_name(view: View, node: int) -> str:
    """`leaf`, `spine`, `superspine`, `host`, or the kind of an attachment."""
    role = Role(view.topology.role[node])
    if role is Role.ATTACHMENT:
        return str(view.intent.site.attachments[view.topology.names[node]].kind)
    return role.name.lower()


def _number(value: int) -> int | None:
    return None if value == NONE else value


def _asn(view: View, node: int) -> int | None:
    number = view.context.asn_of(node) if view.context else view.topology.asn[node]
    return number or None


def _management_port(view: View, node: int, platform: str | None) -> str:
    model = view.model(node)
    if platform is None or model is None:
        return "mgmt0"
    return registry.platform(platform).management_port(view.intent.hardware.switches[model])


def _model(view: View, node: int) -> tuple[str, str]:
    """Manufacturer and model."""
    hardware, switch = view.intent.hardware, view.model(node)
    if switch is not None:
        known = hardware.switches[switch]
        maker = known.vendor if known.vendor != "generic" else UNNAMED_MAKER
        return maker, known.model.removeprefix(f"{maker} ")
    group = view.topology.host_group.get(node)
    if group is None:
        return UNNAMED_MAKER, role_name(view, node)
    wanted = view.intent.site.hosts[group].model
    if wanted is None:
        return UNNAMED_MAKER, group
    model = hardware.hosts[wanted].model
    maker = next((word for word in HOST_MAKERS if word in model.split()), UNNAMED_MAKER)
    return maker, model.removeprefix(f"{maker} ")
