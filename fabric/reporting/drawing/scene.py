"""One drawing of one scope, by the layout of its network."""

from __future__ import annotations

from dataclasses import replace

from fabric.reporting.drawing.ring_scene import ring_scene
from fabric.reporting.drawing.row_scene import row_scene, with_drained
from fabric.reporting.drawing.scopes import HALL, Fabric, Scope
from fabric.reporting.drawing.shapes import GAP, LEFT, Point, Scene

WIDTH = 1200.0
"""Pixels of a drawing, at most of what it fills."""


def scene_of(fabric: Fabric, scope: Scope, width: float = WIDTH) -> Scene:
    """Every box, line and label of a scope. Networks without tiers above their leaves stand on a ring."""
    is_ring = scope.id == HALL and fabric.net.sizes.layout is not None
    return cropped(with_drained(fabric, (ring_scene if is_ring else row_scene)(fabric, scope, width)))


def cropped(scene: Scene) -> Scene:
    """The same without the empty room at its left and right: a small fabric is a small picture."""
    dx = min((panel.x for panel in scene.panels), default=float(LEFT)) - LEFT
    right = max((panel.x + panel.width for panel in scene.panels), default=LEFT)
    scene.panels = [replace(panel, x=panel.x - dx) for panel in scene.panels]
    scene.cells = [replace(cell, x=cell.x - dx) for cell in scene.cells]
    scene.labels = [replace(each, x=each.x - dx) if each.x >= LEFT else each for each in scene.labels]
    scene.bundles = [replace(each, points=_moved(each.points, dx)) for each in scene.bundles]
    scene.stubs = [(_moved((a,), dx)[0], _moved((b,), dx)[0]) for a, b in scene.stubs]
    labels = max((each.box[2] for each in scene.labels), default=0)
    scene.width = max(right - dx, labels) + GAP
    return scene


def _moved(points: tuple[Point, ...], dx: float) -> tuple[Point, ...]:
    return tuple((x - dx, y) for x, y in points)
