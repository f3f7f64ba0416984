"""Addresses and AS numbers. Everything is arithmetic over (unit, rail, plane, host): growth renumbers nothing."""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Network
from typing import Annotated, Literal

from msgspec import Meta, field

from fabric.documents.schema.scalar_types import Address, Asn, Part, Prefix


class DefaultPool4(IPv4Network):
    """A pool that the intent leaves out. Each further network of a site gets another one: `intent.default_pools`."""


class DefaultPool6(IPv6Network):
    """Likewise for IPv6."""


class HostLinks(Part, frozen=True, kw_only=True):
    """How a host is attached at layer 3."""

    mode: Literal["routed", "vlan", "lacp"] = "routed"
    """`routed`: a prefix per port. `vlan`: one VLAN and gateway per leaf. `lacp`: one bond over two independent
    leaves, one of each plane (HPN)."""
    prefix_length: Annotated[int, Meta(ge=24, le=31)] = 31
    """IPv4 prefix of a routed port: /26 to /31."""
    prefix6_length: Annotated[int, Meta(ge=64, le=127)] = 127
    """IPv6 prefix of a routed port; 64 where hosts use SLAAC."""
    assignment: Literal["static", "dhcp_relay", "slaac"] = "static"
    """How a host gets its address: written on it, through a relay on the leaf, or by router
    advertisements."""
    dhcp_servers: tuple[Address, ...] = ()
    """Where the leaves relay to, with `assignment: dhcp_relay`."""
    vlan: Annotated[int, Meta(ge=2, le=4094)] = 10
    """VLAN of the host ports, with `mode: vlan`."""
    host_arp_duplication: bool = False
    """The hosts send every ARP on both ports of the bond. Needed by `lacp`; stock Linux bonding does not do it."""


class AsNumbers(Part, frozen=True, kw_only=True):
    """How AS numbers are given out."""

    policy: Literal["unique", "rfc7938", "shared-spine"] = "unique"
    """`unique`: one a device. `rfc7938` and `shared-spine`: one for all superspines, one a leaf, and one for all
    spines that no route crosses two of: those of a pod or zone, and where superspines join rail groups or planes,
    those of a group."""
    leaf_numbers: Literal["unique", "per_pod"] = "unique"
    """`per_pod`: every pod or zone uses the same numbers for its leaves (RFC 7938, 5.2.2), for ranges that are too
    small; leaves then accept routes with their own number in the path once."""
    leaf: Asn | None = None
    """First AS number of the leaves; likewise below. Default: from the private four-byte range by capacity."""
    spine: Asn | None = None
    superspine: Asn | None = None


class Addressing(Part, frozen=True, kw_only=True):
    """Pools, families and the order in which addresses are given out.

    A pool that is left out is the network's own: the defaults are those of the first network, each further one has the
    next free part of 10.0.0.0/8 and fd00::/16, which `fabric.lock` keeps.
    """

    family: Literal["ipv4", "ipv6", "dual", "unnumbered"] = "ipv4"
    """Of the links between switches. `unnumbered`: IPv6 link-local with IPv4 next hops over it (RFC 5549)."""
    fabric_pool: IPv4Network = field(default_factory=lambda: DefaultPool4("10.128.0.0/10"))
    fabric_pool6: IPv6Network = field(default_factory=lambda: DefaultPool6("fd00:128::/48"))
    host_family: Literal["ipv4", "ipv6", "dual"] | None = None
    """Of the links to hosts. Default: `family`, or `ipv4` if that is unnumbered."""
    host_pool: IPv4Network = field(default_factory=lambda: DefaultPool4("10.0.0.0/10"))
    """Links to hosts from its start, by capacity; links to attachments from its end, as they came."""
    host_pool6: IPv6Network = field(default_factory=lambda: DefaultPool6("fd00::/32"))
    """Likewise for IPv6."""
    former_host_pools: tuple[Prefix, ...] = ()
    """Pools that hosts still have addresses of while they move to another one. Every switch goes on accepting them from
    its neighbours, until they are taken out here."""
    loopback_pool: IPv4Network = field(default_factory=lambda: DefaultPool4("10.255.0.0/16"))
    loopback_pool6: IPv6Network | None = None
    """Default: IPv6 loopbacks only where `family` is ipv6 or dual, from fd00:255::/64."""
    fabric_even: Literal["upper", "lower"] = "upper"
    """Which end of a link between switches has the even address."""
    host_even: Literal["leaf", "host"] = "leaf"
    """Which end of a link to a host has the even address."""
    order: tuple[Literal["unit", "rail", "plane", "host"], ...] = ("unit", "rail", "plane", "host")
    """Slowest first. With `host` last a leaf's hosts are one aligned block."""
    host_links: HostLinks = field(default_factory=HostLinks)
    """How hosts are attached at layer 3."""
    asn: AsNumbers = field(default_factory=AsNumbers)
    """How AS numbers are given out."""

    @property
    def host_families(self) -> tuple[int, ...]:
        """Address families of the links to hosts and attachments: 4, 6 or both."""
        family = self.host_family or ("ipv4" if self.family == "unnumbered" else self.family)
        return {"ipv4": (4,), "ipv6": (6,), "dual": (4, 6)}[family]
