"""The two ends of a link, as the configuration of each describes its own."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_interface

import msgspec

from fabric.platforms.base import Facts, InterfaceFacts

NOTHING = InterfaceFacts()
Network = IPv4Network | IPv6Network


class LinkEnd(msgspec.Struct, frozen=True, kw_only=True):
    """What one end says that the other must agree with."""

    enabled: bool
    addresses: tuple[str, ...]
    link_local: bool
    ip_mtu_bytes: int | None
    priorities: frozenset[int]
    """Paused priorities."""
    paused: Mapping[int, int]
    """Paused priority of each DSCP whose traffic is paused, as far as the configuration says."""
    bonded: bool
    switched: bool
    """In a VLAN with a gateway, without an address of its own."""
    asn: int | None
    sessions: Mapping[str, int | None]
    """AS number expected of each neighbour, by address or by port."""
    guarded: frozenset[str]
    """Neighbours whose sessions have GTSM."""
    keyed: frozenset[str]
    """Neighbours whose sessions have a password."""
    outdated: frozenset[str]
    """Those of them whose password is not the intended one, as far as it is known."""
    port: str

    @property
    def in_use(self) -> bool:
        """Whether anything goes over it."""
        return self.enabled and bool(self.addresses or self.link_local or self.bonded or self.switched)


def link_end(facts: Facts, port: str) -> LinkEnd:
    """One end of a link out of the facts of its device."""
    interface = facts.interfaces.get(port, NOTHING)
    profile = facts.profiles.get(interface.queueing or "", {})
    of_queue = {queue: its.priority for queue, its in profile.items() if its.priority is not None}
    return LinkEnd(
        enabled=interface.enabled and port in facts.interfaces,
        addresses=interface.addresses,
        link_local=interface.link_local,
        ip_mtu_bytes=interface.ip_mtu_bytes,
        priorities=frozenset(of_queue.values()),
        paused={
            dscp: paused for dscp, queue in _queues(facts) if (paused := of_queue.get(queue)) is not None
        },
        bonded=interface.bond is not None,
        switched=interface.vlan is not None,
        asn=facts.asn,
        sessions={key: neighbor.remote_asn for key, neighbor in facts.neighbors.items()},
        guarded=frozenset(key for key, neighbor in facts.neighbors.items() if neighbor.ttl_security),
        keyed=frozenset(key for key, neighbor in facts.neighbors.items() if neighbor.has_password),
        outdated=frozenset(key for key, neighbor in facts.neighbors.items() if neighbor.is_outdated),
        port=port,
    )


def outdating(facts: Facts, neighbors: Collection[str]) -> Facts:
    """The facts of a device whose sessions with some neighbours have a password that is not the intended one."""
    if not neighbors:
        return facts
    known = {
        key: msgspec.structs.replace(neighbor, is_outdated=key in neighbors)
        for key, neighbor in facts.neighbors.items()
    }
    return msgspec.structs.replace(facts, neighbors=known)


def _queues(facts: Facts) -> Iterator[tuple[int, int]]:
    """DSCPs with the queue of each."""
    for dscp, traffic_class in facts.dscp_to_traffic_class.items():
        yield dscp, facts.traffic_class_to_queue.get(traffic_class, traffic_class)


def same_asn(a: LinkEnd, b: LinkEnd) -> bool:
    """Whether each end expects the AS number that the other has, for every session over the link."""
    return _expects(a, b) and _expects(b, a)


def _expects(a: LinkEnd, b: LinkEnd) -> bool:
    expected = [a.sessions[key] for key in sessions_with(a, b)]
    return all(asn is None or asn == b.asn for asn in expected)


def expected(end: LinkEnd) -> tuple[int, ...]:
    """The AS numbers that an end expects over the link: of the port itself, and of addresses that the port reaches."""
    networks = [ip_interface(address).network for address in end.addresses]
    numbers = {
        asn
        for key, asn in end.sessions.items()
        if asn is not None and (key == end.port or _is_in(key, networks))
    }
    return tuple(sorted(numbers))


def same_ttl_security(a: LinkEnd, b: LinkEnd) -> bool:
    """Whether the sessions over the link have GTSM at both ends or at none."""
    return not (sessions_with(a, b) and sessions_with(b, a)) or is_guarded(a) == is_guarded(b)


def is_guarded(end: LinkEnd) -> bool:
    """Whether a session over the link has GTSM."""
    return _is_over(end, end.guarded)


def same_password(a: LinkEnd, b: LinkEnd) -> bool:
    """Whether the sessions over the link have the same password at both ends, or none at either.

    Two passwords that are not the intended one count as the same: nobody knows them.
    """
    return not (sessions_with(a, b) and sessions_with(b, a)) or password(a) == password(b)


def password(end: LinkEnd) -> str:
    """Which password a session over the link has, in words: no value is known."""
    if not _is_over(end, end.keyed):
        return "no password"
    return "old password" if _is_over(end, end.outdated) else "password"


def _is_over(end: LinkEnd, keys: Iterable[str]) -> bool:
    """Whether one of these sessions goes over the link: that of the port, or of an address that the port reaches."""
    networks = [ip_interface(address).network for address in end.addresses]
    return any(key == end.port or _is_in(key, networks) for key in keys)


def _is_in(key: str, networks: list[Network]) -> bool:
    try:
        address = ip_address(key)
    except ValueError:
        return False  # an unnumbered session over another port
    return any(address in network for network in networks)


def sessions_with(a: LinkEnd, b: LinkEnd) -> list[str]:
    """The sessions of `a` with `b` over their link, by their keys."""
    keys = [str(ip_interface(address).ip) for address in b.addresses]
    return [key for key in (*keys, a.port) if key in a.sessions]


def same_subnet(a: LinkEnd, b: LinkEnd) -> bool:
    """Whether the addresses of both ends lie in the same networks and differ."""
    if a.link_local or b.link_local:
        return a.link_local == b.link_local
    ours, theirs = ([ip_interface(address) for address in end.addresses] for end in (a, b))
    return {i.network for i in ours} == {i.network for i in theirs} and not {i.ip for i in ours} & {
        i.ip for i in theirs
    }


def is_narrower(old: LinkEnd, new: LinkEnd) -> bool:
    """Whether the largest packet of an end becomes smaller."""
    was, will = old.ip_mtu_bytes, new.ip_mtu_bytes
    return was is not None and will is not None and will < was


def same_ip_mtu(a: LinkEnd, b: LinkEnd) -> bool:
    """Whether both ends send packets of the same size."""
    return a.ip_mtu_bytes == b.ip_mtu_bytes


def same_priorities(a: LinkEnd, b: LinkEnd) -> bool:
    """Whether what both ends pause is paused alike.

    A priority that only one of them has harms nobody: it is new and nobody sends it yet, or it goes and nobody sends
    it any more. But traffic must not change its priority, and an end that pauses nothing loses what the other protects.
    """
    common = a.priorities & b.priorities
    return (
        common in (a.priorities, b.priorities) and bool(a.priorities) == bool(b.priorities) and _alike(a, b)
    )


def _alike(a: LinkEnd, b: LinkEnd) -> bool:
    return all(b.paused.get(dscp, priority) == priority for dscp, priority in a.paused.items())


def paused(end: LinkEnd) -> str:
    """The paused priorities of an end, with the DSCPs of each."""
    return ", ".join(_with_dscps(end, priority) for priority in sorted(end.priorities)) or "none"


def _with_dscps(end: LinkEnd, priority: int) -> str:
    dscps = sorted(dscp for dscp, its in end.paused.items() if its == priority)
    return f"{priority} (DSCP {' '.join(map(str, dscps))})" if dscps else str(priority)


def same_bonding(a: LinkEnd, b: LinkEnd) -> bool:
    """Whether both ends, or none, speak LACP."""
    return a.bonded == b.bonded
