"""Who reaches whom below which tier: the fabric as a tree for job placement.

Where each NIC of a host lands on a leaf of its own rail, a host hangs on as many leaves as it has rails, and no tree
of switches can say so. But all rails of a unit have the same hosts: two of them meet in one leaf, on whichever rail
they talk. So hosts that share a leaf, directly or through others, are one group: with rails the scalable unit. Above,
groups that share a spine are one, then those that share a superspine, then whatever is joined across.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

import msgspec

from fabric.topology.model import NetworkTopology
from fabric.topology.roles import NONE, Role


class Group(msgspec.Struct, frozen=True):
    """Hosts, or groups, that reach each other without going higher."""

    name: str
    hosts: tuple[int, ...]
    """Node ids; empty above the lowest level."""
    groups: tuple[Group, ...] = ()

    def all(self) -> Iterator[Group]:
        """Every group below, each behind its own, and this one."""
        for group in self.groups:
            yield from group.all()
        yield self


Namer = Callable[[int], str]
"""The name of the group that a node lies in."""


class _Sets:
    """Disjoint sets of node ids."""

    def __init__(self, count: int) -> None:
        self.parent = array("i", range(count))

    def of(self, item: int) -> int:
        """The lowest id of the set that an id is in."""
        while self.parent[item] != item:
            self.parent[item] = item = self.parent[self.parent[item]]
        return item

    def join(self, items: Iterable[int]) -> None:
        """The lowest id represents the set."""
        roots = sorted({self.of(item) for item in items})
        for root in roots[1:]:
            self.parent[root] = roots[0]


def neighbours(topology: NetworkTopology) -> dict[int, set[int]]:
    """The switches that each node is cabled to."""
    base, switches = topology.port_base, topology.switches.stop
    owner = array("i")
    for node in range(len(topology.role)):
        owner.extend([node] * (base[node + 1] - base[node]))
    neighbours_of: dict[int, set[int]] = {}
    for node in range(len(topology.role)):
        ends = {owner[peer] for peer in topology.peer[base[node] : base[node + 1]] if peer != NONE}
        neighbours_of[node] = {other for other in ends if other < switches}
    return neighbours_of


def reach(topology: NetworkTopology, prefix: str) -> tuple[Group, ...]:
    """The roots of the tree; several where no path joins them. Names do not change when the network grows."""
    beside = neighbours(topology)
    sets = _Sets(len(topology.role))
    names = _Names(topology, prefix)
    hosts = list(topology.role_start[Role.HOST])
    for host in hosts:
        sets.join((host, *beside[host]))
    groups = tuple(
        Group(names.leaves([n for n in members if topology.role[n] == Role.LEAF]), tuple(own))
        for members, own in _parted(sets, (*topology.role_start[Role.LEAF], *hosts), hosts)
    )
    anchor = {group.hosts[0]: group for group in groups}
    for role in (Role.SPINE, Role.SUPERSPINE):
        if topology.role_start[role]:
            for node in topology.role_start[role]:
                sets.join((node, *(other for other in beside[node] if topology.role[other] < role)))
            anchor = _raised(sets, anchor, partial(names.above, sets, role))
    return _across(topology, beside, sets, anchor, names)


def _across(
    topology: NetworkTopology,
    beside: Mapping[int, set[int]],
    sets: _Sets,
    anchor: dict[int, Group],
    names: _Names,
) -> tuple[Group, ...]:
    """Groups of one pod or zone first, then all: switches of one tier that are cabled to each other."""
    pairs = [
        (node, other)
        for node in topology.switches
        for other in sorted(beside[node])
        if topology.role[node] == topology.role[other] and node < other
    ]
    near = [pair for pair in pairs if topology.pod[pair[0]] == topology.pod[pair[1]]]
    if len(near) < len(pairs):
        for pair in near:
            sets.join(pair)
        anchor = _raised(sets, anchor, names.pod, only_joined=True)
    for pair in pairs:
        sets.join(pair)
    if pairs:
        anchor = _raised(sets, anchor, lambda _at: names.whole, only_joined=True)
    return tuple(anchor.values())


def _parted(sets: _Sets, nodes: Sequence[int], hosts: Sequence[int]) -> Iterator[tuple[list[int], list[int]]]:
    """Members and hosts of every set that has hosts, in the order of its first leaf."""
    members: dict[int, list[int]] = {}
    own: dict[int, list[int]] = {}
    for node in nodes:
        members.setdefault(sets.of(node), []).append(node)
    for host in hosts:
        own.setdefault(sets.of(host), []).append(host)
    for root in sorted(own):
        yield members[root], own[root]


def _raised(
    sets: _Sets, anchor: Mapping[int, Group], name: Namer, *, only_joined: bool = False
) -> dict[int, Group]:
    """One level more: groups that now lie in one set, under a group of their own; by a host of it."""
    together: dict[int, list[tuple[int, Group]]] = {}
    for at, group in anchor.items():
        together.setdefault(sets.of(at), []).append((at, group))
    raised = {}
    for members in together.values():
        at, first = members[0]
        alone = only_joined and len(members) == 1
        raised[at] = first if alone else Group(name(at), (), tuple(group for _, group in members))
    return raised


class _Names:
    """Names of groups: by unit and pod where a group is all of one, else called after its first switch."""

    def __init__(self, topology: NetworkTopology, prefix: str) -> None:
        self.topology, self.prefix = topology, prefix
        self.widths = topology.sizes.name_widths
        self.leaves_of: dict[int, int] = {}
        for leaf in topology.role_start[Role.LEAF]:
            self.leaves_of[topology.unit[leaf]] = self.leaves_of.get(topology.unit[leaf], 0) + 1

    @property
    def whole(self) -> str:
        """All that is cabled together."""
        return f"{self.prefix}fabric"

    def leaves(self, leaves: Sequence[int]) -> str:
        """A leaf by its name, all leaves of a unit as the unit."""
        unit = self.topology.unit[leaves[0]]
        if len(leaves) == 1 or len(leaves) < self.leaves_of[unit]:
            return self.topology.names[leaves[0]]
        return f"{self.prefix}unit-{unit:0{self.widths.get('unit', 1)}d}"

    def tier(self, role: Role, switches: Sequence[int]) -> str:
        """The spines of a pod as the pod, all switches of a tier as the tier."""
        sizes = self.topology.sizes
        if role is Role.SPINE and sizes.units_per_pod < sizes.units:
            return self.pod(switches[0])
        if len(switches) == len(self.topology.role_start[role]):
            return f"{self.prefix}{role.name.lower()}s"
        return self.topology.names[switches[0]]

    def above(self, sets: _Sets, role: Role, at: int) -> str:
        """The switches of a tier that lie in the set of a node."""
        root = sets.of(at)
        return self.tier(role, [node for node in self.topology.role_start[role] if sets.of(node) == root])

    def pod(self, node: int) -> str:
        """Pod or zone of a node."""
        return f"{self.prefix}pod-{self.topology.pod[node]:0{self.widths.get('pod', 1)}d}"
