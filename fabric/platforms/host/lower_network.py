"""Interfaces, addresses, and a routing table for each rail: what comes from rail i leaves through rail i.

A host has an address in every rail. Without rules by source the main table sends all of them through one NIC
(AMD Instinct documentation, system acceptance: a table and a rule for each NIC).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from fabric.devices.hosts.model import Host, HostPort
from fabric.diagnostics import Origin, Report
from fabric.intent.model import HostSystem
from fabric.platforms.host import codes
from fabric.platforms.host.model import LinkConfig, RailConfig, RouteConfig
from fabric.platforms.host.seats import Seat

LINUX_TABLES = frozenset({253, 254, 255})
"""Default, main and local (iproute2, rt_tables)."""


def lower_rails(
    host: Host, seats: tuple[Seat, ...], system: HostSystem, report: Report
) -> tuple[RailConfig, ...]:
    """Interfaces with addresses, in the order of the ports."""
    if system.network_files == "none":
        return ()
    rails: list[RailConfig] = []
    bonds = 0
    for members in _interfaces(seats):
        port, nic = members[0].port, members[0].facts
        rails.append(
            RailConfig(
                interface=f"bond{bonds}" if port.bonded else nic.interface,
                members=tuple(seat.facts.interface for seat in members) if port.bonded else (),
                mac=None if port.bonded else nic.mac,
                ip_mtu_bytes=port.ip_mtu_bytes,
                table=system.first_table + len(rails),
                rule=system.first_rule + len(rails),
                routes=tuple(_routes(port)),
            )
        )
        bonds += port.bonded
    _check_bonds(host, seats, rails, report)
    _check_tables(host, rails, report)
    return tuple(rails)


def _origin(host: Host, port: HostPort) -> Origin:
    return host.origin.child("system", "nics", port.network)


def _check_bonds(host: Host, seats: tuple[Seat, ...], rails: list[RailConfig], report: Report) -> None:
    bonds = {rail.interface for rail in rails if rail.members}
    for seat in seats:
        if seat.facts.interface in bonds:
            rule = f"{seat.facts.interface} is the name of a bond and of a port"
            place = _origin(host, seat.port).child("interface")
            report.add(codes.TAKEN.at(place, rule, hint="call the ports otherwise than bond0, bond1, ..."))


def _check_tables(host: Host, rails: list[RailConfig], report: Report) -> None:
    taken = [rail.table for rail in rails if rail.table in LINUX_TABLES]
    if taken:
        rule = f"routing table {taken[0]} is one of Linux's own: 253 (default), 254 (main), 255 (local)"
        hint = f"write `first_table` so that {len(rails)} tables lie below 253, or from 256 on"
        place = host.origin.child("system", "first_table")
        report.add(codes.TAKEN.at(place, rule, value=host.system and host.system.first_table, hint=hint))


def _interfaces(seats: tuple[Seat, ...]) -> Iterator[tuple[Seat, ...]]:
    """The ports of a bond together, every other port alone."""

    def key(seat: Seat) -> tuple[str, int, int]:
        return seat.port.network, seat.port.nic, -1 if seat.port.bonded else seat.port.port

    for _, members in groupby(seats, key):
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


def lower_links(seats: tuple[Seat, ...], rails: tuple[RailConfig, ...]) -> tuple[LinkConfig, ...]:
    """The physical interfaces, with the bond that they belong to."""
    bond_of = {member: rail.interface for rail in rails for member in rail.members}
    return tuple(
        LinkConfig(
            interface=seat.facts.interface,
            mac=seat.facts.mac,
            path=f"pci-{seat.facts.pci.busid}" if seat.facts.pci and not seat.facts.mac else None,
            ip_mtu_bytes=seat.port.ip_mtu_bytes,
            bond=bond_of.get(seat.facts.interface),
        )
        for seat in seats
    )
