"""What holds for more than half a year is not an exception."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from fabric.diagnostics import Origin
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted

DAYS = 180


def _shut(expires: str) -> Example:
    entry = f"{{device: spine-0-0, reason: optic is replaced, owner: ben, expires: {expires}}}"
    return Example("two-tier", files={"state.yaml": f"drained:\n  - {entry}\n"})


@rule(
    "FAB1807",
    "entry-lasts-long",
    "An entry of state.yaml takes something out of service for more than half a year",
    why="Entries are for a while: whoever wrote it has moved on, and the fabric runs without the switch, port or link "
    "although it was designed with it.",
    fix="Write a nearer day, or change the intent: `overrides` for what is meant to stay.",
    source="docs/intent.md, section on state.yaml: an entry has a reason, an owner, and its last day",
    fails=_shut("'{today+400}'"),
    passes=_shut("'{today+60}'"),
)
def entry_lasts_long(site: Linted) -> Iterator[Found]:
    """An entry of `drained`, `shut_ports` or `excluded_links` holds for more than 180 days from today."""
    state = site.intent.state
    drained = (("drained", index, entry) for index, entry in enumerate(state.drained))
    ports = (("shut_ports", index, entry) for index, entry in enumerate(state.shut_ports))
    links = (("excluded_links", index, entry) for index, entry in enumerate(state.excluded_links))
    for name, index, entry in chain(drained, ports, links):
        days = (entry.expires - site.today).days
        if days > DAYS:
            yield Found(
                Origin((name, index, "expires"), "state"),
                f"something is out of service for another {days} days; {entry.owner} answers for it",
                value=entry.expires.isoformat(),
            )
