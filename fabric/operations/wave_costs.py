"""What each wave of a plan costs in AllReduce bandwidth, for people who choose when to apply it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import msgspec

from fabric.compiler import Compiled
from fabric.devices.model import Device, Switch
from fabric.intent.default_pools import PRIMARY
from fabric.intent.model import Intent
from fabric.planning import Impact, Plan, PlanOptions
from fabric.planning.impact import INTERRUPTING
from fabric.planning.model import DevicePlan, Wave
from fabric.planning.ways import Ways

CARRYING_NOTHING = (*INTERRUPTING, Impact.ISOLATING)
"""A switch of which a change does so is counted as if it carried nothing for a while."""


def with_costs(compiled: Compiled, plan: Plan, out: Collection[str] = ()) -> Plan:
    """The plan with the bandwidth that is left in each wave that interrupts traffic.

    `out`: drained switches that carry nothing already. One whose drain the plan only begins carries traffic until then.
    """
    collective = _collective(compiled)
    interrupted = {
        one.device
        for one in plan.changed
        if one.network in collective
        and not set(one.impacts).isdisjoint(CARRYING_NOTHING)
        and isinstance(compiled.devices.get(one.device), Switch)  # a subnet manager carries nothing
    }
    costly = [wave for wave in plan.waves if not interrupted.isdisjoint(wave.devices)]
    if not costly:
        return plan
    from fabric import failures

    changed = {one.device: one for one in plan.changed}
    groups = [(wave.number, group) for wave in costly for group in _at_once(wave, interrupted, changed)]
    left = failures.without_switches(
        _as_it_runs(compiled.intent, out),
        compiled.topology,
        compiled.derivable,
        [group for _, group in groups],
    )
    ways = Ways.of({name: _still_carrying(one, out) for name, one in compiled.devices.items()})
    least: dict[int, float] = {}
    for (number, group), percent in zip(groups, left, strict=True):
        above = [name for name in group if compiled.devices[name].role != "leaf"]
        is_parted = ways.parted(ways.ends(above)) is not None
        least[number] = min(0.0 if is_parted else percent, least.get(number, 100.0))
    waves = (msgspec.structs.replace(w, allreduce_percent=least.get(w.number)) for w in plan.waves)
    return msgspec.structs.replace(plan, waves=tuple(waves))


def _collective(compiled: Compiled) -> Collection[str]:
    """The networks whose switches carry AllReduce: the one for that, where the site has it beside others."""
    networks = compiled.intent.site.networks
    return (PRIMARY,) if PRIMARY in networks else tuple(networks)


def out_of_service(compiled: Compiled, options: PlanOptions) -> frozenset[str]:
    """Drained switches that carry nothing before the plan begins.

    None that was in service at its last apply, nor one whose neighbours have no other way: a graceful drain left it.
    """
    known = options.last_applied or {}
    drained = (entry.device for entry in compiled.intent.state.drained)
    return frozenset(
        name for name in drained if name in known and known[name].drained and name not in options.separating
    )


def _as_it_runs(intent: Intent, out: Collection[str]) -> Intent:
    drained = tuple(entry for entry in intent.state.drained if entry.device in out)
    return msgspec.structs.replace(intent, state=msgspec.structs.replace(intent.state, drained=drained))


def _still_carrying(device: Device, out: Collection[str]) -> Device:
    """A switch whose drain the plan only begins as it is until then."""
    if isinstance(device, Switch) and device.drained and device.name not in out:
        return msgspec.structs.replace(device, drained=False)
    return device


def _at_once(
    wave: Wave, interrupted: Collection[str], changed: Mapping[str, DevicePlan]
) -> list[tuple[str, ...]]:
    """Switches of a wave that carry nothing at the same time.

    Of both ends of links one is enough, unless more than these links are interrupted at the other one.
    """
    names = tuple(name for name in wave.devices if name in interrupted)
    if wave.in_turn:
        return [(name,) for name in names]
    if not wave.together:
        return [names]
    left = set(names)
    for name in sorted(
        names, key=lambda name: changed[name].role != "leaf"
    ):  # leaves have fewer links that change
        peers = _peers(changed[name])
        if peers and peers <= left - {name}:
            left.remove(name)
    return [tuple(name for name in names if name in left)]


def _peers(device: DevicePlan) -> frozenset[str]:
    """Who is at the other ends of all that is interrupted of a switch; empty if that is more than some links."""
    scopes = [change.scope for change in device.changes if change.impact in CARRYING_NOTHING]
    if any(scope.whole_device or not scope.peers for scope in scopes):
        return frozenset()
    return frozenset(peer for scope in scopes for peer in scope.peers)
