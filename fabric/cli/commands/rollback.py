"""`fabric rollback`: take back an apply."""

from __future__ import annotations

import click

from fabric import api
from fabric.cli.command import command
from fabric.cli.commands.apply import finish, seconds
from fabric.cli.online import asked, declined, jobs_option, teller, workplace
from fabric.cli.opening import opened, placed
from fabric.cli.output import Output
from fabric.cli.settings import current
from fabric.deployment import Pace


@command(
    "rollback", examples=("fabric rollback", "fabric rollback 12 --yes", "fabric rollback --sandbox --yes")
)
@click.argument("number", required=False, type=click.IntRange(1), metavar="[RUN]")
@click.option(
    "--timer", default="300s", metavar="TIME", help="Each device reverts by itself after this. Default: 300s."
)
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--sandbox", is_flag=True, help="Change the devices of the running sandbox.")
@jobs_option
def run(*, number: int | None, timer: str, yes: bool, sandbox: bool, jobs: int) -> int:
    """Put devices back to what they ran before an apply.

    RUN is the number that `fabric apply` printed; the last run by default. It is refused if a device has
    changed since.
    """
    pace = Pace(revert_in_s=seconds(timer))
    output, site = Output(), opened(current().site)
    place = workplace(site, sandbox=sandbox, jobs=jobs)
    place.journal().run(
        site.intent.site.site, number
    )  # refused here if there is none, before anybody is asked
    which = f"run {number}" if number else "the last run"
    if not yes and not asked(f"This takes back {which}. "):
        return declined(output)
    with placed(site.intent.sources):
        result = api.rollback(site.compiled, place, number, pace=pace, on_event=teller(output))
    return finish(result, output, site.intent.sources, sandbox=sandbox)
