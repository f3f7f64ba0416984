"""The drawing of a torus or a dragonfly: boxes on a ring, and the lines inside of it."""

from __future__ import annotations

from math import ceil, cos, hypot, pi, sin

from fabric.reporting.drawing.join_cells import Joined, Pairs, join
from fabric.reporting.drawing.scopes import Fabric, Scope, pod_word, unit_id
from fabric.reporting.drawing.shapes import GAP, LEFT, LINE, PAD, Bundle, Cell, Label, Panel, Point, Scene
from fabric.reporting.drawing.tier_plans import words_of
from fabric.topology.roles import NONE, Role
from fabric.units import Speed

MOST_BOXES = 64
WIDE, TALL = 44, 22


def ring_scene(fabric: Fabric, scope: Scope, width: float) -> Scene:
    """Groups, or runs of switches, on a ring."""
    boxes = _boxes(fabric, scope)
    scene = Scene(width=width)
    radius = max(len(boxes) * (WIDE + 6) / (2 * pi), 190.0)
    middle = (LEFT + (width - LEFT - GAP) / 2, radius + TALL)
    inner = radius - hypot(WIDE, TALL) / 2 - 3
    for i, (label, nodes, name) in enumerate(boxes):
        angle = 2 * pi * i / len(boxes) - pi / 2
        x, y = middle[0] + radius * cos(angle), middle[1] + radius * sin(angle)
        words = _words(fabric, nodes)
        number = scene.add(Panel(x - WIDE / 2, y - TALL / 2, WIDE, TALL, Role.LEAF, words, name))
        left, top = x - WIDE / 2, y - TALL / 2
        scene.cells.append(Cell(left, top, WIDE, TALL, nodes, number, label, "plain", (), words, name))
        scene.stubs.append((_on(middle, inner, angle), _on(middle, radius - TALL / 2, angle)))
    _lines(
        fabric,
        scope,
        scene,
        [_on(middle, inner, 2 * pi * i / len(boxes) - pi / 2) for i in range(len(boxes))],
    )
    scene.height = 2 * (radius + TALL)
    _margin(fabric, scope, scene, len(boxes))
    return scene


def _on(middle: Point, radius: float, angle: float) -> Point:
    return middle[0] + radius * cos(angle), middle[1] + radius * sin(angle)


def _boxes(fabric: Fabric, scope: Scope) -> list[tuple[str, tuple[int, ...], str]]:
    """Label, nodes and drawing of each box: a group, or a run of units."""
    net = fabric.net
    pods = sorted({net.pod[node] for node in scope.leaves})
    if 1 < len(pods) <= MOST_BOXES:
        return [(str(pod), _members(fabric, scope, {pod}, "pod"), f"pod-{pod}") for pod in pods]
    units = sorted({net.unit[node] for node in scope.leaves})
    size = ceil(len(units) / MOST_BOXES)
    runs = [units[i : i + size] for i in range(0, len(units), size)]
    found = []
    for run in runs:
        members = _members(fabric, scope, set(run), "unit")
        several = sum(net.role[node] == Role.LEAF for node in members) > 1
        name = (
            unit_id(net.pod[members[0]] if len(pods) > 1 else NONE, run[0]) if size == 1 and several else ""
        )
        found.append((str(run[0]) if size == 1 else f"{run[0]}-{run[-1]}", members, name))
    return found


def _members(fabric: Fabric, scope: Scope, values: set[int], column: str) -> tuple[int, ...]:
    """Switches, hosts and attachments of some pods or units."""
    net = fabric.net
    own = net.pod if column == "pod" else net.unit
    switches = [node for node in (*scope.leaves, *scope.spines) if own[node] in values]
    inside = set(switches)
    near = [
        node
        for node in (*scope.hosts, *scope.attachments)
        if next((other for _n, _p, other, _q in fabric.links_of((node,))), NONE) in inside
    ]
    return tuple(sorted((*switches, *near)))


def _words(fabric: Fabric, nodes: tuple[int, ...]) -> str:
    counts = [(role, sum(fabric.net.role[node] == role for node in nodes)) for role in Role]
    return ", ".join(words_of(count, role) for role, count in counts if count)


def _lines(fabric: Fabric, scope: Scope, scene: Scene, anchors: list[Point]) -> None:
    """Straight lines within the ring, one for all links between two boxes."""
    merged: Pairs = {}
    for pairs in join(fabric, scope, scene).values():
        for (one, other), joined in pairs.items():
            merged.setdefault((min(one, other), max(one, other)), Joined()).add(joined)
    for (one, other), joined in sorted(merged.items()):
        points = (anchors[one[1]], anchors[other[1]])
        scene.bundles.append(Bundle(one, other, joined.links, joined.out, joined.mbps, "", points))


def _margin(fabric: Fabric, scope: Scope, scene: Scene, boxes: int) -> None:
    """What the ring holds."""
    word = pod_word(fabric.net)
    pods = len({fabric.net.pod[node] for node in scope.leaves})
    counts = sorted({bundle.links for bundle in scene.bundles})
    speeds = sorted({bundle.mbps for bundle in scene.bundles if bundle.mbps})
    between = sum(bundle.links for bundle in scene.bundles)
    lines = [
        (f"{boxes} {word}s" if pods > 1 else f"{boxes} boxes", "tier", 13.0),
        (words_of(len(scope.leaves), Role.LEAF), "dim", 11.0),
        *([(words_of(len(scope.spines), Role.SPINE), "dim", 11.0)] if scope.spines else []),
        *([(words_of(len(scope.hosts), Role.HOST), "dim", 11.0)] if scope.hosts else []),
        (f"{between:,} links between", "dim", 11.0),
        (f"{scene.inside:,} links inside", "dim", 11.0),
        *([(f"a line: {_range(counts)} links", "dim", 11.0)] if counts else []),
        *([(" / ".join(str(Speed(speed)) for speed in speeds), "dim", 11.0)] if speeds else []),
    ]
    y = PAD + 14.0
    for text, css, size in lines:
        scene.labels.append(Label(10, y, text[:24], css, size=size))
        y += LINE


def _range(counts: list[int]) -> str:
    return f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
