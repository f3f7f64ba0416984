"""What a run has left behind, for whoever is to decide whether it is dead: its lock, and that it is not ended."""

from __future__ import annotations

from typing import Any

import msgspec

from fabric.deployment import codes, moments
from fabric.deployment.change_names import person
from fabric.deployment.journal_store.journal import Journal
from fabric.deployment.journal_store.journal_records import INTERRUPTED, Run, Step
from fabric.deployment.journal_store.site_lock import Holder, holder, locked_by
from fabric.deployment.refusal_message import refusal


class LeftBehind(msgspec.Struct, frozen=True, kw_only=True):
    """A run, its lock, and what it has left open."""

    site: str
    holder: Holder | None
    """None: nobody holds the lock, and the run did not finish."""
    run: Run
    last_step: str
    """What was written down last, in words."""
    open: tuple[str, ...]
    """Each device that may have a commit that waits, and where it was."""
    cordoned: tuple[str, ...] = ()
    """Devices whose hosts runs have taken out of service, and not brought back."""
    without_path: tuple[str, ...] = ()
    """Hosts that waves have left without a path, and that are out of service still."""

    def check(self) -> None:
        """`Refused` if the process that holds the lock runs: it is to be ended first, in order."""
        if self.holder is not None and self.holder.life == "alive":
            hint = f"`kill {self.holder.process}` has it take back its wave and end in order; then try again"
            raise refusal(codes.LOCKED, str(locked_by(self.site, self.holder)).partition(": ")[2], hint)

    def record(self) -> dict[str, Any]:
        """For machines."""
        lock: dict[str, Any] | None = None
        if self.holder is not None:
            held: dict[str, Any] = msgspec.to_builtins(self.holder)
            lock = {name: held[name] for name in ("owner", "machine", "process", "since")}
            lock["life"] = self.holder.life
        return {
            "lock": lock,
            "run": msgspec.to_builtins(self.run),
            "last_step": self.last_step,
            "open": list(self.open),
            "cordoned": list(self.cordoned),
            "without_path": list(self.without_path),
        }


def left_behind(journal: Journal, site: str, number: int) -> LeftBehind:
    """What the lock for a run, and the run, have left. `Refused` if the site is not locked for it, and it has ended."""
    known, unfinished = holder(journal, site), journal.unfinished(site)
    if known is None and (unfinished is None or unfinished.id != number):
        raise refusal(codes.NO_RUN, f"{site} is not locked", "`fabric plan` shows where the devices stand")
    run = journal.run(site, number)
    if known is not None and known.run not in (None, run.id):
        raise refusal(codes.NO_RUN, f"{site} is not locked by run {number}: {known}", f"name run {known.run}")
    steps = journal.steps(run.id)
    open_ = tuple(_where(step) for step in steps if step.state.is_open)
    waves = [wave for of in journal.cordoned_by_run(site).values() for wave in of.values()]
    cordoned = dict.fromkeys(name for wave in waves if not wave.is_over for name in wave.devices)
    hosts = dict.fromkeys(host for wave in waves if wave.is_over for host in wave.hosts)
    return LeftBehind(
        site=site,
        holder=known,
        run=run,
        last_step=_last(journal, run),
        open=open_,
        cordoned=tuple(cordoned),
        without_path=tuple(hosts),
    )


def give_up(journal: Journal, left: LeftBehind) -> None:
    """End a run that did not finish, as it is: nothing is confirmed or taken back, and no device is asked.

    Whoever plans next asks the devices that it has left open first. `Refused` if somebody has taken it over meanwhile.
    """
    journal.take_over(left.site, left.run.id, person())
    journal.remark(left.run.id, "given up", person())
    journal.finish(left.run.id, INTERRUPTED)


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
