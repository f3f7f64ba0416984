"""A flowchart for Mermaid, with hosts of a unit as one box (mermaid.js.org, syntax of flowcharts).

Mermaid draws 500 lines unless the page that shows it allows more (`maxEdges`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from fabric.exports.drawings.folded import boxes_and_lines
from fabric.exports.drawings.graphviz import TIERS
from fabric.exports.source import Kind, Lines, Source

MOST_LINES = 500


def _lines(source: Source) -> Iterator[str]:
    boxes, lines = boxes_and_lines(source.views)
    yield "%% Made by fabric-as-code.\n"
    if len(lines) > MOST_LINES:
        yield f"%% {len(lines)} lines: let the page set maxEdges to as many, and a larger maxTextSize.\n"
    yield "flowchart TB\n"
    number = {box.key: f"n{i}" for i, box in enumerate(boxes)}
    for tier in (*TIERS, None):
        members = [box for box in boxes if (box.role if box.role in TIERS else None) == tier]
        if members:
            yield f"  subgraph {tier or 'below'}[{tier or 'hosts'}]\n"
            yield from (f'    {number[box.key]}["{escaped(box.label)}"]\n' for box in members)
            yield "  end\n"
    for line in lines:
        yield f'  {number[line.upper]} ---|"{escaped(line.label)}"| {number[line.lower]}\n'


def escaped(text: str) -> str:
    """A text between quotation marks: Mermaid has entity codes with `#` in the place of `&`."""
    text = text.replace("#", "#35;").replace('"', "#quot;")
    return text.replace("<", "#lt;").replace(">", "#gt;")


def _files(source: Source) -> Iterator[tuple[str, Lines]]:
    yield "site.mmd", partial(_lines, source)


KIND = Kind(
    "mermaid", "a flowchart for Mermaid, with hosts of a unit as one box", lambda _source: True, _files
)
