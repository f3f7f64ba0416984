"""Carry out a saved plan, and go on with one that was killed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from fabric import deployment, planning
from fabric.compiler import Compiled
from fabric.deployment import OnEvent, Result, Workplace, ignore
from fabric.operations.apply_options import apply_options
from fabric.operations.observe import ownership_of
from fabric.operations.plan import at_devices, targeted
from fabric.operations.reached_devices import targets_of_plan, targets_of_run
from fabric.resources import StrPath


def apply(
    saved: StrPath,
    compiled: Compiled,
    place: Workplace,
    *,
    target: Iterable[str] = (),
    allow: Iterable[str] = (),
    pace: deployment.Pace | None = None,
    now_reason: str = "",
    on_event: OnEvent = ignore,
) -> Result:
    """Carry out exactly a saved plan, or refuse."""
    made, texts = planning.load(Path(saved))
    if chosen := targeted(compiled, target):
        made = planning.narrowed(made, chosen)
    deployment.check_devices_of(made, place.stand_ins)  # before anything is asked for its address
    journal, options = place.journal(), apply_options(compiled, place, allow, pace, now_reason)
    targets = targets_of_plan(made, compiled, place, options)
    with place.executor() as executor:
        adopted = deployment.adopt(
            made,
            compiled.artifacts,
            targets=targets,
            journal=journal,
            options=options,
            ownership=ownership_of(compiled),
            executor=executor,
        )
        result = deployment.apply(
            (made, texts),
            targets=targets,
            journal=journal,
            options=options,
            executor=executor,
            on_event=on_event,
        )
    return with_places(compiled, msgspec.structs.replace(result, adopted=adopted))


def resume(
    compiled: Compiled,
    place: Workplace,
    *,
    allow: Iterable[str] = (),
    pace: deployment.Pace | None = None,
    now_reason: str = "",
    as_planned: bool = False,
    on_event: OnEvent = ignore,
) -> Result:
    """Go on with an apply that was killed; `as_planned`: also if the intent says something else by now.

    `allow`: what a wave may take that has not begun, if it is the last path as the network is now.
    """
    journal, site = place.journal(), compiled.intent.site.site
    targets = targets_of_run(compiled, place, journal.run(site).id)
    with place.executor() as executor:
        result = deployment.resume(
            site,
            targets=targets,
            journal=journal,
            options=apply_options(compiled, place, allow, pace, now_reason),
            as_planned=as_planned,
            executor=executor,
            on_event=on_event,
        )
    return with_places(compiled, result)


def with_places(compiled: Compiled, result: Result) -> Result:
    """The same, with its findings where the intent names the device first concerned."""
    return msgspec.structs.replace(result, diagnostics=at_devices(compiled, result.diagnostics))
