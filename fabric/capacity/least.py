"""A lower bound of what a candidate costs, by a few divisions: what the search goes by.

It never exceeds what the compiler makes of the candidate; where it is None the compiler would refuse it.
"""

from __future__ import annotations

from typing import NamedTuple

from fabric.capacity.allowed_models import Kind
from fabric.capacity.candidates import Candidate
from fabric.capacity.request import Order, Request
from fabric.topology.sizing.search_smallest import ceil_div


class Cost(NamedTuple):
    """What a layout is judged by, or the least that a candidate needs of each."""

    switches: int
    optics: int
    capacity_mbps: int
    """Bandwidth of all switches."""

    def key(self, order: Order) -> tuple[int, int]:
        """What is compared; the first number decides."""
        if order == "switches":
            return self.switches, self.optics
        return (self.optics if order == "optics" else self.capacity_mbps), self.switches


def least(request: Request, candidate: Candidate) -> Cost | None:
    """What a candidate needs at the very least; None if it cannot be built."""
    shape = candidate.shape
    rails, planes = max(1, shape.rail_leaves), shape.planes.count
    leaves = candidate.units * rails * planes
    ports = request.hosts * request.nics_per_host * request.nic_ports
    optics = ports + -(-ports // shape.leaf.ports_per_cage(request.nic_mbps))
    below = Cost(leaves, optics, leaves * shape.leaf.capacity_mbps)
    spine = shape.spine
    if spine is None:
        return below
    down_mbps = candidate.hosts_per_unit * (request.nics_per_host // rails) * request.nic_mbps
    uplinks = ceil_div(down_mbps, request.oversubscription * shape.uplink_mbps)
    if down_mbps + uplinks * shape.uplink_mbps > shape.leaf.capacity_mbps:
        return None
    if shape.superspine is not None and not candidate.units_per_pod:
        spines = -(-leaves * uplinks // spine.ports(shape.uplink_mbps))
        return _with(below, spine, spines, 0)
    return _with_spines(request, candidate, spine, below, uplinks)


def _with(below: Cost, kind: Kind, count: int, optics: int) -> Cost:
    capacity_mbps = below.capacity_mbps + count * kind.capacity_mbps
    return Cost(below.switches + count, below.optics + optics, capacity_mbps)


def _with_spines(
    request: Request, candidate: Candidate, spine: Kind, leaves: Cost, uplinks: int
) -> Cost | None:
    """With the fewest spines of each group whose links to its leaves are even, and superspines with all ports used."""
    shape = candidate.shape
    ports = spine.ports(shape.uplink_mbps)
    planes = shape.planes.count
    shared = planes if shape.planes.meet_at_spine else 1  # planes that have the same spines
    units = candidate.units_per_pod or candidate.units
    below = units * max(1, shape.rail_leaves) * shared
    ratio = request.spine_oversubscription
    down = ports if shape.superspine is None else int(ports * ratio / (1 + ratio))
    links = min(down // below, uplinks)
    if not links:
        return None
    groups = -(-candidate.units // units) * (planes // shared)
    needed = _with(
        leaves,
        spine,
        -(-uplinks // links) * groups,
        _optics(leaves.switches * uplinks, shape.leaf, spine, shape.uplink_mbps),
    )
    if shape.superspine is None:
        return needed
    upward = groups * ceil_div(below * uplinks, ratio)
    return _with(
        needed,
        shape.superspine,
        -(-upward // ports),
        _optics(upward, spine, shape.superspine, shape.uplink_mbps),
    )


def _optics(links: int, lower: Kind, upper: Kind, mbps: int) -> int:
    """Transceivers at both ends of so many links, each cage as full as it can be."""
    return sum(-(-links // kind.ports_per_cage(mbps)) for kind in (lower, upper))
