"""What holds for more than half a year is not an exception."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.linting.rule import Found, rule
from fabric.linting.site import Linted
from fabric.linting.state_entries import OUT_OF_SERVICE, drained_until, entries

DAYS = 180
"""Our choice: longer than any repair takes, spare parts and all."""


@rule(
    "FAB1807",
    "entry-lasts-long",
    "An entry of state.yaml takes something out of service for more than half a year",
    why="Entries are for a while: whoever wrote it has moved on, and the fabric runs without the switch, port or link "
    "although it was designed with it. Half a year is our choice: longer than a repair takes, "
    "spare parts and all.",
    fix="Write a nearer day, or change the intent: `overrides` for what is meant to stay.",
    source="docs/intent.md, section on state.yaml: an entry has a reason, an owner, and its last day",
    fails=drained_until("today+400"),
    passes=drained_until("today+60"),
)
def entry_lasts_long(site: Linted) -> Iterator[Found]:
    """An entry of `drained`, `shut_ports` or `excluded_links` holds for more than 180 days from today."""
    for at, entry, days in entries(site, OUT_OF_SERVICE):
        if days > DAYS:
            yield Found(
                at,
                f"something is out of service for another {days} days; {entry.owner} answers for it",
                value=entry.expires.isoformat(),
            )
