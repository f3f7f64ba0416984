"""JUnit XML, as test reports of CI systems read it."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from fabric.cli.printing.write_tables import printable
from fabric.diagnostics import Severity
from fabric.documents.print_findings import Finding, concise

PASSED = '    <testcase classname="fabric" name="{command}"/>\n'
"""A suite without cases looks like a broken job."""


def junit(findings: Sequence[Finding], command: str = "validate") -> str:
    """A suite a file, a case a finding; warnings pass with their text as output."""
    files = sorted({finding.file or "site" for finding in findings}) or ["site"]
    suites = "".join(
        _suite(file, [f for f in findings if (f.file or "site") == file], command) for file in files
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="fabric">\n{suites}</testsuites>\n'


def _suite(file: str, findings: Sequence[Finding], command: str) -> str:
    failures = sum(finding.severity is Severity.ERROR for finding in findings)
    cases = "".join(map(_case, findings)) or PASSED.format(command=command)
    head = f'name={quoteattr(file)} tests="{max(len(findings), 1)}" failures="{failures}" errors="0"'
    return f"  <testsuite {head}>\n{cases}  </testsuite>\n"


def _case(finding: Finding) -> str:
    name = quoteattr(printable(f"{finding.code} {finding.path}".strip()))
    line = f' line="{finding.line}"' if finding.line else ""
    text = escape(printable(concise(finding) + (f"\nhint: {finding.hint}" if finding.hint else "")))
    rule = quoteattr(printable(finding.rule))
    if finding.severity is Severity.ERROR:
        inside = f"<failure message={rule}>{text}</failure>"
    else:
        inside = f"<system-out>{text}</system-out>"
    return f'    <testcase classname="fabric" name={name}{line}>{inside}</testcase>\n'
