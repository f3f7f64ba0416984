"""How many more GPUs a layout takes with the switches and the links between them that it has."""

from __future__ import annotations

import msgspec

from fabric.capacity.evaluate import evaluate
from fabric.capacity.layout import Layout
from fabric.capacity.request import Request
from fabric.hardware import Catalogue
from fabric.topology.port_maps import Panel


def free_gpus(request: Request, layout: Layout, catalogue: Catalogue, panels: dict[str, Panel]) -> int:
    """GPUs beyond those asked for: all units full, and fuller as long as nothing is added but hosts."""
    hosts = layout.hosts_per_unit
    while _takes(request, layout, hosts + 1, catalogue, panels):
        hosts += 1
    return hosts * layout.units * request.nics_per_host - request.gpus


def _takes(
    request: Request, layout: Layout, hosts: int, catalogue: Catalogue, panels: dict[str, Panel]
) -> bool:
    """Whether units of so many hosts have the same switches and uplinks."""
    candidate = msgspec.structs.replace(layout.candidate, hosts_per_unit=hosts)
    full = msgspec.structs.replace(request, gpus=hosts * candidate.units * request.nics_per_host)
    fuller = evaluate(full, candidate, catalogue, panels)
    return fuller is not None and _between(fuller) == _between(layout)


def _between(layout: Layout) -> list[tuple[int, int]]:
    """Switches of each tier, and uplinks of each."""
    return [(tier.count, tier.up) for tier in layout.tiers]
