"""The two ends of a link and of a BGP session, as their devices are configured, and what is wrong between them."""

from __future__ import annotations

from ipaddress import IPv4Interface, IPv4Network, IPv6Interface, IPv6Network, ip_network

import msgspec


class LinkEnd(msgspec.Struct, frozen=True, kw_only=True):
    """One end of a link, as its device is configured."""

    enabled: bool
    speed_mbps: int | None = None
    """None: whatever the other end has."""
    fec: str | None = None
    addresses: tuple[IPv4Interface | IPv6Interface, ...] = ()
    link_local: str | None = None
    """IPv6 link-local address, if IPv6 is on."""
    ip_mtu_bytes: int = 1500
    vrf: str = "default"
    lldp_transmit: bool = True
    lldp_receive: bool = True
    lldp_ttl_s: float = 120.0
    """How long the other end believes what it was told. 120 s: IEEE 802.1AB, 30 s times 4."""
    system: str = ""
    """Name told by LLDP."""
    port: str = ""


class PrefixRange(msgspec.Struct, frozen=True):
    """Prefixes below a network, of certain lengths."""

    network: IPv4Network | IPv6Network
    shortest: int
    longest: int

    def matches(self, prefix: str) -> bool:
        """Whether a prefix is one of them."""
        other = ip_network(prefix)
        return (
            other.version == self.network.version
            and self.shortest <= other.prefixlen <= self.longest
            and other.network_address in self.network
        )


class Clause(msgspec.Struct, frozen=True, kw_only=True):
    """One clause of a routing policy; routes that none permits are dropped."""

    permits: bool = True
    prefixes: tuple[PrefixRange, ...] | None = None
    """None: all."""
    communities: frozenset[str] | None = None
    """Any of these; None: whatever they carry."""
    removes: frozenset[str] | None = frozenset()
    """Communities; None: all that they carry."""
    adds: frozenset[str] = frozenset()
    """Communities, after that."""
    last_resort: bool = False
    """Used only where there is no other route."""


class SessionEnd(msgspec.Struct, frozen=True, kw_only=True):
    """One end of a BGP session, as its device is configured."""

    local_asn: int
    remote_asn: tuple[tuple[int, int], ...]
    """Ranges of AS numbers it accepts."""
    router_id: str
    families: frozenset[int]
    """4 and 6, as activated."""
    password: str | None = None
    shutdown: bool = False
    drained: bool = False
    """It asks for the traffic to go elsewhere (RFC 8326)."""
    hold_s: float = 180.0
    """Hold time that it offers; 0: none. RFC 4271 suggests 90; most products offer 180."""
    bfd_s: float | None = None
    """BFD's detection time; None: no BFD."""
    prefixes: tuple[int, int] = (0, 0)
    """How many IPv4 and IPv6 prefixes it originates, where no policy is evaluated (`emulation.HasRoutes`)."""
    imports: tuple[Clause, ...] | None = None
    """Policy for what it is told; None: everything."""
    exports: tuple[Clause, ...] | None = None
    """Policy for what it tells."""


HOST = LinkEnd(enabled=True, ip_mtu_bytes=65535)
"""The other end of a wire that leads to no device of the sandbox: a host, always on."""


def link_fault(ours: LinkEnd, theirs: LinkEnd) -> str:
    """Why there is no carrier between two ends; empty if there is."""
    if not ours.enabled or not theirs.enabled:
        return "shut"
    if ours.speed_mbps and theirs.speed_mbps and ours.speed_mbps != theirs.speed_mbps:
        return "speeds differ"
    if ours.fec and theirs.fec and ours.fec != theirs.fec:
        return "error corrections differ"
    return ""


def session_fault(ours: SessionEnd, theirs: SessionEnd | None) -> str:
    """Why a BGP session between two reachable ends is down; empty if it is up."""
    if ours.shutdown:
        return "shut here"
    if theirs is None or theirs.shutdown:
        return "no such neighbour there"
    if ours.password != theirs.password:
        return "passwords differ"
    if not _accepts(ours, theirs) or not _accepts(theirs, ours):
        return "wrong AS number"
    return "" if ours.families & theirs.families else "no address family in common"


def _accepts(near: SessionEnd, far: SessionEnd) -> bool:
    return any(low <= far.local_asn <= high for low, high in near.remote_asn)
