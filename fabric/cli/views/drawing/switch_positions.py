"""Where each switch stands in the topology picture. Tiers are known, so positions are arithmetic, not a search.

From left to right the picture is cut into strips, one a unit (or a run of units where there are too many). Leaves
and hosts stand in their unit's strip, spines above the strips of their pod, superspines above all. What does not
fit is folded: switches into groups, groups into planes, with a count.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from math import ceil
from typing import TypeAlias

from fabric.cli.views.drawing import attachment_positions
from fabric.cli.views.drawing.shapes import (
    FOLDED,
    GAP,
    LEFT,
    MOST_HOSTS,
    NAMED,
    PITCHES,
    ROWS,
    TIER_GAP,
    WIDTH,
    Cell,
    Frame,
    Layout,
    Strip,
    step,
)
from fabric.topology.model import NetworkTopology
from fabric.topology.roles import NONE, Role


def lay_out(network: NetworkTopology, top: float) -> Layout:
    """Place everything of a network below `top`."""
    layout = Layout()
    strips, pitch = _strips(network)
    layout.width = strips[-1].x + strips[-1].width + GAP
    y = top
    for role in (Role.SUPERSPINE, Role.SPINE):
        if network.role_start[role]:
            y += attachment_positions.height_above(network, layout, role)
            height = _upper(network, layout, role, _areas(network, role, strips), y)
            layout.tiers.append((role, y, height))
            attachment_positions.place(network, layout, role, y)
            y += height + _tier_gap(network)
    y += attachment_positions.height_above(network, layout, Role.LEAF)
    height = _leaves(network, layout, strips, pitch, y)
    layout.tiers.append((Role.LEAF, y, height))
    attachment_positions.place(network, layout, Role.LEAF, y)
    y += height + 60
    height = _hosts(network, layout, strips, y)
    layout.height = y + height
    return layout


def _tier_gap(network: NetworkTopology) -> float:
    return TIER_GAP + min(len(network.switches) // 4, 110)


# --- strips and leaves


def _strips(network: NetworkTopology) -> tuple[list[Strip], float]:
    """The strips, and the size of a leaf's cell: 0 where leaves are folded, below 0 where they carry names."""
    columns = _columns(network)
    named = 6.8 * max((len(network.names[i]) for i in network.role_start[Role.LEAF]), default=4) + 10
    for pitch in (named, *PITCHES):
        widths = [max(count * step(pitch), 46) for count in columns.values()]
        if (total := sum(widths) + GAP * len(widths)) <= WIDTH:
            wider = max(_named_width(network) / total, 1)
            strips = _side_by_side([(unit,) for unit in columns], [width * wider for width in widths])
            return strips, -pitch if pitch == named else pitch
    runs = _runs(list(columns))
    return _side_by_side(runs, [max(FOLDED, WIDTH / len(runs) - GAP)] * len(runs)), 0


def _named_width(network: NetworkTopology) -> float:
    """What the upper tiers need to show their names, block by block; 0 if that is too much."""
    block, wide = _levels(network)[0][0], 0.0
    for role in (Role.SPINE, Role.SUPERSPINE):
        sizes = Counter(block(node) for node in network.role_start[role])
        letters = max((len(network.names[node]) for node in network.role_start[role]), default=0)
        most = max(sizes.values(), default=0)
        wide = max(wide, len(sizes) * (most * step(6.8 * letters + 10) + 2 * GAP) + GAP)
    return wide if wide <= WIDTH else 0


def _columns(network: NetworkTopology) -> dict[tuple[int, int], int]:
    """Leaves of each unit in its longest row; a row is a plane."""
    count: dict[tuple[int, int, int], int] = {}
    for node in network.role_start[Role.LEAF]:
        key = (network.pod[node], network.unit[node], network.plane[node])
        count[key] = count.get(key, 0) + 1
    columns: dict[tuple[int, int], int] = {}
    for (pod, unit, _plane), switches in sorted(count.items()):
        columns[pod, unit] = max(columns.get((pod, unit), 0), switches)
    return columns


def _runs(units: list[tuple[int, int]]) -> list[tuple[tuple[int, int], ...]]:
    """Units folded to so few runs that they fit; whole pods where pods divide them."""
    fits = WIDTH // (FOLDED + GAP)
    per_pod = [tuple(run) for _pod, run in groupby(units, key=lambda unit: unit[0])]
    if len(units) <= fits:
        return [(unit,) for unit in units]
    if 1 < len(per_pod) <= fits:
        return per_pod
    size = ceil(len(units) / fits)
    return [tuple(units[i : i + size]) for i in range(0, len(units), size)]


def _side_by_side(runs: Iterable[tuple[tuple[int, int], ...]], widths: Iterable[float]) -> list[Strip]:
    strips: list[Strip] = []
    x = float(LEFT)
    for units, width in zip(runs, widths, strict=True):
        strips.append(Strip(units, x, width))
        x += width + GAP
    return strips


def _leaves(network: NetworkTopology, layout: Layout, strips: list[Strip], pitch: float, y: float) -> float:
    """Leaves: a row a plane. Returns the height."""
    where = {unit: i for i, strip in enumerate(strips) for unit in strip.units}
    rows: dict[tuple[int, int], list[int]] = {}
    planes = sorted({network.plane[i] for i in network.role_start[Role.LEAF]})
    for node in network.role_start[Role.LEAF]:
        key = where[network.pod[node], network.unit[node]], planes.index(network.plane[node])
        rows.setdefault(key, []).append(node)
    tall = NAMED if pitch <= 0 else pitch
    frame = len(layout.frames)
    height = len(planes) * step(tall) + 4
    layout.frames += [Frame(s.x - 3, y, s.width + 2, height, s.label, Role.LEAF) for s in strips]
    for (at, row), nodes in sorted(rows.items()):
        strip, top = strips[at], y + 4 + row * step(tall)
        for cell in _leaf_cells(network, strip, nodes, pitch, top, frame + at):
            layout.add(cell)
    return height


def _leaf_cells(
    network: NetworkTopology, strip: Strip, nodes: list[int], pitch: float, y: float, frame: int
) -> Iterator[Cell]:
    """The leaves of one unit and plane."""
    if pitch == 0:
        yield Cell(strip.x, y, strip.width - 4, NAMED, tuple(nodes), frame, f"{len(nodes)}")
        return
    tall = NAMED if pitch < 0 else pitch
    pace = step(abs(pitch))
    start = strip.x + (strip.width - len(nodes) * pace) / 2
    for i, node in enumerate(nodes):
        label = network.names[node] if pitch < 0 else ""
        yield Cell(start + i * pace, y, abs(pitch), tall, (node,), frame, label)


# --- spines and superspines


def _areas(network: NetworkTopology, role: Role, strips: list[Strip]) -> dict[tuple[float, float], list[int]]:
    """The switches of a tier by the stretch of the picture that they stand above: their pod's."""
    whole = (strips[0].x - 3, strips[-1].x + strips[-1].width)
    stretch: dict[int, tuple[float, float]] = {}
    for strip in strips:
        for pod, _unit in strip.units:
            left = stretch.get(pod, (strip.x - 3, 0.0))[0]
            stretch[pod] = (left, strip.x + strip.width)
    areas: dict[tuple[float, float], list[int]] = {}
    for node in network.role_start[role]:
        areas.setdefault(stretch.get(network.pod[node], whole), []).append(node)
    return areas


def _levels(network: NetworkTopology) -> tuple[tuple[Callable[[int], object], Callable[[int], object]], ...]:
    """How upper tiers are folded, finest first: what makes a block, and what makes a cell in it."""
    plane, group, pod = network.plane, network.group, network.pod
    return (
        (lambda n: (pod[n], plane[n], group[n]), lambda n: n),
        (lambda n: (pod[n], plane[n]), lambda n: group[n]),
        (lambda _n: 0, lambda n: plane[n]),
        (lambda _n: 0, lambda _n: 0),
    )


def _upper(
    network: NetworkTopology,
    layout: Layout,
    role: Role,
    areas: dict[tuple[float, float], list[int]],
    y: float,
) -> float:
    """Spines or superspines, each area's blocks side by side. Returns the height of the highest."""
    named = 6.8 * max(len(network.names[i]) for i in network.role_start[role]) + 10
    for level, (block, cell) in enumerate(_levels(network)):
        sizes = ((named, 1), *((pitch, ROWS) for pitch in PITCHES)) if level == 0 else ((FOLDED - 8, 2),)
        for pitch, rows in sizes:
            folded = [_folded(nodes, block, cell) for nodes in areas.values()]
            if all(
                _rows(blocks, right - left, pitch) <= rows
                for blocks, (left, right) in zip(folded, areas, strict=True)
            ):
                label = pitch == named and level == 0
                return max(
                    _blocks(network, layout, role, blocks, area, y, (pitch, level, label))
                    for blocks, area in zip(folded, areas, strict=True)
                )
    return _blocks_as_one(layout, role, areas, y)


Blocks = list[list[tuple[int, ...]]]
Column: TypeAlias = "array[int]"


def _folded(nodes: list[int], block: Callable[[int], object], cell: Callable[[int], object]) -> Blocks:
    """Nodes gathered into cells, and cells into blocks, in the order in which they come."""
    blocks: dict[object, dict[object, list[int]]] = {}
    for node in nodes:
        blocks.setdefault(block(node), {}).setdefault(cell(node), []).append(node)
    return [[tuple(cells) for cells in rows.values()] for rows in blocks.values()]


def _rows(blocks: Blocks, width: float, pitch: float) -> int:
    """Rows that the longest block needs if all share `width`; more than can be if it is too narrow."""
    across = int((width - GAP * (len(blocks) - 1)) / len(blocks) // step(pitch))
    return max(ceil(len(block) / across) for block in blocks) if across > 0 else 1_000_000


def _blocks(
    network: NetworkTopology,
    layout: Layout,
    role: Role,
    blocks: Blocks,
    area: tuple[float, float],
    y: float,
    kind: tuple[float, int, bool],
) -> float:
    """The blocks of one area; `kind`: size of a cell, how far it is folded, whether it carries its name."""
    pitch, level, named = kind
    share = (area[1] - area[0] - GAP * (len(blocks) - 1)) / len(blocks)
    across = int(share // step(pitch))
    tall = NAMED if named or level else pitch
    rows = max(ceil(len(block) / across) for block in blocks)
    height = rows * step(tall) + 4
    for i, (block, label) in enumerate(zip(blocks, _block_labels(network, blocks), strict=True)):
        frame, columns = len(layout.frames), ceil(len(block) / rows)
        width = columns * step(pitch)
        first = area[0] + i * (share + GAP) + (share - width) / 2 + 2
        layout.frames.append(Frame(first - 4, y, width + 4, height, label, role))
        for k, nodes in enumerate(block):
            text = network.names[nodes[0]] if named else (f"{len(nodes)}" if level else "")
            x, top = first + k % columns * step(pitch), y + 4 + k // columns * step(tall)
            layout.add(Cell(x, top, pitch, tall, nodes, frame, text))
    return height


def _blocks_as_one(
    layout: Layout,
    role: Role,
    areas: dict[tuple[float, float], list[int]],
    y: float,
) -> float:
    """Everything above one stretch as a single cell: for areas too narrow for anything else."""
    for (left, right), nodes in areas.items():
        frame = len(layout.frames)
        layout.frames.append(Frame(left, y, right - left, NAMED + 8, "", role))
        layout.add(Cell(left + 4, y + 4, right - left - 8, NAMED, tuple(nodes), frame, f"{len(nodes)}"))
    return NAMED + 8


def _block_labels(network: NetworkTopology, blocks: Blocks) -> list[str]:
    """What the switches of each block have in common and those of other blocks have not."""
    words: list[tuple[str, Column]] = []
    if network.sizes.units_per_pod < network.sizes.units:
        words.append((pod_word(network), network.pod))
    if network.sizes.planes > 1:
        words.append(("plane", network.plane))
    labels = [_common(words, block) for block in blocks]
    if len(set(labels)) < len(blocks):
        labels = [_common([*words, ("group", network.group)], block) for block in blocks]
    return labels


def pod_word(network: NetworkTopology) -> str:
    """What people call the blocks of units that have spines of their own, or stand together in a dragonfly."""
    if network.sizes.layout is not None:
        return "group"
    return "pod" if network.role_start[Role.SUPERSPINE] else "zone"


def _common(words: Sequence[tuple[str, Column]], block: list[tuple[int, ...]]) -> str:
    columns = ((word, {column[node] for cell in block for node in cell}) for word, column in words)
    return ", ".join(
        f"{word} {min(values)}" for word, values in columns if len(values) == 1 and values != {NONE}
    )


# --- hosts


def _hosts(network: NetworkTopology, layout: Layout, strips: list[Strip], y: float) -> float:
    """Hosts below their units: one by one if they are few, else a box with their number."""
    where = {unit: i for i, strip in enumerate(strips) for _pod, unit in strip.units}
    hosts: dict[int, list[int]] = {}
    for node in network.role_start[Role.HOST]:
        hosts.setdefault(where.get(network.unit[node], len(strips) - 1), []).append(node)
    single = len(network.role_start[Role.HOST]) <= MOST_HOSTS
    height = 0.0
    for at, nodes in sorted(hosts.items()):
        strip, frame = strips[at], len(layout.frames)
        layout.frames.append(Frame(strip.x, y, strip.width - 4, NAMED, "", Role.HOST))
        if not single:
            layout.add(Cell(strip.x, y, strip.width - 4, NAMED, tuple(nodes), frame, f"{len(nodes)}"))
            height = max(height, NAMED)
            continue
        height = max(height, _host_cells(network, layout, strip, nodes, frame, y))
    return height


def _host_cells(
    network: NetworkTopology, layout: Layout, strip: Strip, nodes: list[int], frame: int, y: float
) -> float:
    named = 6.8 * max(len(network.names[node]) for node in nodes) + 10
    pitch = named if named + 4 <= strip.width else 12
    most = max(int(strip.width // (pitch + 4)), 1)
    across = ceil(len(nodes) / ceil(len(nodes) / most))
    start = strip.x + max(strip.width - min(across, len(nodes)) * (pitch + 4), 0) / 2
    for i, node in enumerate(nodes):
        label = network.names[node] if pitch == named else ""
        x, top = start + i % across * (pitch + 4), y + i // across * (NAMED + 4)
        layout.add(Cell(x, top, pitch, NAMED, (node,), frame, label))
    return ceil(len(nodes) / across) * (NAMED + 4)
