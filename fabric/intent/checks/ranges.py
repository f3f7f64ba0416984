"""Values that every product takes and no network stands: timers, AS numbers, addresses, lengths of cables.

One layer for all of them; what a single product takes less of is its platform's to refuse.
"""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Interface, IPv4Network, IPv6Interface
from typing import NamedTuple

from fabric.diagnostics import Origin, Report
from fabric.documents.words import Address, Interface, Prefix
from fabric.intent import codes
from fabric.intent.as_numbers import as_number_fault
from fabric.intent.model.site import Intent
from fabric.intent.model.tiers import Network
from fabric.units import Duration, Length

SECOND_MS = 1000
LONGEST_M = {
    "dac": (7, "passive copper carries 7 m at most (802.3by; 3 m at 100G a lane, 802.3ck)"),
    "acc": (7, "active copper is made for up to 7 m"),
    "aec": (10, "active electrical cables are made for up to 10 m"),
    "aoc": (300, "active optical cables are made for up to 300 m"),
    "mmf": (550, "multi-mode fibre carries 550 m at most (802.3)"),
}
"""By kind of cable: the longest in metres, and why. `auto` and `smf` have no such bound."""


class Timer(NamedTuple):
    """The bounds of a time, in milliseconds."""

    low_ms: int
    high_ms: int
    step_ms: int
    why: str


KEEPALIVE = Timer(SECOND_MS, 21_845 * SECOND_MS, SECOND_MS, "a third of the hold time (RFC 4271, section 10)")
HOLD = Timer(
    3 * SECOND_MS, 65_535 * SECOND_MS, SECOND_MS, "two octets of seconds, none below 3 (RFC 4271, 4.2)"
)
BFD_INTERVAL = Timer(50, 60_000, 1, "below 50 ms no product keeps up, above a minute it detects nothing")


def check_ranges(intent: Intent, report: Report) -> None:
    """Every value that would break a device or a session, wherever it stands."""
    for name, network in intent.site.networks.items():
        origin = Origin(("networks", name))
        _check_timers(network, origin.child("routing"), report)
        _check_cables(network, origin.child("cables"), report)
    for origin, number in _as_numbers(intent):
        if (rule := as_number_fault(number)) is not None:
            hint = "choose a private one: 64512 to 65534, or 4200000000 to 4294967294"
            report.add(codes.RANGE.at(origin, rule, value=number, hint=hint))
    for origin, address in _addresses(intent):
        _check_address(origin, address, report)
    for origin, interface in _interfaces(intent):
        _check_interface(origin, interface, report)
    for origin, pool in _pools(intent):
        _check_pool(origin, pool, report)
    _check_gateway(intent, report)


def _check_timers(network: Network, origin: Origin, report: Report) -> None:
    if network.technology != "ethernet":
        return
    bgp, bfd = network.routing.bgp, network.routing.bfd
    _check_timer(origin.child("bgp", "keepalive"), bgp.keepalive_ms, KEEPALIVE, report)
    _check_timer(origin.child("bgp", "hold"), bgp.hold_ms, HOLD, report)
    if bfd != "none":
        _check_timer(origin.child("bfd", "interval"), bfd.interval_ms, BFD_INTERVAL, report)


def _check_timer(origin: Origin, value: Duration, timer: Timer, report: Report) -> None:
    low, high = Duration(timer.low_ms), Duration(timer.high_ms)
    if not low <= value <= high:
        nearest = min((low, high), key=lambda bound: abs(bound - value))
        rule = f"{value} is out of range, {low} to {high}: {timer.why}"
        report.add(codes.RANGE.at(origin, rule, value=str(value), hint=f"write {nearest}"))
    elif value % timer.step_ms:
        whole = Duration(-(-value // timer.step_ms) * timer.step_ms)
        rule = f"{value} is not a whole number of seconds, and products count in seconds"
        report.add(codes.RANGE.at(origin, rule, value=str(value), hint=f"write {whole}"))


def _check_cables(network: Network, origin: Origin, report: Report) -> None:
    for pair in network.cables.__struct_fields__:
        cable = getattr(network.cables, pair)
        longest, why = LONGEST_M.get(cable.kind, (None, ""))
        if longest is not None and cable.length_m > longest:
            rule = f"{cable.length_m} of {cable.kind}: {why}"
            hint = f"write `length: {Length(longest)}` or less, or `kind: smf`"
            place = origin.child(pair, "length")
            report.add(codes.RANGE.at(place, rule, value=str(cable.length_m), hint=hint))


def _as_numbers(intent: Intent) -> Iterator[tuple[Origin, int]]:
    for name, network in intent.site.networks.items():
        for role in ("leaf", "spine", "superspine"):
            number = getattr(network.addressing.asn, role)
            if number is not None:
                yield Origin(("networks", name, "addressing", "asn", role)), number
    for index, override in enumerate(intent.site.overrides):
        if override.asn is not None:
            yield Origin(("overrides", index, "asn")), override.asn
    for name, attachment in intent.site.attachments.items():
        if attachment.bgp is not None:
            yield Origin(("attachments", name, "bgp", "asn")), attachment.bgp.asn


def _addresses(intent: Intent) -> Iterator[tuple[Origin, Address]]:
    """Addresses of other hosts that devices talk to."""
    services, origin = intent.site.services, Origin(("services",))
    lists: list[tuple[tuple[str, str], tuple[Address, ...]]] = [
        (("management", "dns"), services.management.dns),
        (("ntp", "servers"), services.ntp.servers),
        (("syslog", "servers"), services.syslog.servers),
        (("snmp", "trap_servers"), services.snmp.trap_servers if services.snmp else ()),
        (("tacacs", "servers"), services.tacacs.servers if services.tacacs else ()),
    ]
    if services.management.gateway is not None:
        yield origin.child("management", "gateway"), services.management.gateway
    for path, addresses in lists:
        yield from ((origin.child(*path, i), address) for i, address in enumerate(addresses))
    for name, network in intent.site.networks.items():
        place = Origin(("networks", name, "addressing", "host_links", "dhcp_servers"))
        servers = network.addressing.host_links.dhcp_servers
        yield from ((place.child(i), server) for i, server in enumerate(servers))


def _interfaces(intent: Intent) -> Iterator[tuple[Origin, Interface]]:
    """Addresses that a port is given."""
    for name, device in intent.inventory.devices.items():
        is_forwarded = (
            device.port is not None and device.address is not None and device.address.ip.is_loopback
        )
        if device.address is not None and not is_forwarded:  # a lab is reached through ports of this machine
            yield Origin(("devices", name, "address"), "inventory"), device.address
    for name, attachment in intent.site.attachments.items():
        for index, link in enumerate(attachment.addresses):
            for key in ("ours", "theirs", "ours6", "theirs6"):
                value = getattr(link, key, None)
                if value is not None:
                    yield Origin(("attachments", name, "addresses", index, key)), value


def _pools(intent: Intent) -> Iterator[tuple[Origin, Prefix]]:
    for name, network in intent.site.networks.items():
        addressing = network.addressing
        for key in addressing.__struct_fields__:
            value = getattr(addressing, key)
            if key.partition("_")[2].startswith("pool") and value is not None:
                yield Origin(("networks", name, "addressing", key)), value


def _kind(address: Address) -> str | None:
    """What an address is that no host can have; None for the rest."""
    kinds = (
        (address.is_multicast, "a multicast address"),
        (address.is_loopback, "a loopback address"),
        (address.is_unspecified, "the unspecified address"),
        (address.version == 4 and int(address) >> 28 == 15, "reserved (RFC 1112)"),
        (address.version == 4 and int(address) >> 24 == 0, "in 0.0.0.0/8, which means this network"),
    )
    return next((kind for holds, kind in kinds if holds), None)


def _check_address(origin: Origin, address: Address, report: Report) -> None:
    kind = _kind(address)
    if kind is not None:
        hint = "write the address of the host that is meant"
        report.add(codes.RANGE.at(origin, f"{address} is {kind}", value=str(address), hint=hint))


def _check_interface(origin: Origin, interface: Interface, report: Report) -> None:
    kind = _kind(interface.ip) or _edge(interface)
    if kind is not None:
        hint = f"write an address of a host{_first_host(interface)}"
        report.add(codes.RANGE.at(origin, f"{interface} is {kind}", value=str(interface), hint=hint))


def _edge(interface: Interface) -> str | None:
    """Whether the address stands for a whole subnet."""
    network = interface.network
    if network.prefixlen >= network.max_prefixlen - 1:
        return None
    if interface.ip == network.network_address:
        return f"the address of the subnet {network} itself"
    is_broadcast = isinstance(interface, IPv4Interface) and interface.ip == network.broadcast_address
    return f"the broadcast address of {network}" if is_broadcast else None


def _first_host(interface: Interface) -> str:
    network = interface.network
    if _kind(network.network_address) is not None and _kind(network.network_address + 1) is not None:
        return ""
    return f", as {network.network_address + 1}/{network.prefixlen}"


def _check_pool(origin: Origin, pool: Prefix, report: Report) -> None:
    kind = _kind(pool.network_address) or _kind(pool.broadcast_address)
    if kind is not None:
        private = "10.0.0.0/8" if isinstance(pool, IPv4Network) else "fd00::/8"
        hint = f"choose a pool of private addresses, inside {private}"
        report.add(
            codes.RANGE.at(origin, f"{pool} holds addresses that are {kind}", value=str(pool), hint=hint)
        )


def _check_gateway(intent: Intent, report: Report) -> None:
    """The management gateway is a neighbour of every device, and none of them."""
    gateway = intent.site.services.management.gateway
    if gateway is None:
        return
    for name, device in intent.inventory.devices.items():
        address = device.address
        if address is None or address.version != gateway.version:
            continue
        place = Origin(("devices", name, "address"), "inventory")
        if address.ip == gateway:
            rule = f"{name} has the address {address} of the management gateway"
            report.add(
                codes.RANGE.at(place, rule, value=str(address), hint="give the device an address of its own")
            )
        elif gateway not in address.network and not _is_link_local(address):
            rule = f"the management gateway {gateway} is not in {address.network}, the subnet of {name}"
            hint = "correct the prefix length of the address, or `services.management.gateway`"
            report.add(codes.RANGE.at(place, rule, value=str(address), hint=hint))


def _is_link_local(address: Interface) -> bool:
    return isinstance(address, IPv6Interface) and address.ip.is_link_local
