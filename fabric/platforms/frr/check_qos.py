"""What of a policy Linux cannot schedule, pause or mark."""

from __future__ import annotations

from fabric.devices.model import Switch
from fabric.diagnostics import Origin, Report
from fabric.platforms.frr import codes
from fabric.platforms.frr.spectrum import ecn_step_bytes
from fabric.qos.model import ClassQueueing, Queueing


def check_classes(switch: Switch, queueing: Queueing, report: Report) -> None:
    """Report each class that the switch would treat in another way than the policy says."""
    origin = Origin((), f"policy:{queueing.policy}").child("classes")
    classes = queueing.profiles[0].classes
    for one in classes:
        place = origin.child(one.name)
        _check_priority(one, place, report)
        _check_rewrite(one, place, report)
    for kind in queueing.profiles:
        for one in kind.classes:
            _check_curve(one, ecn_step_bytes(switch.hardware), origin.child(one.name), report)


def _check_priority(one: ClassQueueing, place: Origin, report: Report) -> None:
    if one.priority == 0:
        rule = f"FRR on Linux keeps buffer 0 for lossy traffic, and class {one.name} is paused there"
        hint = "write `priority: 3` and the same `traffic_class`"
        report.add(codes.PRIORITY.at(place.child("priority"), rule, value=0, hint=hint))


def _check_curve(one: ClassQueueing, step_bytes: int, place: Origin, report: Report) -> None:
    if one.ecn and -(-one.ecn.kmin_bytes // step_bytes) >= -(-one.ecn.kmax_bytes // step_bytes):
        rule = (
            f"red of Linux needs min below max, in steps of {step_bytes} B; class {one.name} has "
            f"{one.ecn.kmin_bytes} and {one.ecn.kmax_bytes}"
        )
        hint = f"raise kmax above kmin by {step_bytes} B or more"
        report.add(codes.RANGE.at(place.child("ecn"), rule, hint=hint))


def _check_rewrite(one: ClassQueueing, place: Origin, report: Report) -> None:
    leaves_as = min(one.dscp, default=0) if one.is_rest else max(one.dscp, default=0)
    if len(one.dscp) > 1:
        rule = f"class {one.name} leaves with code point {leaves_as}, whatever of it came in"
        report.add(codes.REWRITE.at(place.child("dscp"), rule, hint=codes.REWRITE.fix))
