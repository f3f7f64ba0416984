"""The ways to show leaves with their hosts, spines and superspines, from the finest to the coarsest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from fabric.reporting.drawing.palette import rail_class
from fabric.reporting.drawing.row_plans import NAMED, CellPlan, PanelPlan, RowPlan
from fabric.reporting.drawing.scopes import MOST_UNITS, Fabric, Scope, pod_word, unit_id
from fabric.reporting.drawing.shapes import text_width
from fabric.topology.roles import NONE, Role
from fabric.units import counted

MANY = {
    Role.LEAF: ("leaf", "leaves"),
    Role.SPINE: ("spine", "spines"),
    Role.SUPERSPINE: ("superspine", "superspines"),
    Role.HOST: ("host", "hosts"),
    Role.ATTACHMENT: ("attachment", "attachments"),
}
SQUARES = (22, 18, 14, 10)
"""Cells without names, side by side."""
GRID = (14, 12, 10, 8, 6)
"""Cells in several rows: lines end at their panel."""
FEW_HOSTS = 8
"""Of a unit, that are drawn one by one."""
MOST_GROUPS = 8
"""Groups of spines with panels of their own."""

Columns = Sequence[tuple[int, ...]]
"""Pods of each column; one empty tuple: all in one."""


def words_of(nodes: int, role: Role) -> str:
    """`16 spines`."""
    return counted(nodes, MANY[role])


def named_width(fabric: Fabric, role: Role) -> float:
    """Of a cell with the longest name of a tier: the same in every unit, so that equal units are drawn alike."""
    longest = max((len(fabric.net.names[node]) for node in fabric.net.role_start[role]), default=1)
    return text_width("x" * longest) + 10


def color_of(fabric: Fabric, node: int) -> str:
    """The rail of a leaf, the plane of what is above."""
    net = fabric.net
    if not Role(net.role[node]).is_switch:
        return "host" if net.role[node] == Role.HOST else "out"
    if (
        net.rail[node] != NONE
        and net.role[node] == Role.LEAF
        and net.sizes.rails > 1
        and net.sizes.leaves_per_unit > 1
    ):
        return rail_class(net.rail[node])
    if net.plane[node] != NONE and net.sizes.planes > 1:
        return f"q{net.plane[node] % 8}"
    return "plain"


def _rail_colors(fabric: Fabric, nodes: Iterable[int]) -> tuple[str, ...]:
    """The rails of leaves that stand in one cell."""
    return tuple(dict.fromkeys(c for node in nodes if (c := color_of(fabric, node)).startswith("r")))


def _split(nodes: Iterable[int], key: Callable[[int], tuple[int, ...]]) -> dict[tuple[int, ...], list[int]]:
    groups: dict[tuple[int, ...], list[int]] = {}
    for node in nodes:
        groups.setdefault(key(node), []).append(node)
    return dict(sorted(groups.items()))


def _in_columns(fabric: Fabric, nodes: Sequence[int], columns: Columns) -> list[list[int]]:
    """Nodes by the column of their pod."""
    if len(columns) == 1:
        return [list(nodes)]
    place = {pod: i for i, pods in enumerate(columns) for pod in pods}
    found: list[list[int]] = [[] for _ in columns]
    for node in nodes:
        found[place.get(fabric.net.pod[node], 0)].append(node)
    return found


def _single(fabric: Fabric, node: int, kind: str) -> CellPlan:
    """A cell of one node: its name, the number of its rail, or nothing."""
    net = fabric.net
    label = net.names[node] if kind == "name" else ""
    if kind == "rail" and net.role[node] == Role.LEAF and net.rail[node] != NONE and net.sizes.rails > 1:
        label = str(net.rail[node])
    return CellPlan((node,), label, color_of(fabric, node))


# --- leaves


def leaf_plans(fabric: Fabric, scope: Scope, columns: Columns) -> Iterator[RowPlan]:
    """Leaves by unit, named if possible; then units, then pods."""
    width = named_width(fabric, Role.LEAF)
    host_width = named_width(fabric, Role.HOST)
    few = _panels(fabric, scope, columns, "name", "each")
    if few and max(len(p.hosts) for column in few for p in column) <= FEW_HOSTS:
        yield RowPlan(Role.LEAF, few, width, NAMED, host_width=host_width)
    if scope.id.startswith("unit-"):
        for kind, size in (("name", width), *(("rail", float(square)) for square in SQUARES)):
            panels = _panels(fabric, scope, columns, kind, "each")
            tall = NAMED if kind == "name" else size
            yield RowPlan(Role.LEAF, panels, size, tall, host_width=host_width, host_rows=40)
    yield RowPlan(Role.LEAF, _panels(fabric, scope, columns, "name", "bar"), width, NAMED)
    for size in SQUARES:
        kind = "rail" if size > GRID[0] - 2 else ""
        yield RowPlan(Role.LEAF, _panels(fabric, scope, columns, kind, "bar"), size, max(size, 14))
    rows = max(fabric.net.sizes.planes, 4)
    bare = _panels(fabric, scope, columns, "", "bar")
    for size in GRID:
        yield RowPlan(Role.LEAF, bare, size, size, rows)
    yield from _folded_leaves(fabric, scope, columns)


def _folded_leaves(fabric: Fabric, scope: Scope, columns: Columns) -> Iterator[RowPlan]:
    for width, height, rows in ((30, 20, 6), (20, 18, 10), (10, 10, 16)):
        yield RowPlan(Role.LEAF, _unit_panels(fabric, scope, columns, width > 10), width, height, rows)
    yield coarsest_leaves(fabric, scope, columns)


def coarsest_leaves(fabric: Fabric, scope: Scope, columns: Columns) -> RowPlan:
    """A number of leaves a column."""
    return _numbers(Role.LEAF, _whole(fabric, scope, columns))


def _numbers(role: Role, panels: tuple[tuple[PanelPlan, ...], ...]) -> RowPlan:
    """A row whose cells are as wide as the longest of their numbers."""
    labels = [cell.label for column in panels for panel in column for cell in panel.cells]
    return RowPlan(role, panels, max([30.0, *(text_width(label) + 4 for label in labels)]), NAMED)


def _panels(
    fabric: Fabric, scope: Scope, columns: Columns, kind: str, hosts: str
) -> tuple[tuple[PanelPlan, ...], ...]:
    """A panel a unit; one a column where every unit has a single leaf."""
    net = fabric.net
    units = _split(scope.leaves, lambda n: (net.pod[n], net.unit[n]))
    merged = max(map(len, units.values())) == 1
    found: list[tuple[PanelPlan, ...]] = []
    for leaves in _in_columns(fabric, scope.leaves, columns):
        key = (lambda n: (net.pod[n], 0)) if merged else (lambda n: (net.pod[n], net.unit[n]))
        panels = [
            _unit_panel(fabric, scope, nodes, kind, hosts, merged=merged)
            for nodes in _split(leaves, key).values()
        ]
        found.append(tuple(panels))
    return tuple(found)


def _unit_panel(
    fabric: Fabric, scope: Scope, leaves: list[int], kind: str, hosts: str, *, merged: bool
) -> PanelPlan:
    net = fabric.net
    pod, unit = net.pod[leaves[0]], net.unit[leaves[0]]
    below = _hosts_of(fabric, scope, leaves)
    words = words_of(len(leaves), Role.LEAF)
    cells = tuple(_single(fabric, n, kind) for n in sorted(leaves, key=lambda n: (net.plane[n], n)))
    if scope.id.startswith("unit-"):
        return PanelPlan(words, "", cells, hosts=_host_cells(fabric, below, hosts))
    if merged:
        several = len(fabric.pods) > 1 and not scope.id.startswith("pod-")
        title = f"{pod_word(net)} {pod}" if several else words
        return PanelPlan(
            f"{title}: {words}" if several else words,
            title,
            cells,
            scope=f"pod-{pod}" if several else "",
            hosts=_host_cells(fabric, below, hosts),
        )
    title = f"unit {unit}"
    return PanelPlan(
        f"{title}: {words}",
        title,
        cells,
        scope=_unit_scope(fabric, pod, unit),
        hosts=_host_cells(fabric, below, hosts),
    )


def _unit_scope(fabric: Fabric, pod: int, unit: int) -> str:
    """The drawing of a unit; none where it is the whole network, or units are too many."""
    if not 1 < len(fabric.units) <= MOST_UNITS:
        return ""
    return unit_id(pod if len(fabric.pods) > 1 else NONE, unit)


def _hosts_of(fabric: Fabric, scope: Scope, leaves: Sequence[int]) -> list[int]:
    """Hosts of the units of some leaves, each once in the drawing."""
    net = fabric.net
    if len(leaves) == len(scope.leaves):
        return list(scope.hosts)
    units = {(net.pod[n], net.unit[n]) for n in leaves}
    return [host for host in scope.hosts if fabric.homes.get(host) in units]


def _host_cells(fabric: Fabric, hosts: list[int], how: str) -> tuple[CellPlan, ...]:
    if not hosts:
        return ()
    if how == "each":
        return tuple(CellPlan((host,), fabric.net.names[host], "host") for host in hosts)
    words = words_of(len(hosts), Role.HOST)
    if len(hosts) == 1:
        return (CellPlan(tuple(hosts), fabric.net.names[hosts[0]], "host"),)
    return (CellPlan(tuple(hosts), words, "host", words=words),)


def _unit_panels(
    fabric: Fabric,
    scope: Scope,
    columns: Columns,
    numbered: bool,  # noqa: FBT001
) -> tuple[tuple[PanelPlan, ...], ...]:
    """A cell a unit, in one panel a column."""
    net = fabric.net
    found = []
    for pods, leaves in zip(columns, _in_columns(fabric, scope.leaves, columns), strict=True):
        units = _split(leaves, lambda n: (net.pod[n], net.unit[n]))
        cells = [
            CellPlan(
                tuple(nodes),
                str(unit) if numbered else "",
                "plain",
                _rail_colors(fabric, nodes),
                f"unit {unit}: {words_of(len(nodes), Role.LEAF)}" if len(nodes) > 1 else "",
                _unit_scope(fabric, pod, unit) if len(nodes) > 1 else "",
            )
            for (pod, unit), nodes in units.items()
        ]
        found.append((_column_panel(fabric, scope, pods, leaves, tuple(cells)),))
    return tuple(found)


def _column_panel(
    fabric: Fabric, scope: Scope, pods: tuple[int, ...], leaves: list[int], cells: tuple[CellPlan, ...]
) -> PanelPlan:
    words = words_of(len(leaves), Role.LEAF)
    title = column_title(fabric, pods)
    hosts = _host_cells(fabric, _hosts_of(fabric, scope, leaves), "bar")
    return PanelPlan(
        f"{title}: {words}" if title else words,
        title or words,
        cells,
        words if title else "",
        f"pod-{pods[0]}" if len(pods) == 1 else "",
        hosts,
    )


def column_title(fabric: Fabric, pods: tuple[int, ...]) -> str:
    """`pod 3`, `pods 0-3`; empty where there are no pods."""
    if not pods:
        return ""
    word = pod_word(fabric.net)
    return f"{word} {pods[0]}" if len(pods) == 1 else f"{word}s {pods[0]}-{pods[-1]}"


def _whole(fabric: Fabric, scope: Scope, columns: Columns) -> tuple[tuple[PanelPlan, ...], ...]:
    """A column as one cell with its number of leaves."""
    found = []
    for pods, leaves in zip(columns, _in_columns(fabric, scope.leaves, columns), strict=True):
        words, rails = words_of(len(leaves), Role.LEAF), _rail_colors(fabric, leaves)
        cell = CellPlan(tuple(leaves), f"{len(leaves):,}", "plain", rails, words)
        found.append((_column_panel(fabric, scope, pods, leaves, (cell,)),))
    return tuple(found)


# --- spines and superspines


def upper_plans(fabric: Fabric, role: Role, nodes: Sequence[int], columns: Columns) -> Iterator[RowPlan]:
    """Spines or superspines by plane and group, named if possible; then groups; then numbers."""
    by_group = _upper_panels(fabric, role, nodes, columns, "name", per_group=True)
    if max(map(len, by_group)) <= MOST_GROUPS:
        plain = _upper_panels(fabric, role, nodes, columns, "", per_group=True)
        yield RowPlan(role, by_group, named_width(fabric, role), NAMED)
        for size in SQUARES:
            yield RowPlan(role, plain, size, 20)
    if max(map(len, by_group)) > MOST_GROUPS:
        yield RowPlan(role, _upper_panels(fabric, role, nodes, columns, "group", per_group=False), 30, 20)
    together = _upper_panels(fabric, role, nodes, columns, "", per_group=False)
    for size in SQUARES:
        yield RowPlan(role, together, size, 20)
    for size in GRID[:3]:
        yield RowPlan(role, together, size, size, 6)
    yield coarsest_upper(fabric, role, nodes, columns)


def coarsest_upper(fabric: Fabric, role: Role, nodes: Sequence[int], columns: Columns) -> RowPlan:
    """A number of spines or superspines a plane and column."""
    return _numbers(role, _upper_panels(fabric, role, nodes, columns, "all", per_group=False))


def _upper_panels(
    fabric: Fabric, role: Role, nodes: Sequence[int], columns: Columns, kind: str, *, per_group: bool
) -> tuple[tuple[PanelPlan, ...], ...]:
    net = fabric.net
    found: list[tuple[PanelPlan, ...]] = []
    for inside in _in_columns(fabric, nodes, columns):
        groups = _split(inside, lambda n: (net.plane[n], net.group[n] if per_group else 0))
        several_groups = len({group for _plane, group in groups}) > 1
        panels = []
        for (plane, group), members in groups.items():
            words = words_of(len(members), role)
            name = [f"plane {plane}"] if net.sizes.planes > 1 and plane != NONE else []
            name += (
                [f"group {group}"] if several_groups and len({g for p, g in groups if p == plane}) > 1 else []
            )
            title = ", ".join([*name, words])
            cells = _upper_cells(fabric, role, members, kind)
            scope = f"plane-{plane}" if net.sizes.planes > 1 and plane != NONE else ""
            panels.append(PanelPlan(title, title, cells, scope=scope))
        found.append(tuple(panels))
    return tuple(found)


def _upper_cells(fabric: Fabric, role: Role, nodes: list[int], kind: str) -> tuple[CellPlan, ...]:
    net = fabric.net
    css = color_of(fabric, nodes[0])
    if kind == "all":
        return (CellPlan(tuple(nodes), f"{len(nodes):,}", css, words=words_of(len(nodes), role)),)
    if kind == "group":
        return tuple(
            CellPlan(
                tuple(members),
                f"x{len(members)}",
                css,
                words=f"group {group}: {words_of(len(members), role)}",
            )
            for (group,), members in _split(nodes, lambda n: (net.group[n],)).items()
        )
    return tuple(_single(fabric, node, kind) for node in nodes)
