"""How far the switches of a row are folded: the first way, from the finest on, that fits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import ceil

from fabric.reporting.drawing.shapes import GAP, PAD, text_width
from fabric.topology.roles import Role

NAMED = 24
"""Height of a cell with a name."""
BETWEEN = 4
"""From one cell to the next."""


@dataclass(frozen=True)
class CellPlan:
    """A cell before it has a place."""

    nodes: tuple[int, ...]
    label: str = ""
    css: str = ""
    stripes: tuple[str, ...] = ()
    words: str = ""
    scope: str = ""


@dataclass(frozen=True)
class PanelPlan:
    """A panel before it has a place."""

    words: str
    """What it is."""
    title: str
    """The same in few letters."""
    cells: tuple[CellPlan, ...]
    note: str = ""
    scope: str = ""
    hosts: tuple[CellPlan, ...] = ()
    """Of leaves: what stands below them."""
    links: tuple[int, ...] = ()


@dataclass(frozen=True)
class RowPlan:
    """One way to show a row: panels of each column, and the size of a cell."""

    role: Role
    columns: tuple[tuple[PanelPlan, ...], ...]
    width: float
    """Of a cell."""
    height: float
    most_rows: int = 1
    """Rows of cells in a panel."""
    host_width: float = 0
    """Of a host's cell; 0: as wide as the panel."""
    host_rows: int = 1

    @property
    def is_single(self) -> bool:
        """Whether lines reach every cell."""
        return self.most_rows == 1


@dataclass(frozen=True)
class Fitted:
    """A plan with the width of each panel, and how many cells stand side by side in it."""

    plan: RowPlan
    widths: tuple[tuple[float, ...], ...]
    across: tuple[tuple[int, ...], ...]
    rows: int
    host_rows: int = 0
    gaps: tuple[float, ...] = field(default=())
    """Between the panels of each column."""


def short(text: str) -> str:
    """What is left of words where there is little room: their number."""
    return next((word for word in reversed(text.split()) if word[0].isdigit()), text)


def side_by_side(count: int, width: float, between: float = BETWEEN) -> float:
    """Pixels that cells take."""
    return count * (width + between) - between


def fit(plan: RowPlan, column_width: float) -> Fitted | None:
    """The plan in columns of this width; None if it does not fit."""
    widths, across, most, host_rows = [], [], 1, 0
    for column in plan.columns:
        share = (column_width + GAP) / max(len(column), 1) - GAP - 2 * PAD
        found = [_panel(plan, panel, share) for panel in column]
        if any(each is None for each in found):
            return None
        sizes = [each for each in found if each is not None]
        total = sum(width for width, _across, _rows, _hosts in sizes) + GAP * (len(sizes) - 1)
        if total > column_width + 0.5:
            return None
        widths.append(tuple(width for width, _across, _rows, _hosts in sizes))
        across.append(tuple(count for _width, count, _rows, _hosts in sizes))
        most = max([most, *(rows for _width, _across, rows, _hosts in sizes)])
        host_rows = max([host_rows, *(rows for _width, _across, _rows, rows in sizes)])
    gaps = tuple(_gap(column, column_width) for column in widths)
    return Fitted(plan, tuple(widths), tuple(across), most, host_rows, gaps)


def _panel(plan: RowPlan, panel: PanelPlan, share: float) -> tuple[float, int, int, int] | None:
    """Width of a panel, cells side by side, rows of cells, rows of hosts; None if it does not fit."""
    text = max(text_width(panel.title, 12), text_width(panel.note))
    if text > share:  # the number alone is left of the words
        text = max(text_width(short(panel.title), 12), text_width(short(panel.note)))
    inner, rows, count = text, 1, max(len(panel.cells), 1)
    if plan.is_single:
        inner = max(inner, side_by_side(count, plan.width))
        across = count
    else:
        room = max(share, text)
        across = min(count, int((room + BETWEEN) // (plan.width + BETWEEN)))
        if across < 1 or (rows := ceil(count / across)) > plan.most_rows:
            return None
        across = ceil(count / rows)
        inner = max(inner, side_by_side(across, plan.width))
    host_rows = 1 if panel.hosts else 0
    if panel.hosts and plan.host_width:
        wide = side_by_side(len(panel.hosts), plan.host_width)
        if plan.host_rows == 1:
            inner = max(inner, wide)
        else:
            fits = max(int((share + BETWEEN) // (plan.host_width + BETWEEN)), 1)
            host_rows = ceil(len(panel.hosts) / fits)
            inner = max(inner, side_by_side(min(fits, len(panel.hosts)), plan.host_width))
            if host_rows > plan.host_rows:
                return None
    elif panel.hosts:
        label = panel.hosts[0].label
        label = label if text_width(label) + 8 <= share else label.partition(" ")[0]
        inner = max(inner, text_width(label) + 8)
    return inner + 2 * PAD, across, rows, host_rows


def _gap(widths: Sequence[float], column_width: float) -> float:
    """Panels keep some room between them where there is some."""
    left = column_width - sum(widths)
    return min(left / max(len(widths) - 1, 1), 36) if len(widths) > 1 else 0


def first_fit(plans: Iterator[RowPlan], column_width: float) -> Fitted:
    """The finest plan that fits, else the coarsest, whatever its width."""
    last: RowPlan | None = None
    for plan in plans:
        last = plan
        fitted = fit(plan, column_width)
        if fitted is not None:
            return fitted
    if last is None:
        message = "a row without a plan"
        raise ValueError(message)
    widths = tuple(tuple(max(column_width / max(len(c), 1) - GAP, 40) for _ in c) for c in last.columns)
    ones = tuple(tuple(1 for _ in column) for column in last.columns)
    return Fitted(last, widths, ones, 1, 1, tuple(float(GAP) for _ in last.columns))
