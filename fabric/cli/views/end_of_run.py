"""How a run ended, what is to be typed next, and the exit code."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from fabric.cli.online_commands import write_json_line
from fabric.cli.printing.command_output import Output
from fabric.cli.printing.findings import print_findings
from fabric.cli.run import CHANGES, ERROR, OK
from fabric.cli.views.apply_events import counts, result_lines
from fabric.deployment import Result
from fabric.documents import Sources
from fabric.units import noun_of


def named_runs(numbers: Collection[int]) -> str:
    """`run 5`, `runs 5, 6`."""
    return f"{noun_of(len(numbers), ('run', 'runs'))} {', '.join(map(str, sorted(numbers)))}"


def _earlier_phases(before: tuple[int, ...]) -> str:
    return (
        f"; then {named_runs(before)}, which made its earlier phases, from the last one on" if before else ""
    )


def finish(
    result: Result,
    output: Output,
    sources: Sources,
    *,
    before: tuple[int, ...] = (),
    next_phase: str = "",
) -> int:
    """Tell how it ended. Going back may need what going there did not: a dry run says what.

    `next_phase`: the first words of what is to be done next, where this was one phase of several.
    """
    if output.is_text and output.settings.quiet:  # else the events have told it
        output.lines(result_lines(result))
    elif not output.is_text:
        write_json_line({"type": "result", **msgspec.to_builtins(result)})
    if result.diagnostics and output.is_text:
        print_findings(result.diagnostics, output.settings, sources)
    output.summary(counts(result))
    if result.outcome == "stopped":
        output.next("Run `fabric apply --resume` when a window is open to do the rest.")
        return CHANGES
    if result.outcome == "failed":
        output.next("Run `fabric plan` to see where each device stands.")
        return ERROR
    if before and result.kind == "rollback":
        words = f"`fabric rollback {before[0]} --dry-run` to see what would take back the phase before"
        stand = noun_of(len(before), ("made an earlier phase and stands", "made earlier phases and stand"))
        output.next(f"Run {words}: {named_runs(before)} {stand}.")
    elif result.run is not None:
        on = next_phase or "Run "
        back = f"`fabric rollback {result.run} --dry-run` to see what would take it back"
        output.next(f"{on}{back}{_earlier_phases(before)}.")
    return OK
