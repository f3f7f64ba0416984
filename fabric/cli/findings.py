"""Findings as text for people, with their place, the line itself and the way out."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from fabric.cli.folding import folded
from fabric.cli.settings import Settings, terminal_width
from fabric.cli.writing import printable, write_document
from fabric.diagnostics import Diagnostic, Severity
from fabric.documents import Sources

COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}
ORDER = {severity: i for i, severity in enumerate(Severity)}
MOST_SUBJECTS = 4
"""More devices than this are counted."""
EXCERPT = 110
"""Letters of a line that an excerpt shows."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """A diagnostic with its place: what every format prints."""

    code: str
    severity: Severity
    file: str | None
    line: int | None
    column: int | None
    path: str
    """Where in the model: `networks.compute.tiers.leaf`."""
    rule: str
    value: Any = None
    hint: str | None = None
    subjects: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """`site.yaml:14:17`, or the path in the model where no file says it."""
        return f"{self.file}:{self.line}:{self.column}" if self.file else self.path or "site"

    @property
    def message(self) -> str:
        """Path and rule in one line; without a file the path is the place already."""
        return f"{self.path}: {self.rule}" if self.path and self.file else self.rule


def found(diagnostics: Iterable[Diagnostic], sources: Sources) -> tuple[Finding, ...]:
    """Diagnostics with their places, errors first, then in the order of the files."""
    made = [_placed(diagnostic, sources) for diagnostic in diagnostics]
    return tuple(
        sorted(made, key=lambda f: (ORDER[f.severity], f.file or "~", f.line or 0, f.column or 0, f.code))
    )


def _placed(diagnostic: Diagnostic, sources: Sources) -> Finding:
    place = sources.place(diagnostic.origin)
    return Finding(
        code=diagnostic.code,
        severity=diagnostic.severity,
        file=place.file if place else None,
        line=place.line if place else None,
        column=place.column if place else None,
        path=str(diagnostic.origin),
        rule=diagnostic.rule,
        value=_plain(diagnostic.value),
        hint=diagnostic.hint,
        subjects=diagnostic.subjects,
    )


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)


def concise(finding: Finding) -> str:
    """One line: place, code, message."""
    return f"{finding.place}: {finding.code}: {finding.message}"


def full(finding: Finding, *, color: bool, width: int | None = None) -> Iterator[str]:
    """Place, code and message; the line itself with a mark; the devices concerned; the hint.

    Lines are folded at `width`, so that words stay whole in a terminal.
    """
    word = "" if finding.severity is Severity.ERROR else f" {finding.severity.value}:"
    code = f"{finding.code}:{word}"
    lines = folded(f"{printable(finding.place)}: {code} {printable(finding.message)}", width)
    if color:
        lines[0] = lines[0].replace(code, click.style(code, fg=COLORS[finding.severity], bold=True), 1)
    yield from lines
    yield from _excerpt(finding, color=color, width=width)
    if finding.subjects:
        yield f"    on: {printable(subjects(finding.subjects))}"
    if finding.hint:
        first, *rest = folded(f"    hint: {printable(finding.hint)}", width, indent=10)
        yield first.replace("hint:", click.style("hint:", fg="cyan"), 1) if color else first
        yield from rest


def subjects(names: Sequence[str]) -> str:
    """A few devices by name, many by number."""
    if len(names) <= MOST_SUBJECTS:
        return ", ".join(names)
    return f"{', '.join(names[:2])} and {len(names) - 2:,} more"


def _excerpt(finding: Finding, *, color: bool, width: int | None) -> Iterator[str]:
    """The line that is meant, with a caret below its column."""
    text = source_line(finding)
    room = min(EXCERPT, (width or EXCERPT) - 12)
    if text is None or finding.column is None or finding.column > room:
        return
    number = f"{finding.line}"
    bar = click.style("|", dim=True) if color else "|"
    mark = click.style("^", fg=COLORS[finding.severity], bold=True) if color else "^"
    yield f"    {number} {bar} {printable(text[:room].replace(chr(9), ' '))}"
    yield f"    {'':{len(number)}} {bar} {'':{finding.column - 1}}{mark}"


def source_line(finding: Finding) -> str | None:
    """The line of the file, if it can still be read."""
    if finding.file is None or finding.line is None:
        return None
    try:
        with Path(finding.file).open(encoding="utf-8", errors="replace") as stream:
            return next((line.rstrip("\n") for i, line in enumerate(stream, 1) if i == finding.line), None)
    except OSError:
        return None


def tally(findings: Sequence[Finding]) -> str:
    """`2 errors, 1 warning`."""
    counts = Counter(finding.severity for finding in findings)
    words = [f"{counts[s]:,} {s.value}{'s' * (counts[s] != 1)}" for s in Severity if counts[s]]
    return ", ".join(words) if words else "no findings"


def print_findings(
    diagnostics: Iterable[Diagnostic], settings: Settings, sources: Sources | None = None
) -> None:
    """What a command other than `validate` says of wrong input: all of it on stderr, JSON on stdout."""
    findings = found(diagnostics, sources or Sources())
    if settings.format == "json":
        write_document({"diagnostics": [msgspec.to_builtins(finding) for finding in findings]}, sys.stdout)
    print_text(findings, settings)
    if not settings.quiet:
        click.echo(advice(findings), err=True)


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
