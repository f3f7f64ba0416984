"""Every layout that could be: models by tier, rails on leaves, planes, hosts of a unit, units of a pod."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from fabric.capacity.allowed_models import Kind
from fabric.capacity.request import Request


class Planes(msgspec.Struct, frozen=True):
    """How the ports of a NIC are spread."""

    count: int
    meet_at_spine: bool
    """Whether all planes have the same spines: with two a dual ToR."""


class Shape(msgspec.Struct, frozen=True):
    """What tells one row of the answer from another: of each shape the cheapest candidate is kept."""

    leaf: Kind
    spine: Kind | None
    superspine: Kind | None
    rail_leaves: int
    """Leaves of one unit and plane that the NICs of a host spread over; 0: all NICs on the same leaf."""
    planes: Planes
    uplink_mbps: int

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """Of each tier, bottom up."""
        return tuple(kind for kind in (self.leaf, self.spine, self.superspine) if kind is not None)

    @property
    def models(self) -> frozenset[str]:
        """One model of each kind."""
        return frozenset(kind.model.id for kind in self.kinds)


class Candidate(msgspec.Struct, frozen=True):
    """A layout before it is sized."""

    shape: Shape
    hosts_per_unit: int
    units: int
    units_per_pod: int = 0
    """0: no pods."""
    spines: int = 0
    """Of a group; 0: as few as the compiler finds."""
    superspines: int = 0
    """Of a group; 0: as few as the compiler finds."""


def shapes(request: Request, kinds: tuple[Kind, ...]) -> Iterator[Shape]:
    """Every shape: fewer tiers first, and those of one model before mixed ones."""
    for tiers in range(1, 4):
        if request.tiers in (None, tiers):
            found = list(_single(request, kinds) if tiers == 1 else _trees(request, kinds, tiers))
            yield from sorted(found, key=lambda shape: len(shape.models))


def _single(request: Request, kinds: tuple[Kind, ...]) -> Iterator[Shape]:
    """One switch a plane."""
    for planes in planes_of(request):
        for leaf in kinds if not planes.meet_at_spine else ():
            yield Shape(leaf, None, None, 0, planes, request.nic_mbps)


def _trees(request: Request, kinds: tuple[Kind, ...], tiers: int) -> Iterator[Shape]:
    """Leaves and spines, and superspines of the spines' kind."""
    for leaf in kinds:
        for spine in kinds:
            for speed in _uplink_speeds(request, leaf, spine):
                for planes in planes_of(request):
                    for rail_leaves in rail_leaves_of(request):
                        above = spine if tiers > 2 else None
                        yield Shape(leaf, spine, above, rail_leaves, planes, speed)


def planes_of(request: Request) -> tuple[Planes, ...]:
    """One plane for each port of a NIC, or spines that all ports share."""
    ports = request.nic_ports
    apart, together = Planes(ports, meet_at_spine=False), Planes(ports, meet_at_spine=True)
    if ports in (1, request.planes):
        return (apart,)
    return (together,) if request.planes == 1 else (apart, together)


def rail_leaves_of(request: Request) -> tuple[int, ...]:
    """Ways to spread the NICs of a host over leaves: one each, several to a leaf, all on one (0)."""
    nics = request.nics_per_host
    if nics == 1 or request.rails == "none":
        return (0,)
    if request.rails == "full":
        return (nics,)
    return (nics, *(leaves for leaves in range(nics - 1, 1, -1) if nics % leaves == 0), 0)


def _uplink_speeds(request: Request, leaf: Kind, spine: Kind) -> tuple[int, ...]:
    shared = set(leaf.panel.speeds()) & set(spine.panel.speeds())
    if request.uplink_mbps is not None:
        return (request.uplink_mbps,) if request.uplink_mbps in shared else ()
    return tuple(sorted(speed for speed in shared if speed >= request.nic_mbps))


def most_in_pod(request: Request, shape: Shape) -> int:
    """Units of a pod, at most: each leaf of a group has a link to each of its spines at least."""
    if shape.spine is None:
        return 1
    planes = shape.planes.count if shape.planes.meet_at_spine else 1
    ports = shape.spine.ports(shape.uplink_mbps)
    if shape.superspine is not None:
        ratio = request.spine_oversubscription
        ports = int(ports * ratio / (1 + ratio))
    return ports // (max(1, shape.rail_leaves) * planes)


def most_pods(shape: Shape) -> int:
    """Pods at most: a superspine has a link to each at least."""
    return 1 if shape.superspine is None else shape.superspine.ports(shape.uplink_mbps)


def cuts(request: Request, shape: Shape) -> Iterator[Candidate]:
    """Every way to cut the hosts into units whose leaves and spines have ports enough, pods left open."""
    ports = shape.leaf.ports(request.nic_mbps)
    on_leaf = request.nics_per_host // max(1, shape.rail_leaves)
    most_units = most_in_pod(request, shape) * most_pods(shape)
    for hosts in range(min(request.hosts, ports // on_leaf), 0, -1):
        units = -(-request.hosts // hosts)
        if units > most_units:
            return
        # Of cuts into as many units the one with the fewest hosts needs the fewest ports; with a tier more an evener
        # number may need fewer superspines.
        if shape.superspine is not None or hosts == -(-request.hosts // units):
            yield Candidate(shape, hosts, units)


def in_pods(request: Request, candidate: Candidate) -> Iterator[Candidate]:
    """Every way to cut its units into at least two pods; the candidate itself where there are no superspines."""
    shape = candidate.shape
    if shape.superspine is None:
        yield candidate
        return
    most = most_pods(shape)
    for units in range(min(candidate.units - 1, most_in_pod(request, shape)), 0, -1):
        if -(-candidate.units // units) > most:
            return
        yield msgspec.structs.replace(candidate, units_per_pod=units)
