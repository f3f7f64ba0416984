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
        *(address for port in switch.ports for address in port.addresses),
        *(address for gateway in switch.gateways for address in gateway.addresses),
    ]
    prefixes = [
        *routing.aggregates,
        *routing.discards,
        *(prefix_range.prefix for prefix_range in routing.accepted),
    ]
    networks = [ip_network(str(ip_interface(str(address)).network)) for address in (*interfaces, *prefixes)]
    networks += [
        net for neighbor in routing.neighbors if (net := _network(str(neighbor.address))) is not None
    ]
    return tuple(dict.fromkeys(networks))


def overlapping(path: Iterable[str], ours: tuple[Network, ...]) -> tuple[Network, Network] | None:
    """The network that a statement gives or routes, and the one of ours that it meets."""
    tokens = [word.strip(";,") for word in words(part for step in path for part in step.split("|"))]
    kinds = {word.casefold() for word in tokens}
    if not kinds & PLACES or kinds & FILTERS or (kinds & TABLES and "default" not in kinds):
        return None
    for theirs in _networks(tokens):
        for own in ours:
            if own.version == theirs.version and own.overlaps(theirs):
                return theirs, own
    return None


def _networks(tokens: list[str]) -> Iterable[Network]:
    """Networks as CIDR, as an address with its mask, or as an address alone."""
    for index, word in enumerate(tokens):
        following = [token for token in tokens[index + 1 : index + 3] if token not in ("mask", "netmask")]
        mask = following[0] if following and "/" not in word else ""
        network = (_network(f"{word}/{mask}") if mask.count(".") == 3 else None) or _network(word)
        if network is not None:
            yield network
            return


def _network(text: str) -> Network | None:
    try:
        return ip_interface(text).network
    except ValueError:
        return None
