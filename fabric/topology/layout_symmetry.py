"""The symmetries that a torus has: it may be shifted along each axis."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fabric.intent.layouts import Torus
from fabric.topology.layouts import Axis, Grid
from fabric.topology.model import NetworkTopology

Shift = Callable[[int], int]
"""From a unit to another one."""


def torus_shifts(network: NetworkTopology) -> Iterator[tuple[str, Shift]]:
    """Each axis along which whole units can be shifted by one place."""
    sizes = network.sizes
    layout = sizes.layout
    if not isinstance(layout, Torus):
        return
    grid = Grid(layout.dimensions, layout.links, layout.doubled)
    for number, axis in enumerate(grid.axes()):
        if axis.stride % sizes.leaves_per_unit == 0:
            yield f"shift along axis {number}", _shift(grid, axis, sizes.leaves_per_unit)


def _shift(grid: Grid, axis: Axis, leaves: int) -> Shift:
    return lambda unit: grid.step(unit * leaves, axis, 1) // leaves
