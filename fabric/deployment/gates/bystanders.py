"""Switches beside a wave: none may be left without an uplink, by what the network says now.

A plan is judged on configurations. A cable that is dead makes the other uplink of a leaf its only one, and nothing that
is configured says so: the switches at the other ends of a wave's links are asked, before anything is pushed and after.
Before it, those that stand in for its members are asked too: the other leaves of their hosts (`host_paths`), and, where
a switch reaches others through two tiers, whether the other ways lead on from there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from concurrent.futures import Executor

import msgspec

from fabric.deployment import device_steps
from fabric.deployment.connection.parallel_devices import each
from fabric.deployment.device_steps import Ready, Work
from fabric.deployment.gates.cut_off_now import Loss, Now
from fabric.deployment.gates.host_paths import FEW
from fabric.deployment.gates.running_sessions import by_what_runs
from fabric.deployment.gates.snapshot import Snapshot
from fabric.deployment.gates.surroundings import (
    SurroundingsOf,
    network_of,
    stand_ins,
    switches_beside,
    towards_switches,
)
from fabric.deployment.permissions import allowances, is_allowed, typed
from fabric.deployment.refusal_message import named
from fabric.diagnostics import DeviceError
from fabric.planning import Impact
from fabric.platforms.base import Target
from fabric.units import noun_of


class Beside(msgspec.Struct, frozen=True):
    """A switch at the other end of a link of a wave, that does not change with it."""

    work: Work
    """To ask it with."""
    before: Snapshot
    """As it was before the push, towards other switches: hosts come and go meanwhile, and have their own leaf."""


def look_beside(
    work: Mapping[str, Work],
    ready: Mapping[str, Ready],
    around: SurroundingsOf,
    targets: Mapping[str, Target],
    executor: Executor,
    allow: Collection[str],
) -> tuple[dict[str, Beside], dict[str, str]]:
    """The switches beside a wave as they are before it, and whom it would cut off, with the reason.

    Nobody is asked for a wave that gives nothing up and interrupts nothing, nor for one of a device that is allowed to
    isolate others. Of a switch that does not answer nobody knows what it has left.
    """
    loss = Loss(
        {name: one.purpose for name, one in ready.items()},
        {name: frozenset(one.job.interrupts) for name, one in work.items() if one.job.interrupts_traffic},
    )
    may_isolate = any(is_allowed(Impact.ISOLATING, name, allow) for name in work)
    if may_isolate or not loss:
        return {}, {}
    beside = switches_beside(work, around)
    others = {
        name: known for name, known in (beside | stand_ins(work, beside, around)).items() if name in targets
    }
    member = next(iter(work.values()))
    asked = {
        name: device_steps.to_ask(name, known.platform, targets[name], member.secrets, member.session)
        for name, known in others.items()
    }
    found: dict[str, Beside] = {}
    silent = set()
    for name, answer in each(executor, device_steps.look, ((name, (one,)) for name, one in asked.items())):
        if isinstance(answer, DeviceError):
            silent.add(name)
        else:
            found[name] = Beside(asked[name], answer)
    seen = {name: one.before for name, one in found.items()} | {name: one.up for name, one in ready.items()}
    places = others | {name: known for name in ready if (known := around(name)) is not None}
    places |= by_what_runs(
        {name: places[name] for name in seen.keys() & places.keys()}, seen, {**asked, **work}, executor
    )
    cut = Now(places, seen, silent, network=network_of(work, around)).cut_off_by(loss)
    narrowed = {
        name: Beside(one.work, towards_switches(places[name], one.before)) for name, one in found.items()
    }
    return {name: one for name, one in narrowed.items() if name in beside}, cut


def refusal_of(cut: Mapping[str, str], allow: Iterable[str]) -> str:
    """Why a wave that cuts switches off is not pushed; empty if the operator has allowed it for each of them."""
    refused = {name: why for name, why in cut.items() if not is_allowed(Impact.ISOLATING, name, allow)}
    words = " ".join(f"`{typed(word)}`" for word in allowances(Impact.ISOLATING, refused))
    return f"{summary_of(refused)} (mend that first, or take it: {words})" if refused else ""


def summary_of(cut: Mapping[str, str]) -> str:
    """Whom a wave cuts off, for people: one in full, the others by the switch that does it."""
    first, *more = cut
    if not more:
        return cut[first]
    words = noun_of(len(more), ("another switch cuts", f"{len(more):,} more switches cut"))
    return f"{cut[first]}; {words} somebody off, too: {named(more, FEW)}"
