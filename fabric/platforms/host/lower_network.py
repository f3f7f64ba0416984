"""Interfaces, addresses, and a routing table for each rail: what comes from rail i leaves through rail i.

A host has an address in every rail. Without rules by source the main table sends all of them through one NIC
(AMD Instinct documentation, system acceptance: a table and a rule for each NIC).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from fabric.devices.model import Host, HostPort
from fabric.diagnostics import Report
from fabric.platforms.host import codes
from fabric.platforms.host.model import LinkConfig, RailConfig, RouteConfig
from fabric.platforms.host.settings import HostSettings, NicPort

Seats = tuple[tuple[HostPort, NicPort], ...]


def seats(host: Host, settings: HostSettings, report: Report) -> Seats:
    """Every port of the host with its names; a finding for each that has none, or one that is taken."""
    names = {(nic.network, nic.nic, nic.port): nic for nic in settings.nics}
    found: list[tuple[HostPort, NicPort]] = []
    taken: set[str] = set()
    for port in host.ports:
        nic = names.get((port.network, port.nic, port.port))
        what = f"nic{port.nic} port {port.port} of network {port.network}"
        if nic is None or nic.interface in taken:
            rule = f"{what} has no name" if nic is None else f"{what}: {nic.interface} is another NIC's name"
            hint = "name interface and RDMA device of each NIC port, each name once"
            report.add(
                codes.IDENTITY.at(host.origin.child(port.network, port.nic, port.port), rule, hint=hint)
            )
        else:
            taken.add(nic.interface)
            found.append((port, nic))
    return tuple(found)


def lower_rails(host: Host, found: Seats, settings: HostSettings, report: Report) -> tuple[RailConfig, ...]:
    """Interfaces with addresses, in the order of the ports."""
    if settings.network_files == "none":
        return ()
    rails: list[RailConfig] = []
    bonds = 0
    for members in _interfaces(found, settings):
        port, nic = members[0]
        bonded = port.network in settings.bonded
        routes = tuple(_routes(port))
        if not routes:
            rule = f"nic{port.nic} of network {port.network} has no address with a gateway"
            hint = "give the network addresses for host links, or declare `network_files: none`"
            report.add(codes.ADDRESS.at(host.origin.child(port.network, port.nic), rule, hint=hint))
        rails.append(
            RailConfig(
                interface=f"bond{bonds}" if bonded else nic.interface,
                members=tuple(other.interface for _, other in members) if bonded else (),
                mac=None if bonded else nic.mac,
                ip_mtu_bytes=port.ip_mtu_bytes,
                table=settings.first_table + len(rails),
                rule=settings.first_rule + len(rails),
                routes=routes,
            )
        )
        bonds += bonded
    return tuple(rails)


def _interfaces(found: Seats, settings: HostSettings) -> Iterator[Seats]:
    """The ports of a bond together, every other port alone."""

    def key(seat: tuple[HostPort, NicPort]) -> tuple[str, int, int]:
        port = seat[0]
        return port.network, port.nic, -1 if port.network in settings.bonded else port.port

    for _, members in groupby(found, key):
        yield tuple(members)


def _routes(port: HostPort) -> Iterator[RouteConfig]:
    gateways = {gateway.version: gateway for gateway in port.gateways}
    for address in port.addresses:
        if address.version in gateways:
            yield RouteConfig(
                address=str(address),
                source=f"{address.ip}/{32 if address.version == 4 else 128}",
                subnet=str(address.network),
                everywhere="0.0.0.0/0" if address.version == 4 else "::/0",
                gateway=str(gateways[address.version]),
            )


def lower_links(found: Seats, rails: tuple[RailConfig, ...]) -> tuple[LinkConfig, ...]:
    """The physical interfaces, with the bond that they belong to."""
    bond_of = {member: rail.interface for rail in rails for member in rail.members}
    return tuple(
        LinkConfig(nic.interface, nic.mac, port.ip_mtu_bytes, bond_of.get(nic.interface))
        for port, nic in found
    )
