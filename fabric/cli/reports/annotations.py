"""GitHub workflow commands: `::error file=F,line=L,col=C,title=T::message`.

Source: https://docs.github.com/actions/reference/workflow-commands-for-github-actions
"""

from __future__ import annotations

from collections.abc import Sequence

from fabric.cli.printing.write_tables import printable
from fabric.diagnostics import Severity
from fabric.documents.print_findings import Finding, concise

WORDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def github(findings: Sequence[Finding], _command: str = "validate") -> str:
    """One line a finding, errors first: GitHub shows only the first ten of each step."""
    return "".join(f"{_annotation(finding)}\n" for finding in findings)


def _annotation(finding: Finding) -> str:
    place = {
        "file": finding.file,
        "line": finding.line,
        "col": finding.column,
        "title": f"fabric ({finding.code})",
    }
    properties = ",".join(
        f"{key}={_property(str(value))}" for key, value in place.items() if value is not None
    )
    hint = f"\nhint: {finding.hint}" if finding.hint else ""
    return f"::{WORDS[finding.severity]} {properties}::{_data(concise(finding) + hint)}"


def _data(text: str) -> str:
    """A message: what would end the line is escaped."""
    return printable(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """A value of a property: what would end the property too."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
