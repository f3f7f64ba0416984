"""Addresses and prefixes that no network stands, wherever the intent has one: one table of special ranges for all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from ipaddress import IPv4Interface, IPv4Network, IPv6Interface, IPv6Network, ip_network
from typing import Any, Literal, NamedTuple

import msgspec

from fabric.diagnostics import Origin, Report
from fabric.documents.schema.scalar_types import Address, Interface, Prefix
from fabric.intent import codes
from fabric.intent.model.site import Intent

Use = Literal["host", "gateway", "port", "pool", "source", "route"]
"""What an address stands for: another host, our gateway, one of our own ports, a pool that we give addresses from, who
may connect, what is routed."""
EVERY_USE: frozenset[Use] = frozenset({"host", "gateway", "port", "pool", "source", "route"})
OFF_LINK: frozenset[Use] = frozenset({"host", "pool", "route"})
"""What must be reached across a router: link-local addresses are not (RFC 3927, RFC 4291)."""
ANY = frozenset({ip_network("0.0.0.0/0"), ip_network("::/0")})
"""Everybody, or the default route."""
PLAIN = frozenset({str, int, bool, float, type(None)})
"""Types of values that are not addresses and hold none."""


class Special(NamedTuple):
    """A range of addresses that are not those of a host of the network."""

    network: Prefix
    kind: str
    unusable: frozenset[Use] = EVERY_USE


SPECIAL = (
    Special(ip_network("0.0.0.0/8"), "in 0.0.0.0/8, which means this network"),
    Special(ip_network("127.0.0.0/8"), "a loopback address"),
    Special(ip_network("169.254.0.0/16"), "a link-local address", OFF_LINK - {"host"}),
    Special(ip_network("224.0.0.0/4"), "a multicast address"),
    Special(ip_network("240.0.0.0/4"), "reserved (RFC 1112)"),
    Special(ip_network("::/128"), "the unspecified address"),
    Special(ip_network("::1/128"), "a loopback address"),
    Special(ip_network("::/96"), "an IPv4-compatible address, which is out of use (RFC 4291)"),
    Special(ip_network("::ffff:0:0/96"), "an IPv4-mapped address, which no packet carries (RFC 6890)"),
    Special(ip_network("100::/64"), "a discard-only address (RFC 6666)", EVERY_USE - {"route"}),
    Special(ip_network("fe80::/10"), "a link-local address", OFF_LINK),
    Special(ip_network("ff00::/8"), "a multicast address"),
)
"""The first that holds counts. Some servers of clouds answer at 169.254.0.0/16, as clocks do; private, shared and
documentation addresses work wherever they are routed. Source: RFC 6890 and IANA's registries of special-purpose
addresses."""


def check_addresses(intent: Intent, report: Report) -> None:
    """Every address and prefix of the intent and of the inventory's devices."""
    for origin, value in _written(intent):
        use = _use(origin, value)
        if isinstance(value, IPv4Network | IPv6Network):
            _check_prefix(origin, value, use, report)
        elif isinstance(value, IPv4Interface | IPv6Interface):
            _check_interface(origin, value, report)
        elif (kind := _kind(value, use)) is not None:
            hint = "write the address of the host that is meant"
            report.add(codes.RANGE.at(origin, f"{value} is {kind}", value=str(value), hint=hint))
    _check_gateway(intent, report)


def _written(intent: Intent) -> Iterator[tuple[Origin, Any]]:
    """Every address and prefix, with its place."""
    yield from _within(intent.site, Origin(()))
    for name, device in intent.inventory.devices.items():
        is_forwarded = (
            device.port is not None and device.address is not None and device.address.ip.is_loopback
        )
        if device.address is not None and not is_forwarded:  # a lab is reached through ports of this machine
            yield Origin(("devices", name, "address"), "inventory"), device.address


def _within(value: Any, origin: Origin) -> Iterator[tuple[Origin, Any]]:
    if isinstance(value, Address | Interface | Prefix):
        yield origin, value
        return
    for key, item in _items(value):
        if type(item) not in PLAIN:  # most are: half of the time of this check went into their places
            yield from _within(item, origin.child(key))


def _items(value: Any) -> Iterable[tuple[str | int, Any]]:
    """What a value holds, by its keys in the file."""
    if isinstance(value, dict):
        return value.items()
    if isinstance(value, tuple):
        return enumerate(value)
    if isinstance(value, msgspec.Struct):
        return ((key, getattr(value, name)) for name, key in _keys(type(value)))
    return ()


@cache
def _keys(kind: type[msgspec.Struct]) -> tuple[tuple[str, str], ...]:
    """Field and key of everything in a mapping."""
    return tuple((field.name, field.encode_name) for field in msgspec.structs.fields(kind))


def _use(origin: Origin, value: Any) -> Use:
    key = next(step for step in reversed(origin.path) if isinstance(step, str))
    if isinstance(value, IPv4Network | IPv6Network):
        return "source" if key == "allow" else "route" if key in ("prefixes", "advertise") else "pool"
    if isinstance(value, IPv4Interface | IPv6Interface):
        return "port"
    return "gateway" if key == "gateway" else "host"


def _kind(address: Address, use: Use) -> str | None:
    """What an address is that cannot have this use; None for the rest."""
    return next(
        (
            block.kind
            for block in SPECIAL
            if block.network.version == address.version and use in block.unusable and address in block.network
        ),
        None,
    )


def _check_interface(origin: Origin, interface: Interface, report: Report) -> None:
    kind = _kind(interface.ip, "port") or _edge(interface)
    if kind is not None:
        hint = f"write an address of a host{_first_host(interface)}"
        report.add(codes.RANGE.at(origin, f"{interface} is {kind}", value=str(interface), hint=hint))


def _edge(interface: Interface) -> str | None:
    """Whether the address is that of a whole subnet."""
    network = interface.network
    if network.prefixlen >= network.max_prefixlen - 1:
        return None
    if interface.ip == network.network_address:
        return f"the address of the subnet {network} itself"
    is_broadcast = isinstance(interface, IPv4Interface) and interface.ip == network.broadcast_address
    return f"the broadcast address of {network}" if is_broadcast else None


def _first_host(interface: Interface) -> str:
    network = interface.network
    if _kind(network.network_address + 1, "port") is not None:
        return ""
    return f", as {network.network_address + 1}/{network.prefixlen}"


def _check_prefix(origin: Origin, prefix: Prefix, use: Use, report: Report) -> None:
    kind = special(prefix, use)
    if kind is not None:
        rule = f"{prefix} holds addresses that are {kind}"
        report.add(codes.RANGE.at(origin, rule, value=str(prefix), hint=_hint(prefix, use)))


def special(prefix: Prefix, use: Use) -> str | None:
    """What a prefix holds that it must not: a pool must not touch a special range, all others must not lie in one."""
    if prefix in ANY and use != "pool":
        return None
    for block in SPECIAL:
        if block.network.version == prefix.version and use in block.unusable:
            touches = block.network.overlaps(prefix) if use == "pool" else _holds(block.network, prefix)
            if touches:
                return block.kind
    return None


def _holds(network: Prefix, prefix: Prefix) -> bool:
    return network.prefixlen <= prefix.prefixlen and prefix.network_address in network


def _hint(prefix: Prefix, use: Use) -> str:
    if use == "pool":
        private = "10.0.0.0/8" if isinstance(prefix, IPv4Network) else "fd00::/8"
        return f"choose a pool of private addresses, inside {private}"
    return "write a prefix of hosts, or remove it"


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
                codes.RANGE.at(place, rule, value=str(address), hint="give the device a unique address")
            )
        elif gateway not in address.network and not _is_link_local(address):
            rule = f"the management gateway {gateway} is not in {address.network}, the subnet of {name}"
            hint = "correct the prefix length of the address, or `services.management.gateway`"
            report.add(codes.RANGE.at(place, rule, value=str(address), hint=hint))


def _is_link_local(address: Interface) -> bool:
    return isinstance(address, IPv6Interface) and address.ip.is_link_local
