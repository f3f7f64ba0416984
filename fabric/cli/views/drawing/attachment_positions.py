"""Where what is not a GPU host stands in the topology picture: just above the tier that it is cabled to."""

from __future__ import annotations

from bisect import bisect_right
from math import ceil

from fabric.cli.views.drawing.shapes import ATTACHED_GAP, GAP, LEFT, NAMED, Cell, Frame, Layout
from fabric.topology.model import NetworkTopology
from fabric.topology.roles import NONE, Role


def _attached(network: NetworkTopology, role: Role) -> list[int]:
    """What is not a GPU host and is cabled to a tier."""
    return [
        node
        for node in network.role_start[Role.ATTACHMENT]
        if max((network.role[peer] for peer in _peers(network, node)), default=Role.LEAF) == role
    ]


def _attachment_rows(network: NetworkTopology, layout: Layout, nodes: list[int]) -> int:
    return ceil(sum(_room(network, node) for node in nodes) / max(layout.width - LEFT, 400))


def _room(network: NetworkTopology, node: int) -> float:
    return 6.8 * len(network.names[node]) + 12 + GAP


def height_above(network: NetworkTopology, layout: Layout, role: Role) -> float:
    """Room above a tier for what is attached to it, and for its lines."""
    rows = _attachment_rows(network, layout, _attached(network, role))
    return rows * (NAMED + 6) + ATTACHED_GAP if rows else 0


def place(network: NetworkTopology, layout: Layout, role: Role, y: float) -> None:
    """What is attached to a tier, in rows just above it: its lines cross nothing."""
    nodes = sorted(_attached(network, role), key=lambda node: (_above(network, layout, node), node))
    rows = _attachment_rows(network, layout, nodes)
    share = ceil(len(nodes) / rows) if rows else 1
    for row in range(rows):
        top = y - ATTACHED_GAP - (rows - row) * (NAMED + 6)
        _attachment_row(network, layout, nodes[row * share : (row + 1) * share], top)


def _attachment_row(network: NetworkTopology, layout: Layout, nodes: list[int], y: float) -> None:
    """Each below or above the middle of its switches, moved as far as the others need."""
    left = float(LEFT)
    rest = sum(_room(network, node) for node in nodes)
    for node in nodes:
        width = _room(network, node) - GAP
        latest = max(layout.width - rest, left)
        x = max(left, min(_above(network, layout, node) - width / 2, latest))
        layout.frames.append(Frame(x, y, width, NAMED, "", Role.ATTACHMENT))
        layout.add(Cell(x, y, width, NAMED, (node,), len(layout.frames) - 1, network.names[node]))
        left, rest = x + width + GAP, rest - width - GAP
    layout.width = max(layout.width, left)


def _peers(network: NetworkTopology, node: int) -> list[int]:
    """The nodes that a node is cabled to."""
    ports = range(network.port_base[node], network.port_base[node + 1])
    return [bisect_right(network.port_base, network.peer[p]) - 1 for p in ports if network.peer[p] != NONE]


def _above(network: NetworkTopology, layout: Layout, node: int) -> float:
    """The middle of the cells that an attachment is cabled to."""
    middles = [layout.cells[layout.cell_of[peer]].middle for peer in _peers(network, node)]
    return sum(middles) / len(middles) if middles else 0.0
