"""A lower bound of what a candidate costs, by a few divisions: what the search goes by.

It never exceeds what the compiler makes of the candidate; where it is None the compiler would refuse it.
"""

from __future__ import annotations

from fabric.capacity.allowed_models import Kind
from fabric.capacity.candidates import Candidate
from fabric.capacity.request import Request
from fabric.topology.sizing.search_smallest import ceil_div


def least_mbps(request: Request, candidate: Candidate) -> int | None:
    """Bandwidth of the switches that a candidate has at the very least; None if it cannot be built."""
    shape = candidate.shape
    rails, planes = max(1, shape.rail_leaves), shape.planes.count
    leaves = candidate.units * rails * planes
    least = leaves * shape.leaf.capacity_mbps
    spine = shape.spine
    if spine is None:
        return least
    down_mbps = candidate.hosts_per_unit * (request.nics_per_host // rails) * request.nic_mbps
    uplinks = ceil_div(down_mbps, request.oversubscription * shape.uplink_mbps)
    if down_mbps + uplinks * shape.uplink_mbps > shape.leaf.capacity_mbps:
        return None
    if shape.superspine is not None and not candidate.units_per_pod:
        return least + -(-leaves * uplinks // spine.ports(shape.uplink_mbps)) * spine.capacity_mbps
    return _with_spines(request, candidate, spine, least, uplinks)


def _with_spines(request: Request, candidate: Candidate, spine: Kind, least: int, uplinks: int) -> int | None:
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
    spines = -(-uplinks // links)
    groups = -(-candidate.units // units) * (planes // shared)
    least += spines * groups * spine.capacity_mbps
    if shape.superspine is None:
        return least
    upward = groups * ceil_div(below * uplinks, ratio)
    return least + -(-upward // ports) * shape.superspine.capacity_mbps
