"""Cells, frames and strips: the pieces of the topology picture before they are drawn."""

from __future__ import annotations

from dataclasses import dataclass, field

from fabric.topology.roles import NONE, Role

LEFT = 146
"""Room for the tiers' names."""
WIDTH = 1680
"""Of the strips: two pixels of a 27-inch screen's column for each link of a leaf would be too much to ask."""
GAP = 10
NAMED = 26
"""Height of a cell with a name in it."""
PITCHES = (30, 20, 14, 9)
"""Sizes of cells without names, the largest that fits is taken."""
ROWS = 6
"""Most rows into which the spines of one group are wrapped before they are folded."""
FOLDED = 44
TIER_GAP = 110
ATTACHED_GAP = 30
"""Between a tier and what is attached to it: the lines, and labels of groups."""
MOST_HOSTS = 32
"""More hosts than this are a box per unit."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One rectangle: a switch, or several folded into one."""

    x: float
    y: float
    width: float
    height: float
    nodes: tuple[int, ...]
    """Node ids."""
    frame: int
    """Which frame it stands in."""
    label: str = ""

    @property
    def middle(self) -> float:
        """Where lines meet it."""
        return self.x + self.width / 2


@dataclass(frozen=True, slots=True)
class Frame:
    """What is drawn around cells that belong together: a unit, or a group of spines."""

    x: float
    y: float
    width: float
    height: float
    label: str
    role: Role


@dataclass(slots=True)
class Layout:
    """Every cell and frame, and the cell of every node."""

    cells: list[Cell] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    cell_of: dict[int, int] = field(default_factory=dict)
    tiers: list[tuple[Role, float, float]] = field(default_factory=list)
    """Role, y and height of each row."""
    width: float = 0
    height: float = 0

    def add(self, cell: Cell) -> None:
        """Keep a cell."""
        for node in cell.nodes:
            self.cell_of[node] = len(self.cells)
        self.cells.append(cell)


@dataclass(frozen=True, slots=True)
class Strip:
    """One unit or a run of units, with its leaves by (plane) row and its hosts."""

    units: tuple[tuple[int, int], ...]
    """(pod, unit), ascending."""
    x: float
    width: float

    @property
    def label(self) -> str:
        """`unit 3`, `units 0-15`."""
        first, last = self.units[0][1], self.units[-1][1]
        if first == NONE:
            return ""
        return f"unit {first}" if first == last else f"units {first}-{last}"


def step(pitch: float) -> float:
    """From one cell to the next."""
    return pitch + (4 if abs(pitch) >= PITCHES[-2] else 2)
