"""The networks of a switch, and those that a statement of an override gives or routes, however they are written."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Network, IPv6Network, ip_interface, ip_network

from fabric.devices.model import Switch
from fabric.platforms.overrides.rules import words

Network = IPv4Network | IPv6Network

PLACES = frozenset(
    {
        "address",
        "route",
        "routes",
        "network",
        "static",
        "blackhole",
        "advertise",
        "aggregate-address",
        "aggregate",
    }
    | {
        "static_route",
        "loopback_interface",
        "vlan_interface",
        "interface",
        "vlan_sub_interface",
        "static_anycast_gateway",
    }
)
"""Words of statements that give an address or a route."""
FILTERS = frozenset(
    {
        "prefix-list",
        "prefix-set",
        "access-list",
        "permit",
        "deny",
        "match",
        "description",
        "remark",
        "firewall",
        "acl",
    }
    | {
        "policy-options",
        "policy",
        "server",
        "host",
        "logging",
        "snmp-server",
        "snmp",
        "ntp",
        "sflow",
        "syslog",
    }
)
"""Words of statements that only speak of addresses: nothing goes there by them."""
TABLES = frozenset({"vrf", "routing-instances"})
"""Routing tables of their own."""


def networks_of(switch: Switch) -> tuple[Network, ...]:
    """Everything that is ours or behind us: addresses, hosts, neighbours, and the pools of the network."""
    routing = switch.routing
    interfaces = [
        *switch.loopbacks,
        *switch.management.addresses,
        *(one for port in switch.ports for one in port.addresses),
        *(one for gateway in switch.gateways for one in gateway.addresses),
    ]
    prefixes = [*routing.aggregates, *routing.discards, *(one.prefix for one in routing.accepted)]
    found = [ip_network(str(ip_interface(str(one)).network)) for one in (*interfaces, *prefixes)]
    found += [net for one in routing.neighbors if (net := _network(str(one.address))) is not None]
    return tuple(dict.fromkeys(found))


def overlapping(path: Iterable[str], ours: tuple[Network, ...]) -> tuple[Network, Network] | None:
    """The network that a statement gives or routes, and the one of ours that it meets."""
    said = [word.strip(";,") for word in words(part for step in path for part in step.split("|"))]
    kinds = {word.casefold() for word in said}
    if not kinds & PLACES or kinds & FILTERS or (kinds & TABLES and "default" not in kinds):
        return None
    for theirs in _networks(said):
        for one in ours:
            if one.version == theirs.version and one.overlaps(theirs):
                return theirs, one
    return None


def _networks(said: list[str]) -> Iterable[Network]:
    """Networks as CIDR, as an address with its mask, or as an address alone."""
    for index, word in enumerate(said):
        following = [one for one in said[index + 1 : index + 3] if one not in ("mask", "netmask")]
        mask = following[0] if following and "/" not in word else ""
        found = (_network(f"{word}/{mask}") if mask.count(".") == 3 else None) or _network(word)
        if found is not None:
            yield found
            return


def _network(text: str) -> Network | None:
    try:
        return ip_interface(text).network
    except ValueError:
        return None
