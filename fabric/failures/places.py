"""Where the nodes and NICs of a network stand, as columns that symmetries move, and which of them a link joins."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fabric.graph import Graph
from fabric.graph.model import column
from fabric.topology.roles import NONE, Role

Longs = NDArray[np.int64]

NIC = len(Role)
"""What stands for a role of NICs, which are vertices beside the nodes."""
ROLE, UNIT, RAIL, PLANE, POD, GROUP, INDEX, PART = range(8)
"""Rows of `Places.columns`. PART: of NICs with one rail, or none, which of them."""


class Nics(NamedTuple):
    """Vertices that are NICs, and the host of each."""

    vertices: Longs
    owner: Longs


@dataclass(frozen=True, eq=False)
class Places:
    """Vertices are the nodes, then every NIC of every host. Each place is there once."""

    graph: Graph
    columns: Longs
    """A row a number that says where a vertex stands, a column a vertex."""
    first_nic: Longs
    """Vertex of NIC 0 of each node; meaningless for others than hosts."""
    ends: Longs
    """Lower and upper vertex of each link."""
    label: Longs
    """What links must have in common to stand for each other, beside their ends: the speed, as a small number."""

    @property
    def count(self) -> int:
        """Vertices."""
        return len(self.columns[0])

    def find(self, columns: Longs) -> Longs | None:
        """The vertex at each place. None if nothing stands at one of them."""
        keys, order = self._known
        wanted = self._keys(columns)
        at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        return order[at] if bool((keys[at] == wanted).all()) else None

    @cached_property
    def attached(self) -> frozenset[int]:
        """Attachments, and the switches that hold one: nothing else is like them."""
        graph = self.graph
        is_out = graph.role[graph.lower] == Role.ATTACHMENT
        return frozenset(np.concatenate((graph.lower[is_out], graph.upper[is_out])).tolist())

    @cached_property
    def nics(self) -> Nics:
        """Every NIC, in order of its host."""
        owner = np.repeat(np.arange(len(self.first_nic)), np.diff(np.append(self.first_nic, self.count)))
        return Nics(np.flatnonzero(self.columns[ROLE] == NIC), owner)

    @cached_property
    def like_hosts(self) -> tuple[Longs, ...]:
        """Hosts with links that are alike: of one group and unit, and their NICs land alike."""
        columns = self.columns
        used = np.zeros(self.count, np.bool_)
        used[self.graph.lower] = True
        hosts = np.flatnonzero((columns[ROLE] == Role.HOST) & used)
        first = np.asarray(self.graph.net.rail)[hosts]
        keys = np.stack((columns[UNIT, hosts], columns[GROUP, hosts], first))
        alike = np.unique(keys, axis=1, return_inverse=True)[1].ravel()
        order = np.argsort(alike, kind="stable")
        blocks = np.split(order, np.flatnonzero(np.diff(alike[order])) + 1)
        return tuple(hosts[block] for block in blocks if len(block))

    @cached_property
    def like_units(self) -> tuple[tuple[int, Longs], ...]:
        """Units of one pod with the same number of links, with the pod."""
        columns, graph = self.columns, self.graph
        leaves = np.flatnonzero(columns[ROLE] == Role.LEAF)
        unit = graph.unit[graph.lower]
        links = np.bincount(unit[unit != NONE], minlength=columns[UNIT].max(initial=0) + 1)
        alike: dict[tuple[int, int], set[int]] = {}
        for number, pod in np.unique(columns[[UNIT, POD]][:, leaves], axis=1).T.tolist():
            alike.setdefault((pod, int(links[number])), set()).add(number)
        return tuple((pod, np.array(sorted(units))) for (pod, _links), units in alike.items())

    @cached_property
    def _known(self) -> tuple[Longs, Longs]:
        keys = self._keys(self.columns)
        order = np.argsort(keys)
        return keys[order], order

    @cached_property
    def _radix(self) -> Longs:
        radix: Longs = self.columns.max(axis=1, initial=0) + 2
        return radix

    def _keys(self, columns: Longs) -> Longs:
        keys = np.zeros(columns.shape[1], np.int64)
        for row, radix in zip(columns, self._radix, strict=True):
            keys = keys * radix + row + 1
        return keys


def places_of(graph: Graph) -> Places:
    """The places of a network's nodes and NICs."""
    net = graph.net
    planes, rails = net.sizes.planes, net.sizes.rails
    ports = np.diff(graph.port_base)
    hosts = np.flatnonzero(graph.role == Role.HOST)
    nics = np.zeros(len(graph.role), np.int64)
    nics[hosts] = ports[hosts] // planes
    first_nic = len(graph.role) + np.cumsum(nics) - nics
    owner = np.repeat(np.arange(len(nics)), nics)
    number = len(graph.role) + np.arange(len(owner)) - first_nic[owner]
    nodes = _node_columns(graph)
    own = nodes[:, owner].copy()
    own[ROLE] = NIC
    first = column(net.rail)[owner].astype(np.int64)
    has_rail = (first != NONE) & (rails > 0)
    own[RAIL] = np.where(has_rail, (first + number) % max(1, rails), NONE)
    own[PART] = np.where(has_rail, number // max(1, rails), number)
    lower = graph.lower.astype(np.int64)
    is_host = graph.role[graph.lower] == Role.HOST
    nic = (graph.lower_port - graph.port_base[graph.lower]) // planes
    lower = np.where(is_host, first_nic[graph.lower] + nic, lower)
    return Places(
        graph=graph,
        columns=np.concatenate((nodes, own), axis=1),
        first_nic=first_nic,
        ends=np.stack((lower, graph.upper.astype(np.int64))),
        label=np.unique(graph.mbps, return_inverse=True)[1].astype(np.int64),
    )


def _node_columns(graph: Graph) -> Longs:
    role = graph.role
    superspines = role == Role.SUPERSPINE
    planes = len(np.unique(graph.plane[superspines]))
    group = np.where(superspines, graph.group // max(1, planes), NONE)
    group = np.where(role == Role.HOST, graph.group, group)
    rail = np.where(role == Role.HOST, NONE, column(graph.net.rail))
    none = np.full(len(role), NONE)
    rows = (role, graph.unit, rail, graph.plane, graph.pod, group, column(graph.net.index), none)
    return np.stack([row.astype(np.int64) for row in rows])


def distinct(keys: Longs) -> Longs:
    """Each number once, ascending. By sorting: millions of numbers in a table, as numpy does it, take minutes."""
    keys = np.sort(keys)
    return keys[np.append(True, keys[1:] != keys[:-1])] if len(keys) else keys
