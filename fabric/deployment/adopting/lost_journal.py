"""Devices that run what the intent says, of which the journal knows nothing: it was lost, or it is the wrong one."""

from __future__ import annotations

from collections.abc import Container, Sequence

from fabric.deployment import codes
from fabric.deployment.adopting.adoption import unrecorded
from fabric.deployment.refusal_message import named
from fabric.diagnostics import Diagnostic, Origin
from fabric.planning import Plan


def lost_journal(plan: Plan, applied: Container[str]) -> tuple[Diagnostic, ...]:
    """One finding for all of them, of a plan that has asked the devices; none where there is none."""
    strangers = [device.device for device in unrecorded(plan, applied)]
    if not strangers:
        return ()
    if plan.adopt:
        alike = f"{named(strangers)} {_run(strangers)} exactly what the intent says"
        rule = f"{alike}: applying this saved plan records them as ours"
        return (codes.ADOPTS.at(Origin(()), rule, hint=codes.ADOPTS.fix, subjects=tuple(strangers)),)
    rule = f"the journal has no record of {named(strangers)}, which {_run(strangers)} exactly what the intent says"
    return (codes.LOST_JOURNAL.at(Origin(()), rule, hint=codes.LOST_JOURNAL.fix, subjects=tuple(strangers)),)


def _run(names: Sequence[str]) -> str:
    return "runs" if len(names) == 1 else "run"
