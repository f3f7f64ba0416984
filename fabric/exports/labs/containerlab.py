"""A topology for containerlab, with the configurations that its kinds read.

Format: srl-labs/containerlab, `docs/manual/topo-def-file.md` and `docs/manual/kinds/`, 2026-08; links are of the
extended form, which has a mapping for each end. Configurations have placeholders where secrets stand.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cached_property, partial
from itertools import count
from typing import Any

from fabric.diagnostics import Origin
from fabric.exports import codes, rows
from fabric.exports.network_view import View
from fabric.exports.printing import MADE, json_text, yaml_entries, yaml_text
from fabric.exports.rows import DeviceRow
from fabric.exports.source import Kind, Lines, Source
from fabric.hardware import PortSlot
from fabric.platforms import registry
from fabric.platforms.other_tools import LabKind, numbered

HOST_KIND, HOST_IMAGE = "linux", "ghcr.io/srl-labs/network-multitool"
LATEST = "latest"
NO_SLOT = PortSlot(
    slot=0, cage=0, sub_port=0, sub_ports=1, first_lane=0, lanes=1, cage_lanes=1, speed_mbps=0
)  # of hosts: their ports are numbered
README = """\
# containerlab: {site}

    containerlab deploy -t {site}.clab.yml

Get the images first and correct their tags: most vendors ask for an account. Interfaces of hosts are `eth1`, `eth2` and
so on, in the order of their ports. Secrets are placeholders, `<secret:env:NAME>`: replace them before you deploy.

{cautions}"""


def _files(source: Source) -> Iterator[tuple[str, Lines]]:
    site, lab = source.topology.site, Lab(source)
    lab.check()
    yield "README.md", partial(iter, (README.format(site=site, cautions=lab.cautions()),))
    yield f"{site}.clab.yml", lab.lines
    for device, kind in lab.switches():
        if kind.startup is not None:
            yield lab.startup_path(device, kind), partial(_text, source, device, kind.startup)
        for bind in kind.binds:
            yield f"configs/{device.name}/{bind.part}", partial(_text, source, device, bind.part)
        if kind.names_file:
            yield f"interfaces/{device.name}.json", partial(lab.names_file, device)


def _text(source: Source, device: DeviceRow, part: str) -> Iterator[str]:
    yield source.part(device.name, device.platform or "", part)


class Lab:
    """The nodes of a lab, and what their interfaces are called."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.views = tuple(view for view in source.views if view.context)
        self.devices = {device.name: device for device in rows.device_rows(self.views)}
        self.interfaces: dict[str, dict[str, str]] = {name: {} for name in self.devices}
        """The lab's name of each port, by device."""
        places: dict[str, Iterator[int]] = {name: count(1) for name in self.devices}
        for view in self.views:
            for node, name in enumerate(view.topology.names):
                for port in _cabled(view, node):
                    self._name(view, node, port, next(places[name]))

    def _name(self, view: View, node: int, port: int, place: int) -> None:
        name, label = view.topology.names[node], view.port(port, node)
        kind, slot = self.kind(self.devices[name]), view.slot(port, node)
        call = kind.interface if kind and slot else numbered
        self.interfaces[name][label] = call(label, slot or NO_SLOT, place)

    def kind(self, device: DeviceRow) -> LabKind | None:
        """How a switch is run; None of hosts, and of products without an image."""
        return device.tools.lab if device.is_switch else None

    def switches(self) -> Iterator[tuple[DeviceRow, LabKind]]:
        """Switches that run their own software."""
        for device in self.devices.values():
            kind = self.kind(device)
            if kind is not None:
                yield device, kind

    def check(self) -> None:
        """Warn of switches that the lab does not have as they are."""
        for device in self.devices.values():
            kind, ports = self.kind(device), len(self.interfaces[device.name])
            if device.is_switch and kind is None:
                self._warn(device, "containerlab has no image of it: a Linux container stands there")
            elif kind and kind.most_ports and ports > kind.most_ports:
                message = f"{ports} ports are cabled, the image has {kind.most_ports}"
                self._warn(device, message)

    def _warn(self, device: DeviceRow, message: str) -> None:
        at = Origin(("networks", device.network, "tiers", device.role))
        rule = f"{registry.platform(device.platform or '').title}: {message}"
        self.source.report.add(codes.NO_LAB.at(at, rule, value=device.platform, hint=codes.NO_LAB.fix))

    def cautions(self) -> str:
        """What images do not do."""
        known = {device.platform: kind.caution for device, kind in self.switches() if kind.caution}
        return "".join(
            f"- {registry.platform(name or '').title}: {caution}.\n"
            for name, caution in sorted(known.items())
        )

    def startup_path(self, device: DeviceRow, kind: LabKind) -> str:
        """Where the configuration of a switch stands, below the topology file."""
        product = registry.platform(device.platform or "")
        paths = {part.name: part.path for part in product.parts}
        return paths.get(kind.startup or "", product.path).format(name=device.name)

    def names_file(self, device: DeviceRow) -> Iterator[str]:
        """The names of a switch's interfaces, as Arista's containers read them."""
        own = {interface: port for port, interface in self.interfaces[device.name].items()}
        yield json_text({"ManagementIntf": {"eth0": device.management_port}, "EthernetIntf": own})

    def lines(self) -> Iterator[str]:
        """The topology file."""
        yield f"{MADE}---\n"
        yield yaml_text({"name": self.source.topology.site.replace("-", "_")})
        yield "topology:\n  kinds:\n"
        yield from yaml_entries(sorted(self._kinds().items()), 4)
        yield "  nodes:\n"
        for device in self.devices.values():
            yield from yaml_entries([(device.name, self._node(device))], 4)
        yield "  links:\n"
        yield from self._links()

    def _kinds(self) -> dict[str, dict[str, str]]:
        releases = self._releases
        kinds = {HOST_KIND: {"image": f"{HOST_IMAGE}:{LATEST}"}}
        for device, kind in self.switches():
            tag = releases.get(device.platform or "") or LATEST
            if kind.kind != HOST_KIND:
                kinds[kind.kind] = {"image": f"{kind.image}:{tag}"}
        return kinds

    @cached_property
    def _releases(self) -> dict[str, str | None]:
        """The release of each product that the intent names first."""
        found: dict[str, str | None] = {}
        for view in self.views:
            for kind in view.context.kinds if view.context else ():
                found.setdefault(kind.platform, kind.release)
        return found

    def _node(self, device: DeviceRow) -> dict[str, Any]:
        kind = self.kind(device)
        labels = {"fabric-role": device.role, "fabric-network": device.network}
        node: dict[str, Any] = {"kind": kind.kind if kind else HOST_KIND}
        if kind is None:
            return {**node, "labels": labels}
        if kind.kind == HOST_KIND:
            tag = self._releases.get(device.platform or "") or LATEST
            node["image"] = f"{kind.image}:{tag}"
        if kind.startup is not None:
            node["startup-config"] = self.startup_path(device, kind)
            node["enforce-startup-config"] = True
        binds = [f"configs/{device.name}/{bind.part}:{bind.path}:ro" for bind in kind.binds]
        if kind.names_file:
            binds.append(f"interfaces/{device.name}.json:{kind.names_file}:ro")
        return {**node, **({"binds": binds} if binds else {}), "labels": labels}

    def _links(self) -> Iterator[str]:
        addresses = {
            (row.device, row.port): row.address
            for row in rows.address_rows(self.views)
            if row.kind == "link" and ":" not in row.address
        }
        for cable in rows.cable_rows(self.views):
            for ends in zip(cable.a, cable.b, strict=True):
                yield "    - type: veth\n      endpoints:\n"
                for end in ends:
                    yield f"        - {json.dumps(self._endpoint(end, addresses.get(end)))}\n"

    def _endpoint(self, end: tuple[str, str], address: str | None) -> dict[str, str]:
        """A host has no configuration: its address is set with the link."""
        own = {"node": end[0], "interface": self.interfaces[end[0]][end[1]]}
        return own if self.devices[end[0]].is_switch or address is None else {**own, "ipv4": address}


def _cabled(view: View, node: int) -> Iterator[int]:
    topology = view.topology
    for port in range(topology.port_base[node], topology.port_base[node + 1]):
        if topology.peer[port] >= 0:
            yield port


KIND = Kind(
    "containerlab",
    "a topology for containerlab, with configurations",
    lambda source: source.is_printable,
    _files,
)
