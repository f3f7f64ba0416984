"""`fabric apply`: make exactly the changes of a saved plan, or plan and apply until nothing is left."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec
from click.core import ParameterSource

from fabric import api, planning
from fabric.api import Compiled, open_site
from fabric.cli.command_classes import Body, command
from fabric.cli.common_options import ExistingPath, current, whole_seconds
from fabric.cli.in_order import in_order
from fabric.cli.known_names import target_option
from fabric.cli.online_commands import (
    asked,
    declined,
    event_printer,
    jobs_option,
)
from fabric.cli.printing.command_output import Output
from fabric.cli.printing.findings import print_findings
from fabric.cli.run import CHANGES, ERROR, OK
from fabric.cli.views.blast_radius import blast_radius
from fabric.cli.views.end_of_run import finish
from fabric.cli.views.plan import plan_lines, plan_summary
from fabric.cli.where import Where, where_option
from fabric.deployment import Pace, Result, Workplace, check_unfinished, earlier_phases
from fabric.deployment.interruptions import interruptible
from fabric.deployment.permissions import check_words
from fabric.diagnostics import Refused
from fabric.documents.places import placed
from fabric.intent.accepted_findings import open_findings
from fabric.intent.model import Deployment
from fabric.resources import private_files, scratch


def _reason(context: click.Context, parameter: click.Parameter, given: str) -> str:
    """What the journal is to keep. A reason that says nothing is none."""
    if not given.strip() and context.get_parameter_source(str(parameter.name)) is ParameterSource.COMMANDLINE:
        message = "--now needs a reason: the journal keeps it"
        raise click.UsageError(message)
    return given.strip()


def pace_options(body: Body) -> Body:
    """`--max-parallel` and `--now`, of the commands that change devices."""
    body = click.option(
        "--now",
        "now_reason",
        default="",
        metavar="REASON",
        callback=_reason,
        help="Begin outside the maintenance windows of the intent; the journal keeps the reason.",
    )(body)
    return click.option(
        "--max-parallel",
        type=click.IntRange(1),
        default=None,
        metavar="N",
        help="Change at most N devices before they are gated and confirmed: a wider wave goes in steps.",
    )(body)


def allow_option(body: Body) -> Body:
    """`--allow`, of the commands that change devices."""
    return click.option(
        "--allow",
        multiple=True,
        metavar="IMPACT[:NAME]",
        help="Allow `isolating`, or `isolating:NAME` and `lockout:NAME` for devices; `*` matches; may be repeated.",
    )(body)


@command(
    "apply",
    examples=(
        "fabric apply .fabric/plan",
        "fabric apply",
        "fabric apply plan-42 --yes --timer 10min",
        "fabric apply .fabric/plan --sandbox --yes --format json",
        "fabric apply .fabric/plan --target plane:0",
        "fabric apply --resume",
    ),
)
@click.argument("plan", required=False, type=ExistingPath(file_okay=False, path_type=Path))
@click.option("--resume", is_flag=True, help="Go on with an apply that was killed; no plan is named.")
@allow_option
@click.option(
    "--timer", default="300s", metavar="TIME", help="Each device reverts by itself after this. Default: 300s."
)
@pace_options
@click.option("--yes", is_flag=True, help="Do not ask.")
@where_option("Change")
@target_option()
@jobs_option
def run(
    *,
    plan: Path | None,
    resume: bool,
    allow: tuple[str, ...],
    timer: str,
    max_parallel: int | None,
    yes: bool,
    where: Where,
    jobs: int,
    **options: Any,
) -> int:
    """Make exactly the changes of a saved plan.

    With `--target` only the chosen devices of the plan are changed.
    A saved plan is refused if the intent, the program or a device has changed since. What it touches is shown
    before it is asked for. Without a saved plan, `apply` plans and applies until nothing is left; each plan is shown
    and asked for: links whose two ends change together take several. With `--format json` every event is one JSON
    object a line.

    `--resume` is refused if the intent has changed since the run was planned; with `--yes` it goes on as planned. Waves
    that take the last path that is left by now want their `--allow` again.
    """
    if resume and plan is not None:
        message = "--resume goes on with the run that was killed: it takes no plan"
        raise click.UsageError(message)
    if resume and options["target"]:
        message = "--resume goes on with the whole run: it takes no --target"
        raise click.UsageError(message)
    timer_s = seconds(timer)
    output = Output()
    site, place = where.opened(open_site(current().site), jobs)
    pace = pace_of(site.intent.site.deployment, timer_s, max_parallel)
    applying = _Applying(output, site, place, pace, allow, options, yes)
    if plan is not None:
        return applying.saved(plan)
    return applying.resumed() if resume else applying.plan_by_plan()


class _Applying(msgspec.Struct, frozen=True):
    """What all plans of one command share."""

    output: Output
    site: Compiled
    place: Workplace
    pace: Pace
    allow: tuple[str, ...]
    options: dict[str, Any]
    yes: bool

    def saved(self, folder: Path, *, goes_on: bool = False) -> int:
        """Make the changes of a saved plan, if somebody says yes; `goes_on`: this command plans the next phase."""
        plan = _chosen(folder, self.site, self.options["target"])
        self._check(plan)  # refused before anybody is asked
        if not confirmed(plan, self.pace, self.output, yes=self.yes):
            return declined(self.output)
        ending = in_order(self.output, self.place.journal(), self.site.intent.site.site)
        with placed(self.site.intent.sources), ending:
            result = api.apply(
                folder,
                self.site,
                self.place,
                allow=self.allow,
                pace=self.pace,
                on_event=event_printer(self.output),
                **self.options,
            )
        return finish(
            result,
            self.output,
            self.site.intent.sources,
            before=self._earlier(result),
            next_phase=_next_phase(plan, goes_on=goes_on),
        )

    def resumed(self) -> int:
        """Go on with the run that was killed, or stopped where its window closed."""
        journal, name = self.place.journal(), self.site.intent.site.site
        check_words(self.allow, (step.job.device for step in journal.steps(journal.run(name).id)))
        ending = in_order(self.output, journal, name)
        with placed(self.site.intent.sources), ending:
            result = api.resume(
                self.site,
                self.place,
                allow=self.allow,
                pace=self.pace,
                now_reason=self.options["now_reason"],
                as_planned=self.yes,
                on_event=event_printer(self.output),
            )
        return finish(result, self.output, self.site.intent.sources)

    def _earlier(self, result: Result) -> tuple[int, ...]:
        """The runs that made earlier phases of the same change."""
        if result.run is None:
            return ()
        journal = self.place.journal()
        return earlier_phases(journal, journal.run(self.site.intent.site.site, result.run))

    def plan_by_plan(self) -> int:
        """Plan and apply until nothing is left: each plan is shown, asked for, and a run of its own."""
        is_later = False
        while True:
            plan, texts, folder = self._planned()
            has_errors = any(finding.is_error for finding in plan.diagnostics)
            if is_later and plan.changed and not self._is_window_open():
                self.output.next(
                    "No window is open any more: run `fabric apply` in the next one to do the rest."
                )
                return CHANGES
            if plan.changed and not has_errors:
                self._refused_before_it_is_shown(plan)
            self._show(plan, texts)
            if has_errors:
                self.output.next("The plan has errors and is not applied.")
                return ERROR
            check_words(self.allow, (device.device for device in plan.devices))
            if not (plan.changed or self._owes_hosts()):
                return OK
            code = self.saved(folder, goes_on=plan.phases_left > 0)
            if code != OK or not plan.phases_left:
                return code
            is_later = True

    def _owes_hosts(self) -> bool:
        """Whether runs have left hosts out of service: applying a plan without changes brings back whom it can."""
        return bool(self.place.journal().cordoned_by_run(self.site.intent.site.site))

    def _is_window_open(self) -> bool:
        try:
            api.check_window(self.site, self.options["now_reason"])
        except Refused:
            return False
        return True

    def _planned(self) -> tuple[planning.Plan, planning.Texts, Path]:
        """The next plan, as it is saved."""
        target = self.options["target"]
        with placed(self.site.intent.sources), interruptible():
            plan, texts = api.plan(self.site, self.place, only=api.targeted(self.site, target))
        folder = scratch(self.site.folder) / "plan"
        with private_files():
            planning.save(plan, texts, folder)
        return plan, texts, folder

    def _refused_before_it_is_shown(self, plan: planning.Plan) -> None:
        """`Refused` as the apply of the plan would be; a summary of the plan is printed first.

        The whole plan would scroll away, and what it is refused for would be looked for in it.
        """
        try:
            self._check(plan)
        except Refused:
            if self.output.is_text and not self.output.settings.quiet:
                self.output.lines(plan_summary(plan))
            raise

    def _check(self, plan: planning.Plan) -> None:
        """`Refused` if an apply of the plan would be, as far as that is known now."""
        api.check_plan(plan, self.site, self.place, self.allow, self.pace)
        check_unfinished(self.place.journal(), plan.site)
        if plan.changed:
            api.check_window(self.site, self.options["now_reason"])
            self.place.journal().check_writable()

    def _show(self, plan: planning.Plan, texts: planning.Texts) -> None:
        """The whole plan with its findings."""
        if self.output.is_text and not self.output.settings.quiet:
            self.output.lines(plan_lines(plan, texts.__getitem__, self.output.settings.verbose))
        print_findings(
            open_findings(self.site.intent, plan.diagnostics), self.output.settings, self.site.intent.sources
        )


def _chosen(saved: Path, site: Compiled, target: tuple[str, ...]) -> planning.Plan:
    """The saved plan, of the devices that were chosen."""
    plan, devices = planning.load(saved)[0], api.targeted(site, target)
    return planning.narrowed(plan, devices) if devices else plan


def seconds(timer: str) -> int:
    """`300s`, `10min` in seconds."""
    return whole_seconds("--timer", timer)


def pace_of(wanted: Deployment, timer_s: int, max_parallel: int | None) -> Pace:
    """How fast and how carefully: by the intent, and what was asked for."""
    pace = Pace(
        revert_in_s=timer_s,
        gate_timeout_s=wanted.gate.settle_ms / 1000,
        soak_s=wanted.soak_ms / 1000,
    )
    return (
        pace if max_parallel is None else msgspec.structs.replace(pace, batch=min(max_parallel, pace.batch))
    )


def confirmed(plan: planning.Plan, pace: Pace, output: Output, *, yes: bool) -> bool:
    """Show what is touched, and ask."""
    if not plan.changed:
        return True
    if output.is_text and not output.settings.quiet:
        output.lines(blast_radius(plan, pace.revert_in_s, pace.batch))
    return yes or asked("")


def _next_phase(plan: planning.Plan, *, goes_on: bool) -> str:
    """What comes after one phase of several, up to the words on how to take it back; empty after the last one."""
    if not plan.phases_left:
        return ""
    return (
        "The next phase is planned now. Later, run "
        if goes_on
        else "Run `fabric plan` for the next phase, or "
    )
