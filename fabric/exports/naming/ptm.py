"""`topology.dot` of PTM: the neighbour that LLDP must see on each port between switches. One file serves all of them.

Format: CumulusNetworks/ptm, ptmd(8). A port goes by what LLDP announces. Links to hosts are left out: what their LLDP
calls a NIC is not known here.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from fabric.exports.network_view import View
from fabric.exports.source import Kind, Lines, Source
from fabric.platforms import registry


def _lines(source: Source) -> Iterator[str]:
    yield 'graph G {\n    hostnametype="hostname"\n    LLDP="match_type=ifname"\n'
    for view in source.views:
        if view.context:
            yield from _edges(view)
    yield "}\n"


def _edges(view: View) -> Iterator[str]:
    topology = view.topology
    switches = topology.switches.stop
    for low, port, high, peer in view.links():
        if low < switches and high < switches:
            ends = ((low, port), (high, peer))
            a, b = (f'"{topology.names[node]}":"{announced(view, node, p)}"' for node, p in ends)
            yield f"    {a} -- {b}\n"


def announced(view: View, node: int, port: int) -> str:
    """What LLDP calls a port of a switch."""
    platform, model, slot = view.platform(node), view.model(node), view.slot(port, node)
    name = ""
    if platform and model and slot:
        name = registry.platform(platform).announced_port(slot, view.intent.hardware.switches[model])
    return name or view.port(port, node)


def _files(source: Source) -> Iterator[tuple[str, Lines]]:
    yield "topology.dot", partial(_lines, source)


KIND = Kind(
    "ptm",
    "topology.dot for PTM: who LLDP must see on each port",
    lambda source: any(view.context for view in source.views),
    _files,
)
