"""What of a subnet UFM does not take."""

from __future__ import annotations

from math import prod

from fabric.devices.infiniband.model import Subnet, Torus, cabling_digest
from fabric.devices.infiniband.routing_engines import FITS
from fabric.devices.model import SubnetManager
from fabric.diagnostics import Report
from fabric.platforms.ufm import codes
from fabric.platforms.ufm.names import ADAPTIVE, ADAPTIVE_BY_LAYOUT, ENGINES

NEEDS_MORE = frozenset({"file"})
"""An engine that reads routes from a file, which nothing here makes."""


def refuse(manager: SubnetManager, report: Report) -> None:
    """Everything at once."""
    _engine(manager, report)
    _cabling(manager, report)
    _levels(manager, report)
    if manager.subnet.keys is not None and manager.subnet.keys.manager:
        rule = (
            "the SM_Key of UFM's subnet manager cannot be changed (UFM Subnet Manager Default Properties: RO)"
        )
        hint = "leave out `manager_key`: `allowed_sm_guids` names the managers that may be masters"
        report.add(codes.UNSUPPORTED.at(manager.origin.child("keys", "manager_key"), rule, hint=hint))


def _levels(manager: SubnetManager, report: Report) -> None:
    """No list of UFM's properties has OpenSM's `sm_sl`: its manager asks at service level 0."""
    if all(lane.service_level for lane in manager.subnet.lanes):
        rule = (
            "UFM's subnet manager asks and answers at service level 0, and no class has it: nobody would hear"
        )
        at, hint = manager.origin.child("service_levels"), "give one class `service_level: 0`"
        report.add(codes.UNSUPPORTED.at(at, rule, hint=hint))


def routing_engine(subnet: Subnet) -> str | None:
    """The engine in UFM's words; None: it has none."""
    if not subnet.adaptive_routing:
        return ENGINES.get(subnet.engine)
    return ADAPTIVE_BY_LAYOUT.get(subnet.layout) or ADAPTIVE.get(subnet.engine)


def _engine(manager: SubnetManager, report: Report) -> None:
    subnet, at = manager.subnet, manager.origin.child("engine")
    engine = routing_engine(subnet)
    if engine is None:
        how = "adaptive " if subnet.adaptive_routing else ""
        rule = f"NVIDIA UFM has no {how}engine {subnet.engine}"
        report.add(codes.UNSUPPORTED.at(at, rule, value=subnet.engine, hint=_ways_out(subnet)))
    elif subnet.planarized and engine != "ar_updn":
        rule = f"ports of 800G are routed by ar_updn only, not by {engine}"
        hint = "write `engine: updn` and `adaptive_routing: true`"
        report.add(codes.UNSUPPORTED.at(at, rule, value=subnet.engine, hint=hint))


def _ways_out(subnet: Subnet) -> str:
    """What to write in place of an engine that UFM has not."""
    if subnet.layout in ADAPTIVE_BY_LAYOUT:
        return "write `adaptive_routing: true`"
    known = ADAPTIVE if subnet.adaptive_routing else ENGINES
    fit = sorted(known.keys() & set(FITS[subnet.layout]) - NEEDS_MORE)
    if subnet.layout == "torus" and not _is_whole(subnet.torus, len(subnet.switches)):
        return "let OpenSM manage the subnet (`infiniband.platform`), without `adaptive_routing`"
    is_known = subnet.adaptive_routing and subnet.engine in ENGINES
    less = ", or leave out `adaptive_routing`" if is_known else ""
    return f"use one of {', '.join(fit)}{less}"


def _is_whole(torus: Torus | None, switches: int) -> bool:
    """Whether an engine can recognise a torus: it has two or three axes, and all its switches."""
    return torus is not None and prod(torus.dimensions) == switches


def _cabling(manager: SubnetManager, report: Report) -> None:
    subnet, at = manager.subnet, manager.origin.child("enforce_cabling")
    verified = subnet.enforce_cabling
    if verified is None:
        return
    digest = cabling_digest(subnet)
    if subnet.placeholders:
        rule = "GUIDs of the cabling are invented: with them every host would disappear"
        hint = "import the GUIDs into the inventory first"
        report.add(codes.CABLING.at(at, rule, value=verified, hint=hint))
    elif subnet.planarized:
        rule = "no source shows how the ports of 800G are numbered in topoconfig.conf"
        report.add(codes.UNSUPPORTED.at(at, rule, value=verified, hint="leave out `enforce_cabling`"))
    elif verified != digest:
        rule = f"{verified} was verified, the design's cabling is {digest}"
        hint = f"run `fabric verify`; when it is clean, write `enforce_cabling: {digest}`"
        report.add(codes.CABLING.at(at, rule, value=verified, hint=hint))


def enforced(subnet: Subnet) -> bool:
    """Whether links that are not of the design shall stay undiscovered."""
    return subnet.enforce_cabling is not None
