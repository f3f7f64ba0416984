"""What is written of devices within one transaction, which may hold more of it."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Any

import msgspec

from fabric.deployment.jobs import Job, State
from fabric.deployment.journal_store.journal_records import Applied
from fabric.deployment.journal_store.journal_statements import keep_text, statements
from fabric.deployment.moments import stamp
from fabric.planning.texts import digest

NOTHING_OURS = ("", digest(""))
"""Digests of what is ours on a device that was never applied."""


def keep(connection: Any, texts: Iterable[str]) -> None:
    """Keep each text once."""
    rows = [{"digest": digest(text), "body": zlib.compress(text.encode(), 1)} for text in texts]
    connection.execute(keep_text(connection.dialect.name), rows)


def write_step(
    connection: Any, run: int, device: str, state: State, running: str | None, reason: str | None
) -> None:
    """Where a device is in its step, also for its history. `running`: what it keeps of the change, in plain form."""
    known, now, after = statements(), stamp(), ""
    if running is not None:
        keep(connection, (running,))
        after = digest(running)
    changed = {"state": state.value, "after": after, "reason": reason or "", "updated": now}
    entry = {"run": run, "at": now, "device": device, "state": state.value, "reason": reason or None}
    connection.execute(known.change_step, {"of_run": run, "of_device": device, **changed})
    connection.execute(known.add_entry, entry)


def confirm(connection: Any, run: int, site: str, job: Job, running: str, reason: str) -> None:
    """A device keeps its text, and runs this, in plain form.

    Where nothing of it is ours, the device counts as never applied again: its first apply was taken back.
    """
    write_step(connection, run, job.device, State.CONFIRMED, running, reason)
    ours = Applied(
        device=job.device,
        run=run,
        artifact=job.artifact,
        text=job.owned,
        after=digest(running),
        candidate=job.text,
        at=stamp(),
        drained=job.drained,
    )
    write_applied(connection, site, job.device, None if job.owned in NOTHING_OURS else ours)


def write_applied(connection: Any, site: str, device: str, applied: Applied | None) -> None:
    """What was applied last to a device; None: nothing."""
    known = statements()
    connection.execute(known.forget_applied, {"of_site": site, "of_device": device})
    if applied is not None:
        connection.execute(known.add_applied, {"site": site, **msgspec.structs.asdict(applied)})
