"""`fabric history`: who changed what, when, and how it ended."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress

import click
import msgspec

from fabric import deployment
from fabric.api import open_site
from fabric.cli.command_classes import command
from fabric.cli.common_options import current
from fabric.cli.journal_of_site import site_journal
from fabric.cli.known_names import complete_device, known_device
from fabric.cli.printing.command_output import Output
from fabric.cli.printing.styled_lines import BOLD, Line, line
from fabric.cli.views.left_out_of_service import tell_who_is_left
from fabric.cli.views.plan import diff_lines
from fabric.cli.where import Where, where_option
from fabric.configuration import compare
from fabric.deployment import Journal
from fabric.deployment.jobs import State
from fabric.deployment.journal_store.cordoned_hosts import UNCORDONED
from fabric.deployment.journal_store.journal_records import CHECKING, RUNNING, Remark, Run, Step
from fabric.diagnostics import Invalid
from fabric.platforms.registry import platform
from fabric.tables.table import Column, Row, Table, total
from fabric.units import counted

SHORT_COMMIT = 10
"""Letters of a commit that tell it from others."""


@command(
    "history",
    examples=(
        "fabric history",
        "fabric history 12",
        "fabric history leaf-0-0 -v",
        "fabric history --format json",
    ),
)
@click.argument("which", required=False, metavar="[RUN|DEVICE]", shell_complete=complete_device)
@click.option("--device", metavar="NAME", shell_complete=complete_device, help="One whose name is a number.")
@where_option("The history of", asks=False)
def run(*, which: str | None, device: str | None, where: Where) -> None:
    """Show who changed what, when, and how it ended.

    Without a name all runs, the last one first. Of a RUN each device: its wave, what changed with which impact, and
    how it ended. Of a DEVICE each run that was to change it; with `-v` the lines too, secrets masked. The commit is
    that of the site's folder, with a `+` if files differed from it. The intent may have errors.
    """
    if which is not None and device is not None:
        message = "name a run or a device"
        raise click.UsageError(message)
    is_run = which is not None and which.isdecimal()
    number, device = (int(which or 0), None) if is_run else (None, which or device)
    output = Output()
    name, journal = site_journal(current().site, where)
    is_alive = deployment.under_way(journal, name) is not None
    if number is not None:
        record = journal.run(name, number)
        table = step_table(journal.steps(record.id), journal.held_back(record.id))
        head, remarks = _about(record, is_alive=is_alive), journal.remarks(record.id)
        if output.is_text:
            output.line(", ".join(f"{key} {value}" for key, value in head.items() if value))
            output.lines(_remark(remark) for remark in remarks)
        head["remarks"] = msgspec.to_builtins(remarks)
    elif device is not None:
        changes = list(_changes(journal, name, device))
        if not changes:
            with suppress(Invalid):  # an intent with errors keeps nobody from reading the history
                known_device(open_site(current().site), device)
        table, head = change_table(changes), {"device": device, **_diffs(journal, changes, output)}
    else:
        table, head = run_table(journal, journal.runs(name), is_alive=is_alive), {}
    output.tables([table], {"site": name, **head})
    if device is not None and output.is_text and output.settings.verbose:
        output.lines(_lines(journal, changes, output.settings.verbose))
    output.summary(total([table]))
    if device is None:
        tell_who_is_left(output, journal, name, number)


ABOUT = {
    "run": "Number of the run.",
    "kind": "What it was: an apply, a rollback, ...",
    "owner": "Who ran it.",
    "started": "When it began, UTC.",
    "finished": "When it ended, UTC; null while it is open.",
    "state": "How it ended, or where it is; `did not finish` if it was killed.",
    "commit": "Commit of the site's folder, with a `+` if files differed from it; null without git.",
    "takes_back": "The run that a rollback takes back; else null.",
    "remarks": "What was written down of all of it: why it began outside windows, who took it over, what refused it.",
}
"""What is printed of a run, by its key in JSON."""


def _about(record: Run, *, is_alive: bool) -> dict[str, object]:
    return {
        "run": record.id,
        "kind": record.kind,
        "owner": record.owner,
        "started": record.started,
        "finished": record.finished,
        "state": state_of(record, is_alive=is_alive),
        "commit": _commit(record),
        "takes_back": record.takes_back,
    }


def state_of(record: Run, *, is_alive: bool) -> str:
    """How a run ended; `is_alive`: if it has not, somebody is at work on it."""
    is_left = record.finished is None and record.state in (CHECKING, RUNNING) and not is_alive
    return "did not finish" if is_left else record.state


def _remark(remark: Remark) -> Line:
    wave = f", wave {remark.wave}" if remark.wave is not None else ""
    # It tells why hosts may still be cordoned.
    state = "cordon" if remark.state == UNCORDONED else remark.state
    return line(f"{remark.at}{wave}: {state}: {remark.reason}")


def _commit(record: Run) -> str | None:
    if not record.revision:
        return None
    return record.revision[:SHORT_COMMIT] + ("+" if record.is_modified else "")


def _changes(journal: Journal, site: str, device: str) -> Iterator[tuple[Run, Step]]:
    """Every run that was to change a device, the last one first, and its step there."""
    for record in journal.runs(site):
        yield from ((record, step) for step in journal.steps(record.id) if step.job.device == device)


def change_table(changes: Iterable[tuple[Run, Step]]) -> Table:
    """Every run that was to change a device, a row each."""

    def rows() -> Iterator[Row]:
        for record, step in changes:
            job = step.job
            what = (job.impact.value, job.summary, step.state.value, step.reason)
            yield record.id, record.started, record.owner, _kind(record), _commit(record), *what

    columns = (
        Column(key="run", heading="RUN", right=True),
        Column(key="started", heading="STARTED", rank=2),
        Column(key="owner", heading="OWNER"),
        Column(key="kind", heading="KIND"),
        Column(key="commit", heading="COMMIT", rank=3),
        Column(key="impact", heading="IMPACT", rank=1),
        Column(key="changed", heading="CHANGED", wraps=True, rank=4),
        Column(key="state", heading="STATE"),
        Column(key="reason", heading="REASON", wraps=True, rank=5),
    )
    return Table(name="changes", columns=columns, rows=rows, noun=("change", "changes"))


def _diffs(journal: Journal, changes: Iterable[tuple[Run, Step]], output: Output) -> dict[str, object]:
    """For machines, with `-v`: the lines of each run by its number."""
    if output.is_text or not output.settings.verbose:
        return {}
    return {"diffs": {str(record.id): _diff(journal, step) for record, step in changes}}


def _lines(journal: Journal, changes: Iterable[tuple[Run, Step]], verbose: int) -> Iterator[Line]:
    for record, step in changes:
        yield line()
        yield line(f"run {record.id}, {_kind(record)} by {record.owner}, {record.started}:", BOLD)
        yield from diff_lines(_diff(journal, step), "", verbose)


def _diff(journal: Journal, step: Step) -> str:
    """From what the device ran before to what it kept, both masked; empty where the run changed nothing there."""
    job = step.job
    if step.state is not State.CONFIRMED or not step.after:
        return ""
    dialect = platform(job.platform).dialect()
    return compare(
        dialect, job.device, journal.text(job.before), journal.text(step.after), labels=("before", "after")
    ).diff


def _kind(record: Run) -> str:
    return record.kind if record.takes_back is None else f"{record.kind} of {record.takes_back}"


def run_table(
    journal: Journal | None = None, records: Iterable[Run] = (), *, is_alive: bool = False
) -> Table:
    """Every run, a row each; `is_alive`: somebody is at work on the last one."""

    def rows() -> Iterator[Row]:
        for record in records:
            steps = journal.steps(record.id) if journal else ()
            confirmed = sum(step.state is State.CONFIRMED for step in steps)
            what = _what(steps)
            shown = f"{confirmed:,} of {len(steps):,}"
            yield (
                record.id,
                record.started,
                record.owner,
                _kind(record),
                _commit(record),
                shown,
                what,
                state_of(record, is_alive=is_alive),
            )

    columns = (
        Column(key="run", heading="RUN", right=True),
        Column(key="started", heading="STARTED", rank=2),
        Column(key="owner", heading="OWNER"),
        Column(key="kind", heading="KIND"),
        Column(key="commit", heading="COMMIT", rank=3),
        Column(key="confirmed", heading="DEVICES", rank=1),
        Column(key="changed", heading="CHANGED", wraps=True, rank=4, show=_shortened),
        Column(key="state", heading="STATE"),
    )
    return Table(name="runs", columns=columns, rows=rows, noun=("run", "runs"))


def _what(steps: Iterable[Step]) -> str:
    """What most of the devices changed, and how many kinds of it there were beside."""
    counts: dict[str, int] = {}
    for step in steps:
        counts[step.job.summary] = counts.get(step.job.summary, 0) + 1
    counts.pop("", None)
    if not counts:
        return ""
    most = max(sorted(counts), key=lambda text: counts[text])
    return most if len(counts) == 1 else f"{most} (and {counted(len(counts) - 1, 'other change')})"


def _shortened(what: str) -> str:
    """The first of several names, and how many more there are. Machines read all that the journal has."""
    names, found, rest = what.partition(" (and ")
    first, *more = names.split(", ")
    if not more:
        return what
    counted_already = re.search(r" and (\d+) more$", more[-1])
    left = len(more) + (int(counted_already[1]) if counted_already else 0)
    return f"{first} and {left:,} more{found}{rest}"


def step_table(steps: tuple[Step, ...], held_back: Mapping[int, str]) -> Table:
    """Every device of a run, a row each; `held_back`: why waves were not begun, by number."""

    def rows() -> Iterator[Row]:
        for step in steps:
            job = step.job
            why = step.reason
            if step.state is State.PLANNED:
                why = why or held_back.get(job.wave, "")
            yield job.device, job.wave, job.impact.value, job.summary, step.state.value, why

    columns = (
        Column(key="device", heading="DEVICE"),
        Column(key="wave", heading="WAVE", right=True),
        Column(key="impact", heading="IMPACT", rank=1),
        Column(key="changed", heading="CHANGED", wraps=True, rank=2),
        Column(key="state", heading="STATE"),
        Column(key="reason", heading="REASON", wraps=True, rank=3),
    )
    return Table(name="devices", columns=columns, rows=rows, noun=("device", "devices"))
