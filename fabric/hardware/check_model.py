"""Whether the numbers of a switch model agree with each other."""

from __future__ import annotations

from collections import Counter

from fabric.diagnostics import Origin, Report
from fabric.hardware import codes
from fabric.hardware.cage_modes import Mode, cage_numbers, parse_mode
from fabric.hardware.model import CageGroup, SwitchModel
from fabric.units import Speed, counted


def check_model(model: SwitchModel, origin: Origin, report: Report) -> None:
    """Report every contradiction: between lanes, speeds, modes, cages, bandwidth and limits."""
    groups = Report()
    for index, group in enumerate(model.cages):
        _check_group(group, origin.child("cages", index), groups)
    report.extend(groups)
    if groups.has_errors:  # what is counted over all cages would only repeat it
        return
    _check_numbers(model, origin, report)
    _check_bandwidth(model, origin, report)
    _check_limits(model, origin, report)


def _check_group(group: CageGroup, origin: Origin, report: Report) -> None:
    lanes_mbps = group.lanes * group.lane_mbps
    if lanes_mbps < group.max_mbps:
        rule = (
            f"{counted(group.lanes, 'lane')} of {group.lane_mbps} together carry "
            f"{Speed(lanes_mbps)}, not {group.max_mbps}"
        )
        report.add(
            codes.CAGES.at(origin.child("max_speed"), rule, value=str(group.max_mbps), hint=codes.CAGES.fix)
        )
    try:
        cage_numbers(group.cages)
    except ValueError as error:
        report.add(codes.CAGES.at(origin.child("cages"), str(error), value=group.cages, hint=codes.CAGES.fix))
    for index, text in enumerate(group.breakouts):
        place = origin.child("breakouts", index)
        try:
            mode = parse_mode(text)
        except ValueError as error:
            report.add(codes.CAGES.at(place, str(error), value=text, hint=codes.CAGES.fix))
        else:
            _check_mode(mode, group, place, report)


def _check_mode(mode: Mode, group: CageGroup, origin: Origin, report: Report) -> None:
    lanes_each = group.lanes // mode.ports
    if lanes_each == 0:
        rule = (
            f"{counted(mode.ports, ('port needs', 'ports need'))} "
            f"{counted(mode.ports, 'lane')}, the cage has {group.lanes}"
        )
    elif mode.speed_mbps > lanes_each * group.lane_mbps:
        rule = (
            f"{counted(lanes_each, 'lane')} of {group.lane_mbps} a port cannot carry {Speed(mode.speed_mbps)}"
        )
    elif mode.total_mbps > group.max_mbps:
        rule = f"{mode} makes {Speed(mode.total_mbps)}, the cage carries {group.max_mbps}"
    else:
        return
    report.add(codes.CAGES.at(origin, rule, value=str(mode), hint=codes.CAGES.fix))


def _check_numbers(model: SwitchModel, origin: Origin, report: Report) -> None:
    numbers = Counter(number for group in model.cages for number in cage_numbers(group.cages))
    for (slot, cage), count in numbers.items():
        if count > 1:
            name = f"{slot}/{cage}" if slot else str(cage)
            rule = f"cage {name} is in {counted(count, 'group')}"
            report.add(codes.CAGES.at(origin.child("cages"), rule, hint=codes.CAGES.fix))


def _check_bandwidth(model: SwitchModel, origin: Origin, report: Report) -> None:
    if model.bandwidth_mbps is None:
        return
    total = sum(len(cage_numbers(g.cages)) * g.max_mbps for g in model.cages if g.role == "fabric")
    if total != model.bandwidth_mbps:
        rule = f"the fabric cages carry {Speed(total)}, the switch is said to carry {model.bandwidth_mbps}"
        value = str(model.bandwidth_mbps)
        report.add(codes.CAGES.at(origin.child("bandwidth"), rule, value=value, hint=codes.CAGES.fix))


def _check_limits(model: SwitchModel, origin: Origin, report: Report) -> None:
    known = {mode for group in model.cages for mode in group.breakouts}
    for index, limit in enumerate(model.limits):
        for mode in limit.modes:
            if mode not in known:
                rule = f"the limit is about {mode}, which no cage has"
                place = origin.child("limits", index, "modes")
                report.add(codes.CAGES.at(place, rule, value=mode, hint=codes.CAGES.fix))
