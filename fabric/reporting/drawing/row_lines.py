"""The lines of a tree: bundles in the channels between rows, their counts, and the words beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from fabric.reporting.drawing.join_cells import Joined, Pairs, bundled, join, nodes_of
from fabric.reporting.drawing.scopes import Fabric, Scope
from fabric.reporting.drawing.shapes import (
    LINE,
    PAD,
    STUB,
    Bundle,
    End,
    Label,
    Point,
    Row,
    Scene,
    text_width,
)
from fabric.reporting.drawing.tier_plans import color_of, words_of
from fabric.topology.roles import Facing, Role
from fabric.units import Speed, ratio

Rows = Mapping[Role, Row]
WORDS = {Role.HOST: "host", Role.LEAF: "leaf", Role.SPINE: "spine", Role.SUPERSPINE: "superspine"}


def draw(fabric: Fabric, scope: Scope, scene: Scene, rows: Rows) -> None:
    """Every link of the scope as a part of one bundle."""
    tiers = join(fabric, scope, scene)
    bowed = {low for low, high in tiers if low is high}  # bows leave no room for counts
    for (low, high), pairs in sorted(tiers.items()):
        if low is high:
            _across(fabric, scene, pairs)
        elif low is Role.HOST:
            _host_lines(fabric, scene, pairs, rows[high])
        elif low is Role.ATTACHMENT:
            found = bundled(
                scene, pairs, low_single=True, high_single=high is not Role.LEAF and rows[high].is_single
            )
            _lines(fabric, scene, found, low, high)
        else:
            found = bundled(scene, pairs, low_single=rows[low].is_single, high_single=rows[high].is_single)
            _lines(fabric, scene, found, low, high, has_counts=low not in bowed)
            _channel_words(fabric, scene, found, rows[high], rows[low])
    _beyond(fabric, scope, scene)
    for row in rows.values():
        _row_words(fabric, scope, scene, row)


# --- between two rows


def _lines(
    fabric: Fabric, scene: Scene, pairs: Pairs, low: Role, high: Role, *, has_counts: bool = True
) -> None:
    tops = _spread(scene, [(one, other) for one, other in pairs], is_low=True, role=low)
    feet = _spread(scene, [(other, one) for one, other in pairs], is_low=False, role=high)
    first = len(scene.bundles)
    for (one, other), joined in sorted(pairs.items()):
        start, end = tops[one, other], feet[other, one]
        points = (start, (start[0], _edge(scene, one) - STUB), end)
        scene.bundles.append(_bundle(fabric, scene, one, other, joined, points))
    if has_counts:
        _counts(scene, scene.bundles[first:])


def _edge(scene: Scene, end: End) -> float:
    """The upper edge of the panel of an end."""
    kind, number = end
    return scene.panels[scene.cells[number].panel if kind == "c" else number].y


def _spread(
    scene: Scene, ends: Iterable[tuple[End, End]], *, is_low: bool, role: Role
) -> dict[tuple[End, End], Point]:
    """Where each line meets its end: a cell in its middle, a panel along its edge, in the order of the others."""
    by_end: dict[End, list[End]] = {}
    for end, other in ends:
        by_end.setdefault(end, []).append(other)
    found: dict[tuple[End, End], Point] = {}
    for end, others in by_end.items():
        ordered = sorted(others, key=lambda other: (_middle(scene, other), other))
        fans = {kind for kind, _number in ordered} == {"p"}
        for i, other in enumerate(ordered):
            share = (i + 0.5) / len(ordered)
            found[end, other] = _point(scene, end, share, is_low=is_low, role=role, fans=fans)
    return found


def _middle(scene: Scene, end: End) -> float:
    kind, number = end
    return scene.cells[number].middle if kind == "c" else scene.panels[number].middle


def _point(scene: Scene, end: End, share: float, *, is_low: bool, role: Role, fans: bool) -> Point:
    """Upper rows have their words above their cells: lines up leave from the edge of the panel, over the cell."""
    kind, number = end
    if kind == "p":
        panel = scene.panels[number]
        x = panel.x + PAD + share * (panel.width - 2 * PAD)
        return x, panel.y if is_low else panel.y + panel.height
    cell = scene.cells[number]
    if is_low:
        x = cell.middle + (share - 0.5) * cell.width * 0.6 if fans else cell.middle
        return x, cell.y if role in (Role.LEAF, Role.ATTACHMENT) else scene.panels[cell.panel].y
    return cell.middle, cell.y + cell.height


def _bundle(
    fabric: Fabric, scene: Scene, one: End, other: End, joined: Joined, points: tuple[Point, ...]
) -> Bundle:
    return Bundle(
        one, other, joined.links, joined.out, joined.mbps, _color(fabric, scene, one, other), points
    )


def _color(fabric: Fabric, scene: Scene, one: End, other: End) -> str:
    """The rail or plane that all nodes of one end have, the lower one first."""
    for end in (one, other):
        colors = {color_of(fabric, node) for node in nodes_of(scene, end)}
        if len(colors) == 1 and (color := colors.pop())[0] in "rq":
            return color
    return ""


def _counts(scene: Scene, bundles: Sequence[Bundle]) -> None:
    """How many links each line stands for, beside its straight part, where there is room for all of them."""
    by_x: dict[float, list[Bundle]] = {}
    for bundle in bundles:
        by_x.setdefault(round(bundle.points[0][0], 2), []).append(bundle)
    texts = {x: _count(each) for x, each in by_x.items()}
    places = sorted(texts)
    widest = max((text_width(text) for text in texts.values()), default=0)
    if not widest or all(bundle.links == 1 and not bundle.out for bundle in bundles):
        return
    if any(b - a < widest + 8 for a, b in pairwise(places)):
        return
    for x in places:
        straight = by_x[x][0].points[1]
        scene.labels.append(Label(x + 4, straight[1] + STUB - 5, texts[x], "dim"))


def _count(bundles: Sequence[Bundle]) -> str:
    """`x4` of every line here; `3/4` where some of its links are out."""
    if len(bundles) == 1 and bundles[0].out:
        return f"{bundles[0].links - bundles[0].out}/{bundles[0].links}"
    counts = sorted({bundle.links for bundle in bundles})
    return f"×{counts[0]}" if len(counts) == 1 else f"×{counts[0]}–{counts[-1]}"  # noqa: RUF001


# --- hosts, and lines within a row


def _host_lines(fabric: Fabric, scene: Scene, pairs: Pairs, row: Row) -> None:
    """From each leaf down to its hosts; where leaves stand in several rows, from their panel."""
    single = row.is_single
    several = len({(scene.cells[one[1]].panel, scene.cells[one[1]].y) for one, _other in pairs}) > len(
        {scene.cells[one[1]].panel for one, _other in pairs}
    )
    if several:  # hosts in rows: lines end above the first
        pairs = _to_first_row(scene, pairs)
    if not single:
        merged: Pairs = {}
        for (one, other), joined in pairs.items():
            merged.setdefault((one, ("p", scene.cells[other[1]].panel)), Joined()).add(joined)
        pairs = merged
    feet = _along_hosts(scene, pairs)
    first = len(scene.bundles)
    for (one, other), joined in sorted(pairs.items()):
        x, y = feet[one, other]
        points = ((x, y), (x, y - STUB), _leaf_end(scene, other, x))
        css = _color(fabric, scene, other, one)
        scene.bundles.append(Bundle(one, other, joined.links, joined.out, joined.mbps, css, points))
    if all(
        text_width(_count((b,))) + 6 < _right(scene, b.low) - b.points[0][0] for b in scene.bundles[first:]
    ):
        _counts(scene, scene.bundles[first:])


def _right(scene: Scene, end: End) -> float:
    """The right edge of the panel of an end."""
    kind, number = end
    panel = scene.panels[scene.cells[number].panel if kind == "c" else number]
    return panel.x + panel.width


def _leaf_end(scene: Scene, end: End, x: float) -> Point:
    """The lower edge of a leaf, or below the last row of leaves."""
    kind, number = end
    if kind == "c":
        return scene.cells[number].middle, scene.cells[number].y + scene.cells[number].height
    leaves = [cell for cell in scene.cells if cell.panel == number and cell.css != "host"]
    return x, max(cell.y + cell.height for cell in leaves)


def _to_first_row(scene: Scene, pairs: Pairs) -> Pairs:
    """Lines to hosts in several rows as one a leaf, to the panel."""
    merged: Pairs = {}
    for (one, other), joined in pairs.items():
        merged.setdefault((("p", scene.cells[one[1]].panel), other), Joined()).add(joined)
    return merged


def _along_hosts(scene: Scene, pairs: Pairs) -> dict[tuple[End, End], Point]:
    """Lines to a bar stand below their leaves if they can; those to a single host along its upper edge."""
    found: dict[tuple[End, End], Point] = {}
    by_low: dict[End, list[End]] = {}
    for one, other in pairs:
        by_low.setdefault(one, []).append(other)
    for one, others in by_low.items():
        left, right, top = _host_edge(scene, one)
        ordered = sorted(others, key=lambda other: _middle(scene, other))
        is_wide = all(left <= _middle(scene, other) <= right for other in ordered)
        narrow = right - left < 100 or not is_wide
        for i, other in enumerate(ordered):
            share = left + (i + (0.3 if len(ordered) > 1 else 0.5)) / len(ordered) * (right - left)
            found[one, other] = share if narrow else _middle(scene, other), top
    return found


def _host_edge(scene: Scene, end: End) -> tuple[float, float, float]:
    kind, number = end
    if kind == "c":
        cell = scene.cells[number]
        return cell.x, cell.x + cell.width, cell.y
    hosts = [cell for cell in scene.cells if cell.panel == number and cell.css == "host"]
    return min(c.x for c in hosts), max(c.x + c.width for c in hosts), min(c.y for c in hosts)


def _across(fabric: Fabric, scene: Scene, pairs: Pairs) -> None:
    """Between switches of one row: bows above it."""
    for (one, other), joined in sorted(bundled(scene, pairs, low_single=True, high_single=True).items()):
        if one == other:
            scene.inside += joined.links
            continue
        left, right = sorted((_middle(scene, one), _middle(scene, other)))
        y = min(_top(scene, one), _top(scene, other))
        height = 16 + min((right - left) / 8, 44)
        points = ((left, y), (left, y - height), (right, y - height), (right, y))
        scene.bundles.append(_bundle(fabric, scene, one, other, joined, points))


def _top(scene: Scene, end: End) -> float:
    kind, number = end
    return scene.panels[scene.cells[number].panel].y if kind == "c" else scene.panels[number].y


def _beyond(fabric: Fabric, scope: Scope, scene: Scene) -> None:
    """To what is not shown: a bundle from each panel that has such links."""
    if not scope.elsewhere:
        return
    shown, cell_of = set(scope.nodes), scene.cell_of()
    pairs: Pairs = {}
    for node, port, other, peer in fabric.links_of((*scope.leaves, *scope.spines)):
        if other not in shown and fabric.net.role[other] == fabric.net.role[node]:
            joined = pairs.setdefault((("p", scene.cells[cell_of[node]].panel), ("p", 0)), Joined())
            joined.links += 1
            joined.out += fabric.is_out(node, port, other, peer)
            joined.speeds.add(fabric.speeds[port] or fabric.speeds[peer])
    _lines(fabric, scene, pairs, Role.SPINE, Role.SUPERSPINE, has_counts=False)


# --- words in the margin


def _row_words(fabric: Fabric, scope: Scope, scene: Scene, row: Row) -> None:
    """What stands in a row, its model, speeds, and ratio."""
    net = fabric.net
    nodes = {Role.LEAF: scope.leaves, Role.SPINE: scope.spines, Role.SUPERSPINE: scope.superspines}[row.role]
    chosen = net.port_maps[net.port_map[nodes[0]]]
    called = fabric.view.tier_name(row.role)
    lines = [(words_of(len(nodes), row.role), "tier", 13.0)]
    lines += [(f"called {called}"[:24], "dim", 11.0)] if called else []
    units = len({(net.pod[node], net.unit[node]) for node in nodes})
    if row.role is Role.LEAF and 1 < units < len(nodes):
        lines += [(f"in {units:,} units", "dim", 11.0)]
    lines += [(chosen.model[:24], "dim", 11.0)]
    down = {s.speed_mbps for s, f in zip(chosen.slots, chosen.facing, strict=True) if f is Facing.DOWN}
    ratios = net.oversubscription.get(row.role)
    facts = [f"{Speed(max(down))} down"] if down else []
    facts += [f"{ratio(ratios)}"] if ratios is not None else []
    lines += [(", ".join(facts), "dim", 11.0)] if facts else []
    y = row.top + 14
    for text, css, size in lines:
        scene.labels.append(Label(10, y, text, css, size=size))
        y += LINE
    if row.role is Role.LEAF and scope.hosts:
        y = max(row.bottom - 34, y + 6)
        scene.labels.append(Label(10, y, words_of(len(scope.hosts), Role.HOST), "tier", size=13))
        links = sum(net.role[other] == Role.HOST for _n, _p, other, _q in fabric.links_of(scope.leaves))
        scene.labels.append(Label(10, y + LINE, f"{links:,} links", "dim"))


def _channel_words(fabric: Fabric, scene: Scene, pairs: Pairs, high: Row, low: Row) -> None:
    """How many links a channel holds, at which speed, over which cables, and what a line stands for."""
    total, out = sum(j.links for j in pairs.values()), sum(j.out for j in pairs.values())
    speeds = set().union(*(joined.speeds for joined in pairs.values()))
    counts = sorted({joined.links for joined in pairs.values()})
    one, other = next(iter(pairs))
    ends = next(nodes_of(scene, one)), next(nodes_of(scene, other))
    lines = [f"{total:,} links" + (f", {out:,} out" if out else "")]
    lines.append(" / ".join(str(Speed(speed)) for speed in sorted(speeds) if speed))
    lines[-1] += f", {fabric.view.cable_kind(*ends)} {fabric.view.cable_m(*ends)} m"
    if counts[-1] > 1:
        each = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
        lines.append(f"a line: {each} links")
    y = (max(high.bottom, high.top + 58) + low.top) / 2 - LINE * (len(lines) - 1) / 2 + 4
    for text in lines:
        scene.labels.append(Label(10, y, text, "dim"))
        y += LINE
