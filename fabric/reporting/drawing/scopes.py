"""Which nodes a drawing shows: a whole network, one of its planes, pods or units."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from fabric.exports.network_view import View
from fabric.topology.model import NetworkTopology
from fabric.topology.roles import NONE, Role

HALL = "hall"
MOST_UNITS = 400
"""More units than this have no drawing of their own."""


@dataclass(frozen=True)
class Fabric:
    """One network as drawings see it: who owns which port, what is out."""

    view: View
    owner: array[int]
    shut: frozenset[int]
    drained: frozenset[int]
    """Node ids."""

    @property
    def net(self) -> NetworkTopology:
        """Its columns."""
        return self.view.topology

    @cached_property
    def speeds(self) -> array[int]:
        """Mb/s of each port of a switch; 0 of others, which run at those of their switches."""
        found = array("q")
        for node, chosen in enumerate(self.net.port_map):
            ports = self.net.port_base[node + 1] - self.net.port_base[node]
            slots = self.net.port_maps[chosen].slots if chosen != NONE else ()
            found.extend([slot.speed_mbps for slot in slots] if slots else [0] * ports)
        return found

    @cached_property
    def pods(self) -> tuple[int, ...]:
        """Pods that have leaves."""
        return tuple(sorted({self.net.pod[node] for node in self.net.role_start[Role.LEAF]}))

    @cached_property
    def units(self) -> frozenset[tuple[int, int]]:
        """Pod and number of every unit."""
        return frozenset((self.net.pod[node], self.net.unit[node]) for node in self.net.role_start[Role.LEAF])

    @cached_property
    def homes(self) -> dict[int, tuple[int, int]]:
        """Pod and unit of each host: those of the first leaf that it is cabled to."""
        found: dict[int, tuple[int, int]] = {}
        for host in self.net.role_start[Role.HOST]:
            for _node, _port, leaf, _peer in self.links_of((host,)):
                found[host] = self.net.pod[leaf], self.net.unit[leaf]
                break
        return found

    def is_out(self, low: int, port: int, high: int, peer: int) -> bool:
        """Whether a link carries nothing by the will of intent or operators."""
        return bool({port, peer} & self.shut or {low, high} & self.drained)

    def links_of(self, nodes: Iterable[int]) -> Iterator[tuple[int, int, int, int]]:
        """Every link of these nodes: node, port, other node, its port; from each end that is among them."""
        base, peers = self.net.port_base, self.net.peer
        for node in nodes:
            for port in range(base[node], base[node + 1]):
                if peers[port] != NONE:
                    yield node, port, self.owner[peers[port]], peers[port]


def fabric_of(view: View) -> Fabric:
    """What drawings must know of a network."""
    net = view.topology
    owner = array("i")
    for node in range(len(net.names)):
        owner.extend([node] * (net.port_base[node + 1] - net.port_base[node]))
    drained = {entry.device for entry in view.intent.state.drained}
    nodes = frozenset(node for node in net.switches if net.names[node] in drained) if drained else frozenset()
    return Fabric(view, owner, view.context.shut if view.context else frozenset(), nodes)


@dataclass(frozen=True)
class Scope:
    """The nodes of one drawing."""

    id: str
    name: str
    """For people: `plane 1`, `pod 3`, `unit 12`."""
    leaves: tuple[int, ...]
    spines: tuple[int, ...] = ()
    superspines: tuple[int, ...] = ()
    hosts: tuple[int, ...] = ()
    attachments: tuple[int, ...] = ()
    parent: str = ""
    elsewhere: dict[str, int] = field(default_factory=dict)
    """Links to what is not shown, by what it is."""

    @property
    def nodes(self) -> tuple[int, ...]:
        """All of them, ascending."""
        return tuple(sorted((*self.leaves, *self.spines, *self.superspines, *self.hosts, *self.attachments)))


def hall(fabric: Fabric) -> Scope:
    """The whole network."""
    start = fabric.net.role_start
    leaves, spines, superspines, hosts, attachments = (tuple(start[role]) for role in Role)
    return Scope(HALL, "", leaves, spines, superspines, hosts, attachments)


def scopes(fabric: Fabric) -> tuple[Scope, ...]:
    """The whole network, then its planes, pods and units where there are several."""
    net, leaves = fabric.net, fabric.net.role_start[Role.LEAF]
    found = [hall(fabric)]
    planes = sorted({net.plane[node] for node in leaves} - {NONE})
    if len(planes) > 1:
        found += [_scope(fabric, f"plane-{p}", f"plane {p}", _of(net.plane, leaves, p)) for p in planes]
    pods = sorted({net.pod[node] for node in leaves} - {NONE})
    word = pod_word(net)
    if len(pods) > 1:
        found += [_scope(fabric, f"pod-{p}", f"{word} {p}", _of(net.pod, leaves, p)) for p in pods]
    units = Counter((net.pod[node], net.unit[node]) for node in leaves)
    if 1 < len(units) <= MOST_UNITS and max(units.values()) > 1:
        found += [_unit(fabric, pod, unit, len(pods) > 1) for pod, unit in sorted(units)]
    return tuple(found)


def _of(column: array[int], nodes: Collection[int], value: int) -> tuple[int, ...]:
    return tuple(node for node in nodes if column[node] == value)


def _unit(fabric: Fabric, pod: int, unit: int, in_pods: bool) -> Scope:  # noqa: FBT001
    net = fabric.net
    leaves = tuple(n for n in net.role_start[Role.LEAF] if (net.pod[n], net.unit[n]) == (pod, unit))
    parent = f"pod-{pod}" if in_pods else HALL
    return _scope(fabric, unit_id(pod, unit), f"unit {unit}", leaves, parent=parent, is_unit=True)


def unit_id(pod: int, unit: int) -> str:
    """The name of a unit's drawing."""
    return f"unit-{unit}" if pod == NONE else f"unit-{pod}-{unit}"


def _scope(
    fabric: Fabric,
    name: str,
    words: str,
    leaves: tuple[int, ...],
    parent: str = HALL,
    *,
    is_unit: bool = False,
) -> Scope:
    """Leaves and all that is cabled to them; of spines also what is above, but for a unit."""
    net = fabric.net
    near = _peers(fabric, leaves)
    spines = near[Role.SPINE]
    above = _peers(fabric, spines) if spines and not is_unit else {}
    shown = {*leaves, *spines}
    elsewhere: Counter[str] = Counter()
    for node, _port, other, _peer in fabric.links_of((*leaves, *(() if is_unit else spines))):
        if net.role[other] == net.role[node] and other not in shown:
            elsewhere[f"other {pod_word(net)}s"] += 1
    return Scope(
        name,
        words,
        leaves,
        spines,
        above.get(Role.SUPERSPINE, ()),
        near[Role.HOST],
        near[Role.ATTACHMENT],
        parent,
        dict(elsewhere),
    )


def _peers(fabric: Fabric, nodes: Iterable[int]) -> dict[Role, tuple[int, ...]]:
    """What is cabled to nodes, by role."""
    others = {other for _node, _port, other, _peer in fabric.links_of(nodes)}
    return {role: tuple(sorted(n for n in others if fabric.net.role[n] == role)) for role in Role}


def pod_word(net: NetworkTopology) -> str:
    """What people call the blocks of units that have spines of their own, or stand together in a dragonfly."""
    if net.sizes.layout is not None:
        return "group"
    return "pod" if net.role_start[Role.SUPERSPINE] else "zone"
