"""GitLab code quality reports.

Source: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
"""

from __future__ import annotations

from collections.abc import Sequence

from fabric.cli.printing.write_tables import as_json
from fabric.cli.reports.fingerprints import fingerprints
from fabric.diagnostics import Severity
from fabric.documents.print_findings import Finding

WORDS = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}


def gitlab(findings: Sequence[Finding], _command: str = "validate") -> str:
    """An array of issues."""
    issues = [
        {
            "description": f"{finding.code}: {finding.message}",
            "check_name": finding.code,
            "fingerprint": mark,
            "severity": WORDS[finding.severity],
            "location": {
                "path": finding.file or "site.yaml",
                "positions": {"begin": {"line": finding.line or 1, "column": finding.column or 1}},
            },
        }
        for finding, mark in zip(findings, fingerprints(findings), strict=True)
    ]
    return as_json(issues, indent=2) + "\n"
