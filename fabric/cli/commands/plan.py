"""`fabric plan`: what would change on the network."""

from __future__ import annotations

import shlex
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click
import msgspec

from fabric import api, planning
from fabric.api import Compiled, open_site
from fabric.cli.command_classes import command
from fabric.cli.commands.drift import show_drift
from fabric.cli.common_options import ExistingPath, current
from fabric.cli.known_names import complete_device, known_device, target_option
from fabric.cli.online_commands import jobs_option, observing, skip_option
from fabric.cli.printing.command_output import Output
from fabric.cli.printing.findings import print_text, shown
from fabric.cli.printing.warnings import warn
from fabric.cli.run import CHANGES, ERROR, OK
from fabric.cli.views.left_out_of_service import tell_who_is_left
from fabric.cli.views.plan import counts, plan_lines, plan_record
from fabric.cli.where import Where, where_option
from fabric.deployment import Workplace
from fabric.deployment.codes import ADOPTS, NEEDS_ADOPT
from fabric.deployment.interruptions import interruptible
from fabric.deployment.permissions import needed, typed
from fabric.diagnostics import Refused
from fabric.documents.places import placed
from fabric.intent.accepted_findings import open_findings
from fabric.resources import private_files, scratch
from fabric.workers import processors

DEFAULT = "plan"
"""Where a plan is saved, in the scratch folder of the site, if nothing else is said."""


@command(
    "plan",
    examples=(
        "fabric plan --offline backups",
        "fabric plan --sandbox --adopt",
        "fabric plan --out plan-42",
        "fabric plan --offline backups --target rail:3 --target 'role:spine'",
        "fabric plan --offline backups --format json",
        'fabric plan --offline backups --format markdown >> "$GITHUB_STEP_SUMMARY"',
    ),
    formats=("text", "json", "markdown"),
)
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR", help="Save the plan here. Default: .fabric/plan."
)
@click.option(
    "--offline",
    type=ExistingPath(file_okay=False, path_type=Path),
    metavar="CONFIGS",
    help="Plan against a folder of saved configurations; no device is asked (for pull requests).",
)
@click.option("--adopt", is_flag=True, help="Allow a first apply to devices that run what we did not write.")
@click.option(
    "--rotate-secrets",
    is_flag=True,
    help="Push secrets that have changed in their source. Devices encode a secret anew each time, so no difference "
    "says that it is another: without this option such a device keeps those that it runs, whatever else changes there.",
)
@click.option(
    "--refresh-only",
    is_flag=True,
    help="Plan nothing: show what somebody has changed on the devices since the last apply, as `fabric drift` does.",
)
@click.option(
    "--record",
    is_flag=True,
    help="With --refresh-only: write into the journal what runs now, so that it counts as known. No device is changed.",
)
@skip_option
@where_option()
@click.option(
    "--device",
    "only",
    multiple=True,
    metavar="NAME",
    shell_complete=complete_device,
    help="Only this device; may be repeated.",
)
@target_option()
@jobs_option
def run(
    *,
    out: Path | None,
    where: Where,
    jobs: int,
    only: tuple[str, ...],
    target: tuple[str, ...],
    refresh_only: bool,
    record: bool,
    **options: Any,
) -> int:
    """Show what would change on the network, and save it.

    The exit code is 0 if there is nothing to do, 2 if there are changes, 1 on any error: a device that does
    not answer is one. `markdown` is for comments on pull requests: at most 65,000 bytes, groups folded.
    """
    if record and not refresh_only:
        message = "--record goes with --refresh-only"
        raise click.UsageError(message)
    if refresh_only:
        return _refresh(where, jobs, {"out": out, "device": only, "target": target, **options}, record=record)
    output, settings = Output(), current()
    site, place = where.opened(open_site(settings.site, min(jobs, processors())), jobs)
    for name in only:
        known_device(site, name)
    warn(site.diagnostics, site.intent)
    with placed(site.intent.sources), interruptible():
        chosen = {*only, *api.targeted(site, target)}
        total = len(chosen) or len(site.artifacts)
        with observing(total, settings) as on_event:
            plan, texts = api.plan(site, place, only=chosen, on_event=on_event, **options)
    folder = out or scratch(site.folder) / DEFAULT
    with private_files() if out is None else nullcontext():
        planning.save(plan, texts, folder)
    api.remember(site.artifacts, site.folder)
    _print(plan, texts, folder, site, output)
    output.summary(counts(plan))
    if place.has_journal:
        tell_who_is_left(output, place.journal(), plan.site)
    if any(finding.is_error for finding in plan.diagnostics):
        output.next("The plan has errors and will not be applied as it is.")
        return ERROR
    if not plan.changed and ADOPTS.code not in {finding.code for finding in plan.diagnostics}:
        return OK
    again = _again(out=out, device=only, target=target, **options)
    output.next(_refusal(plan, site, place, again) or _application(plan, folder))
    return CHANGES


def _application(plan: planning.Plan, folder: Path) -> str:
    """The command that carries the plan out."""
    allowed = [typed(word) for word in needed(plan.changed)]
    what = "make these changes" if plan.changed else "record these devices as ours"
    return f"Run `fabric {' '.join(['apply', shlex.quote(str(folder)), *allowed])}` to {what}."


def _refusal(plan: planning.Plan, site: Compiled, place: Workplace, again: str) -> str:
    """What is to be done first, if that command would be refused; else empty. `again`: this plan with `--adopt`."""
    try:
        api.check_plan(plan, site, place, needed(plan.changed))
    except Refused as refused:
        if str(refused).startswith(f"{NEEDS_ADOPT.code}:"):
            return f"Run `{again}`, and read it: some of these devices were never applied before."
        return f"This plan cannot be applied as it is: {refused}."
    return ""


def _again(**given: Any) -> str:
    """The command that makes this plan with `--adopt`."""
    words = ["fabric plan --adopt"]
    for name, value in given.items():
        option = f"--{name.replace('_', '-')}"
        if value is True and name != "adopt":
            words.append(option)
        elif not isinstance(value, bool) and value is not None:
            values = value if isinstance(value, tuple) else (value,)
            words += [f"{option} {shlex.quote(str(one))}" for one in values]
    return " ".join(words)


def _refresh(where: Where, jobs: int, others: dict[str, Any], *, record: bool) -> int:
    """`--refresh-only`: what `fabric drift` shows."""
    skip = others.pop("skip_unreachable")
    given = [f"--{name.replace('_', '-')}" for name, value in others.items() if value]
    if current().format == "markdown":
        given.append("--format markdown")
    if given:
        message = f"--refresh-only plans nothing: it does not go with {', '.join(given)}"
        raise click.UsageError(message)
    return show_drift(where, jobs, skip_unreachable=skip, record=record)


def _print(plan: planning.Plan, texts: planning.Texts, target: Path, site: Compiled, output: Output) -> None:
    """The plan on stdout in the chosen format; its findings on stderr too, but none that somebody has accepted."""
    plan = msgspec.structs.replace(plan, diagnostics=open_findings(site.intent, plan.diagnostics))
    if output.settings.format == "markdown":
        from fabric.cli.views.plan_markdown import plan_markdown  # few runs need it

        output.raw(plan_markdown(plan, texts.__getitem__, site.intent.sources))
    elif output.is_text:
        output.lines(plan_lines(plan, texts.__getitem__, output.settings.verbose))
    else:
        output.document({**plan_record(plan, texts.__getitem__), "saved": str(target)})
    print_text(shown(plan.diagnostics, site.intent.sources), output.settings)
