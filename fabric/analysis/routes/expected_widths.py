"""Over how many equal paths each switch is to reach each prefix of the network."""

from __future__ import annotations

from collections.abc import Mapping

from fabric.analysis.routes.build_speakers import Built, build
from fabric.analysis.routes.evaluate import evaluate
from fabric.devices.context import NetworkContext
from fabric.devices.model import Device, Prefix

Widths = dict[str, dict[str, tuple[int, str]]]


def expected_widths(context: NetworkContext, devices: Mapping[str, Device]) -> Widths:
    """By switch, by prefix: the number of next hops, and the switch whose prefix it is.

    Prefixes of several switches, and of routers outside, are left out: which of them is nearer is not known here.
    """
    built = build(context, devices, every=True)
    speakers = built.speakers
    widths: Widths = {name: {} for name in speakers.names}
    for family in speakers.sessions:
        routes = evaluate(speakers, family)
        owned = _owned(built, family)
        for node, name in enumerate(speakers.names):
            for known, origins in routes.origins_by_width(node).items():
                width = min(known, speakers.max_paths[node])
                for origin, prefixes in owned.items():
                    if width and origin != node and origins >> origin & 1:
                        widths[name].update(dict.fromkeys(prefixes, (width, speakers.names[origin])))
    return widths


def _owned(built: Built, family: int) -> dict[int, list[str]]:
    """By switch: the prefixes that it alone has."""
    owners: dict[Prefix, list[int]] = {}
    for node, prefixes in built.prefixes.items():
        for prefix in prefixes:
            if prefix.version == family:
                owners.setdefault(prefix, []).append(node)
    owned: dict[int, list[str]] = {}
    for prefix, nodes in owners.items():
        if len(nodes) == 1:
            owned.setdefault(nodes[0], []).append(str(prefix))
    return owned
