"""A graph for Graphviz: every link an edge with its ports, tiers of equal rank (the DOT language, graphviz.org)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from fabric.exports import rows
from fabric.exports.printing import MADE
from fabric.exports.rows import DeviceRow
from fabric.exports.source import Kind, Lines, Source
from fabric.units import Speed

TIERS = ("superspine", "spine", "leaf")
"""From the top; what is neither hangs below."""


def quoted(text: str) -> str:
    """A string of DOT: backslashes would be escapes of labels."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _lines(source: Source) -> Iterator[str]:
    devices = tuple(rows.device_rows(source.views))
    yield MADE + f"graph {quoted(source.topology.site)} {{\n"
    yield "  graph [rankdir=TB, ranksep=2, splines=false]\n  node [shape=box]\n  edge [fontsize=8]\n"
    for tier in (*TIERS, None):
        yield from _tier(tier, [device for device in devices if _tier_of(device) == tier])
    for cable in rows.cable_rows(source.views):
        speed = f", label={quoted(str(Speed(cable.speed_mbps)))}" if cable.speed_mbps else ""
        for (a, port), (b, peer) in zip(cable.a, cable.b, strict=True):
            ports = f"taillabel={quoted(peer)}, headlabel={quoted(port)}"
            yield f"  {quoted(b)} -- {quoted(a)} [{ports}{speed}]\n"
    yield "}\n"


def _tier_of(device: DeviceRow) -> str | None:
    return device.role if device.role in TIERS else None


def _tier(tier: str | None, devices: Iterable[DeviceRow]) -> Iterator[str]:
    yield f"  subgraph {quoted(tier or 'below')} {{\n    rank=same\n"
    for device in devices:
        place = f", rack={quoted(device.rack)}" if device.rack else ""
        tip = quoted(f"{device.manufacturer} {device.model}")
        yield f"    {quoted(device.name)} [tooltip={tip}, class={quoted(device.role)}{place}]\n"
    yield "  }\n"


def _files(source: Source) -> Iterator[tuple[str, Lines]]:
    yield "site.dot", partial(_lines, source)


KIND = Kind("graphviz", "every device and link as a graph for Graphviz", lambda _source: True, _files)
