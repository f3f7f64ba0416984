"""What is checked before anything is touched."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from concurrent.futures import Executor

import msgspec

from fabric.deployment import codes
from fabric.deployment.between_waves.windows import check_window
from fabric.deployment.connection.parallel_devices import each
from fabric.deployment.connection.secrets import Secrets
from fabric.deployment.device_steps import Work, stands
from fabric.deployment.equal_errors import not_asked
from fabric.deployment.gates.site_commands import check_programs
from fabric.deployment.gates.timers import check_timer, check_watching
from fabric.deployment.jobs import Job
from fabric.deployment.journal_store.journal import Journal
from fabric.deployment.journal_store.journal_records import Step
from fabric.deployment.journal_store.run_lifecycle import did_not_finish
from fabric.deployment.journal_store.site_lock import check_free
from fabric.deployment.left_to_timers import is_kept
from fabric.deployment.options import ApplyOptions
from fabric.deployment.permissions import check_allowed
from fabric.deployment.refusal_message import named, refusal
from fabric.deployment.waves.run import Run, work_left
from fabric.deployment.waves.running_timers import commits_left
from fabric.diagnostics import Code, DeviceError, Refused
from fabric.planning import Action, Impact, Plan
from fabric.planning.codes import INVENTED, UNDRIVEN
from fabric.planning.model import DevicePlan, StandIns
from fabric.platforms.base import Target
from fabric.platforms.registry import platform
from fabric.units import counted

WAIT = "wait until the timer of that commit has fired, or its owner has confirmed it or taken it back"
"""Where a commit of somebody else waits."""
WHOSE = {"": "the site's own devices", "sandbox": "those of the sandbox", "lab": "those of the lab"}


def check_beginning(options: ApplyOptions) -> None:
    """`Refused` outside all maintenance windows, or if a program that the gate asks cannot be run."""
    check_window(options.windows, options.now_reason)
    check_programs(options.thresholds.commands, options.source.folder)


def check(plan: Plan, applied: Container[str], targets: Container[str], options: ApplyOptions) -> None:
    """Refuse a plan that is stale, or wrong in itself, or needs what was not allowed. Touches no device."""
    check_plan(plan, applied, options)
    if missing := [device.device for device in plan.changed if device.device not in targets]:
        raise refusal(codes.NO_TARGET, f"no management access to {named(missing)}")


def check_plan(plan: Plan, applied: Container[str], options: ApplyOptions) -> None:
    """The same, whether its devices can be reached or not: so much is known when it is made."""
    _check_products(plan)
    timer_s = options.pace.revert_in_s
    check_timer(timer_s, ((device.device, device.platform) for device in plan.changed))
    check_watching(plan, timer_s, options.thresholds)
    check_devices_of(plan, options.stand_ins)
    if plan.program != options.program:
        raise refusal(codes.STALE, f"made by version {plan.program}, this is {options.program}")
    if plan.intent != options.intent:
        raise refusal(codes.STALE, "the intent has changed since the plan was made")
    check_errors(plan)
    invented = [finding for finding in plan.diagnostics if finding.code == INVENTED.code]
    if invented and not options.stand_ins:
        raise refusal(codes.INVENTED, f"the GUIDs of {named(sorted(invented[0].subjects))} are invented")
    _check_adoption(plan, applied)
    check_allowed(plan, options.allow)


def check_errors(plan: Plan) -> None:
    """Refuse a plan with errors: the first one with its devices, and how many more there are."""
    if errors := [finding for finding in plan.diagnostics if finding.is_error]:
        first, more = errors[0], len(errors) - 1
        where = f"{named(first.subjects)}: " if first.subjects else ""
        others = f" (and {counted(more, ('more error', 'more errors'))})" if more else ""
        raise refusal(codes.PLAN_HAS_ERRORS, f"{first.code}: {where}{first.rule}{others}")


def check_devices_of(plan: Plan, stand_ins: StandIns) -> None:
    """Refuse a plan that was made for other devices than those that play the site here."""
    if plan.stand_ins != stand_ins:
        made_for, here = WHOSE[plan.stand_ins], WHOSE[stand_ins]
        rule = f"the plan is for {made_for}, not for {here}"
        raise refusal(codes.OTHER_DEVICES, rule, "`fabric plan` makes one for them")


def _check_products(plan: Plan) -> None:
    """Refuse to change devices of a product that takes nothing back by itself: nobody is asked to allow it first."""
    by_product: dict[str, list[str]] = {}
    for device in plan.changed:
        by_product.setdefault(device.platform, []).append(device.device)
    for product, names in by_product.items():
        kind = platform(product)
        if kind.undriven is not None:
            rule = f"{named(names)}: {kind.title} is planned offline only: {kind.undriven.feature}"
            raise refusal(UNDRIVEN, rule, kind.undriven.fix or UNDRIVEN.fix)


def _check_adoption(plan: Plan, applied: Container[str]) -> None:
    new = [d.device for d in plan.changed if d.action is Action.ADOPT or d.device not in applied]
    if new and not plan.adopt:
        raise refusal(codes.NEEDS_ADOPT, f"never applied before: {named(new)}")


class Standing(msgspec.Struct, frozen=True):
    """A device before the first wave, and what it may run then."""

    work: Work
    """Its job's `before` is what it must run."""
    is_open: bool = False
    """A run that was interrupted may have left the new text there: that is as good."""


def check_devices(
    devices: Sequence[Standing],
    executor: Executor,
    code: Code,
    since: str,
    later: Callable[[], Mapping[str, int]] = dict,
    *,
    unfinished: int | None = None,
) -> None:
    """Ask every device before the first one is changed: refuse, naming them all, if one is not as it must be.

    A device that does not answer now, or runs something else, would stop a run between two waves. `later` knows the
    runs that may have changed it since; it is asked only then. `unfinished`: the run that was killed, if it is one.
    """
    jobs = ((d.work.job.device, (d.work, d.is_open)) for d in devices)
    moved: dict[str, str] = {}
    silent: list[DeviceError] = []
    for name, answer in each(executor, stands, jobs):
        if isinstance(answer, DeviceError):
            silent.append(answer)
        elif not answer.is_as_it_must_be:
            moved[name] = answer.waiting
    if silent:
        raise not_asked(code, silent, len(devices), unfinished=unfinished)
    if moved:
        raise changed_since(code, since, moved, later())


def changed_since(code: Code, since: str, moved: Mapping[str, str], later: Mapping[str, int]) -> Refused:
    """The refusal that names devices, the runs of this journal that were there since, and the commits that wait."""
    by_note: dict[str, list[str]] = {}
    for name, waiting in sorted(moved.items()):
        by_run = f"by run {later[name]}" if name in later else ""
        waits = f"a commit waits there, {waiting}" if waiting else ""
        by_note.setdefault(": ".join(filter(None, (by_run, waits))), []).append(name)
    listed = "; ".join(f"{named(names)}{f' ({note})' if note else ''}" for note, names in by_note.items())
    runs = sorted({later[name] for name in moved if name in later}, reverse=True)
    then = "`fabric plan` again" if code is codes.STALE else "try again"
    hints = [f"{WAIT}; then {then}"] if any(moved.values()) else []
    hints += [_after_runs(code, runs)] if runs else []
    return refusal(code, f"changed since {since}: {listed}", "; ".join(hints) or None)


def _after_runs(code: Code, runs: Sequence[int]) -> str:
    """What to type where runs were there since: a plan goes on after them, a rollback before them."""
    if code is codes.STALE:
        shown = ", ".join(f"`fabric history {number}`" for number in runs)
        return f"{shown} tells what was done and how it ended; `fabric plan` makes a plan of what is left: read it"
    back = ", ".join(f"`fabric rollback {number}`" for number in runs)
    return f"take back what was changed later, the last first: {back}"


def planned(
    changed: Iterable[DevicePlan], targets: Mapping[str, Target], secrets: Secrets
) -> tuple[Standing, ...]:
    """The devices of a plan, which must run what was observed."""
    return tuple(Standing(Work(_probe(d), targets[d.device], "", secrets)) for d in changed)


def interrupted(run: Run, steps: Iterable[Step]) -> tuple[Standing, ...]:
    """The devices of a run, which must be as it left them. `Refused` if one cannot be reached any more."""
    known = tuple(steps)
    if missing := [step.job.device for step in known if step.job.device not in run.targets]:
        raise refusal(codes.NO_TARGET, f"no management access to {named(missing)}")
    return tuple(_left(run, step) for step in known)


def _left(run: Run, step: Step) -> Standing:
    work = work_left(run, step)
    if is_kept(step):
        work = msgspec.structs.replace(work, job=msgspec.structs.replace(step.job, before=step.after))
    return Standing(work, step.state.is_open)


def check_unfinished(journal: Journal, site: str) -> None:
    """Refuse to look at a site that a run is changing, or on which a killed one may have left unconfirmed changes."""
    run = journal.unfinished(site)
    if run is None:
        return
    check_free(journal, site)
    if not run.has_touched_nothing:
        raise did_not_finish(run, commits_left(journal, run))


def _probe(device: DevicePlan) -> Job:
    return Job(
        device=device.device,
        platform=device.platform,
        wave=0,
        impact=device.impact,
        text="",
        before=device.observed,
        services_only=device.services_only and device.impact is Impact.NONE,
    )
