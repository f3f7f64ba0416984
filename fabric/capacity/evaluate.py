"""A candidate sized by the compiler's own rules, and everything counted that it needs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import starmap

from fabric.capacity.allowed_models import Kind
from fabric.capacity.candidates import Candidate
from fabric.capacity.failures import failures_of
from fabric.capacity.layout import Layout, Tier
from fabric.capacity.request import Request
from fabric.capacity.site_document import GROUP, NETWORK, document
from fabric.decoding import convert
from fabric.diagnostics import Report
from fabric.documents import Sources
from fabric.documents.schema.scalar_types import decode
from fabric.hardware import Catalogue
from fabric.intent.inventory import Inventory
from fabric.intent.model import Intent, Site
from fabric.intent.state import State
from fabric.topology.port_maps import Demand, Panel, Run, allocate
from fabric.topology.roles import Facing
from fabric.topology.sizing.host_seats import GroupSize, SiteSize
from fabric.topology.sizing.size_network import Sizer
from fabric.topology.sizing.sizes import Sizes

ROLES = ("leaf", "spine", "superspine")


def evaluate(
    request: Request, candidate: Candidate, catalogue: Catalogue, panels: dict[str, Panel]
) -> Layout | None:
    """The layout that the compiler makes of a candidate; None if it refuses it, or too little is left of a failure."""
    sizes = sizes_of(request, candidate, catalogue, panels)
    if sizes is None:
        return None
    failures = failures_of(sizes, request.nics_per_host)
    kept = (
        (failures.leaf, request.keep_leaf),
        (failures.spine, request.keep_spine),
        (failures.superspine, request.keep_spine),
        (failures.plane or Fraction(0), request.keep_plane),
    )
    if any(left is not None and left < least for left, least in kept):
        return None
    tiers = _tiers(candidate, sizes)
    shape = candidate.shape
    return Layout(
        candidate=candidate,
        hosts_per_unit=candidate.hosts_per_unit,
        units=candidate.units,
        pods=sizes.pods if sizes.has_pods else 0,
        rails=_rails(request, shape.rail_leaves),
        planes=1 if shape.planes.meet_at_spine else shape.planes.count,
        dual_tor=shape.planes.meet_at_spine,
        tiers=tiers,
        host_cables=_nic_ports(request),
        fabric_cables=sum(tier.count * tier.up for tier in tiers),
        optics=_optics(request, candidate, sizes, panels),
        paths=_paths(sizes),
        oversubscription=_oversubscription(sizes),
        failures=failures,
        capacity_mbps=sum(starmap(_bandwidth, zip(tiers, candidate.shape.kinds, strict=True))),
    )


def sizes_of(
    request: Request, candidate: Candidate, catalogue: Catalogue, panels: dict[str, Panel]
) -> Sizes | None:
    """The sizes of a candidate as `fabric compile` would choose them; None if it would refuse it."""
    written = document(request, candidate)
    intent = Intent(
        site=convert(written, Site, hook=decode),
        policies={},
        inventory=Inventory(),
        state=State(),
        lock=None,
        hardware=catalogue,
        sources=Sources(),
    )
    last = written["hosts"][GROUP].get("last_unit", candidate.hosts_per_unit)
    size = SiteSize(
        candidate.units, candidate.units, None, {GROUP: GroupSize(candidate.hosts_per_unit, 0, last)}
    )
    report = Report()
    sizes = Sizer(intent, NETWORK, size, report, panels).sizes()
    return None if report.has_errors else sizes


def _bandwidth(tier: Tier, kind: Kind) -> int:
    return tier.count * kind.capacity_mbps


def _tiers(candidate: Candidate, sizes: Sizes) -> tuple[Tier, ...]:
    counts = (sizes.leaf_capacity, sizes.spine_capacity, sizes.superspine_capacity)
    return tuple(
        Tier(
            role=role,
            models=kind.models,
            count=count,
            down=_ports(demands, Facing.DOWN),
            up=_ports(demands, Facing.UP),
            power_w=kind.model.facts.get("power_w"),
        )
        for role, count, kind, (demands, *_alike) in zip(
            ROLES, counts, candidate.shape.kinds, sizes.demands, strict=False
        )
    )


def _ports(demands: Sequence[Demand], facing: Facing) -> int:
    return sum(demand.count for demand in demands if demand.facing is facing)


def _nic_ports(request: Request) -> int:
    return request.hosts * request.nics_per_host * request.nic_ports


def _rails(request: Request, leaves: int) -> str:
    if not leaves:
        return "none"
    folded = request.nics_per_host // leaves
    return f"{request.nics_per_host}" if folded == 1 else f"{request.nics_per_host} on {leaves} leaves"


def _oversubscription(sizes: Sizes) -> Fraction:
    up = sizes.leaf.uplinks * sizes.leaf_up_mbps
    return Fraction(sizes.seat_mbps(), up) if up else Fraction(0)


def _paths(sizes: Sizes) -> int:
    """Up by any uplink, and down by any of the links that lead to the leaf, or to both of a dual ToR."""
    if not sizes.leaf.count:
        return 1
    down = sizes.leaf.links_per_pair * (sizes.planes // sizes.spine_planes)
    if not sizes.spine.count:
        return sizes.leaf.uplinks * down
    return sizes.leaf.uplinks * sizes.spine.uplinks * sizes.spine.links_per_pair * down


def _optics(request: Request, candidate: Candidate, sizes: Sizes, panels: dict[str, Panel]) -> int:
    """A transceiver in each cage and each port of a NIC at the end of a cable: at default lengths all are fibre."""
    total = _nic_ports(request)
    for role, kind, (demands, *_alike) in zip(ROLES, candidate.shape.kinds, sizes.demands, strict=False):
        allocated = allocate(panels[kind.model.id], demands)
        runs = allocated if isinstance(allocated, list) else []  # the compiler has accepted them
        up, down = (_cages(runs, facing, _ports(demands, facing)) for facing in (Facing.UP, Facing.DOWN))
        if role == "superspine":
            total += sizes.superspine_capacity * down
            continue
        # Of the last unit, and of the last pod, some ports stay empty.
        ports, last = _last(request, candidate, sizes, role)
        count = sizes.leaf_capacity if role == "leaf" else sizes.spine_capacity
        total += count * (up + down) - last * (down - _cages(runs, Facing.DOWN, ports))
    return total


def _cages(runs: Sequence[Run], facing: Facing, ports: int) -> int:
    """Cages that the first ports of a direction take."""
    cages = 0
    for run in runs:
        if run.demand.facing is facing and ports > 0:
            cages += -(-min(ports, run.count) // run.sub_ports)
            ports -= run.count
    return cages


def _last(request: Request, candidate: Candidate, sizes: Sizes, role: str) -> tuple[int, int]:
    """Cabled downward ports of a switch of the last unit or pod, and how many switches that has."""
    if role == "leaf":
        hosts = request.hosts - (sizes.units - 1) * candidate.hosts_per_unit
        return hosts * request.nics_per_host // sizes.rails.leaves, sizes.rails.leaves * sizes.planes
    units = sizes.units - (sizes.pods - 1) * sizes.units_per_pod
    leaves = units * sizes.rails.leaves * sizes.planes // sizes.spine_planes
    return leaves * sizes.leaf.links_per_pair, sizes.leaf.count * sizes.spine_planes
