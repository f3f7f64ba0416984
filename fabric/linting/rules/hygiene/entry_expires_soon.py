"""What operators wrote for a while is renewed or removed before its day."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from fabric.diagnostics import Origin, Severity
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted

DAYS = 14


def _drained(expires: str) -> Example:
    entry = f"{{device: spine-0-0, reason: optic is replaced, owner: ben, expires: {expires}}}"
    return Example("two-tier", files={"state.yaml": f"drained:\n  - {entry}\n"})


@rule(
    "FAB1801",
    "entry-expires-soon",
    "An entry of state.yaml is about to expire",
    severity=Severity.INFO,
    why="On the day after, the switch that is drained or the port that is shut is planned to carry traffic again, and "
    "an accepted finding is reported again: on whoever's shift that is.",
    fix="Renew the entry with its owner, or remove it in a commit of its own.",
    source="docs/runs.md: what operators do at night stands in state.yaml with reason, owner and expiry",
    fails=_drained("'{today+3}'"),
    passes=_drained("'{today+60}'"),
)
def entry_expires_soon(site: Linted) -> Iterator[Found]:
    """An entry of `state.yaml` holds today, and its last day is less than 14 days away."""
    state = site.intent.state
    lists = {
        "drained": state.drained,
        "shut_ports": state.shut_ports,
        "excluded_links": state.excluded_links,
        "accept": state.accept,
    }
    for name, index, entry in chain.from_iterable(
        ((name, index, entry) for index, entry in enumerate(entries)) for name, entries in lists.items()
    ):
        days = (entry.expires - site.today).days
        if 0 <= days < DAYS:
            when = "today" if days == 0 else f"in {days} days" if days > 1 else "tomorrow"
            yield Found(
                Origin((name, index, "expires"), "state"),
                f"the entry holds for the last time {when}; {entry.owner} answers for it",
                value=entry.expires.isoformat(),
            )
