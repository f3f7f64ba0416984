"""The drawing of a tree of switches: tiers are rows, units and planes are panels, lines run in between."""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from typing import NamedTuple

from fabric.reporting.drawing import row_lines
from fabric.reporting.drawing.row_plans import (
    BETWEEN,
    NAMED,
    CellPlan,
    Fitted,
    PanelPlan,
    first_fit,
    fit,
    short,
)
from fabric.reporting.drawing.scopes import Fabric, Scope
from fabric.reporting.drawing.shapes import GAP, LEFT, LINE, PAD, Cell, Label, Panel, Row, Scene, text_width
from fabric.reporting.drawing.tier_plans import (
    Columns,
    coarsest_leaves,
    coarsest_upper,
    leaf_plans,
    named_width,
    upper_plans,
    words_of,
)
from fabric.topology.roles import Role

MOST_COLUMNS = 20
"""More pods than this share columns."""
TITLE = 20
CHANNEL, HOST_CHANNEL, SINGLE_HOST_CHANNEL, ARCS = 128, 34, 96, 64
"""Heights between rows: of switches; above a bar of hosts; above hosts one by one; for lines within a row."""
ROW = 58
"""Least height of a row: the words beside it."""


class Place(NamedTuple):
    """Where there is room for a panel."""

    x: float
    y: float
    width: float


def row_scene(fabric: Fabric, scope: Scope, width: float) -> Scene:
    """Place everything of a tree."""
    scene = Scene(width=width)
    attached = _attached_to(fabric, scope)
    aside = named_width(fabric, Role.ATTACHMENT) + 2 * PAD if set(attached) - {Role.LEAF} else 0
    room = width - LEFT - GAP - (aside + GAP if aside else 0)
    columns = _columns(fabric, scope, room)
    rows: dict[Role, Row] = {}
    y = _elsewhere(scope, scene, room)
    across = _has_links_across(fabric, scope)
    above: Role | None = None
    for role, nodes in (
        (Role.SUPERSPINE, scope.superspines),
        (Role.SPINE, scope.spines),
        (Role.LEAF, scope.leaves),
    ):
        if not nodes:
            continue
        y += (CHANNEL if above is not None else 0) + (ARCS if role in across else 0)
        mine = ((),) if role is Role.SUPERSPINE else columns
        if role is Role.LEAF:
            fitted = first_fit(leaf_plans(fabric, scope, mine), _column(room, mine))
            rows[role] = _leaf_row(scene, fitted, y, room)
        else:
            fitted = first_fit(upper_plans(fabric, role, nodes, mine), _column(room, mine))
            rows[role] = _upper_row(scene, fitted, y, room)
        bottom = max(rows[role].bottom, y + ROW)
        if above in attached:
            place = Place(width - GAP - aside, y, aside)
            bottom = max(bottom, _attachments(fabric, scene, attached[above], place))
        y, above = bottom, role
    if above in attached:
        words = words_of(len(attached[above]), Role.ATTACHMENT)
        scene.labels.append(Label(10, y + CHANNEL * 0.6 + 24, words, "tier", size=13))
        y = _attachments(fabric, scene, attached[above], Place(LEFT, y + CHANNEL * 0.6, room))
    row_lines.draw(fabric, scope, scene, rows)
    scene.height = y + 4
    return scene


def _columns(fabric: Fabric, scope: Scope, room: float) -> Columns:
    """A column a pod, or the shortest runs of pods that fit; one for all where spines are of no pod."""
    net = fabric.net
    pods = sorted({net.pod[node] for node in scope.leaves})
    if len(pods) < 2 or (scope.spines and len({net.pod[node] for node in scope.spines}) < 2):
        return ((),)
    least = ceil(len(pods) / MOST_COLUMNS)
    for size in range(least, ceil(len(pods) / 2) + 1):
        columns = tuple(tuple(pods[i : i + size]) for i in range(0, len(pods), size))
        if _may_fit(fabric, scope, columns, _column(room, columns)):
            return columns
    return ((),)


def _may_fit(fabric: Fabric, scope: Scope, columns: Columns, width: float) -> bool:
    """Whether rows that show numbers alone have room: a spine row has a panel for each plane in a column."""
    plans = [coarsest_leaves(fabric, scope, columns)]
    if scope.spines:
        plans.append(coarsest_upper(fabric, Role.SPINE, scope.spines, columns))
    return all(fit(plan, width) is not None for plan in plans)


def _column(room: float, columns: Columns) -> float:
    """Width of one column."""
    return (room + 2 * GAP) / len(columns) - 2 * GAP


def _lefts(fitted: Fitted, room: float) -> list[list[float]]:
    """Left edge of every panel: those of a column in its middle."""
    width = (room + 2 * GAP) / len(fitted.widths)
    found = []
    for i, (sizes, gap) in enumerate(zip(fitted.widths, fitted.gaps, strict=True)):
        total = sum(sizes) + gap * (len(sizes) - 1)
        x = LEFT + i * width + (width - 2 * GAP - total) / 2
        edges = []
        for size in sizes:
            edges.append(x)
            x += size + gap
        found.append(edges)
    return found


def _elsewhere(scope: Scope, scene: Scene, room: float) -> float:
    """A box above all for links to what is not shown. Returns where the rows begin."""
    if not scope.elsewhere:
        return 0
    for words, links in scope.elsewhere.items():
        text = f"{words}: {links:,} links"
        width = text_width(text) + 4 * PAD
        left = LEFT + (room - width) / 2
        scene.add(Panel(left, 0, width, NAMED, Role.ATTACHMENT, text))
        scene.labels.append(Label(left + width / 2, 16, text, "dim", "middle"))
    return NAMED + CHANNEL * 0.6


def _has_links_across(fabric: Fabric, scope: Scope) -> set[Role]:
    """Roles whose switches are cabled to each other."""
    role = fabric.net.role
    shown = {*scope.leaves, *scope.spines}
    return {
        Role(role[node])
        for node, _port, other, _peer in fabric.links_of((*scope.leaves, *scope.spines))
        if role[node] == role[other] and other in shown
    }


# --- rows


def _upper_row(scene: Scene, fitted: Fitted, y: float, room: float) -> Row:
    """Panels with their words at the top and their cells at the bottom: lines from below reach the cells."""
    tall = fitted.rows * (fitted.plan.height + BETWEEN) - BETWEEN
    row = Row(fitted.plan.role, y, y + TITLE + tall + PAD, fitted.rows == 1)
    edges = _lefts(fitted, room)
    for panels, lefts, widths, acrosses in zip(
        fitted.plan.columns, edges, fitted.widths, fitted.across, strict=True
    ):
        for panel, left, width, across in zip(panels, lefts, widths, acrosses, strict=True):
            number = scene.add(Panel(left, y, width, row.bottom - y, row.role, panel.words, panel.scope))
            row.panels.append(number)
            title = _fitting(panel.title, width, 12)
            scene.labels.append(Label(left + width / 2, y + 14, title, "name", "middle", 12))
            _cells(scene, row, fitted, panel.cells, number, across, y + TITLE)
    return row


def _fitting(text: str, width: float, size: float) -> str:
    """The words of a panel, or its number alone where it is narrow."""
    return text if text_width(text, size) <= width - PAD else short(text)


def _cells(
    scene: Scene, row: Row, fitted: Fitted, cells: tuple[CellPlan, ...], number: int, across: int, y: float
) -> None:
    """The cells of one panel, in its middle."""
    panel, plan = scene.panels[number], fitted.plan
    per_row = max(across, 1)
    wide = per_row * (plan.width + BETWEEN) - BETWEEN
    left = panel.x + (panel.width - wide) / 2
    for i, cell in enumerate(cells):
        x, top = left + i % per_row * (plan.width + BETWEEN), y + i // per_row * (plan.height + BETWEEN)
        row.cells.append(len(scene.cells))
        scene.cells.append(_placed(cell, x, top, plan.width, plan.height, number))


def _placed(cell: CellPlan, x: float, y: float, width: float, height: float, panel: int) -> Cell:
    return Cell(
        x, y, width, height, cell.nodes, panel, cell.label, cell.css, cell.stripes, cell.words, cell.scope
    )


def _leaf_row(scene: Scene, fitted: Fitted, y: float, room: float) -> Row:
    """Panels with their leaves at the top, hosts below them, and their words at the bottom."""
    tall = fitted.rows * (fitted.plan.height + BETWEEN) - BETWEEN
    plan, has_hosts = fitted.plan, any(panel.hosts for column in fitted.plan.columns for panel in column)
    channel = (SINGLE_HOST_CHANNEL if plan.host_width else HOST_CHANNEL) if has_hosts else 0
    hosts_y = y + PAD + tall + channel
    words_y = hosts_y + (fitted.host_rows * (NAMED + BETWEEN) if has_hosts else 0) + PAD
    lines = max((bool(p.title) + bool(p.note) for column in plan.columns for p in column), default=0)
    row = Row(Role.LEAF, y, words_y + lines * LINE + (2 if lines else 0), fitted.rows == 1)
    edges = _lefts(fitted, room)
    for panels, lefts, widths, acrosses in zip(
        plan.columns, edges, fitted.widths, fitted.across, strict=True
    ):
        for panel, left, width, across in zip(panels, lefts, widths, acrosses, strict=True):
            number = scene.add(Panel(left, y, width, row.bottom - y, Role.LEAF, panel.words, panel.scope))
            row.panels.append(number)
            _cells(scene, row, fitted, panel.cells, number, across, y + PAD)
            _hosts(scene, panel, number, plan.host_width, hosts_y)
            for i, text in enumerate(t for t in (panel.title, panel.note) if t):
                css, size = ("name", 12) if i == 0 else ("dim", 11)
                base = words_y + LINE * (i + 1) - 5
                words = _fitting(text, width, size)
                scene.labels.append(Label(left + width / 2, base, words, css, "middle", size))
    return row


def _hosts(scene: Scene, panel: PanelPlan, number: int, width: float, y: float) -> None:
    """Hosts one by one, in as many rows as they need, or as one bar."""
    frame = scene.panels[number]
    inner = frame.width - 2 * PAD
    if not width:
        for cell in panel.hosts:
            is_short = text_width(cell.label) + 8 > inner
            bar = cell if not is_short else replace(cell, label=cell.label.partition(" ")[0])
            scene.cells.append(_placed(bar, frame.x + PAD, y, inner, NAMED, number))
        return
    fits = max(int((inner + BETWEEN + 0.01) // (width + BETWEEN)), 1)
    across = min(fits, max(len(panel.hosts), 1))
    wide = across * (width + BETWEEN) - BETWEEN
    left = frame.middle - wide / 2
    rows = ceil(len(panel.hosts) / across)
    if rows > 1:  # lines end at all of them together
        words = words_of(len(panel.hosts), Role.HOST)
        number = scene.add(Panel(left, y, wide, rows * (NAMED + BETWEEN) - BETWEEN, Role.HOST, words))
    for i, cell in enumerate(panel.hosts):
        x, top = left + i % across * (width + BETWEEN), y + i // across * (NAMED + BETWEEN)
        scene.cells.append(_placed(cell, x, top, width, NAMED, number))


def _attachments(fabric: Fabric, scene: Scene, nodes: list[int], place: Place) -> float:
    """Routers, storage and managers in one panel. Returns its bottom."""
    width = named_width(fabric, Role.ATTACHMENT)
    fits = max(int((place.width - 2 * PAD + BETWEEN) // (width + BETWEEN)), 1)
    across = min(fits, len(nodes))
    wide = across * (width + BETWEEN) - BETWEEN
    left = place.x + (place.width - wide) / 2
    tall = ceil(len(nodes) / across) * (NAMED + BETWEEN) - BETWEEN
    words = words_of(len(nodes), Role.ATTACHMENT)
    frame = Panel(left - PAD, place.y, wide + 2 * PAD, tall + 2 * PAD, Role.ATTACHMENT, words)
    number = scene.add(frame)
    for i, node in enumerate(nodes):
        x, top = left + i % across * (width + BETWEEN), place.y + PAD + i // across * (NAMED + BETWEEN)
        plan = CellPlan((node,), fabric.net.names[node], "out")
        scene.cells.append(_placed(plan, x, top, width, NAMED, number))
    return frame.y + frame.height


def _attached_to(fabric: Fabric, scope: Scope) -> dict[Role, list[int]]:
    """Attachments by the highest tier that they are cabled to."""
    found: dict[Role, list[int]] = {}
    for node in scope.attachments:
        roles = [Role(fabric.net.role[other]) for _n, _p, other, _q in fabric.links_of((node,))]
        found.setdefault(max(roles, default=Role.LEAF), []).append(node)
    return found


def with_drained(fabric: Fabric, scene: Scene) -> Scene:
    """The same with what is drained."""
    if fabric.drained:
        scene.cells = [
            replace(cell, drained=sum(node in fabric.drained for node in cell.nodes)) for cell in scene.cells
        ]
    return scene
