"""Over how many equal paths each switch is to reach each prefix of the network."""

from __future__ import annotations

from collections.abc import Mapping

from fabric.analysis.routes.build_speakers import Built, build
from fabric.analysis.routes.evaluate import Routes, evaluate
from fabric.devices.context import NetworkContext
from fabric.devices.model import Device, Prefix

Widths = dict[str, dict[str, tuple[int, str]]]


def expected_widths(context: NetworkContext, devices: Mapping[str, Device]) -> Widths:
    """By switch, by prefix: the number of next hops, and the switch whose prefix it is.

    Prefixes of several switches, and of routers outside, are left out: which of them is nearer is not known here.
    """
    built = build(context, devices, every=True)
    widths: Widths = {name: {} for name in built.speakers.names}
    for family in built.speakers.sessions:
        routes = evaluate(built.speakers, family)
        for origin, prefix in _owned(built, family):
            for node, name in enumerate(built.speakers.names):
                width = _width(built, routes, node, origin)
                if width:
                    widths[name][str(prefix)] = (width, built.speakers.names[origin])
    return widths


def _width(built: Built, routes: Routes, node: int, origin: int) -> int:
    """Next hops that a switch uses; 0: it has no route, or the prefix is its own."""
    if node == origin or not routes.known[node] >> origin & 1:
        return 0
    route = routes.best(node, origin)
    return min(route.width, built.speakers.max_paths[node]) if route else 0


def _owned(built: Built, family: int) -> list[tuple[int, Prefix]]:
    """Prefixes of one switch each."""
    owners: dict[Prefix, list[int]] = {}
    for node, prefixes in built.prefixes.items():
        for prefix in prefixes:
            if prefix.version == family:
                owners.setdefault(prefix, []).append(node)
    return [(nodes[0], prefix) for prefix, nodes in owners.items() if len(nodes) == 1]
