"""`fabric plan`: what would change on the network."""

from __future__ import annotations

from pathlib import Path

import click

from fabric import api, planning
from fabric.cli.command import command
from fabric.cli.findings import print_text
from fabric.cli.online import observing, workplace
from fabric.cli.opening import Opened, complete_device, folder_of, opened, placed
from fabric.cli.output import Output
from fabric.cli.run import CHANGES, ERROR, OK
from fabric.cli.settings import current
from fabric.cli.views.plan import counts, plan_lines, plan_record
from fabric.cli.warnings import warn
from fabric.documents.printing import found

DEFAULT = Path(".fabric") / "plan"
"""Where a plan is saved, below the site, if nothing else is said."""


@command(
    "plan",
    examples=(
        "fabric plan --offline backups",
        "fabric plan --sandbox --adopt",
        "fabric plan --out plan-42",
        "fabric plan --offline backups --format json",
    ),
)
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR", help="Save the plan here. Default: .fabric/plan."
)
@click.option(
    "--offline",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="CONFIGS",
    help="Plan against a folder of saved configurations; no device is asked (for pull requests).",
)
@click.option("--adopt", is_flag=True, help="Allow a first apply to devices that run what we did not write.")
@click.option("--sandbox", is_flag=True, help="Ask the devices of the running sandbox.")
@click.option(
    "--device",
    "only",
    multiple=True,
    metavar="NAME",
    shell_complete=complete_device,
    help="Only this device; may be repeated.",
)
def run(*, out: Path | None, offline: Path | None, adopt: bool, sandbox: bool, only: tuple[str, ...]) -> int:
    """Show what would change on the network, and save it.

    The exit code is 0 if there is nothing to do, 2 if there are changes, 1 on any error.
    """
    output, settings = Output(), current()
    site = opened(settings.site)
    for name in only:
        site.device(name)
    warn(site.findings, site.intent.sources)
    with placed(site.intent.sources):
        plan, texts = _made(site, offline, only, adopt=adopt, sandbox=sandbox)
    target = out or folder_of(site.path) / DEFAULT
    planning.save(plan, texts, target)
    api.remember(site.artifacts, folder_of(site.path))
    if output.is_text:
        output.lines(plan_lines(plan, texts.__getitem__, settings.verbose))
    else:
        output.document({**plan_record(plan, texts.__getitem__), "saved": str(target)})
    print_text(found(plan.diagnostics, site.intent.sources), settings)
    output.summary(counts(plan))
    if any(finding.is_error for finding in plan.diagnostics):
        output.next("The plan has errors and will not be applied as it is.")
        return ERROR
    if not plan.changed:
        return OK
    output.next(f"Run `fabric apply {target}{' --sandbox' if sandbox else ''}` to make these changes.")
    return CHANGES


def _made(
    site: Opened, offline: Path | None, only: tuple[str, ...], *, adopt: bool, sandbox: bool
) -> tuple[planning.Plan, planning.Texts]:
    place, total = workplace(site, sandbox=sandbox), len(only) or len(site.artifacts)
    with observing(total, current()) as on_event:
        return api.plan(site.compiled, place, offline=offline, adopt=adopt, only=only, on_event=on_event)
