"""A candidate as the intent that describes it: what is sized here, and what is written to a file."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from fabric.capacity.candidates import Candidate, Shape
from fabric.capacity.request import Request
from fabric.topology.assign_names import digits
from fabric.units import Speed

NETWORK, GROUP = "compute", "gpu"
FIRST_PRIORITY = 14
"""Of the subnet manager that is to be the master."""


def document(request: Request, candidate: Candidate, name: str = "sized") -> dict[str, Any]:
    """The site of a candidate, as `site.yaml` holds it. Sizes that the compiler searches are left to it."""
    shape, hosts = candidate.shape, candidate.hosts_per_unit
    group: dict[str, Any] = {"per_unit": hosts}
    last = request.hosts - (candidate.units - 1) * hosts
    if last != hosts:
        group["last_unit"] = last
    nic: dict[str, Any] = {"count": request.nics_per_host, "speed": str(Speed(request.nic_mbps))}
    if request.nic_ports > 1:
        nic["ports"] = request.nic_ports
    group |= {"gpus": request.nics_per_host, "nics": {NETWORK: nic}}
    return {
        "site": name,
        "units": candidate.units,
        "hosts": {GROUP: group},
        "networks": {NETWORK: _network(request, candidate, shape)},
    }


def _network(request: Request, candidate: Candidate, shape: Shape) -> dict[str, Any]:
    network: dict[str, Any] = {}
    if request.technology != "ethernet":
        network["technology"] = request.technology
        network["infiniband"] = {"managers": _managers(candidate)}
    if not shape.rail_leaves:
        network["rails"] = "none"
    elif shape.rail_leaves < request.nics_per_host:
        network["rails"] = {"leaves": shape.rail_leaves}
    if shape.planes.count > 1:
        network["planes"] = {"count": shape.planes.count}
        if shape.planes.meet_at_spine:
            network["planes"]["meet_at"] = "spine"
    if candidate.units_per_pod:
        network["pods"] = {"units": candidate.units_per_pod}
    network["tiers"] = _tiers(request, candidate)
    return network


def _tiers(request: Request, candidate: Candidate) -> dict[str, Any]:
    shape = candidate.shape
    tiers: dict[str, Any] = {"leaf": {"model": shape.leaf.model.id}}
    if shape.spine is None:
        return tiers
    if shape.uplink_mbps != request.nic_mbps:
        tiers["leaf"]["up"] = {"speed": str(Speed(shape.uplink_mbps))}
    if request.oversubscription != 1:
        tiers["leaf"]["max_oversubscription"] = _ratio(request.oversubscription)
    tiers["spine"] = {"model": shape.spine.model.id}
    if shape.superspine is not None:
        if request.spine_oversubscription != 1:
            tiers["spine"]["max_oversubscription"] = _ratio(request.spine_oversubscription)
        tiers["superspine"] = {"model": shape.superspine.model.id}
    for role, count in (("spine", candidate.spines), ("superspine", candidate.superspines)):
        if count:
            tiers[role]["count"] = count
    return tiers


def _ratio(ratio: Fraction) -> str:
    return f"{ratio.numerator}:{ratio.denominator}"


def _managers(candidate: Candidate) -> list[dict[str, Any]]:
    """Somebody has to manage an InfiniBand subnet: the first host of the first and of the last unit."""
    width, positions = digits(candidate.units), digits(candidate.hosts_per_unit)
    units = sorted({0, candidate.units - 1})
    hosts = [f"{GROUP}-{unit:0{width}}-{0:0{positions}}" for unit in units]
    return [{"host": host, "priority": FIRST_PRIORITY - i} for i, host in enumerate(hosts)]
