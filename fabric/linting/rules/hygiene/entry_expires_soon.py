"""What operators wrote for a while is renewed or removed before its day."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.diagnostics import Severity
from fabric.linting.rule import Found, rule
from fabric.linting.site import Linted
from fabric.linting.state_entries import OUT_OF_SERVICE, drained_until, entries

DAYS = 14
"""Our choice: a renewal takes a commit, a review, and a shift that knows of it."""


@rule(
    "FAB1801",
    "entry-expires-soon",
    "An entry of state.yaml is about to expire",
    severity=Severity.INFO,
    why="On the day after, the switch that is drained or the port that is shut is planned to carry traffic again, and "
    "an accepted finding is reported again: on whoever's shift that is. 14 days are our "
    "choice: a renewal takes a commit, a review, and a shift that knows of it.",
    fix="Renew the entry with its owner, or remove it in a commit of its own.",
    source="docs/runs.md: what operators do at night stands in state.yaml with reason, owner and expiry",
    fails=drained_until("today+3"),
    passes=drained_until("today+60"),
)
def entry_expires_soon(site: Linted) -> Iterator[Found]:
    """An entry of `state.yaml` holds today, and its last day is less than 14 days away."""
    for at, entry, days in entries(site, (*OUT_OF_SERVICE, "accept")):
        if 0 <= days < DAYS:
            when = "today" if days == 0 else f"in {days} days" if days > 1 else "tomorrow"
            yield Found(
                at,
                f"the entry holds for the last time {when}; {entry.owner} answers for it",
                value=entry.expires.isoformat(),
            )
