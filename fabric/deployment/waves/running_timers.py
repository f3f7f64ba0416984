"""What a run that was killed has left on devices: which commits wait there, whose they are, and when they go back."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime, timedelta

from fabric.deployment import moments
from fabric.deployment.journal_store.journal import Journal
from fabric.deployment.journal_store.journal_records import Run, Step
from fabric.deployment.refusal_message import named
from fabric.platforms.registry import platform

TIMER = re.compile(r"timer of (\d+) s")


def timer_of(timer_s: int) -> str:
    """How a wave that is pushed writes down the longest of its timers."""
    return f"timer of {timer_s} s"


def commits_left(journal: Journal, run: Run) -> str:
    """The commits that may wait on devices, in words: their name, and when they go back. Empty: there is none.

    By the journal alone: no device is asked, so a commit that was just under way may be there or not.
    """
    left = tuple(step for step in journal.steps(run.id) if step.state.is_open)
    timed = tuple(step for step in left if platform(step.job.platform).reverts)
    stay = tuple(step.job.device for step in left if step not in timed)
    parts = [_timed(journal, run, timed)] if timed else []
    if stay:
        parts.append(f"{named(stay)} may keep the change, having no timer of its own")
    return "; ".join(parts)


def _timed(journal: Journal, run: Run, steps: tuple[Step, ...]) -> str:
    names = sorted({step.session for step in steps if step.session})
    whose = f" as {named(names)}" if names else ""
    devices = named(tuple(step.job.device for step in steps))
    return f"a commit may wait for its confirmation on {devices}{whose}{_when(journal, run, steps)}"


def _when(journal: Journal, run: Run, steps: Iterable[Step]) -> str:
    """When the last of their timers fires, as far as it was written down."""
    waves, devices = {step.job.wave for step in steps}, {step.job.device for step in steps}
    entries = journal.entries(run.id)
    timers = [int(found[1]) for entry in entries if entry["wave"] in waves and (found := _timer(entry))]
    last = max((entry["at"] for entry in entries if entry["device"] in devices), default="")
    if not timers or not last:
        return ""
    fires = datetime.fromisoformat(last) + timedelta(seconds=timers[-1])
    shown = fires.strftime("%Y-%m-%d %H:%M:%S UTC")
    if fires < moments.now():
        return f": by the clock of this machine its timer has fired, at about {shown}"
    return f": it goes back by itself at about {shown}"


def _timer(entry: dict[str, object]) -> re.Match[str] | None:
    return TIMER.fullmatch(str(entry["reason"] or ""))
