"""Findings as an editor shows them: a range, a code, a severity, the hint, and the other places of a finding."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from lsprotocol import types

from fabric.diagnostics import Severity
from fabric.documents.print_findings import Finding, placed_findings, subjects
from fabric.editor.cursor import Text
from fabric.operations.check_site import Checked

SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
}
OTHER_PLACE = re.compile(
    r"(?P<file>\S+\.ya?ml):(?P<line>\d+):(?P<column>\d+)|the first is at line (?P<line2>\d+), column (?P<column2>\d+)"
)
"""How a finding names the other of two places."""

ReadText = Callable[[Path], Text | None]
"""The text of a file as the editor has it, or as it is saved; None if there is none."""
Found = tuple[Path, types.Diagnostic]


def editor_findings(checked: Checked, first: Path, read: ReadText) -> Iterator[Found]:
    """Each finding with its file. What no file of the site has is shown at the start of `first`."""
    for finding in placed_findings(checked.findings, checked.sources):
        file = Path.cwd() / finding.file if finding.file else first
        text = read(file)
        if text is None or finding.line is None:  # a ready policy, or no place at all
            message = f"{finding.place}: {_message(finding)}"
            yield first, _diagnostic(finding, line_range(read(first), 0), message, ())
            continue
        place = range_of(text, finding.line - 1, (finding.column or 1) - 1)
        yield file, _diagnostic(finding, place, _message(finding), tuple(_related(finding, file, read)))


def range_of(text: Text, line: int, column: int) -> types.Range:
    """From a place to the end of the key or value that starts there."""
    token = text.places.get((line, column))
    if token is None:
        token = next(
            (t for t in text.tokens if t.line == line and t.start >= column), None
        )  # `[` or `{`: its first value
        if token is not None:
            return _range(line, column, token.end)
        return line_range(text, line, column)
    return _range(line, token.start, token.end)


def line_range(text: Text | None, line: int, column: int = 0) -> types.Range:
    """What is written in a line, from a column on."""
    written = text.lines[line].rstrip() if text and line < len(text.lines) else ""
    if column >= len(written):
        column = max(0, len(written) - 1)
    return _range(line, column, max(len(written), column + 1))


def _range(line: int, start: int, end: int) -> types.Range:
    return types.Range(types.Position(line, start), types.Position(line, end))


def _diagnostic(
    finding: Finding,
    place: types.Range,
    message: str,
    related: tuple[types.DiagnosticRelatedInformation, ...],
) -> types.Diagnostic:
    return types.Diagnostic(
        range=place,
        message=message,
        severity=SEVERITIES[finding.severity],
        code=finding.code,
        source="fabric",
        related_information=list(related) or None,
    )


def _message(finding: Finding) -> str:
    on = f"\non: {subjects(finding.subjects)}" if finding.subjects else ""
    hint = f"\nhint: {finding.hint}" if finding.hint else ""
    return f"{finding.rule}{on}{hint}"


def _related(finding: Finding, file: Path, read: ReadText) -> Iterator[types.DiagnosticRelatedInformation]:
    """The other place that the rule names."""
    for match in OTHER_PLACE.finditer(finding.rule):
        other = Path.cwd() / match["file"] if match["file"] else file
        line, column = (
            int(match["line"] or match["line2"]) - 1,
            int(match["column"] or match["column2"]) - 1,
        )
        text = read(other)
        if text is not None:
            location = types.Location(other.as_uri(), range_of(text, line, column))
            yield types.DiagnosticRelatedInformation(location, "the other place")
