"""Hosts behind the leaves of a wave: none may lose the last port of a rail, by what the network says now.

A plan counts on the other leaf of a host as it is configured. Its cable to the host may be dead, or all of its uplinks,
or somebody may have shut its sessions by hand: the other leaf is asked, right before the wave.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, repeat

import msgspec

from fabric.deployment.gates.purpose import Purpose
from fabric.deployment.gates.snapshot import Snapshot
from fabric.deployment.refusal_message import named
from fabric.planning import Change
from fabric.planning.impact import INTERRUPTING
from fabric.units import counted, noun_of

Path = tuple[str, str]
"""A leaf, and its port towards a host."""
FEW = 3
"""So many hosts, or switches that cut somebody off, are told by name."""
EVERY_PORT = "*"
"""In place of a port: the change interrupts the whole switch."""


class RailPort(msgspec.Struct, frozen=True):
    """A port of a leaf with a NIC of a host, and over which others that host is on the same rail."""

    host: str
    rail: int
    port: str
    others: tuple[Path, ...]
    sessions: tuple[str, ...] = ()
    """Of a router outside: what the switches of the others call their sessions with it, in their order."""
    session: str = ""
    """Likewise the leaf itself."""


class Leaves(msgspec.Struct, frozen=True):
    """Leaves as they are now, and what a wave takes from them."""

    seen: Mapping[str, Snapshot]
    silent: Collection[str]
    """Leaves that did not answer: nobody knows whether they carry anything."""
    returning: Collection[str]
    """Leaves that come back before the wave."""
    purposes: Mapping[str, Purpose]
    interrupts: Mapping[str, frozenset[str]]
    """Ports that a change interrupts, beside those that it gives up."""
    without_way: Collection[str]
    """Those with uplinks by the intent of which none is up now."""
    cut: Collection[str]
    """Those that lose all of their uplinks with the wave."""

    def carries(self, leaf: str, port: str, session: str = "") -> str:
        """Why a host's port carries nothing now, for people; empty if it does, or nobody was to ask.

        `session`: that over it, if what is there speaks BGP.
        """
        if leaf in self.silent:
            return f"{leaf} does not answer"
        now = self.seen.get(leaf)
        if now is None or leaf in self.returning:
            return ""
        if leaf in self.without_way:
            return f"{leaf} has no uplink in service"
        if session and session in now.sessions and session not in now.up:
            return f"{leaf} has no session with {session}"
        state = now.ports.get(port)
        return f"{leaf} {port} has no link" if state is not None and not state.is_up else ""

    def takes(self, leaf: str, port: str) -> bool:
        """Whether the wave takes a port from its host."""
        own, interrupted = self.purposes.get(leaf, Purpose(leaf)), self.interrupts.get(leaf, frozenset())
        return (
            own.everything
            or leaf in self.cut
            or port in own.ports
            or not interrupted.isdisjoint((port, EVERY_PORT))
        )


def interrupted_ports(changes: Iterable[Change]) -> tuple[str, ...]:
    """The ports that changes of a device interrupt, or `EVERY_PORT`."""
    scopes = [change.scope for change in changes if change.impact in INTERRUPTING]
    if any(scope.whole_device for scope in scopes):
        return (EVERY_PORT,)
    return tuple(sorted({port for scope in scopes for port in scope.ports}))


def other_leaves(ports: Iterable[RailPort]) -> Iterator[str]:
    """The leaves that stand in at some ports of hosts."""
    for port in ports:
        for leaf, _ in port.others:
            yield leaf


def last_paths(members: Mapping[str, Iterable[RailPort]], leaves: Leaves) -> dict[str, str]:
    """By leaf: whose last path the wave takes there, for people. Hosts with a single port on a rail are not judged."""
    found: dict[str, str] = {}
    for leaf, ports in members.items():
        lost = [(port, why) for port in ports if (why := _lost(leaf, port, leaves))]
        if lost:
            reasons = tuple(dict.fromkeys(why for _, why in lost))
            found[leaf] = f"{leaf} is the last path in service of {_hosts(lost)}: {named(reasons, FEW)}"
    return found


def _hosts(lost: Sequence[tuple[RailPort, str]]) -> str:
    """How many hosts, and the first few; of one host its rails."""
    names = tuple(dict.fromkeys(port.host for port, _ in lost))
    if len(names) > 1:
        return f"{counted(len(names), 'host')}, {named(names, FEW)}"
    rails = sorted({port.rail for port, _ in lost if port.rail >= 0})
    numbers = named(tuple(map(str, rails)), FEW)
    return f"{names[0]} {noun_of(len(rails), ('rail', 'rails'))} {numbers}" if rails else names[0]


def _lost(leaf: str, port: RailPort, leaves: Leaves) -> str:
    """Why a host has no other path, if the wave takes this one and it carries something; empty if it has."""
    if not port.others or not leaves.takes(leaf, port.port) or leaves.carries(leaf, port.port, port.session):
        return ""
    reasons = []
    for (other, at), session in zip(port.others, chain(port.sessions, repeat("")), strict=False):
        why = leaves.carries(other, at, session) or (
            f"{other} changes with it" if leaves.takes(other, at) else ""
        )
        if not why:
            return ""
        reasons.append(why)
    return ", ".join(dict.fromkeys(reasons))
