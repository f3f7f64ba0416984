"""`fabric history`: who changed what, when, and how it ended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import click

from fabric.api import open_site
from fabric.cli.command_classes import command
from fabric.cli.common_options import current
from fabric.cli.known_names import complete_device
from fabric.cli.printing.command_output import Output
from fabric.cli.printing.tables import Column, Row, Table, total
from fabric.cli.where import Where, where_option
from fabric.deployment import Journal
from fabric.deployment.jobs import State
from fabric.deployment.journal_store.journal_records import Run, Step

SHORT_COMMIT = 10
"""Letters of a commit that tell it from others."""


@command(
    "history",
    examples=(
        "fabric history",
        "fabric history 12",
        "fabric history --device leaf-0-0",
        "fabric history --format json",
    ),
)
@click.argument("number", required=False, type=click.IntRange(1), metavar="[RUN]")
@click.option(
    "--device", metavar="NAME", shell_complete=complete_device, help="The runs that changed this device."
)
@where_option("The history of")
def run(*, number: int | None, device: str | None, where: Where) -> None:
    """Show who changed what, when, and how it ended.

    Without a number all runs, the last one first. Of a RUN each device: its wave, what changed with which impact, and
    how it ended. The commit is that of the site's folder, with a `+` if files differed from it.
    """
    if number is not None and device is not None:
        message = "name a run or a device"
        raise click.UsageError(message)
    output = Output()
    site, place = where.opened(open_site(current().site))
    name, journal = site.intent.site.site, place.journal()
    if number is not None:
        record = journal.run(name, number)
        table, head = _steps(journal.steps(record.id)), _about(record)
        if output.is_text:
            output.line(", ".join(f"{key} {value}" for key, value in head.items() if value))
    else:
        table, head = _runs(journal, journal.runs(name), device), {"device": device} if device else {}
    output.tables([table], {"site": name, **head})
    output.summary(total([table]))


def _about(record: Run) -> dict[str, object]:
    return {
        "run": record.id,
        "kind": record.kind,
        "owner": record.owner,
        "started": record.started,
        "finished": record.finished,
        "state": record.state,
        "commit": _commit(record),
        "takes_back": record.takes_back,
    }


def _commit(record: Run) -> str | None:
    if not record.revision:
        return None
    return record.revision[:SHORT_COMMIT] + ("+" if record.is_modified else "")


def _runs(journal: Journal, records: Iterable[Run], device: str | None) -> Table:
    def rows() -> Iterator[Row]:
        for record in records:
            steps = journal.steps(record.id)
            if device is not None and not (steps := tuple(s for s in steps if s.job.device == device)):
                continue
            confirmed = sum(step.state is State.CONFIRMED for step in steps)
            what = _what(steps)
            kind = record.kind if record.takes_back is None else f"{record.kind} of {record.takes_back}"
            shown = f"{confirmed:,} of {len(steps):,}"
            yield record.id, record.started, record.owner, kind, _commit(record), shown, what, record.state

    columns = (
        Column(key="run", heading="RUN", right=True),
        Column(key="started", heading="STARTED", rank=2),
        Column(key="owner", heading="OWNER"),
        Column(key="kind", heading="KIND"),
        Column(key="commit", heading="COMMIT", rank=3),
        Column(key="confirmed", heading="DEVICES", rank=1),
        Column(key="changed", heading="CHANGED", wraps=True, rank=4),
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
    return most if len(counts) == 1 else f"{most} (and {len(counts) - 1} other changes)"


def _steps(steps: tuple[Step, ...]) -> Table:
    def rows() -> Iterator[Row]:
        for step in steps:
            job = step.job
            yield job.device, job.wave, job.impact.value, job.summary, step.state.value, step.reason

    columns = (
        Column(key="device", heading="DEVICE"),
        Column(key="wave", heading="WAVE", right=True),
        Column(key="impact", heading="IMPACT", rank=1),
        Column(key="changed", heading="CHANGED", wraps=True, rank=2),
        Column(key="state", heading="STATE"),
        Column(key="reason", heading="REASON", wraps=True, rank=3),
    )
    return Table(name="devices", columns=columns, rows=rows, noun=("device", "devices"))
