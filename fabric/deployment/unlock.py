"""What a run that holds its site's lock has left behind, for whoever is to decide whether it is dead."""

from __future__ import annotations

from typing import Any

import msgspec

from fabric.deployment import codes, moments
from fabric.deployment.journal_store.journal import Journal
from fabric.deployment.journal_store.journal_records import Run, Step
from fabric.deployment.journal_store.site_lock import Holder, holder, locked_by
from fabric.deployment.refusal_message import refusal


class LeftBehind(msgspec.Struct, frozen=True, kw_only=True):
    """A lock, the run that it is for, and what that has left open."""

    site: str
    holder: Holder
    run: Run
    last_step: str
    """What was written down last, in words."""
    open: tuple[str, ...]
    """Each device that may have a commit that waits, and where it was."""

    @property
    def age(self) -> str:
        """How long ago the lock was taken, in words."""
        return moments.age(self.holder.since)

    def check(self) -> None:
        """`Refused` if the process that holds the lock runs: it is to be ended first, in order."""
        if self.holder.life == "alive":
            hint = f"`kill {self.holder.process}` has it take back its wave and end in order; then try again"
            raise refusal(codes.LOCKED, str(locked_by(self.site, self.holder)).partition(": ")[2], hint)

    def record(self) -> dict[str, Any]:
        """For machines."""
        held: dict[str, Any] = msgspec.to_builtins(self.holder)
        shown = {name: held[name] for name in ("owner", "machine", "process", "since")}
        return {
            "lock": {**shown, "life": self.holder.life},
            "run": msgspec.to_builtins(self.run),
            "last_step": self.last_step,
            "open": list(self.open),
        }


def left_behind(journal: Journal, site: str, number: int) -> LeftBehind:
    """What the lock for a run, and the run, have left. `Refused` if the site is not locked for that run."""
    known = holder(journal, site)
    if known is None:
        raise refusal(codes.NO_RUN, f"{site} is not locked", "`fabric plan` shows where the devices stand")
    run = journal.run(site, number)
    if known.run not in (None, run.id):
        raise refusal(codes.NO_RUN, f"{site} is not locked by run {number}: {known}", f"name run {known.run}")
    steps = journal.steps(run.id)
    open_ = tuple(_where(step) for step in steps if step.state.is_open)
    return LeftBehind(site=site, holder=known, run=run, last_step=_last(journal, run), open=open_)


def _where(step: Step) -> str:
    reason = f" ({step.reason})" if step.reason else ""
    name = f", as {step.session}" if step.session else ""
    return f"{step.job.device}: {step.state.value} in wave {step.job.wave}{name}{reason}"


def _last(journal: Journal, run: Run) -> str:
    entries = journal.entries(run.id)
    if not entries:
        return "devices were asked, none was touched"
    last = entries[-1]
    what = last["device"] or (f"wave {last['wave']}" if last["wave"] else f"run {run.id}")
    return f"{what}: {last['state']}, {last['at']} ({moments.age(last['at'])})"
