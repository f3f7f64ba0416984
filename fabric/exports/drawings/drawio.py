"""A drawing for draw.io (mxGraph XML), tier above tier, with hosts of a unit as one box; a page for each network.

Format: the file that draw.io writes uncompressed: `mxfile`, `diagram`, `mxGraphModel`, `root`, `mxCell`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from xml.sax.saxutils import quoteattr

from fabric.exports.drawings.folded import Box, Line, boxes_and_lines
from fabric.exports.drawings.graphviz import TIERS
from fabric.exports.network_view import View
from fabric.exports.source import Kind, Lines, Source

WIDTH, HEIGHT, GAP, LEVEL = 140, 40, 20, 220
"""Of a box, between boxes, and between tiers, in draw.io's units."""
FILL = {"superspine": "#e1d5e7", "spine": "#dae8fc", "leaf": "#d5e8d4"}
OTHER_FILL = "#f5f5f5"


def _lines(source: Source) -> Iterator[str]:
    yield "<mxfile>\n"
    for view in source.views:
        yield f"  <diagram name={quoteattr(view.topology.name)}>\n    <mxGraphModel>\n      <root>\n"
        yield '        <mxCell id="0"/>\n        <mxCell id="1" parent="0"/>\n'
        yield from _cells(view)
        yield "      </root>\n    </mxGraphModel>\n  </diagram>\n"
    yield "</mxfile>\n"


def _cells(view: View) -> Iterator[str]:
    boxes, lines = boxes_and_lines((view,))
    for level, tier in enumerate((*TIERS, None)):
        members = [box for box in boxes if (box.role if box.role in TIERS else None) == tier]
        for place, box in enumerate(members):
            yield _vertex(box, place * (WIDTH + GAP) - len(members) * (WIDTH + GAP) // 2, level * LEVEL)
    for i, line in enumerate(lines):
        yield _edge(f"line-{i}", line)


def _vertex(box: Box, x: int, y: int) -> str:
    style = f"rounded=1;whiteSpace=wrap;html=0;fillColor={FILL.get(box.role, OTHER_FILL)};"
    geometry = f'<mxGeometry x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" as="geometry"/>'
    return (
        f"        <mxCell id={quoteattr(box.key)} value={quoteattr(box.label)} style={quoteattr(style)} "
        f'vertex="1" parent="1">{geometry}</mxCell>\n'
    )


def _edge(key: str, line: Line) -> str:
    ports = ", ".join(f"{a}:{port} > {b}:{peer}" for a, port, b, peer in line.links)
    return (
        f"        <UserObject id={quoteattr(key)} label={quoteattr(line.label)} links={quoteattr(ports)}>"
        f'<mxCell style="endArrow=none;html=0;" edge="1" parent="1" source={quoteattr(line.lower)} '
        f'target={quoteattr(line.upper)}><mxGeometry relative="1" as="geometry"/></mxCell></UserObject>\n'
    )


def _files(source: Source) -> Iterator[tuple[str, Lines]]:
    yield "site.drawio", partial(_lines, source)


KIND = Kind("drawio", "a drawing for draw.io, a page for each network", lambda _source: True, _files)
