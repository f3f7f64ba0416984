"""Whom a change of partitions cuts off: ports that keep none of the hosts, or none of the storage, that they reach now.

A path in an InfiniBand subnet is one by a P_Key. Two ports talk by a key that both have, if one of them at least is a
full member (InfiniBand Architecture 1.6, 10.9.3). Packets by a key that a port has no more are dropped at once, and
what uses it does not come back by itself, whatever other keys the port gets.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from fabric.devices.infiniband.model import EndKind, Subnet
from fabric.devices.model import SubnetManager
from fabric.planning.cut_off.few_names import few
from fabric.planning.model import Change, Impact, Scope
from fabric.platforms.base import Facts
from fabric.platforms.facts import EVERY_PORT

DEFAULT_PKEY = 0x7FFF
"""Of the partition that all ports are in, managers as full members."""
PEERS = {EndKind.COMPUTE: "hosts", EndKind.STORAGE: "storage", EndKind.OTHER: "attachments"}
"""Whom ports reach. Managers answer everybody, and carry no data."""


class Members(NamedTuple):
    """The ports in one partition."""

    full: frozenset[int]
    every: frozenset[int]
    """Limited ones too."""

    def peers(self, *, full: bool) -> frozenset[int]:
        """Whom a full member, or a limited one, may talk to; it may be one of them itself."""
        return self.every if full else self.full


Partitions = Mapping[int, Members]
"""By P_Key."""


def cutting_off(manager: SubnetManager, running: Facts, wanted: Facts) -> tuple[Change, ...]:
    """A change for each kind of port that others reach now, and reach by no P_Key afterwards."""
    return tuple(
        Change("partitions", "~", Impact.ISOLATING, Scope(whole_device=True), reason)
        for reason in _losses(manager.subnet, running, wanted)
    )


def _losses(subnet: Subnet, running: Facts, wanted: Facts) -> Iterator[str]:
    ends = {end.port_guid: (end.kind, end.name) for end in subnet.ends if end.kind in PEERS}
    ends |= {port: (EndKind.COMPUTE, name) for port, name in _gone(subnet, running)}
    old, new = _partitions(running, ends), _partitions(wanted, ends)
    for kind, reached in PEERS.items():
        peers = frozenset(port for port, (known, _) in ends.items() if known is kind)
        lost = cut_off(old, new, peers)
        if lost:
            names = [name for port, (_, name) in ends.items() if port in lost]
            yield f"the P_Keys by which they reach {reached} are gone: {few(names)}"


def _gone(subnet: Subnet, running: Facts) -> Iterator[tuple[int, str]]:
    """Ports of tenants that the site has no longer, with their names or else GUIDs.

    A port whose name the site still has is not told: another adapter is in its place.
    """
    known = {end.port_guid for end in subnet.ends} | {EVERY_PORT}
    names = {end.name for end in subnet.ends}
    tenants = (ports for pkey, ports in running.partitions.items() if pkey != DEFAULT_PKEY)
    for port in sorted({port for ports in tenants for port in ports} - known):
        name = running.port_names.get(port, "")
        if name not in names:
            yield port, name or f"{port:#018x}"


def cut_off(old: Partitions, new: Partitions, peers: frozenset[int]) -> frozenset[int]:
    """The ports that reach some of these peers, and afterwards none of them by the same P_Key."""
    reaching = frozenset[int]().union(*(_linked(was, was, peers) for was in old.values()))
    return reaching.difference(*(_linked(was, new[key], peers) for key, was in old.items() if key in new))


def _linked(was: Members, will: Members, peers: frozenset[int]) -> frozenset[int]:
    """The ports that are in a partition before and after, and keep one of these peers there."""
    either = (False, True)
    kept = {(a, b): was.peers(full=a) & will.peers(full=b) & peers for a in either for b in either}

    def has_peer(port: int) -> bool:
        found = kept[port in was.full, port in will.full]
        return len(found) > (port in found)

    return frozenset(filter(has_peer, was.every & will.every))


def _partitions(facts: Facts, ends: Collection[int]) -> Partitions:
    return {pkey: _members(ports, ends) for pkey, ports in facts.partitions.items()}


def _members(ports: Mapping[int, bool], ends: Collection[int]) -> Members:
    others = ports.get(EVERY_PORT)
    how = {port: ports.get(port, others) for port in ends}
    return Members(
        frozenset(port for port, full in how.items() if full),
        frozenset(port for port, full in how.items() if full is not None),
    )
