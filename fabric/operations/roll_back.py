"""Take back a run: plan what that changes, and do it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

import msgspec

from fabric import __version__, analysis, deployment
from fabric.compiler import Compiled
from fabric.deployment import OnEvent, Result, Workplace, ignore
from fabric.operations.apply import with_places
from fabric.operations.apply_options import apply_options
from fabric.operations.observe import settle_left
from fabric.operations.reached_devices import targets_of_run
from fabric.planning import PlanOptions


def plan_rollback(compiled: Compiled, place: Workplace, run: int | None = None) -> deployment.PlannedRollback:
    """What taking back a run would change: the last one, unless a number is given. Nothing is changed.

    `Refused` if a device does not answer, has been changed by somebody since, or does not accept what it ran before.
    """
    options = PlanOptions(
        site=compiled.intent.site.site,
        program=__version__,
        intent=compiled.digest,
        created=datetime.now(UTC),
        ownership="full",
        logins=place.logins(compiled.intent.inventory, compiled.artifacts),
        separating=analysis.separating(compiled.devices),
    )
    ended = settle_left(compiled, place, compiled.artifacts)
    planned = deployment.plan_rollback(
        compiled.intent.site.site,
        run,
        journal=place.journal(),
        artifacts=compiled.artifacts,
        switches=compiled.devices,
        options=options,
    )
    with place.executor() as executor:
        deployment.check_as_left(
            planned.run,
            targets=targets_of_run(compiled, place, planned.run.id),
            journal=place.journal(),
            options=apply_options(compiled, place, (), None),
            executor=executor,
        )
    found = (*planned.plan.diagnostics, *ended)
    plan = msgspec.structs.replace(planned.plan, diagnostics=found, stand_ins=place.stand_ins)
    return msgspec.structs.replace(planned, plan=plan)


def rollback(
    compiled: Compiled,
    place: Workplace,
    planned: deployment.PlannedRollback | int | None = None,
    *,
    allow: Iterable[str] = (),
    pace: deployment.Pace | None = None,
    now_reason: str = "",
    on_event: OnEvent = ignore,
) -> Result:
    """Put devices back to what they ran before a run, as it was planned.

    With the number of a run, or none for the last one, it is planned here.
    """
    if not isinstance(planned, deployment.PlannedRollback):
        planned = plan_rollback(compiled, place, planned)
    with place.executor() as executor:
        result = deployment.rollback(
            compiled.intent.site.site,
            planned.run.id,
            targets=targets_of_run(compiled, place, planned.run.id),
            journal=place.journal(),
            options=apply_options(compiled, place, allow, pace, now_reason),
            planned=planned.plan,
            executor=executor,
            on_event=on_event,
        )
    return with_places(compiled, result)
