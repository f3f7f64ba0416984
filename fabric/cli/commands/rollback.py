"""`fabric rollback`: take back an apply."""

from __future__ import annotations

import click

from fabric import api
from fabric.api import open_site
from fabric.cli.command_classes import command
from fabric.cli.commands.apply import finish, pace_of, seconds
from fabric.cli.common_options import current
from fabric.cli.in_order import in_order
from fabric.cli.online_commands import asked, declined, event_printer, jobs_option
from fabric.cli.printing.command_output import Output
from fabric.cli.where import Where, where_option
from fabric.deployment import run_to_take_back
from fabric.documents.places import placed


@command(
    "rollback", examples=("fabric rollback", "fabric rollback 12 --yes", "fabric rollback --sandbox --yes")
)
@click.argument("number", required=False, type=click.IntRange(1), metavar="[RUN]")
@click.option(
    "--timer", default="300s", metavar="TIME", help="Each device reverts by itself after this. Default: 300s."
)
@click.option("--yes", is_flag=True, help="Do not ask.")
@where_option("Change")
@jobs_option
def run(*, number: int | None, timer: str, yes: bool, where: Where, jobs: int) -> int:
    """Put devices back to what they ran before an apply.

    RUN is the number that `fabric apply` printed; by default the last run that changed something, or the one that a
    rollback before was to take back, if that has failed. It is refused if a device has changed since.
    """
    timer_s = seconds(timer)
    output = Output()
    site, place = where.opened(open_site(current().site), jobs)
    pace = pace_of(site.intent.site.deployment.gate, timer_s)
    # Refused here if there is none, before anybody is asked.
    run = run_to_take_back(place.journal(), site.intent.site.site, number)
    which = f"run {run.id} ({run.kind} by {run.owner}, {run.started}: {run.state})"
    if not yes and not asked(f"This takes back {which}. "):
        return declined(output)
    ending = in_order(output, place.journal(), site.intent.site.site, where=where)
    with placed(site.intent.sources), ending:
        result = api.rollback(site, place, run.id, pace=pace, on_event=event_printer(output))
    return finish(result, output, site.intent.sources, where=where)
