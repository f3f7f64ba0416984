"""What a drawing is made of, before it is printed: cells in panels, bundles of links, labels.

Lines are kept apart from texts by construction: panels and texts stand in rows, bundles run in the channels between
rows, and the left margin, which no line enters, says what the channels hold.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from fabric.topology.roles import Role

LETTER = 6.9
"""Pixels of one letter at 11 pixels of size: that of wide fonts, so that no label is wider than its place."""
LEFT = 176
"""The margin with the words of each row and channel."""
PAD = 8
"""Between the edge of a panel and what is in it."""
GAP = 12
"""Between panels."""
LINE = 15
"""From one line of text to the next."""
STUB = 18
"""Above a row its lines run straight up: there is room for counts between them."""

Point = tuple[float, float]


def text_width(text: str, size: float = 11) -> float:
    """Pixels that a text takes, at most."""
    return len(text) * LETTER * size / 11


@dataclass(frozen=True, slots=True)
class Cell:
    """One box: a switch, a host, or several of them folded into one."""

    x: float
    y: float
    width: float
    height: float
    nodes: tuple[int, ...]
    panel: int
    label: str = ""
    css: str = ""
    """Colour: `r3` of a rail, `q1` of a plane, `host`, `plain`."""
    stripes: tuple[str, ...] = ()
    """Colours of the rails that are folded into it."""
    words: str = ""
    """What it is, for people, where it is not one node."""
    scope: str = ""
    """The drawing that shows more of it; empty: none."""
    drained: int = 0
    """Switches in it that are drained."""

    @property
    def middle(self) -> float:
        """Where lines meet it."""
        return self.x + self.width / 2


@dataclass(frozen=True, slots=True)
class Panel:
    """What stands around cells that belong together: a unit, a pod, the spines of a plane."""

    x: float
    y: float
    width: float
    height: float
    role: Role
    words: str
    """What it is: `unit 3`, `16 spines`."""
    scope: str = ""

    @property
    def middle(self) -> float:
        """The middle from left to right."""
        return self.x + self.width / 2


@dataclass(frozen=True, slots=True)
class Label:
    """One line of text; `y` is its base line."""

    x: float
    y: float
    text: str
    css: str = ""
    anchor: str = "start"
    size: float = 11

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of what it covers, at most."""
        width = text_width(self.text, self.size)
        left = self.x - {"start": 0.0, "middle": width / 2, "end": width}[self.anchor]
        return left, self.y - 0.8 * self.size, left + width, self.y + 0.25 * self.size


End = tuple[str, int]
"""`c` and the number of a cell, or `p` and that of a panel."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """All links between two ends, drawn as one line."""

    low: End
    high: End
    links: int
    out: int
    """Links of them that are shut, excluded, or end at a drained switch."""
    mbps: int
    """Of one link; 0 if they differ."""
    css: str
    points: tuple[Point, ...]
    """Two: straight. Three: a stub, then a curve. Four: a curve."""


@dataclass(slots=True)
class Scene:
    """Everything of one drawing."""

    cells: list[Cell] = field(default_factory=list)
    panels: list[Panel] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    bundles: list[Bundle] = field(default_factory=list)
    stubs: list[tuple[Point, Point]] = field(default_factory=list)
    """From a box of a ring to where its lines begin."""
    inside: int = 0
    """Links whose two ends are folded into one box: a text says how many."""
    width: float = 0
    height: float = 0
    _by_panel: dict[int, list[Cell]] = field(default_factory=dict)

    def add(self, panel: Panel) -> int:
        """Keep a panel; its number."""
        self.panels.append(panel)
        return len(self.panels) - 1

    def cells_in(self, panel: int) -> list[Cell]:
        """The cells of a panel."""
        if sum(map(len, self._by_panel.values())) != len(self.cells):
            self._by_panel = {}
            for cell in self.cells:
                self._by_panel.setdefault(cell.panel, []).append(cell)
        return self._by_panel.get(panel, [])

    def cell_of(self) -> dict[int, int]:
        """The cell of each node."""
        return {node: i for i, cell in enumerate(self.cells) for node in cell.nodes}


@dataclass
class Row:
    """One row as it stands: its panels, and where lines reach it."""

    role: Role
    top: float
    bottom: float
    is_single: bool
    panels: list[int] = field(default_factory=list)
    cells: list[int] = field(default_factory=list)


def curve(points: tuple[Point, ...], steps: int = 12) -> list[Point]:
    """A bundle as short straight pieces, for whoever asks what it crosses."""
    if len(points) == 2:
        return list(points)
    head, (start, second, third, end) = ((), points) if len(points) == 4 else ((points[0],), bent(points[1:]))
    drawn: list[Point] = [*head]
    for step in range(steps + 1):
        t = step / steps
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
        control = (start, second, third, end)
        x = sum(w * p[0] for w, p in zip(weights, control, strict=True))
        drawn.append((x, sum(w * p[1] for w, p in zip(weights, control, strict=True))))
    return drawn


def bent(points: tuple[Point, ...]) -> tuple[Point, Point, Point, Point]:
    """A curve from one row to the next that leaves and arrives straight up."""
    (x1, y1), (x2, y2) = points
    middle = (y1 + y2) / 2
    return (x1, y1), (x1, middle), (x2, middle), (x2, y2)
