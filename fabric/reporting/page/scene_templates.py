"""The drawings of a network for the page: each of a kind once, however many units look like it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from fabric.reporting.drawing import svg
from fabric.reporting.drawing.scene import WIDTH, scene_of
from fabric.reporting.drawing.scopes import Fabric, Scope, scopes
from fabric.reporting.drawing.shapes import Bundle, Cell, Panel, Scene
from fabric.reporting.page.network_data import runs
from fabric.units import Speed


@dataclass(frozen=True)
class Drawn:
    """The drawings of a network."""

    first: str
    """Of the whole network, with its names."""
    shapes: tuple[str, ...]
    """Of parts of it, without names."""
    scopes: tuple[dict[str, Any], ...]
    """Name, parent, shape and nodes of each drawing, for the script."""
    bundles: tuple[tuple[str, str, int, int, int], ...]
    """Lines of the whole network: both ends, links, links that are out, Mb/s."""


class PageMarks(svg.Marks):
    """Numbers by which the script finds boxes and lines again, and the nodes behind them."""

    def __init__(self, scope: Scope, *, has_names: bool) -> None:
        self.local = {node: i for i, node in enumerate(scope.nodes)}
        self.has_names = has_names

    def cell(self, number: int, cell: Cell) -> str:
        """Of a cell: its nodes by their place in the scope."""
        nodes = spans(self.local[node] for node in cell.nodes)
        words = f' data-w="{escape(cell.words)}"' if cell.words else ""
        scope = f' data-s="{escape(cell.scope)}"' if cell.scope else ""
        return f' class="box" data-c="{number}" data-in="{cell.panel}" data-n="{nodes}"{words}{scope}'

    def panel(self, number: int, panel: Panel) -> str:
        """Of a panel."""
        scope = f' data-s="{escape(panel.scope)}"' if panel.scope else ""
        return f' data-p="{number}" data-w="{escape(panel.words)}"{scope}'

    def bundle(self, number: int, bundle: Bundle) -> str:  # noqa: ARG002
        """Of a bundle."""
        low, high = (f"{kind}{at}" for kind, at in (bundle.low, bundle.high))
        out = f' data-out="{bundle.out}"' if bundle.out else ""
        speed = f' data-v="{Speed(bundle.mbps)}"' if bundle.mbps else ""
        return f' data-a="{low}" data-z="{high}" data-l="{bundle.links}"{speed}{out}'


def spans(numbers: Iterable[int]) -> str:
    """`0-7 9`."""
    found: list[list[int]] = []
    for number in sorted(numbers):
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in found)


def drawings(fabric: Fabric) -> Drawn:
    """Every drawing of a network."""
    shapes: dict[str, int] = {}
    parts: list[dict[str, Any]] = []
    first, bundles = "", tuple[tuple[str, str, int, int, int], ...]()
    for scope in scopes(fabric):
        scene = scene_of(fabric, scope, WIDTH)
        is_first = not parts
        text = _svg(fabric, scene, PageMarks(scope, has_names=is_first))
        if is_first:
            first, bundles = text, tuple(_rows(fabric, scene))
        shape = -1 if is_first else shapes.setdefault(text, len(shapes))
        parts.append(
            {
                "id": scope.id,
                "name": scope.name,
                "parent": scope.parent,
                "shape": shape,
                "nodes": _stretches(scope.nodes),
            }
        )
    return Drawn(first, tuple(shapes), tuple(parts), bundles)


def _stretches(nodes: Sequence[int]) -> list[int]:
    """Nodes as differences: runs of neighbours are two numbers."""
    return runs(b - a for a, b in zip((-1, *nodes), nodes, strict=False))


def _svg(fabric: Fabric, scene: Scene, marks: svg.Marks) -> str:
    wide, high = svg.number(scene.width), svg.number(scene.height + 4)
    body = "".join(svg.elements(fabric, scene, marks))
    return f'<svg class="fabric" viewBox="0 -2 {wide} {high}" width="{wide}" height="{high}">{body}</svg>'


def _rows(fabric: Fabric, scene: Scene) -> Iterable[tuple[str, str, int, int, int]]:
    for bundle in scene.bundles:
        low, high = (svg.end_words(fabric, scene, kind, at) for kind, at in (bundle.low, bundle.high))
        yield low, high, bundle.links, bundle.out, bundle.mbps
