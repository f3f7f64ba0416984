"""Findings as `fabric.documents.print_findings` makes them, coloured and folded for a terminal, with counts."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import click
import msgspec

from fabric.cli.common_options import Settings, terminal_width
from fabric.cli.printing.command_output import Output
from fabric.cli.printing.fold_text import folded
from fabric.cli.printing.write_tables import write_document
from fabric.cli.reports import FORMATS
from fabric.cli.session_commands import complete
from fabric.diagnostics import Diagnostic, Severity
from fabric.documents import Sources
from fabric.documents.print_findings import (
    EXCERPT,
    Finding,
    Kind,
    concise,
    finding_lines,
    heading,
    placed_findings,
)
from fabric.tables.table import Column, Table
from fabric.units import counted

COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}


def full(finding: Finding, *, color: bool, width: int | None = None) -> Iterator[str]:
    """Place, code and message; the line itself with a mark; the devices concerned; the hint.

    Lines are folded at `width`, so that words stay whole in a terminal.
    """
    for kind, text in finding_lines(finding, min(EXCERPT, (width or EXCERPT + 12) - 12)):
        lines = [text] if kind in ("line", "mark") else folded(text, width, 10 if kind == "hint" else 4)
        if color:
            lines[0] = _colored(kind, lines[0], finding)
        yield from lines


def _colored(kind: Kind, text: str, finding: Finding) -> str:
    """The line with the word that stands out in colour."""
    color = COLORS[finding.severity]
    if kind == "finding":
        code = heading(finding)
        return text.replace(code, click.style(code, fg=color, bold=True), 1)
    if kind == "mark":
        return text.replace("^", click.style("^", fg=color, bold=True), 1)
    return text.replace("hint:", click.style("hint:", fg="cyan"), 1) if kind == "hint" else text


def tally(findings: Sequence[Finding]) -> str:
    """`2 errors, 1 warning`."""
    counts = Counter(finding.severity for finding in findings)
    words = [counted(counts[s], (s.value, f"{s.value}s")) for s in Severity if counts[s]]
    return ", ".join(words) if words else "no findings"


def shown(diagnostics: Iterable[Diagnostic], sources: Sources) -> tuple[Finding, ...]:
    """Findings with their places, and with the commands in them as they are to be typed here."""
    return tuple(
        msgspec.structs.replace(one, rule=complete(one.rule), hint=complete(one.hint or "") or None)
        for one in placed_findings(diagnostics, sources)
    )


def print_findings(
    diagnostics: Iterable[Diagnostic], settings: Settings, sources: Sources | None = None
) -> None:
    """What a command other than `validate` says of wrong input: all of it on stderr, JSON on stdout."""
    findings = shown(diagnostics, sources or Sources())
    if settings.format == "json":
        write_document({"diagnostics": [msgspec.to_builtins(finding) for finding in findings]}, sys.stdout)
    print_text(findings, settings)
    if not settings.quiet:
        click.echo(advice(findings), err=True)


def write(findings: Sequence[Finding], output: Output, command: str = "validate") -> None:
    """What a command that looks for findings says: on stdout, in the chosen format."""
    settings = output.settings
    if settings.format in FORMATS:
        output.raw(FORMATS[settings.format](findings, command))
    elif settings.format == "json":
        output.document({"diagnostics": [msgspec.to_builtins(finding) for finding in findings]})
    elif settings.format == "csv":
        output.tables([finding_table(findings)], {})
    elif settings.format == "concise":
        output.raw("".join(f"{concise(finding)}\n" for finding in findings))
    else:
        colored, width = settings.colored(sys.stdout), terminal_width(sys.stdout)
        for finding in findings:
            for line in full(finding, color=colored, width=width):
                click.echo(line, color=colored)


def finding_table(findings: Sequence[Finding]) -> Table:
    """A row a finding, for spreadsheets."""
    keys = ("code", "severity", "file", "line", "column", "path", "rule", "value", "hint", "subjects")
    columns = tuple(Column(key=key, heading=key.upper()) for key in keys)
    rows = tuple(tuple(getattr(finding, key) for key in keys) for finding in findings)
    return Table(name="diagnostics", columns=columns, rows=lambda: iter(rows), noun=("finding", "findings"))


def print_text(findings: Iterable[Finding], settings: Settings) -> None:
    """Findings in full on stderr."""
    colored, width = settings.colored(sys.stderr), terminal_width(sys.stderr)
    for finding in findings:
        for line in full(finding, color=colored, width=width):
            click.echo(line, err=True, color=colored)


def advice(findings: Sequence[Finding]) -> str:
    """Counts, and the one next step."""
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    return f"{tally(findings)}" + (f"; `fabric explain {errors[0].code}` tells more" if errors else "")
