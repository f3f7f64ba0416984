"""Every failure of a network, by kinds: its effects, in classes."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from fabric.failures.alike import alike
from fabric.failures.answer import Impact
from fabric.failures.components import Placement, failures_of
from fabric.failures.effects import effects_of
from fabric.failures.generators import Stated, stated, still_vertices
from fabric.failures.network import Network
from fabric.failures.places import Longs, Places, places_of
from fabric.failures.rank import classes_of, ranked
from fabric.failures.symmetries import Symmetry, holds, orbits, parallel_links
from fabric.graph import Graph
from fabric.graph.model import Bools
from fabric.intent.model import Intent
from fabric.topology.roles import Role


@dataclass(frozen=True, eq=False)
class Fabric:
    """The links of a network that carry, without those of spare hosts, and what follows from them."""

    graph: Graph
    whole: Graph
    """With the links that are out."""
    spare_hosts: int = 0
    links_out: int = 0

    @cached_property
    def network(self) -> Network:
        """For effects."""
        return Network(self.graph, self._alike)

    def _alike(self) -> Longs:
        """Of each node the first one that it stands for."""
        return orbits(self.places.count, [(each.move.at, each.move.to) for each in self.symmetries])

    @cached_property
    def places(self) -> Places:
        """For symmetries."""
        return places_of(self.graph)

    @cached_property
    def _known(self) -> dict[tuple[str, bytes], Symmetry | None]:
        """Symmetries that were checked, by which they are; None: the links do not have it."""
        return {}

    def symmetries_of(self, fixed: Collection[int] = ()) -> Iterator[tuple[Stated, Symmetry | None]]:
        """What the layout should have that leaves `fixed` vertices where they are; None: the links do not have it."""
        still = still_vertices(self.places, fixed).tolist()
        for each in stated(self.places, fixed):
            key = each[:2]
            if key not in self._known:
                move = each.make()
                if move is None:
                    continue
                self._known[key] = holds(self.places, move)
            symmetry = self._known[key]
            if symmetry is None or symmetry.move.moved.isdisjoint(still):
                yield each, symmetry

    @cached_property
    def _checked(self) -> tuple[tuple[Symmetry, ...], tuple[str, ...]]:
        found = list(self.symmetries_of())
        holding = tuple(symmetry for _, symmetry in found if symmetry is not None)
        return holding, tuple(each.name for each, symmetry in found if symmetry is None)

    @property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """Stated by the layout, and checked on the links."""
        return self._checked[0]

    @property
    def broken(self) -> tuple[str, ...]:
        """Stated by the layout, and not had by the links."""
        return self._checked[1]

    @cached_property
    def link_images(self) -> list[tuple[Longs, Longs]]:
        """Links and what they become, by every checked symmetry."""
        images = [(symmetry.links, symmetry.images) for symmetry in self.symmetries]
        return [*images, parallel_links(self.places)]

    def impact(self, **rest: object) -> Impact:
        """An answer about this network."""
        return Impact(
            network=self.graph.net.name,
            hosts=self.network.hosts,
            links=self.graph.count,
            spare_hosts=self.spare_hosts,
            links_out=self.links_out,
            symmetries=len(self.symmetries),
            broken=self.broken,
            **rest,  # type: ignore[arg-type]
        )


def fabric_of(graph: Graph, spares: Bools | None = None) -> Fabric:
    """The part of a network that carries. `spares`: nodes that are spare hosts."""
    spares = np.zeros(len(graph.role), np.bool_) if spares is None else spares
    used = graph.carries & ~spares[graph.lower]
    whole = restricted(graph, ~spares[graph.lower])
    return Fabric(restricted(graph, used), whole, int(spares.sum()), int((~graph.carries).sum()))


def restricted(graph: Graph, kept: Bools) -> Graph:
    """The same network with some of its links only."""
    names = ("lower", "upper", "lower_port", "upper_port", "mbps", "cable", "tier", "carries")
    columns = {field.name: getattr(graph, field.name) for field in fields(graph)}
    return Graph(**{**columns, **{name: columns[name][kept] for name in names}})


def spare_hosts(intent: Intent, graph: Graph) -> Bools:
    """Which nodes are spare hosts: the last ones of their group in a unit."""
    net = graph.net
    spares = np.zeros(len(graph.role), np.bool_)
    for node in net.role_start[Role.HOST]:
        name = net.host_group[node]
        group = intent.site.hosts[name]
        if group.spare_per_unit:
            per_unit = net.sizes.auto_per_unit.get(name) or group.per_unit
            spares[node] = isinstance(per_unit, int) and net.index[node] >= per_unit
    return spares


def single_failures(fabric: Fabric, placement: Placement) -> Impact:
    """Every single failure of every kind, with its effect."""
    classes = []
    for failures in failures_of(fabric.graph, placement):
        stands_for = alike(failures, fabric.graph.count, fabric.link_images)
        effects = effects_of(fabric.network, failures.count, *failures.entries(), stands_for)
        classes += classes_of(failures.kind, effects.matrix(), failures.name)
    return fabric.impact(classes=ranked(classes))


__all__ = ["Fabric", "fabric_of", "restricted", "single_failures", "spare_hosts"]
