"""From a derived site to the blueprint of its lab."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from fabric.devices.addresses import IpInterface
from fabric.devices.hosts.model import Host, HostPort
from fabric.devices.model import Switch
from fabric.devices.site_devices import Devices
from fabric.lab.lower_to_lab import (
    LabProduct,
    Place,
    lab_port_names,
    lab_product,
    lab_switches,
    switches_of,
)
from fabric.lab.management_network import Block
from fabric.lab.model import LINKS_FILE, LLDP_CONF, MANAGEMENT, SYSCTL_CONF, Blueprint, Box, Cable
from fabric.platforms.base import ValueOf
from fabric.rendering.render import print_switch

LLDP_LINES = "configure lldp portidsubtype ifname\nconfigure lldp tx-interval 2\nconfigure lldp tx-hold 3\n"
"""Neighbours by the names of their ports; announced each 2 s, forgotten after 6 s (Debian: 30 s, 120 s)."""
SYSCTLS = """\
net.ipv6.conf.all.accept_dad = 0
net.ipv6.conf.default.accept_dad = 0
net.ipv4.conf.all.rp_filter = 0
net.ipv4.conf.default.rp_filter = 0
net.ipv4.conf.all.arp_ignore = 1
net.ipv4.conf.all.arp_announce = 2
"""
"""Link-local addresses at once, and rails that keep apart: a host answers ARP only on the NIC that has the address."""
FIRST_RAIL_TABLE = 101
"""Routing table of a host's first NIC port; the next ones follow."""
FOUR = 4


def blueprint(
    devices: Devices, block: Block, value_of: ValueOf, *, configured: bool = False, hosts: bool = True
) -> Blueprint:
    """The lab of a site. `configured`: with the compiled text, not with what provisioning leaves.

    `value_of` gives the value of a secret's reference. `Invalid` if a switch cannot be played.
    """
    played = [devices.hosts[name] for name in devices.hosts] if hosts else []
    played = [host for host in played if any(map(_is_routed, host.ports))]
    names = [switch.name for switch in switches_of(devices)] + [host.name for host in played]
    addresses = block.addresses(names)
    product, lowered = lab_product(), lab_switches(devices, addresses)
    nics = _nics(played, lab_port_names(devices), lowered)
    cables = tuple(sorted((*_switch_cables(lowered), *_host_cables(nics))))
    plugged = frozenset(end for cable in cables for end in cable.ends)
    boxes = [
        _switch_box(switch, product, addresses[name], plugged, value_of, configured=configured)
        for name, switch in lowered.items()
    ]
    boxes += [_host_box(host, nics, addresses[host.name]) for host in played]
    return Blueprint(boxes=tuple(boxes), cables=cables, gateway=str(block.gateway))


class Nic(msgspec.Struct, frozen=True):
    """A NIC port of a host, and where its cable goes."""

    host: str
    interface: str
    switch: str
    switch_port: str
    port: HostPort


def _nics(
    hosts: Iterable[Host], names: Mapping[Place, str], switches: Mapping[str, Switch]
) -> tuple[Nic, ...]:
    """Every NIC port, called as switches call it in their descriptions: `nic0`, or `nic0-port1`.

    NICs of several networks may have the same number: the second one is `n1-nic0`.
    """
    labels = {(name, port.name): port.peer_port for name, switch in switches.items() for port in switch.ports}
    nics = []
    for host in hosts:
        taken: set[str] = set()
        for port in filter(_is_routed, host.ports):
            switch_port = names[port.peer, port.peer_port]
            label = labels[port.peer, switch_port]
            interface = label if label not in taken else f"n{len(taken)}-{label}"
            taken.add(interface)
            nics.append(Nic(host.name, interface, port.peer, switch_port, port))
    return tuple(nics)


def _is_routed(port: HostPort) -> bool:
    """Ethernet, and no leg of a bond over two leaves: those need a protocol between the leaves."""
    return port.subnet is None and not port.bonded


def _switch_box(
    switch: Switch,
    product: LabProduct,
    address: IpInterface,
    plugged: frozenset[Place],
    value_of: ValueOf,
    *,
    configured: bool,
) -> Box:
    """A switch in which only those ports exist that have a cable."""
    text = product.platform.fill(print_switch(switch, product.platform).text, value_of)
    ports = tuple(port for port in switch.ports if (switch.name, port.name) in plugged)
    cabled = msgspec.structs.replace(switch, ports=ports)
    lines = (*_management_lines(address), *product.box.links(cabled, configured))
    files = {**product.box.files(switch, text, configured), **_common_files(lines)}
    box = product.box
    return Box(
        name=switch.name,
        kind="switch",
        address=str(address),
        files=files,
        folders=dict(box.folders),
        start=box.start,
    )


def _management_lines(address: IpInterface) -> tuple[str, ...]:
    return ("link set lo up", f"addr add {address} dev {MANAGEMENT}", f"link set {MANAGEMENT} up")


def _common_files(lines: tuple[str, ...]) -> dict[str, str]:
    return {SYSCTL_CONF: SYSCTLS, LINKS_FILE: "\n".join((*lines, "")), LLDP_CONF: LLDP_LINES}


def _host_box(host: Host, nics: Iterable[Nic], address: IpInterface) -> Box:
    """A routing table for each NIC port, chosen by the source address; the first one is the host's default too."""
    lines = list(_management_lines(address))
    own = [nic for nic in nics if nic.host == host.name]
    for table, nic in enumerate(own, start=FIRST_RAIL_TABLE):
        lines += _rail_lines(nic, table)
    return Box(name=host.name, kind="host", address=str(address), files=_common_files(tuple(lines)))


def _rail_lines(nic: Nic, table: int) -> Iterator[str]:
    yield f"link set {nic.interface} up mtu {nic.port.ip_mtu_bytes}"
    for own, gateway in zip(nic.port.addresses, nic.port.gateways, strict=False):
        family = "" if own.version == FOUR else "-6 "
        yield f"{family}addr add {own} dev {nic.interface}"
        yield f"{family}rule add from {own.ip} lookup {table}"
        yield f"{family}route add {own.network} dev {nic.interface} table {table}"
        yield f"{family}route add default via {gateway} dev {nic.interface} table {table}"
        yield f"{family}route add default via {gateway} dev {nic.interface} metric {table}"


def _switch_cables(switches: Mapping[str, Switch]) -> Iterator[Cable]:
    for name, switch in switches.items():
        for port in switch.ports:
            if port.peer in switches and (name, port.name) < (port.peer, port.peer_port):
                yield Cable(name, port.name, port.peer, port.peer_port)


def _host_cables(nics: Iterable[Nic]) -> Iterator[Cable]:
    return (Cable(nic.switch, nic.switch_port, nic.host, nic.interface) for nic in nics)
