"""Which boxes of a drawing are joined by which links, as far as they are to be told apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from fabric.reporting.drawing.scopes import Fabric, Scope
from fabric.reporting.drawing.shapes import End, Scene
from fabric.topology.roles import Role

MOST_LINES, MOST_SINGLE = 260, 96
"""More lines than this between two rows are drawn from panel to panel; or from cell to panel."""
DEPTH = {Role.HOST: 0, Role.ATTACHMENT: 0, Role.LEAF: 1, Role.SPINE: 2, Role.SUPERSPINE: 3}


@dataclass(slots=True)
class Joined:
    """What is known of the links between two ends."""

    links: int = 0
    out: int = 0
    speeds: set[int] = field(default_factory=set)

    def add(self, other: Joined) -> None:
        """Take the links of another pair of ends along."""
        self.links += other.links
        self.out += other.out
        self.speeds |= other.speeds

    @property
    def mbps(self) -> int:
        """Of one link; 0 if they differ."""
        return next(iter(self.speeds)) if len(self.speeds) == 1 else 0


Pairs = dict[tuple[End, End], Joined]
Tiers = dict[tuple[Role, Role], Pairs]


def join(fabric: Fabric, scope: Scope, scene: Scene) -> Tiers:
    """Links by tier and by the cells of their ends, lower end first. Those within a cell count as `inside`."""
    cell_of, net = scene.cell_of(), fabric.net
    depth = [DEPTH[Role(role)] for role in range(len(Role))]
    roles = tuple(Role)
    tiers: Tiers = {}
    for node, port, other, peer in fabric.links_of(scope.nodes):
        a, b = cell_of.get(node), cell_of.get(other)
        if a is None or b is None:
            continue
        mine, theirs = depth[net.role[node]], depth[net.role[other]]
        if theirs < mine or (theirs == mine and peer < port):
            continue  # it is seen from its lower end
        if a == b:
            scene.inside += 1
            continue
        pairs = tiers.setdefault((roles[net.role[node]], roles[net.role[other]]), {})
        ends = (("c", a), ("c", b)) if mine != theirs or a < b else (("c", b), ("c", a))
        joined = pairs.setdefault(ends, Joined())
        joined.links += 1
        joined.out += fabric.is_out(node, port, other, peer)
        joined.speeds.add(fabric.speeds[port] or fabric.speeds[peer])
    return tiers


def bundled(scene: Scene, pairs: Pairs, *, low_single: bool, high_single: bool) -> Pairs:
    """The same from cell to cell, or if those are too many to panels."""
    ways = [(True, True)] if low_single and high_single else []
    ways += [(True, False)] if low_single else []
    ways += [(False, True)] if high_single else []
    for low, high in (*ways, (False, False)):
        found = _lifted(scene, pairs, low=low, high=high)
        if len(found) <= (MOST_SINGLE if high else MOST_LINES):
            break
    return found


def _lifted(scene: Scene, pairs: Pairs, *, low: bool, high: bool) -> Pairs:
    found: Pairs = {}
    for (one, other), joined in pairs.items():
        ends = (one if low else _panel(scene, one), other if high else _panel(scene, other))
        found.setdefault(ends, Joined()).add(joined)
    return found


def _panel(scene: Scene, end: End) -> End:
    return ("p", scene.cells[end[1]].panel)


def nodes_of(scene: Scene, end: End) -> Iterator[int]:
    """The nodes of one end."""
    kind, number = end
    for cell in (scene.cells[number],) if kind == "c" else scene.cells_in(number):
        yield from cell.nodes
