"""`fabric unlock`: take away the lock that a dead run has left, or end a run that nobody goes on with."""

from __future__ import annotations

from collections.abc import Iterator

import click

from fabric import deployment
from fabric.cli.command_classes import command
from fabric.cli.commands.history import state_of
from fabric.cli.common_options import current
from fabric.cli.journal_of_site import site_journal
from fabric.cli.online_commands import asked, declined
from fabric.cli.printing.command_output import Output
from fabric.cli.printing.styled_lines import BOLD, PLAIN, Line
from fabric.cli.run import ERROR, OK
from fabric.cli.where import Where, where_option
from fabric.deployment.journal_store.journal import Journal
from fabric.deployment.moments import age
from fabric.deployment.refusal_message import named
from fabric.deployment.unlock import LeftBehind

LIVES = {
    "alive": "running",
    "dead": "not running any more",
    "unknown": "runs, or ran, where this machine cannot look",
}


@command("unlock", examples=("fabric unlock 12", "fabric unlock 12 --yes"))
@click.argument("number", required=True, type=click.IntRange(1), metavar="RUN")
@click.option("--yes", is_flag=True, help="Do not ask.")
@where_option("The lock of", asks=False)
def run(*, number: int, yes: bool, where: Where) -> int:
    """Take away the lock that a dead run has left.

    RUN is the number that the refusal named. It shows who holds the lock, where and since when, and what the run has
    left open on devices. It refuses while the owner's process runs on this machine. No device is asked or changed:
    `fabric apply --resume` or `fabric rollback` does that afterwards. Where nobody holds the lock, and the run did not
    finish, it gives the run up: for when neither of them can go on, as somebody has changed a device since. What it has
    left open goes back by its timers, and the next plan asks what became of it. The intent is not read: it may have
    errors.
    """
    output = Output()
    name, journal = site_journal(current().site, where)
    left = deployment.left_behind(journal, name, number)
    if output.is_text:
        output.lines(_lines(left))
    else:
        output.document({"site": name, **left.record()})
    left.check()
    if left.holder is None:
        return _give_up(left, journal, output, yes=yes)
    if not yes and not asked("Take the lock away? Be sure that the process is gone. "):
        return declined(output)
    if not deployment.break_lock(journal, name, left.holder):
        output.summary(f"the lock of run {number} is not there any more: somebody else took it meanwhile")
        return ERROR
    output.summary(f"{name} is unlocked")
    output.next(_next(left))
    return OK


def _give_up(left: LeftBehind, journal: Journal, output: Output, *, yes: bool) -> int:
    """End a run whose lock is free."""
    if not yes and not asked("Give the run up? Nothing of it is taken back, and nobody can go on with it. "):
        return declined(output)
    deployment.give_up(journal, left)
    output.summary(f"run {left.run.id} is given up")
    output.next("Run `fabric plan`: it asks the devices first what they run.")
    return OK


def _lines(left: LeftBehind) -> Iterator[Line]:
    holder, record = left.holder, left.run
    rows = [("owner", record.owner), ("locked", "no: the run did not finish, and nobody goes on with it")]
    if holder is not None:
        rows = [
            ("owner", holder.owner),
            ("host", holder.machine),
            ("process", f"{holder.process}, {LIVES[holder.life]}"),
            ("locked", f"{holder.since} ({age(holder.since)})"),
        ]
    state = state_of(record, is_alive=holder is not None)
    rows += [
        ("run", f"{record.id}, {record.kind}, begun {record.started}: {state}"),
        ("last step", left.last_step),
    ]
    for label, value in rows:
        yield ((f"{label:<10}", BOLD), (value, PLAIN))
    for device in left.open:
        yield (("open      ", BOLD), (device, PLAIN))
    if not left.open:
        yield (
            ("open      ", BOLD),
            ("no device has a commit of this run that waits, as far as was written down", PLAIN),
        )
    if left.cordoned:
        hosts = f"the hosts behind {named(left.cordoned)}: they are still out of service"
        yield (("cordoned  ", BOLD), (hosts, PLAIN))
    if left.without_path:
        hosts = f"{named(left.without_path)}: out of service since a wave left them without a path"
        yield (("cordoned  ", BOLD), (hosts, PLAIN))


def _next(left: LeftBehind) -> str:
    if left.run.has_touched_nothing:
        return "The run had touched nothing. Run `fabric plan`."
    if left.run.finished is not None:
        return "The run had ended, and hosts were to come back. Run `fabric plan`, then `fabric apply`."
    number = left.run.id
    return f"Run `fabric apply --resume` to go on with run {number}, or `fabric rollback {number}` to take it back."
