"""Who is who in a discovered subnet: nodes matched to the intent by what they call themselves and by their cables."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

import msgspec

from fabric.devices.infiniband.model import EndPort, Subnet
from fabric.verification.infiniband.reading.discovery import Discovered, End, parse_ibnetdiscover

_MANAGED = re.compile(r"MF\d+;([^:]+):")
"""How managed switches describe themselves: `MF0;leaf-0-3:MQM9700/U1`."""
_RECORD = re.compile(r'Ca\s+\d+\s+"H-([0-9a-f]{16})"')
_PORT = re.compile(r"\[(\d+)\]\(([0-9a-f]+)\)")
FEWEST = 2
"""Cables that must agree before a switch without a name is taken for one of ours."""


class Adapter(msgspec.Struct, frozen=True, order=True):
    """A discovered adapter that is one of the intent's."""

    host: str
    nic: int
    node_guid: int
    port_guids: tuple[int, ...]
    by: str
    """What it was known by: `name`, `cabling`, or `name and cabling`."""


class Switch(msgspec.Struct, frozen=True, order=True):
    """A discovered switch that is one of the intent's."""

    name: str
    guid: int
    by: str


class Identities(msgspec.Struct, frozen=True):
    """Every match, and everything that has none."""

    switches: tuple[Switch, ...]
    adapters: tuple[Adapter, ...]
    missing: tuple[str, ...]
    """Switches and adapters of the intent that nothing was matched to."""
    doubts: tuple[str, ...]
    """Sentences: nodes whose name and cables disagree, or that two could be. Nothing was guessed of them."""


def identify(subnet: Subnet, text: str) -> Identities:
    """Match the output of `ibnetdiscover` to a subnet, whose own GUIDs may be invented."""
    return _Matcher(subnet, parse_ibnetdiscover(text), _port_guids(text)).identities()


def _port_guids(text: str) -> dict[int, dict[int, int]]:
    """Port GUIDs of every adapter by port."""
    guids: dict[int, dict[int, int]] = defaultdict(dict)
    node = 0
    for line in text.splitlines():
        record = _RECORD.match(line)
        if record:
            node = int(record[1], 16)
        elif line.startswith(("Switch", "Rt")):
            node = 0
        elif node and (port := _PORT.match(line)):
            guids[node][int(port[1])] = int(port[2], 16)
    return guids


def _called(description: str) -> str:
    managed = _MANAGED.match(description)
    return managed[1] if managed else description


class _Matcher:
    """One matching. Our nodes are named by the GUIDs of the subnet, which may be invented."""

    def __init__(self, subnet: Subnet, seen: Discovered, ports: Mapping[int, Mapping[int, int]]) -> None:
        self.subnet, self.seen, self.ports = subnet, seen, ports
        self.want: dict[End, End] = {}
        for link in subnet.links:
            lower, upper = (link.lower, link.lower_port), (link.upper, link.upper_port)
            self.want[lower], self.want[upper] = upper, lower
        self.ends: dict[int, EndPort] = {end.node_guid: end for end in reversed(subnet.ends)}
        self.hosts = {end.host for end in subnet.ends}
        self.names = {switch.name: switch.guid for switch in subnet.switches}
        self.exact = {end.name: end.node_guid for end in subnet.ends}
        self.ours: dict[int, int] = {}
        """Our node of each discovered one."""
        self.taken: set[int] = set()
        """Our nodes that have a discovered one."""
        self.by: dict[int, str] = {}
        self.doubts: list[str] = []
        self.reported: set[int] = set()
        self.links: dict[int, list[tuple[int, End]]] = defaultdict(list)
        for (node, port), cable in seen.links.items():
            self.links[node].append((port, cable.peer))

    def identities(self) -> Identities:
        """All matches: switches by name, then by cables, then adapters."""
        self._by_name("Switch", self.names)
        while self._switches_by_cabling():
            pass
        for guid, node in self.seen.nodes.items():
            if node.kind == "Ca":
                self._adapter(guid)
        missing = [s.name for s in self.subnet.switches if s.guid not in self.taken]
        missing += sorted(end.name for guid, end in self.ends.items() if guid not in self.taken)
        return Identities(
            tuple(sorted(self._switches())),
            tuple(sorted(self._adapters())),
            tuple(missing),
            tuple(self.doubts),
        )

    def _switches(self) -> Iterator[Switch]:
        names = {guid: name for name, guid in self.names.items()}
        for guid, mine in self.ours.items():
            if mine in names:
                yield Switch(names[mine], guid, self.by[guid])

    def _adapters(self) -> Iterator[Adapter]:
        for guid, mine in self.ours.items():
            if mine in self.ends:
                end, ports = self.ends[mine], self.ports.get(guid, {})
                guids = tuple(ports[port] for port in sorted(ports))
                yield Adapter(end.host, end.nic, guid, guids, self.by[guid])

    def _by_name(self, kind: str, known: Mapping[str, int]) -> None:
        groups: dict[str, list[int]] = defaultdict(list)
        for guid, node in self.seen.nodes.items():
            if node.kind == kind and _called(node.name) in known:
                groups[_called(node.name)].append(guid)
        for name, guids in groups.items():
            if len(guids) == 1:
                self._match(guids[0], known[name], "name")
            else:
                self._doubt(guids[0], f"{len(guids)} nodes announce the name {name}")

    def _match(self, guid: int, mine: int, by: str) -> None:
        self.ours[guid], self.by[guid] = mine, by
        self.taken.add(mine)

    def _doubt(self, guid: int, text: str) -> None:
        if guid not in self.reported:
            self.reported.add(guid)
            self.doubts.append(text)

    def _switches_by_cabling(self) -> bool:
        """One round: switches most of whose cables lead where one of ours should have them. False if none was found."""
        progress = False
        for guid, node in self.seen.nodes.items():
            if node.kind != "Switch" or guid in self.ours:
                continue
            votes = Counter(mine for mine in self._votes(guid) if mine not in self.taken)
            if not votes:
                continue
            mine, count = votes.most_common(1)[0]
            if count >= FEWEST and 2 * count > sum(votes.values()) and _called(node.name) not in self.names:
                self._match(guid, mine, "cabling")
                progress = True
        return progress

    def _votes(self, guid: int) -> Iterator[int]:
        """For each cable, the switch of ours that it identifies this one as."""
        for port, (other, at) in self.links[guid]:
            mine = self.ours.get(other) or self.exact.get(self._name(other))
            meant = self.want.get((mine, at)) if mine is not None else None
            if meant is not None and meant[1] == port:
                yield meant[0]

    def _name(self, guid: int) -> str:
        node = self.seen.nodes.get(guid)
        return node.name if node else ""

    def _adapter(self, guid: int) -> None:
        """By its place and its name, which must not disagree; by its full name alone where the place is not known."""
        name = self._name(guid)
        host = name.partition(" ")[0]
        places = {
            self.want.get((self.ours[peer], at)) for _, (peer, at) in self.links[guid] if peer in self.ours
        }
        meant = {place[0] for place in places if place is not None}
        if len(meant) > 1 or (places and not meant):
            self._doubt(guid, f"{guid:#018x} ({name}) is plugged where no one adapter of the intent is")
        elif meant:
            self._placed(guid, next(iter(meant)), host, name)
        elif name in self.exact and self.exact[name] not in self.taken:
            self._match(guid, self.exact[name], "name")

    def _placed(self, guid: int, mine: int, host: str, name: str) -> None:
        end = self.ends.get(mine)
        if end is None:
            self._doubt(guid, f"{guid:#018x} ({name}) is plugged where a switch should be")
        elif host in self.hosts and host != end.host:
            self._doubt(guid, f"{guid:#018x} calls itself {name!r} and is plugged where {end.name} should be")
        elif mine in self.taken:
            self._doubt(
                guid, f"{guid:#018x} ({name}) has the place of {end.name}, and another one has it too"
            )
        else:
            self._match(guid, mine, "name and cabling" if host == end.host else "cabling")
