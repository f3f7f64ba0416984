"""Which devices stand in for each other, and the proof of it on the links.

The builder states generators of the fabric's symmetry: swap two hosts, rotate the hosts of a unit, rotate units,
pods, rails or planes, rotate the spines of a group. Each is then checked to be an automorphism of the edge
list. A wrongly plugged cable breaks some of them, so the same check is a test of the wiring.

Colour refinement would not do: a miswire that keeps all degrees keeps all colours.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator

import msgspec

from fabric.intent.model.layouts import Dragonfly, DragonflyPlus, Torus
from fabric.topology.layout_graphs import Axis, Grid
from fabric.topology.model import NetworkTopology
from fabric.topology.roles import NONE, Role

Permutation = array  # of int: vertex to vertex


class Generator(msgspec.Struct, frozen=True):
    """One stated symmetry. Vertices are the nodes, then every NIC of every host."""

    name: str
    moves: Permutation[int]


class Place(msgspec.Struct, frozen=True):
    """Where a node stands, as far as symmetries move it."""

    role: int
    unit: int
    rail: int
    plane: int
    pod: int
    group: int
    index: int


class Graph:
    """The links of a network between switches, NICs, hosts and attachments."""

    def __init__(self, network: NetworkTopology) -> None:
        self.network = network
        self.nodes = len(network.role)
        self.first_nic: dict[int, int] = {}
        self.nics: dict[int, int] = {}
        vertex = self.nodes
        planes = network.sizes.planes
        for host in network.role_start[Role.HOST]:
            self.first_nic[host] = vertex
            self.nics[host] = (network.port_base[host + 1] - network.port_base[host]) // planes
            vertex += self.nics[host]
        self.vertices = vertex
        self.places = [self._place(node) for node in range(self.nodes)]
        self.known = {place: node for node, place in enumerate(self.places)}
        self.edges = array("q", self._edges())
        self.sorted = array("q", sorted(self.edges))

    def _place(self, node: int) -> Place:
        net = self.network
        role = net.role[node]
        group = net.group[node]
        if role == Role.SUPERSPINE:
            group //= max(1, len({net.plane[i] for i in net.role_start[Role.SUPERSPINE]}))
        elif role != Role.HOST:
            group = NONE  # of leaves and spines it follows from the other numbers
        rail = NONE if role == Role.HOST else net.rail[node]
        return Place(role, net.unit[node], rail, net.plane[node], net.pod[node], group, net.index[node])

    def _edges(self) -> Iterator[int]:
        net = self.network
        vertex = self._port_vertices()
        for port, peer in enumerate(net.peer):
            if peer > port:
                yield self._edge(vertex[port], vertex[peer])
        for host, first in self.first_nic.items():
            for nic in range(self.nics[host]):
                yield self._edge(host, first + nic)

    def _port_vertices(self) -> array[int]:
        net, planes = self.network, self.network.sizes.planes
        vertex = array("i")
        for node in range(self.nodes):
            count = net.port_base[node + 1] - net.port_base[node]
            first = self.first_nic.get(node)
            if first is None:
                vertex.extend([node] * count)
            else:
                vertex.extend(first + i // planes for i in range(count))
        return vertex

    def _edge(self, one: int, two: int) -> int:
        return one * self.vertices + two if one < two else two * self.vertices + one

    def holds(self, generator: Generator) -> bool:
        """Whether a generator maps the links onto themselves."""
        moves, many = generator.moves, self.vertices
        image = sorted(self._edge(moves[edge // many], moves[edge % many]) for edge in self.edges)
        return array("q", image) == self.sorted

    def generator(
        self, name: str, move: Callable[[Place], Place], nic: Callable[[int], int] = lambda k: k
    ) -> Generator | None:
        """The permutation that `move` makes of the nodes; None if it leads to a place where nothing stands."""
        moves = array("i", range(self.vertices))
        for node, place in enumerate(self.places):
            other = self.known.get(move(place))
            if other is None or self.nics.get(node) != self.nics.get(other):
                return None
            moves[node] = other
            for k in range(self.nics.get(node, 0)):
                moves[self.first_nic[node] + k] = self.first_nic[other] + nic(k)
        return Generator(name, moves)


def generators(network: NetworkTopology, graph: Graph | None = None) -> tuple[Generator, ...]:
    """Every symmetry that the builder states for a network."""
    graph = graph or Graph(network)
    found = [generator for family in _families(network) for generator in family(graph)]
    still = _attached(graph)
    return tuple(g for g in found if g is not None and all(g.moves[v] == v for v in still))


def _families(network: NetworkTopology) -> tuple[Callable[[Graph], Iterator[Generator | None]], ...]:
    """What may be moved: in a torus not the units, in a dragonfly all groups at once, in both no spines."""
    match network.sizes.layout:
        case Torus():
            return (_host_generators, _shift_generators, _plane_generators)
        case Dragonfly():
            return (_host_generators, _pod_generators, _plane_generators)
        case DragonflyPlus():
            return (_host_generators, _unit_generators, _pod_generators, _plane_generators)
        case _:
            return (
                _host_generators,
                _unit_generators,
                _pod_generators,
                _rail_generators,
                _plane_generators,
                _spine_generators,
                _superspine_generators,
            )


def broken(network: NetworkTopology) -> tuple[str, ...]:
    """Names of the stated symmetries that the links do not have. Empty: the wiring is as stated."""
    graph = Graph(network)
    return tuple(g.name for g in generators(network, graph) if not graph.holds(g))


def _attached(graph: Graph) -> list[int]:
    """Switches that hold an attachment: nothing else is like them."""
    net = graph.network
    found: list[int] = []
    for node in net.role_start[Role.ATTACHMENT]:
        ports = range(net.port_base[node], net.port_base[node + 1])
        peers = {net.peer[port] for port in ports} - {NONE}
        found += [i for i in net.switches if any(net.port_base[i] <= p < net.port_base[i + 1] for p in peers)]
    return found


def _cycle(items: Iterable[int]) -> dict[int, int]:
    order = list(items)
    return dict(zip(order, [*order[1:], *order[:1]], strict=True))


def _host_generators(graph: Graph) -> Iterator[Generator | None]:
    """Hosts of one group and unit whose NICs land alike."""
    net = graph.network
    alike: dict[tuple[int, int, int], list[int]] = {}
    for host in net.role_start[Role.HOST]:
        alike.setdefault((net.unit[host], net.group[host], net.rail[host]), []).append(net.index[host])
    for (unit, group, rail), indices in alike.items():
        if len(indices) < 2:
            continue
        for word, cycle in (("swap", _cycle(indices[:2])), ("rotate", _cycle(indices))):

            def move(
                place: Place, *, unit: int = unit, group: int = group, cycle: dict[int, int] = cycle
            ) -> Place:
                if place.role != Role.HOST or place.unit != unit or place.group != group:
                    return place
                return msgspec.structs.replace(place, index=cycle.get(place.index, place.index))

            yield graph.generator(f"{word} hosts of unit {unit}, group {group}, rail {rail}", move)


def _unit_generators(graph: Graph) -> Iterator[Generator | None]:
    """Units of one pod with the same hosts."""
    net = graph.network
    hosts: dict[int, list[tuple[int, int]]] = {}
    for host in net.role_start[Role.HOST]:
        hosts.setdefault(net.unit[host], []).append((net.group[host], net.index[host]))
    special = {net.unit[leaf] for leaf in _attached(graph)}
    alike: dict[tuple[int, tuple[tuple[int, int], ...]], list[int]] = {}
    for leaf in net.role_start[Role.LEAF]:
        unit = net.unit[leaf]
        key = (net.pod[leaf], tuple(hosts.get(unit, ())))
        units = alike.setdefault(key, [])
        if unit not in units and unit not in special:
            units.append(unit)
    for (pod, _), units in alike.items():
        for word, cycle in (("swap", _cycle(units[:2])), ("rotate", _cycle(units))):

            def move(place: Place, *, cycle: dict[int, int] = cycle) -> Place:
                return msgspec.structs.replace(place, unit=cycle.get(place.unit, place.unit))

            if len(units) > 1:
                yield graph.generator(f"{word} units of pod {pod}", move)


def _pod_generators(graph: Graph) -> Iterator[Generator | None]:
    net = graph.network
    pods = sorted({net.pod[leaf] for leaf in net.role_start[Role.LEAF]} - {NONE})
    if len(pods) < 2:
        return
    cycle, units = _cycle(pods), net.sizes.units_per_pod
    installed = units * len(pods)
    if net.sizes.layout is not None and installed != net.sizes.units:
        return  # the missing groups are part of the turn

    def move(place: Place) -> Place:
        unit = NONE if place.unit == NONE else (place.unit + units) % installed
        return msgspec.structs.replace(place, pod=cycle.get(place.pod, place.pod), unit=unit)

    yield graph.generator("rotate pods", move)


def _shift_generators(graph: Graph) -> Iterator[Generator | None]:
    """A torus, shifted by one place along an axis."""
    for name, shift in torus_shifts(graph.network):

        def move(place: Place, *, shift: Callable[[int], int] = shift) -> Place:
            return place if place.unit == NONE else msgspec.structs.replace(place, unit=shift(place.unit))

        yield graph.generator(name, move)


def _rail_generators(graph: Graph) -> Iterator[Generator | None]:
    net = graph.network
    rails = sorted({net.rail[leaf] for leaf in net.role_start[Role.LEAF]})
    if len(rails) < 2 or any(nics != net.sizes.rails for nics in graph.nics.values()):
        return
    cycle, step, count = _cycle(rails), rails[1] - rails[0], net.sizes.rails
    index = {rail: i for i, rail in enumerate(rails)}

    def move(place: Place) -> Place:
        if place.role == Role.HOST:
            return place
        rail = cycle.get(place.rail, place.rail)
        at = index[rail] if place.role == Role.LEAF else place.index
        return msgspec.structs.replace(place, rail=rail, index=at)

    yield graph.generator("rotate rails", move, lambda nic: (nic + step) % count)


def _plane_generators(graph: Graph) -> Iterator[Generator | None]:
    planes = graph.network.sizes.planes
    if planes < 2:
        return
    cycle = _cycle(range(planes))

    def move(place: Place) -> Place:
        return msgspec.structs.replace(place, plane=cycle.get(place.plane, place.plane))

    yield graph.generator("rotate planes", move)


def _spine_generators(graph: Graph) -> Iterator[Generator | None]:
    """Spines of one group; where something hangs above or across, the same turn in every group at once."""
    net = graph.network
    spines = net.role_start[Role.SPINE]
    indices = sorted({net.index[spine] for spine in spines})
    if len(indices) < 2:
        return
    tied = len(net.role_start[Role.SUPERSPINE]) > 0 or _across(graph)
    groups = sorted({(p.rail, p.plane, p.pod) for p in graph.places if p.role == Role.SPINE})
    above = net.sizes.superspine_groups
    turning = _cycle(range(above)) if above == net.sizes.spines == len(indices) else {}
    if tied and above > 1 and not turning:
        return
    for word, cycle in (("swap", _cycle(indices[:2])), ("rotate", _cycle(indices))):
        turned = cycle if turning and word == "swap" else turning
        for group in [None] if tied else groups:

            def move(
                place: Place,
                *,
                group: tuple[int, int, int] | None = group,
                cycle: dict[int, int] = cycle,
                turned: dict[int, int] = turned,
            ) -> Place:
                if place.role == Role.SUPERSPINE:
                    return msgspec.structs.replace(place, group=turned.get(place.group, place.group))
                if place.role != Role.SPINE or group not in (None, (place.rail, place.plane, place.pod)):
                    return place
                return msgspec.structs.replace(place, index=cycle.get(place.index, place.index))

            yield graph.generator(f"{word} spines of {'all groups' if group is None else group}", move)


def _across(graph: Graph) -> bool:
    net = graph.network
    pods = {net.pod[spine] for spine in net.role_start[Role.SPINE]}
    return len(pods) > 1 and not net.role_start[Role.SUPERSPINE] and _joined_spines(graph)


def _joined_spines(graph: Graph) -> bool:
    net, spines = graph.network, graph.network.role_start[Role.SPINE]
    low, high = net.port_base[spines.start], net.port_base[spines.stop]
    return any(low <= net.peer[port] < high for port in range(low, high))


def _superspine_generators(graph: Graph) -> Iterator[Generator | None]:
    net = graph.network
    above = [place for place in graph.places if place.role == Role.SUPERSPINE]
    indices = sorted({place.index for place in above})
    if len(indices) < 2 or not net.role_start[Role.SPINE]:
        return
    for group, plane in sorted({(place.group, place.plane) for place in above}):
        cycle = _cycle(indices)

        def move(
            place: Place, *, group: int = group, plane: int = plane, cycle: dict[int, int] = cycle
        ) -> Place:
            if place.role != Role.SUPERSPINE or (place.group, place.plane) != (group, plane):
                return place
            return msgspec.structs.replace(place, index=cycle[place.index])

        yield graph.generator(f"rotate superspines of group {group}, plane {plane}", move)


Shift = Callable[[int], int]
"""From a unit to another one."""


def torus_shifts(network: NetworkTopology) -> Iterator[tuple[str, Shift]]:
    """Each axis along which whole units can be shifted by one place."""
    sizes = network.sizes
    layout = sizes.layout
    if not isinstance(layout, Torus):
        return
    grid = Grid(layout.dimensions, layout.links, layout.doubled)
    for number, axis in enumerate(grid.axes()):
        if axis.stride % sizes.leaves_per_unit == 0:
            yield f"shift along axis {number}", _shift(grid, axis, sizes.leaves_per_unit)


def _shift(grid: Grid, axis: Axis, leaves: int) -> Shift:
    return lambda unit: grid.step(unit * leaves, axis, 1) // leaves
