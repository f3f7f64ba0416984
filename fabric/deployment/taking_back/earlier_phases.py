"""The runs of a change that needed several: each can be taken back, the last one first."""

from __future__ import annotations

from fabric.deployment.journal_store.journal import Journal
from fabric.deployment.journal_store.journal_records import Run


def earlier_phases(journal: Journal, run: Run) -> tuple[int, ...]:
    """The runs that made the phases before that one of the same change and still stand, the last one first."""
    runs = journal.runs(run.site)
    taken_back = {later.takes_back for later in runs if later.state == "done"}
    standing = (
        earlier
        for earlier in runs
        if earlier.id < run.id
        and earlier.takes_back is None
        and not earlier.has_touched_nothing
        and earlier.id not in taken_back
    )
    found: list[int] = []
    for earlier in standing if run.takes_back is None else ():
        if not earlier.phases_left:
            break
        found.append(earlier.id)
    return tuple(found)
