"""The two ends of a link, as the configuration of each describes its own."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_interface

import msgspec

from fabric.platforms.base import Facts, InterfaceFacts

NOTHING = InterfaceFacts()


class LinkEnd(msgspec.Struct, frozen=True, kw_only=True):
    """What one end says that the other must agree with."""

    enabled: bool
    addresses: tuple[str, ...]
    link_local: bool
    ip_mtu_bytes: int | None
    priorities: frozenset[int]
    """Paused priorities."""
    bonded: bool
    switched: bool
    """In a VLAN with a gateway, without an address of its own."""
    asn: int | None
    sessions: Mapping[str, int | None]
    """AS number expected of each neighbour, by address or by port."""
    port: str

    @property
    def in_use(self) -> bool:
        """Whether anything goes over it."""
        return self.enabled and bool(self.addresses or self.link_local or self.bonded or self.switched)


def link_end(facts: Facts, port: str) -> LinkEnd:
    """One end of a link out of the facts of its device."""
    interface = facts.interfaces.get(port, NOTHING)
    profile = facts.profiles.get(interface.queueing or "", {})
    return LinkEnd(
        enabled=interface.enabled and port in facts.interfaces,
        addresses=interface.addresses,
        link_local=interface.link_local,
        ip_mtu_bytes=interface.ip_mtu_bytes,
        priorities=frozenset(c.priority for c in profile.values() if c.priority is not None),
        bonded=interface.bond is not None,
        switched=interface.vlan is not None,
        asn=facts.asn,
        sessions={key: neighbor.remote_asn for key, neighbor in facts.neighbors.items()},
        port=port,
    )


def same_asn(a: LinkEnd, b: LinkEnd) -> bool:
    """Whether each end expects the AS number that the other has, for every session over the link."""
    return _expects(a, b) and _expects(b, a)


def _expects(a: LinkEnd, b: LinkEnd) -> bool:
    keys = [str(ip_interface(address).ip) for address in b.addresses]
    expected = [a.sessions[key] for key in (*keys, a.port) if key in a.sessions]
    return all(asn is None or asn == b.asn for asn in expected)


def same_subnet(a: LinkEnd, b: LinkEnd) -> bool:
    """Whether the addresses of both ends lie in the same networks and differ."""
    if a.link_local or b.link_local:
        return a.link_local == b.link_local
    ours, theirs = ([ip_interface(address) for address in end.addresses] for end in (a, b))
    return {i.network for i in ours} == {i.network for i in theirs} and not {i.ip for i in ours} & {
        i.ip for i in theirs
    }


def same_ip_mtu(a: LinkEnd, b: LinkEnd) -> bool:
    """Whether both ends send packets of the same size."""
    return a.ip_mtu_bytes == b.ip_mtu_bytes


def same_priorities(a: LinkEnd, b: LinkEnd) -> bool:
    """Whether both ends pause the same priorities."""
    return a.priorities == b.priorities


def same_bonding(a: LinkEnd, b: LinkEnd) -> bool:
    """Whether both ends, or none, speak LACP."""
    return a.bonded == b.bonded
