"""What readers gather, line by line, before it becomes facts."""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import attrgetter
from typing import Any

import msgspec

from fabric.configuration import Dialect, Parts, Reader, read
from fabric.decoding import convert
from fabric.platforms.base import ClassFacts, Facts, InterfaceFacts, NeighborFacts, Reading

SHUT = "shutdown"
"""The setting of a neighbour or group that keeps its sessions down, in the words of most products."""
WITHOUT_LINKS = ("loopback", "lo", "mgmt", "management")
"""First letters of interfaces whose packets meet no switch."""
ADDRESS = re.compile(r"\d+\.\d+\.\d+\.\d+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.%]*")


class Port(msgspec.Struct):
    """An interface, as far as it was read."""

    enabled: bool = True
    description: str = ""
    speed_mbps: int | None = None
    ip_mtu_bytes: int | None = None
    addresses: list[str] = msgspec.field(default_factory=list)
    link_local: bool = False
    vrf: str = "default"
    vlan: int | None = None
    tagged: bool = False
    bond: int | None = None
    queueing: str | None = None
    notes: list[str] = msgspec.field(default_factory=list)
    """Lines for which facts of an interface have no field, as they stand."""

    def facts(self) -> InterfaceFacts:
        """In neutral words."""
        return convert(self, InterfaceFacts, from_attributes=True)


class Queue(msgspec.Struct):
    """A queue of a profile."""

    strict: bool = False
    share_percent: int | None = None
    max_rate_percent: int | None = None
    max_rate_mbps: int | None = None
    ecn: tuple[int, int, int] | None = None


class Profile(msgspec.Struct):
    """A `qos profile`."""

    priorities: list[int] = msgspec.field(default_factory=list)
    queues: dict[int, Queue] = msgspec.field(default_factory=dict)


class Peer(msgspec.Struct):
    """A BGP neighbour or peer group."""

    remote_asn: int | None = None
    bfd: bool = False
    has_password: bool = False
    ttl_security: bool = False
    max_prefixes: int | None = None
    vrf: str = "default"
    shut: bool = False
    group: str = ""
    settings: list[str] = msgspec.field(default_factory=list)
    """What it is told and tells, by address family."""


class State(msgspec.Struct):
    """A configuration, as far as it was read."""

    hostname: str = ""
    asn: int | None = None
    router_id: str | None = None
    max_paths: int | None = None
    ports: dict[str, Port] = msgspec.field(default_factory=dict)
    dscp: dict[int, int] = msgspec.field(default_factory=dict)
    queues: dict[int, int] = msgspec.field(default_factory=dict)
    profiles: dict[str, Profile] = msgspec.field(default_factory=dict)
    watchdog: dict[str, str] = msgspec.field(default_factory=dict)
    groups: dict[str, Peer] = msgspec.field(default_factory=dict)
    peers: dict[str, Peer] = msgspec.field(default_factory=dict)
    policies: dict[str, list[str]] = msgspec.field(default_factory=dict)
    services: dict[str, list[str]] = msgspec.field(default_factory=dict)
    usual_ip_mtu_bytes: int | None = None
    """Of a routed interface that says nothing of it; None: not known."""

    def port(self, name: str) -> Port:
        """The interface of that name, made when first met."""
        return self.ports.setdefault(name, Port())

    def peer(self, name: str) -> Peer:
        """A neighbour by its address or interface, or a group by its name."""
        known = self.peers if ADDRESS.fullmatch(name) or name in self.peers else self.groups
        return known.setdefault(name, Peer())

    def policy(self, name: str, text: str = "") -> None:
        """Note an entry of a route-map or a list; without text only that it exists."""
        self.policies.setdefault(name, []).extend([text] if text else [])

    def service(self, section: str, text: str) -> None:
        """Note a management setting."""
        self.services.setdefault(section, []).append(text)

    def facts(self) -> Facts:
        """In neutral words, inherited settings resolved."""
        return Facts(
            hostname=self.hostname,
            asn=self.asn,
            router_id=self.router_id,
            max_paths=self.max_paths,
            interfaces={name: self._routed(name, port.facts()) for name, port in self.ports.items()},
            neighbors={name: self._neighbor(peer) for name, peer in self.peers.items()},
            dscp_to_traffic_class=dict(sorted(self.dscp.items())),
            traffic_class_to_queue=dict(sorted(self.queues.items())),
            profiles={name: self._profile(profile) for name, profile in self.profiles.items()},
            watchdog=self._watchdog(),
            policies=self._policies(),
            services={name: "\n".join(sorted(lines)) for name, lines in self.services.items()},
        )

    def _routed(self, name: str, facts: InterfaceFacts) -> InterfaceFacts:
        """The same with the size of packets that the product takes where a routed interface does not say it."""
        is_silent = facts.ip_mtu_bytes is None and bool(facts.addresses or facts.link_local)
        if not is_silent or name.lower().startswith(WITHOUT_LINKS):
            return facts
        return msgspec.structs.replace(facts, ip_mtu_bytes=self.usual_ip_mtu_bytes)

    def _neighbor(self, peer: Peer) -> NeighborFacts:
        group = self.groups.get(peer.group, Peer())
        return NeighborFacts(
            remote_asn=peer.remote_asn if peer.remote_asn is not None else group.remote_asn,
            bfd=peer.bfd or group.bfd,
            has_password=peer.has_password or group.has_password,
            ttl_security=peer.ttl_security or group.ttl_security,
            max_prefixes=peer.max_prefixes or group.max_prefixes,
            vrf=peer.vrf,
            policy=peer.group or "; ".join(sorted(peer.settings)),
            shut=any(of.shut or SHUT in of.settings for of in (peer, group)),
        )

    def _profile(self, profile: Profile) -> dict[int, ClassFacts]:
        """By queue. EOS pauses a traffic class, which stands in the queue that the map gives it."""
        paused = {self.queues.get(priority, priority): priority for priority in profile.priorities}
        by_queue: dict[int, ClassFacts] = {}
        for number in sorted({*profile.queues, *paused}):
            queue = profile.queues.get(number, Queue())
            by_queue[number] = ClassFacts(
                priority=paused.get(number),
                strict=queue.strict,
                max_rate_percent=queue.max_rate_percent,
                max_rate_mbps=queue.max_rate_mbps,
                share_percent=queue.share_percent,
                ecn=queue.ecn,
            )
        return by_queue

    def _watchdog(self) -> tuple[str, int, int, int] | None:
        """0 is a time that is not written: EOS has its own."""
        if not self.watchdog:
            return None
        times = [round(float(self.watchdog.get(key, "0")) * 1000) for key in WATCHDOG_TIMES]
        return (self.watchdog.get("action", ""), times[0], times[1], times[2])

    def _policies(self) -> dict[str, str]:
        groups = {f"group {name}": "; ".join(sorted(group.settings)) for name, group in self.groups.items()}
        return {name: "; ".join(entries) for name, entries in self.policies.items()} | groups


WATCHDOG_TIMES = ("timeout", "recovery-time", "polling-interval")


def reading(dialect: Dialect, text: str, make: Callable[[], State] = State) -> Reading:
    """What a text says by its product's table. Lines that it does not know come back with their numbers.

    `make` gives the state that the readers of the table fill.
    """
    state = make()
    unread = fill(dialect, text, state)
    return Reading(state.facts(), unread)


def fill(dialect: Dialect, text: str, state: Any) -> tuple[tuple[int, str], ...]:
    """Let the readers of a table fill a state with what a text says; the lines that it does not know come back."""
    nodes = dialect.whole(text)
    return tuple(sorted(read(nodes.values(), state, () if dialect.syntax.is_by_path else None)))


def put(field: str, part: str, convert: Callable[[str], Any] = str) -> Reader:
    """A reader that keeps one part of a line in a field of the state."""

    def keep(state: Any, parts: Parts) -> None:
        setattr(state, field, convert(parts[part]))

    return keep


def fixed(field: str, *, value: Any) -> Reader:
    """A reader of a line that says one thing by standing there."""
    return lambda state, _parts: setattr(state, field, value)


def member(path: str, part: str, make: Callable[[], Any]) -> Reader:
    """A reader of an entry: it goes on with the one of that name in a mapping of the state, made when first met."""
    mapping = attrgetter(path)
    return lambda state, parts: mapping(state).setdefault(parts[part], make())


def added(field: str, part: str, convert: Callable[[str], Any] = str) -> Reader:
    """A reader of lines of which there may be several: each adds its part to a list of the state."""
    return lambda state, parts: getattr(state, field).append(convert(parts[part]))


def note(section: str, text: str = "{line}") -> Reader:
    """A reader that notes a management setting, the parts of the line in their places; no VRF is the default one."""

    def keep(state: State, parts: Parts) -> None:
        words = text.format_map({**parts, "vrf": parts.get("vrf") or "default"}).split()
        state.service(section, " ".join(words))

    return keep


def asn(text: str) -> int:
    """A number of an AS, plain or with a dot (RFC 5396)."""
    high, dot, low = text.partition(".")
    return (int(high) << 16) + int(low) if dot else int(text)
