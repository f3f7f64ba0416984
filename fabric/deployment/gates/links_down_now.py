"""What a plan would cut off because of links that are dead now, as apply judges it right before each wave.

Only switches at the links of waves that take sessions down are asked. A link may be mended, or another one die, before
the plan is applied: so apply looks again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import Executor
from typing import NamedTuple

from fabric.deployment import codes
from fabric.deployment.connection.device_session import Connection
from fabric.deployment.connection.parallel_devices import each
from fabric.deployment.gates.bystanders import summary_of
from fabric.deployment.gates.cut_off_now import Loss, Now
from fabric.deployment.gates.host_paths import interrupted_ports
from fabric.deployment.gates.purpose import purpose
from fabric.deployment.gates.snapshot import Snapshot, snapshot
from fabric.deployment.gates.surroundings import (
    Surroundings,
    SurroundingsOf,
    as_it_runs,
    is_as_intended,
    network_of,
    stand_ins,
    switches_beside,
)
from fabric.diagnostics import DeviceError, Diagnostic, Origin
from fabric.planning import Impact, Observation, Plan
from fabric.planning.impact import INTERRUPTING
from fabric.planning.model import Action, DevicePlan
from fabric.planning.ways import is_out
from fabric.platforms.base import Facts, Target
from fabric.platforms.facts import neighbors_by_port
from fabric.platforms.registry import platform

TargetsOf = Callable[[tuple[str, ...]], Mapping[str, Target]]
"""How some devices are reached; one without an address is left out."""


def cut_off_now(
    plan: Plan,
    texts: Mapping[str, str],
    seen: Mapping[str, Observation],
    *,
    around: SurroundingsOf,
    targets: TargetsOf,
    unreachable: Collection[str],
    executor: Executor,
) -> tuple[Diagnostic, ...]:
    """A warning for each switch that a wave would leave without an uplink, or a host without a path, as it is now.

    `unreachable` ones are not asked again.
    A wave that isolates somebody already, by configurations alone, is not judged again: apply is allowed that by name.
    """
    asking: list[tuple[Taking, dict[str, Surroundings]]] = []
    for taking in _taking(plan, texts, seen):
        beside = switches_beside(taking.members, around)
        places = beside | stand_ins(taking.members, beside, around)
        places |= {name: known for name in taking.members if (known := around(name)) is not None}
        asking.append((taking, places))
    names = tuple(sorted({name for _, places in asking for name in places}))
    products = {name: known.platform for _, places in asking for name, known in places.items()}
    jobs = ((name, (target, products[name])) for name, target in (targets(names) if names else {}).items())
    answers = dict(each(executor, _look, jobs))
    now = {name: answer for name, answer in answers.items() if not isinstance(answer, DeviceError)}
    silent = {*unreachable, *answers.keys() - now.keys()}
    running = {name: products[name] for name in now if name in seen}
    found: list[Diagnostic] = []
    told_of: set[str] = set()
    for taking, intended in asking:
        places = {
            name: known
            if name not in running or is_as_intended(known, now[name])
            else as_it_runs(known, neighbors_by_port(platform(running[name]).read(seen[name].text).facts))
            for name, known in intended.items()
        }
        network = network_of(taking.members, around)
        before = Now(places, now, silent, taking.returning, network, taking.opening)
        cut = before.cut_off_by(taking.loss)
        new = {name: why for name, why in cut.items() if name not in told_of}
        told_of |= new.keys()
        if new:
            found.append(_finding(taking.wave, new))
    return tuple(found)


def _finding(wave: int, cut: Mapping[str, str]) -> Diagnostic:
    """One for all that a wave cuts off. It is about the switches: whoever knows the site says where they are in it."""
    code = codes.CUT_OFF_NOW
    return code.at(Origin(), f"wave {wave}: {summary_of(cut)}", hint=code.fix, subjects=tuple(cut))


def asked_beside(plan: Plan, around: SurroundingsOf) -> tuple[str, ...]:
    """The switches that apply asks, if it reaches them, beside those that the plan changes."""
    changed = {device.device for device in plan.changed}
    taking = [device.device for device in plan.changed if device.impact is not Impact.NONE or device.drains]
    others = stand_ins(taking, switches_beside(taking, around), around)
    return tuple(name for name in switches_beside(changed, around) | others if name not in changed)


class Taking(NamedTuple):
    """A wave that takes sessions or ports down."""

    wave: int
    members: tuple[str, ...]
    loss: Loss
    returning: frozenset[str]
    """Devices that an earlier wave brings back, wholly or in part: what they carry now says little."""
    opening: Mapping[str, frozenset[str]]
    """By member the ports that it opens itself."""


def _taking(plan: Plan, texts: Mapping[str, str], seen: Mapping[str, Observation]) -> Iterator[Taking]:
    """The waves that take something down, with what they take."""
    devices = {device.device: device for device in plan.changed}
    returning: frozenset[str] = frozenset()
    for wave in plan.waves:
        members = [devices[name] for name in wave.devices]
        if any(Impact.ISOLATING in member.impacts or _is_first(member) for member in members):
            continue
        if all(member.impact is Impact.NONE and not member.drains for member in members):
            continue
        purposes, opening, back = {}, {}, set()
        for member in members:
            read = platform(member.platform).read
            old, new = read(seen[member.device].text).facts, read(texts[member.candidate]).facts
            purposes[member.device] = purpose(member.device, old, new, drains=member.drains)
            opening[member.device] = _opened(old, new)
            if opening[member.device] or (is_out(old) and not is_out(new)):
                back.add(member.device)
        interrupts = {
            member.device: frozenset(interrupted_ports(member.changes))
            for member in members
            if any(impact in INTERRUPTING for impact in member.impacts)
        }
        if loss := Loss(purposes, interrupts):
            yield Taking(wave.number, wave.devices, loss, returning, opening)
        returning |= back


def _is_first(device: DevicePlan) -> bool:
    """Whether it is the first apply of a switch, which as a rule carries nothing yet.

    Reading both texts of all of them takes long, and apply looks before the wave all the same.
    """
    return device.impact is Impact.LOCKOUT and device.action is not Action.UPDATE


def _opened(old: Facts, new: Facts) -> frozenset[str]:
    """The ports of a device that are shut, and will not be."""
    shut = (name for name, was in old.interfaces.items() if not was.enabled and name in new.interfaces)
    return frozenset(name for name in shut if new.interfaces[name].enabled)


def _look(target: Target, product: str) -> Snapshot:
    kind = platform(product)
    with Connection(target, kind) as device:
        return snapshot(device, kind, routes=False)
