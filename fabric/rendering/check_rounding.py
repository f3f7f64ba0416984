"""Whether a product can be told the thresholds of a policy, or would round them to something else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from fabric.devices.model import Switch
from fabric.devices.site_devices import Devices
from fabric.diagnostics import Diagnostic, Invalid, Origin, Report
from fabric.platforms.applied import AppliedClass, applied
from fabric.platforms.base import AnyPlatform
from fabric.platforms.needs.table import lowered
from fabric.platforms.registry import platform
from fabric.rendering import codes
from fabric.units import Bytes


def representatives(devices: Devices) -> Iterator[Switch]:
    """One switch for all that are the same model in the same tier and split their cages alike."""
    for context in devices.contexts:
        topology, seen = context.topology, set[int]()
        for node in topology.switches:
            if topology.port_map[node] not in seen:
                seen.add(topology.port_map[node])
                switch = devices[topology.names[node]]
                if isinstance(switch, Switch):
                    yield switch


def alike(devices: Devices, switch: Switch) -> tuple[str, ...]:
    """The switches that one of `representatives` stands for, by name."""
    topology = next(c.topology for c in devices.contexts if c.topology.name == switch.network)
    chosen = topology.port_map[topology.node(switch.name).id]
    return tuple(topology.names[node] for node in topology.switches if topology.port_map[node] == chosen)


def of_all_alike(devices: Devices, switch: Switch, findings: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """What is found of one of `representatives`, as it holds for all that it stands for."""
    for finding in findings:
        yield msgspec.structs.replace(finding, subjects=alike(devices, switch))


def sound(devices: Devices) -> Iterator[tuple[Switch, AnyPlatform]]:
    """Representatives that have queueing and can be printed. What a device gets wrong is told when it is printed."""
    for switch in representatives(devices):
        if switch.queueing is None:
            continue
        product = platform(switch.platform)
        try:
            lowered(switch, product, own := Report())
            own.finish()
        except Invalid:
            continue
        yield switch, product


def check_rounding(switch: Switch, product: AnyPlatform, report: Report) -> None:
    """Tell where a marking curve moves by more than a tenth."""
    for applied_class in applied(switch, product):
        if applied_class.is_shifted:
            _tell(applied_class, switch, product.title, report)


def _tell(applied_class: AppliedClass, switch: Switch, title: str, report: Report) -> None:
    assert applied_class.asked is not None  # noqa: S101  # only a curve that was asked for is shifted
    assert applied_class.curve is not None  # noqa: S101
    asked, actual = (f"{low:,} to {high:,} B" for low, high, _ in (applied_class.asked, applied_class.curve))
    place = Origin(
        ("classes", applied_class.name, "ecn"),
        f"policy:{switch.queueing.policy}" if switch.queueing else "intent",
    )
    kmin, kmax, pmax = applied_class.curve
    report.add(
        codes.SHIFTED.at(
            place,
            f"{title} on {switch.hardware.model} marks class {applied_class.name} from {actual}, not from {asked}",
            value=applied_class.name,
            hint=f"write `ecn: {{kmin: {Bytes(kmin)}, kmax: {Bytes(kmax)}, pmax: {pmax}}}` to ask for what it does",
        )
    )
