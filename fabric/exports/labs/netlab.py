"""A topology for netlab: the same nodes and links, whose addresses and configurations netlab makes itself.

So two independent generators can be compared. Format: networklab 26.10, https://netlab.tools/topology/.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial

from fabric.exports import rows
from fabric.exports.printing import MADE
from fabric.exports.source import Kind, Lines, Source
from fabric.platforms import registry

LEAST_LIMIT = "netlab numbers nodes up to 250 unless its pools are widened"


def _lines(source: Source) -> Iterator[str]:
    views = tuple(view for view in source.views if view.context)
    default = registry.platform(registry.LAB_PLATFORM).other_tools.netlab
    devices = tuple(rows.device_rows(views))
    yield f"{MADE}# {LEAST_LIMIT.capitalize()}.\n---\nprovider: clab\nmodule: [bgp]\nnodes:\n"
    for device in devices:
        if device.is_switch:
            node = {"device": device.tools.netlab or default, "bgp.as": device.asn, "role": "router"}
        else:
            node = {"device": "linux"}
        yield f'  "{device.name}": {json.dumps(node)}\n'
    yield "links:\n"
    for cable in rows.cable_rows(views):
        for (a, _), (b, _) in zip(cable.a, cable.b, strict=True):
            yield f"- {json.dumps({'interfaces': [{'node': a}, {'node': b}]})}\n"


def _files(source: Source) -> Iterator[tuple[str, Lines]]:
    yield "topology.yml", partial(_lines, source)


KIND = Kind(
    "netlab",
    "nodes and links for netlab, which configures them itself",
    lambda source: any(view.context for view in source.views),
    _files,
)
