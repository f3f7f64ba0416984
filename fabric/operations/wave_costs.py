"""What each wave of a plan costs in AllReduce bandwidth, for people who choose when to apply it."""

from __future__ import annotations

import msgspec

from fabric.compiler import Compiled
from fabric.planning import Impact, Plan
from fabric.planning.model import Wave

INTERRUPTS = Impact.FLAP.rank
"""From this impact on a switch is counted as if it carried nothing for a while."""


def with_costs(compiled: Compiled, plan: Plan) -> Plan:
    """The plan with the bandwidth that is left in each wave that interrupts traffic."""
    impacts = {device.device: device.impact.rank for device in plan.devices}
    costly = [wave for wave in plan.waves if any(impacts.get(n, 0) >= INTERRUPTS for n in wave.devices)]
    if not costly:
        return plan
    from fabric import failures

    groups = [(wave.number, group) for wave in costly for group in _at_once(wave, impacts)]
    left = failures.without_switches(
        compiled.intent, compiled.topology, compiled.derivable, [group for _, group in groups]
    )
    least: dict[int, float] = {}
    for (number, _), percent in zip(groups, left, strict=True):
        least[number] = min(percent, least.get(number, 100.0))
    waves = (msgspec.structs.replace(w, allreduce_percent=least.get(w.number)) for w in plan.waves)
    return msgspec.structs.replace(plan, waves=tuple(waves))


def _at_once(wave: Wave, impacts: dict[str, int]) -> list[tuple[str, ...]]:
    """Switches of a wave that carry nothing at the same time."""
    names = tuple(name for name in wave.devices if impacts.get(name, 0) >= INTERRUPTS)
    return [(name,) for name in names] if wave.in_turn else [names]
