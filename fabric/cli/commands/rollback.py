"""`fabric rollback`: take back an apply."""

from __future__ import annotations

import click

from fabric import api
from fabric.api import Compiled
from fabric.cli.command_classes import command
from fabric.cli.commands.apply import allow_option, pace_of, pace_options, seconds
from fabric.cli.commands.history import state_of
from fabric.cli.common_options import current
from fabric.cli.in_order import in_order
from fabric.cli.online_commands import asked, declined, event_printer, jobs_option, write_json_line
from fabric.cli.printing.command_output import Output
from fabric.cli.printing.findings import print_text, shown
from fabric.cli.printing.styled_lines import BOLD
from fabric.cli.run import CHANGES, ERROR, OK
from fabric.cli.site_of_run import site_to_take_back
from fabric.cli.views.end_of_run import finish, named_runs
from fabric.cli.views.plan import counts, plan_lines, plan_record
from fabric.cli.where import Where, where_option
from fabric.deployment import PlannedRollback, run_to_take_back
from fabric.deployment.interruptions import interruptible
from fabric.deployment.permissions import check_allowed, check_words, needed, typed
from fabric.deployment.refusal_message import named
from fabric.documents.places import placed
from fabric.intent.accepted_findings import open_findings


@command(
    "rollback",
    examples=(
        "fabric rollback",
        "fabric rollback --dry-run",
        "fabric rollback 12 --yes --allow isolating:leaf-0-0",
        "fabric rollback --sandbox --yes",
    ),
)
@click.argument("number", required=False, type=click.IntRange(1), metavar="[RUN]")
@click.option("--dry-run", is_flag=True, help="Show the plan, and change nothing.")
@allow_option
@click.option(
    "--timer", default="300s", metavar="TIME", help="Each device reverts by itself after this. Default: 300s."
)
@pace_options
@click.option("--yes", is_flag=True, help="Do not ask.")
@where_option("Change")
@jobs_option
def run(
    *,
    number: int | None,
    dry_run: bool,
    allow: tuple[str, ...],
    timer: str,
    max_parallel: int | None,
    now_reason: str,
    yes: bool,
    where: Where,
    jobs: int,
) -> int:
    """Put devices back to what they ran before an apply.

    RUN is the number that `fabric apply` printed; by default the last run that changed something, or the one that a
    rollback before was to take back, if that has failed. It is a plan like any other: shown before it is asked for,
    with its impact and waves. It is refused, before the first device is touched, if one does not answer, has changed
    since, or does not accept what it ran before. With `--dry-run` the exit code is 2 if anything is to be changed or
    taken back. If the site has errors, or devices of the run are in it no more, it is read as it was in the git commit
    that the last run was made from; it is refused where that run was made from other files.
    """
    timer_s = seconds(timer)
    output = Output()
    site, place = where.opened(site_to_take_back(current().site, where, number, output), jobs)
    pace = pace_of(site.intent.site.deployment, timer_s, max_parallel)
    run_to_take_back(place.journal(), site.intent.site.site, number)  # refused here, before credentials are
    with placed(site.intent.sources), interruptible():
        planned = api.plan_rollback(site, place, number)
    check_words(allow, (device.device for device in planned.plan.devices))
    printer = event_printer(output) if not dry_run else None
    _show(planned, site, output, is_stream=not dry_run)
    if printer is None:
        return _finish_dry_run(planned, allow, output)
    check_allowed(planned.plan, allow)  # refused before anybody is asked
    if planned.plan.changed:
        api.check_window(site, now_reason)
        place.journal().check_writable()
    if not yes and not asked(f"This takes back {_which(planned)}. "):
        return declined(output)
    ending = in_order(output, place.journal(), site.intent.site.site)
    with placed(site.intent.sources), ending:
        result = api.rollback(
            site, place, planned, allow=allow, pace=pace, now_reason=now_reason, on_event=printer
        )
    if planned.unconfirmed and result.outcome == "nothing" and output.is_text:
        output.summary(
            f"{named(planned.unconfirmed)}: what was unconfirmed is taken back, nothing else was to do"
        )
        return OK
    return finish(result, output, site.intent.sources, before=planned.before)


def _which(planned: PlannedRollback) -> str:
    run = planned.run
    return f"run {run.id} ({run.kind} by {run.owner}, {run.started}: {state_of(run, is_alive=False)})"


def _show(planned: PlannedRollback, site: Compiled, output: Output, *, is_stream: bool) -> None:
    """What would change, as a plan shows it."""
    plan, texts = planned.plan, planned.texts
    if output.is_text:
        output.line(f"Takes back {_which(planned)}", **BOLD)
        if planned.before:
            output.line(
                f"It was one phase of a change: what {named_runs(planned.before)} did before stays", **BOLD
            )
        if planned.unconfirmed and plan.changed:
            output.line(f"What is unconfirmed on {named(planned.unconfirmed)} is taken back first")
        output.lines(
            plan_lines(plan, texts.__getitem__, output.settings.verbose, if_nothing=planned.without_changes)
        )
    else:
        record = {
            "takes_back": planned.run.id,
            "unconfirmed": list(planned.unconfirmed),
            **plan_record(plan, texts.__getitem__),
        }
        if is_stream:
            write_json_line({"type": "plan", **record})
        else:
            output.document(record)
    findings = open_findings(site.intent, plan.diagnostics)
    print_text(shown(findings, site.intent.sources), output.settings)


def _finish_dry_run(planned: PlannedRollback, allow: tuple[str, ...], output: Output) -> int:
    """The end of a dry run."""
    plan, waits = planned.plan, bool(planned.unconfirmed)
    if plan.devices or not waits:
        output.summary(counts(plan))
    if any(finding.is_error for finding in plan.diagnostics):
        output.next("The plan has errors and will not be carried out as it is.")
        return ERROR
    if not plan.changed and not waits:
        return OK
    allowed = (typed(word) for word in (*allow, *needed(plan.changed, allow)))
    words = [f"rollback {planned.run.id}", *allowed]
    what = "make these changes" if plan.changed else "take it back"
    output.next(f"Run `fabric {' '.join(words)}` to {what}.")
    return CHANGES
