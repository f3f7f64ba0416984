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
    for queue in classes:
        place = origin.child(queue.name)
        _check_priority(queue, place, report)
        _check_rewrite(queue, place, report)
    for kind in queueing.profiles:
        for queue in kind.classes:
            _check_curve(queue, ecn_step_bytes(switch.hardware), origin.child(queue.name), report)


def _check_priority(queue: ClassQueueing, place: Origin, report: Report) -> None:
    if queue.priority == 0:
        rule = f"FRR on Linux keeps buffer 0 for lossy traffic, and class {queue.name} is paused there"
        hint = "write `priority: 3` and the same `traffic_class`"
        report.add(codes.PRIORITY.at(place.child("priority"), rule, value=0, hint=hint))


def _check_curve(queue: ClassQueueing, step_bytes: int, place: Origin, report: Report) -> None:
    if queue.ecn and -(-queue.ecn.kmin_bytes // step_bytes) >= -(-queue.ecn.kmax_bytes // step_bytes):
        rule = (
            f"red of Linux needs min below max, in steps of {step_bytes} B; class {queue.name} has "
            f"{queue.ecn.kmin_bytes} and {queue.ecn.kmax_bytes}"
        )
        hint = f"raise kmax above kmin by {step_bytes} B or more"
        report.add(codes.RANGE.at(place.child("ecn"), rule, hint=hint))


def _check_rewrite(queue: ClassQueueing, place: Origin, report: Report) -> None:
    leaves_as = min(queue.dscp, default=0) if queue.is_rest else max(queue.dscp, default=0)
    if len(queue.dscp) > 1:
        rule = f"class {queue.name} leaves with code point {leaves_as}, whatever of it came in"
        report.add(codes.REWRITE.at(place.child("dscp"), rule, hint=codes.REWRITE.fix))
