"""What may fail, and the links that each failure takes: links, cables, their ends, switches, planes, line cards, racks.

A failure of a power feed is left out: nothing says which feed a switch or a rack hangs on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from fabric.failures.places import Longs
from fabric.graph import Graph, Tier
from fabric.graph.model import Ints
from fabric.topology.model import NetworkTopology
from fabric.topology.roles import NONE, Role

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


def failures_of(graph: Graph, racks: Mapping[str, str]) -> Iterator[Failures]:
    """Every kind of failure that a network knows. `racks`: of hosts and switches by name."""
    for tier, kind in LINKS.items():
        links = graph.links(tier).astype(np.int64)
        if len(links):
            yield Failures(kind, np.arange(len(links) + 1), links, _labels(graph, links), links)
    yield from _cables(graph)
    for role in (Role.LEAF, Role.SPINE, Role.SUPERSPINE):
        if len(graph.nodes(role)):
            yield _nodes(graph, role.name.lower(), np.array(graph.nodes(role), np.int64))
    yield from _line_cards(graph)
    yield from _racks(graph, racks)
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
    """Cables of several links, and the ends of those: of a cable with one link, both are that link."""
    several = np.bincount(graph.cable)[graph.cable] > 1
    links = np.flatnonzero(several)
    if not len(links):
        return
    net = graph.net
    cable = graph.cable[links].astype(np.int64)
    yield grouped("cable", cable, links, lambda number: f"cable {net.cable_label(number)}")
    nodes = len(net.role)
    ends = np.concatenate((graph.lower[links], graph.upper[links])) + np.tile(cable, 2) * nodes

    def name(end: int) -> str:
        return f"cable {net.cable_label(end // nodes)} at {net.names[end % nodes]}"

    yield grouped("optic", ends, np.tile(links, 2), name)


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
    names = sorted(set(racks.values()))
    if not names:
        return
    number = {rack: i for i, rack in enumerate(names)}
    of_node = np.array([number.get(racks.get(name, ""), NONE) for name in graph.net.names], np.int64)
    owners, links = ends_of(graph)
    pairs = np.unique(np.stack((of_node[owners], links)), axis=1)
    pairs = pairs[:, pairs[0] != NONE]
    if pairs.shape[1]:
        yield grouped("rack", pairs[0], pairs[1], lambda rack: f"rack {names[rack]}")


def _planes(graph: Graph) -> Iterator[Failures]:
    if graph.net.sizes.planes < 2:
        return
    plane: Ints = np.where(
        graph.plane[graph.upper] == NONE, graph.plane[graph.lower], graph.plane[graph.upper]
    )
    links = np.flatnonzero(plane != NONE)
    yield grouped("plane", plane[links].astype(np.int64), links, lambda number: f"plane {number}")
