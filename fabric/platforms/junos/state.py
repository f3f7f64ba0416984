"""What the readers of Junos's statements gather before it becomes facts.

Much is noted as Junos's own words: the statement in full below its section, as `show configuration | display set`
has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Any

import msgspec

from fabric.platforms.base import ClassFacts, Facts, InterfaceFacts, NeighborFacts
from fabric.platforms.junos.names import INSTANCE
from fabric.platforms.reading import Port, Queue, State

DROPS = re.compile(r".*-of-(\d+)")
"""A drop profile whose name says the depth of the queue, in bytes."""
WATCHDOG = {"poll-interval": "100", "detection": "2", "recovery": "200", "watchdog-action": "drop"}
"""What Junos does unless said otherwise (Juniper CLI reference, `pfc-watchdog`)."""


class Place(msgspec.Struct):
    """Where in a section a reader stands. A line is noted with the words above it; those below it say it instead."""

    notes: list[str]
    path: str = ""
    """The words from the section down to here."""
    owner: Any = None
    """What else the readers of the section fill."""

    def enter(self, line: str) -> Place:
        """The place below a line."""
        if self.path and self.notes[-1:] == [self.path]:
            self.notes.pop()
        return Place(self.notes, f"{self.path} {line}".lstrip(), self.owner)

    def note(self, line: str) -> Place:
        """Note a line; the place below it."""
        place = self.enter(line)
        self.notes.append(place.path)
        return place


class JunosPort(Port):
    """An interface."""

    name: str = ""
    families: set[str] = msgspec.field(default_factory=set)
    """The IP families that it has."""
    notes: list[str] = msgspec.field(default_factory=list)
    """Of all interfaces."""


class Family(Place):
    """An address family of an interface, its owner."""

    name: str = ""


class Group(Place):
    """A BGP group, and where its readers stand."""

    neighbors: dict[str, int | None] = msgspec.field(default_factory=dict)
    """By address, with its AS number."""
    interfaces: list[str] = msgspec.field(default_factory=list)
    """Over which neighbours are discovered."""
    as_list: str = ""
    bfd: bool = False
    has_password: bool = False
    max_prefixes: int | None = None

    def facts(self, name: str, asn: int | None) -> NeighborFacts:
        """One of its sessions, in neutral words."""
        return NeighborFacts(
            remote_asn=asn,
            bfd=self.bfd,
            has_password=self.has_password,
            max_prefixes=self.max_prefixes,
            policy=name,
            shut="shutdown" in self.notes,
        )


class ForwardingClass(msgspec.Struct):
    """A forwarding class."""

    queue: int | None = None
    priority: int | None = None
    points: list[int] = msgspec.field(default_factory=list)


class Scheduler(Queue):
    """What a queue gets."""

    curve: str = ""
    """Its drop profile."""


class Curve(msgspec.Struct):
    """A drop profile: fill levels and the highest probability, in percent."""

    levels: tuple[int, int] | None = None
    probability: int | None = None


class JunosState(State):
    """A configuration, as far as it was read."""

    has_instance: bool = False
    """Management has a routing instance of its own."""
    bgp_groups: dict[str, Group] = msgspec.field(default_factory=dict)
    as_lists: dict[str, int] = msgspec.field(default_factory=dict)
    snmp_users: dict[str, list[str]] = msgspec.field(default_factory=dict)
    """With what protects them."""
    classes: dict[str, ForwardingClass] = msgspec.field(default_factory=dict)
    schedulers: dict[str, Scheduler] = msgspec.field(default_factory=dict)
    curves: dict[str, Curve] = msgspec.field(default_factory=dict)
    maps: dict[str, list[tuple[str, str]]] = msgspec.field(default_factory=dict)
    """Scheduler map to forwarding classes and their schedulers."""
    queueing: dict[str, str] = msgspec.field(default_factory=dict)
    """Port, or `et-*`, to its scheduler map."""
    watchdogs: dict[str, dict[str, str]] = msgspec.field(default_factory=dict)

    def port(self, name: str) -> JunosPort:
        """The interface of that name, made when first met."""
        port = self.ports.get(name)
        if not isinstance(port, JunosPort):
            port = self.ports[name] = JunosPort(name=name, notes=self.notes("interfaces"))
        return port

    def notes(self, section: str) -> list[str]:
        """The management settings of a section."""
        return self.services.setdefault(section, [])

    def facts(self) -> Facts:
        """In neutral words."""
        return Facts(
            hostname=self.hostname,
            asn=self.asn,
            router_id=self.router_id,
            max_paths=self.max_paths,
            interfaces=self._interfaces(),
            neighbors=self._neighbors(),
            dscp_to_traffic_class=self._points(),
            traffic_class_to_queue={queue: queue for queue in sorted(self._queues().values())},
            profiles=self._profiles(),
            watchdog=next(map(_watchdog, self.watchdogs.values()), None),
            policies=self._in_terms(),
            services={name: "\n".join(sorted(lines)) for name, lines in self._services().items() if lines},
        )

    def _interfaces(self) -> dict[str, InterfaceFacts]:
        """Ports; a split cage is none, and a name with `*` stands for all ports that match it."""
        known = [name for name, port in self.ports.items() if _says_anything(port)]
        names = [name for name in dict.fromkeys((*known, *self.queueing)) if "*" not in name]
        split = {name.partition(":")[0] for name in names if name.startswith("et-") and ":" in name}
        return {name: self._interface(name) for name in names if name not in split}

    def _interface(self, name: str) -> InterfaceFacts:
        port, cage = self.ports.get(name, JunosPort()), self.ports.get(name.partition(":")[0])
        speed = port.speed_mbps if port.speed_mbps is not None or cage is None else cage.speed_mbps
        both = isinstance(port, JunosPort) and port.families == {"inet", "inet6"}
        alike = [value for key, value in self.queueing.items() if "*" in key and fnmatchcase(name, key)]
        return msgspec.structs.replace(
            port.facts(),
            speed_mbps=speed,
            link_local=both and not port.addresses,
            vrf=INSTANCE if self.has_instance and name.startswith("re0:") else "default",
            queueing=self.queueing.get(name, alike[-1] if alike else None),
        )

    def _neighbors(self) -> dict[str, NeighborFacts]:
        neighbors: dict[str, NeighborFacts] = {}
        for name, group in self.bgp_groups.items():
            over = dict.fromkeys(group.interfaces, self.as_lists.get(group.as_list))
            neighbors |= {peer: group.facts(name, asn) for peer, asn in (group.neighbors | over).items()}
        return neighbors

    def _queues(self) -> dict[str, int]:
        return {name: entry.queue for name, entry in self.classes.items() if entry.queue is not None}

    def _points(self) -> dict[int, int]:
        queues = self._queues()
        known = ((point, queues[name]) for name in queues for point in self.classes[name].points)
        return dict(sorted(known))

    def _profiles(self) -> dict[str, dict[int, ClassFacts]]:
        profiles: dict[str, dict[int, ClassFacts]] = {}
        queues = self._queues()
        for name, rows in self.maps.items():
            known = {queues[kind]: self._class(kind, scheduler) for kind, scheduler in rows if kind in queues}
            if known:
                profiles[name] = dict(sorted(known.items()))
        return profiles

    def _class(self, kind: str, name: str) -> ClassFacts:
        scheduler = self.schedulers.get(name, Scheduler())
        return ClassFacts(
            priority=self.classes[kind].priority,
            strict=scheduler.strict,
            max_rate_percent=scheduler.max_rate_percent,
            share_percent=scheduler.share_percent,
            ecn=self._marking(scheduler.curve),
        )

    def _marking(self, name: str) -> tuple[int, int, int] | None:
        """In bytes, if the drop profile's name says of how many."""
        depth, curve = DROPS.fullmatch(name), self.curves.get(name, Curve())
        if depth is None or curve.levels is None or curve.probability is None:
            return None
        low, high = (level * int(depth[1]) // 100 for level in curve.levels)
        return low, high, curve.probability

    def _in_terms(self) -> dict[str, str]:
        groups = {f"group {name}": "; ".join(sorted(group.notes)) for name, group in self.bgp_groups.items()}
        return {name: in_terms(lines) for name, lines in self.policies.items() if lines} | groups

    def _services(self) -> dict[str, list[str]]:
        """Settings by section, with the marking curves whose queue depth nobody says."""
        users = [" ".join((name, *protected)) for name, protected in self.snmp_users.items()]
        curves = [
            f"{name} from {curve.levels[0]}% to {curve.levels[1]}%, probability {curve.probability or 0}%"
            for name, curve in self.curves.items()
            if curve.levels is not None and not DROPS.fullmatch(name)
        ]
        return {**self.services, "snmp users": users, "drop-profiles": curves}


def _says_anything(port: Port) -> bool:
    """Whether anything is known of an interface beside that it is there."""
    return msgspec.structs.replace(port, name="", notes=[]) != JunosPort()


def _watchdog(written: dict[str, str]) -> tuple[str, int, int, int]:
    words = WATCHDOG | written
    poll = int(words["poll-interval"])
    return words["watchdog-action"], poll * int(words["detection"]), int(words["recovery"]), poll


def in_terms(lines: Iterable[str]) -> str:
    """What a policy says as one text: terms in their order, their lines sorted, for order says nothing there."""
    terms: dict[str, list[str]] = {}
    for line in lines:
        term = re.match(r"term \S+", line)
        terms.setdefault(term[0] if term else "", []).append(line)
    return "; ".join(line for rows in terms.values() for line in sorted(rows))
