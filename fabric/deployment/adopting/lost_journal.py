"""Devices that run what the intent says, and nobody has written it down: the journal was lost, or is the wrong one."""

from __future__ import annotations

from collections.abc import Sequence

from fabric.deployment import codes
from fabric.deployment.adopting.adoption import unrecorded
from fabric.deployment.journal_store.journal import Journal
from fabric.deployment.refusal_message import named
from fabric.diagnostics import Diagnostic, Origin
from fabric.planning import Plan


def lost_journal(plan: Plan, journal: Journal) -> tuple[Diagnostic, ...]:
    """One finding for all of them, of a plan that has asked the devices; none where there is none."""
    strangers = [device.device for device in unrecorded(plan, journal)]
    if not strangers:
        return ()
    if plan.adopt:
        alike = f"{named(strangers)} {_run(strangers)} what the intent says{_beside(plan, strangers)}"
        rule = f"{alike}: applying this saved plan records them as ours"
        return (codes.ADOPTS.at(Origin(()), rule, hint=codes.ADOPTS.fix, subjects=tuple(strangers)),)
    rule = f"the journal has no record of {named(strangers)}, which {_run(strangers)} what the intent says"
    rule += _beside(plan, strangers)
    return (codes.LOST_JOURNAL.at(Origin(()), rule, hint=codes.LOST_JOURNAL.fix, subjects=tuple(strangers)),)


def _beside(plan: Plan, strangers: Sequence[str]) -> str:
    """Who of them runs lines besides, which nobody can tell from ours of before."""
    others = [d.device for d in plan.devices if d.kept_lines and d.device in strangers]
    return f", and besides it lines of others, or our own of before, on {named(others)}" if others else ""


def _run(names: Sequence[str]) -> str:
    return "runs" if len(names) == 1 else "run"
