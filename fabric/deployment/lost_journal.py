"""Devices that run what the intent says, of which the journal knows nothing: it was lost, or it is the wrong one."""

from __future__ import annotations

from collections.abc import Container

from fabric.deployment import codes
from fabric.deployment.refusal_message import named
from fabric.diagnostics import Diagnostic, Origin
from fabric.planning import Action, Plan


def lost_journal(plan: Plan, applied: Container[str]) -> tuple[Diagnostic, ...]:
    """One finding for all of them, of a plan that has asked the devices; none where there are none."""
    if plan.mode != "online":
        return ()
    strangers = [d.device for d in plan.devices if d.action is Action.NOTHING and d.device not in applied]
    if not strangers:
        return ()
    rule = f"the journal knows nothing of {named(strangers)}, which run exactly what the intent says"
    return (codes.LOST_JOURNAL.at(Origin(()), rule, hint=codes.LOST_JOURNAL.fix, subjects=tuple(strangers)),)
