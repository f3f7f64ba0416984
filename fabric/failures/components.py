"""What may fail, and the links that it takes: links, cables, optics, switches, line cards, racks, planes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from fabric.failures.places import Longs
from fabric.graph import Graph, Tier
from fabric.graph.model import Ints, column
from fabric.topology.model import NetworkTopology
from fabric.topology.roles import NONE, Role

NO_FEEDS: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Placement:
    """Where devices and hosts stand, by name: racks, and the power feeds of each."""

    racks: Mapping[str, str] = field(default_factory=dict)
    feeds: Mapping[str, frozenset[str]] = field(default_factory=dict)


LINKS = {
    Tier.HOST: "host link",
    Tier.LEAF: "leaf-spine link",
    Tier.SPINE: "spine-superspine link",
    Tier.ACROSS: "link across",
    Tier.OUT: "attachment link",
}
"""What people call a link of each tier."""


@dataclass(frozen=True, eq=False)
class Failures:
    """Failures of one kind. Failure `i` takes `links[starts[i]:starts[i + 1]]`."""

    kind: str
    starts: Longs
    links: Longs
    name: Callable[[int], str]
    """What people call failure `i`."""
    ids: Longs
    """Node, link, cable, plane of each."""

    @property
    def count(self) -> int:
        """Failures."""
        return len(self.starts) - 1

    def entries(self) -> tuple[Longs, Longs]:
        """The failure and the link of each entry."""
        return np.repeat(np.arange(self.count), np.diff(self.starts)), self.links


def failures_of(graph: Graph, placement: Placement) -> Iterator[Failures]:
    """Every kind of failure that a network knows."""
    for tier, kind in LINKS.items():
        links = graph.links(tier).astype(np.int64)
        if len(links):
            yield Failures(kind, np.arange(len(links) + 1), links, _labels(graph, links), links)
    yield from _cables(graph)
    yield from _optics(graph)
    for role in (Role.LEAF, Role.SPINE, Role.SUPERSPINE):
        if len(graph.nodes(role)):
            yield _nodes(graph, role.name.lower(), np.array(graph.nodes(role), np.int64))
    yield from _line_cards(graph)
    yield from _racks(graph, placement.racks)
    yield from _feeds(graph, placement.feeds)
    yield from _planes(graph)


def grouped(
    kind: str, owners: Longs, links: Longs, name: Callable[[int], str], ids: Longs | None = None
) -> Failures:
    """Failures of what owns links: one for each owner. `name` is of an owner."""
    order = np.lexsort((links, owners))
    owners, links = owners[order], links[order]
    first = np.flatnonzero(np.append(True, owners[1:] != owners[:-1])) if len(owners) else np.zeros(0, int)
    own = owners[first]
    starts = np.append(first, len(links)).astype(np.int64)
    return Failures(kind, starts, links, lambda i: name(int(own[i])), own if ids is None else ids)


def _labels(graph: Graph, links: Longs) -> Callable[[int], str]:
    return lambda i: graph.label(int(links[i]))


def _of_names(net: NetworkTopology) -> Callable[[int], str]:
    return lambda node: net.names[node]


def _nodes(graph: Graph, kind: str, nodes: Longs) -> Failures:
    owners, links = ends_of(graph)
    chosen = np.isin(owners, nodes)
    return grouped(kind, owners[chosen], links[chosen], _of_names(graph.net))


def ends_of(graph: Graph) -> tuple[Longs, Longs]:
    """The node and the link of every end of a link."""
    links = np.arange(graph.count)
    return np.concatenate((graph.lower, graph.upper)).astype(np.int64), np.concatenate((links, links))


def _cables(graph: Graph) -> Iterator[Failures]:
    """Cables of several links: of a cable with one link, the cable is that link."""
    links = np.flatnonzero(np.bincount(graph.cable)[graph.cable] > 1)
    if len(links):
        net = graph.net
        cable = graph.cable[links].astype(np.int64)
        yield grouped("cable", cable, links, lambda number: f"cable {net.cable_label(number)}")


def _optics(graph: Graph) -> Iterator[Failures]:
    """Of each cage that carries several links, of one cable or of two, and of each end of such a cable at a host."""
    net = graph.net
    cages = [np.array([slot.cage for slot in port_map.slots], np.int64) for port_map in net.port_maps]
    slots = [np.array([slot.slot for slot in port_map.slots], np.int64) for port_map in net.port_maps]
    owners, links = ends_of(graph)
    ports = np.concatenate((graph.lower_port, graph.upper_port)) - graph.port_base[owners]
    chosen = column(net.port_map)[owners]
    place = np.tile(graph.cable.astype(np.int64), 2)
    slot = np.full(len(owners), NONE, np.int64)
    for number in range(len(net.port_maps)):
        own = chosen == number
        place[own], slot[own] = cages[number][ports[own]], slots[number][ports[own]]
    keys, at, many = np.unique(
        np.stack((owners, slot, place)), axis=1, return_inverse=True, return_counts=True
    )
    several = many[at.ravel()] > 1

    def name(number: int) -> str:
        node, slot, place = keys[:, number].tolist()
        if slot == NONE:
            return f"cable {net.cable_label(place)} at {net.names[node]}"
        return f"{net.names[node]} cage {f'{slot}/' if slot else ''}{place}"

    if several.any():
        yield grouped("optic", at.ravel()[several].astype(np.int64), links[several], name)


def _line_cards(graph: Graph) -> Iterator[Failures]:
    """Of chassis switches: the ports of one slot."""
    net = graph.net
    slots = [np.array([slot.slot for slot in port_map.slots], np.int64) for port_map in net.port_maps]
    owners, links = ends_of(graph)
    ports = np.concatenate((graph.lower_port, graph.upper_port))
    card = np.full(len(owners), NONE, np.int64)
    for number, of_ports in enumerate(slots):
        if len(np.unique(of_ports)) > 1:
            own = np.isin(owners, [node for node in net.switches if net.port_map[node] == number])
            card[own] = of_ports[(ports - graph.port_base[owners])[own]]
    has_card = card != NONE
    if has_card.any():
        most = int(card.max()) + 1
        yield grouped(
            "line card",
            (owners * most + card)[has_card],
            links[has_card],
            lambda owner: f"{net.names[owner // most]} slot {owner % most}",
        )


def _racks(graph: Graph, racks: Mapping[str, str]) -> Iterator[Failures]:
    places = [racks.get(name) for name in graph.net.names]
    yield from _places(graph, "rack", [{rack} if rack else NO_FEEDS for rack in places])


def _feeds(graph: Graph, feeds: Mapping[str, frozenset[str]]) -> Iterator[Failures]:
    """A feed takes what has no other."""
    own = [feeds.get(name, NO_FEEDS) for name in graph.net.names]
    yield from _places(graph, "feed", [each if len(each) == 1 else NO_FEEDS for each in own])


def _places(graph: Graph, kind: str, of_node: Sequence[Collection[str]]) -> Iterator[Failures]:
    """Failures that take every node of a place. `of_node`: the place of each node, or none."""
    names = sorted({name for places in of_node for name in places})
    if not names:
        return
    number = {name: i for i, name in enumerate(names)}
    place = np.array([number[next(iter(places))] if places else NONE for places in of_node], np.int64)
    owners, links = ends_of(graph)
    pairs = np.unique(np.stack((place[owners], links)), axis=1)
    pairs = pairs[:, pairs[0] != NONE]
    if pairs.shape[1]:
        yield grouped(kind, pairs[0], pairs[1], lambda at: f"{kind} {names[at]}")


def _planes(graph: Graph) -> Iterator[Failures]:
    if graph.net.sizes.planes < 2:
        return
    plane: Ints = np.where(
        graph.plane[graph.upper] == NONE, graph.plane[graph.lower], graph.plane[graph.upper]
    )
    links = np.flatnonzero(plane != NONE)
    yield grouped("plane", plane[links].astype(np.int64), links, lambda number: f"plane {number}")
