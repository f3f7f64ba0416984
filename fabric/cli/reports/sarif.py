"""SARIF 2.1.0, as GitHub code scanning reads it.

Source: https://docs.github.com/code-security/reference/code-scanning/sarif-files/sarif-support
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from fabric import __version__
from fabric.cli.printing.write_tables import as_json
from fabric.cli.reports.fingerprints import fingerprints
from fabric.diagnostics import Code, Severity, codes
from fabric.documents.print_findings import Finding

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
WORDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def sarif(findings: Sequence[Finding], command: str = "validate") -> str:
    """One run with the rules that were broken and each finding."""
    known = codes()
    rules = sorted({finding.code for finding in findings})
    run = {
        "tool": {
            "driver": {
                "name": "fabric",
                "version": __version__,
                "rules": [_rule(known[code]) for code in rules],
            }
        },
        "automationDetails": {"id": f"fabric/{command}"},
        "results": [
            _result(finding, rules.index(finding.code), mark)
            for finding, mark in zip(findings, fingerprints(findings), strict=True)
        ],
    }
    return as_json({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(code: Code) -> dict[str, Any]:
    return {
        "id": code.code,
        "shortDescription": {"text": code.title},
        "fullDescription": {"text": code.why},
        "help": {"text": code.fix},
        "defaultConfiguration": {"level": WORDS[code.severity]},
    }


def _result(finding: Finding, rule: int, mark: str) -> dict[str, Any]:
    hint = f"\nhint: {finding.hint}" if finding.hint else ""
    return {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": WORDS[finding.severity],
        "message": {"text": finding.message + hint},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": PurePath(finding.file or "site.yaml").as_posix()},
                    "region": {"startLine": finding.line or 1, "startColumn": finding.column or 1},
                }
            }
        ],
        "partialFingerprints": {"primaryLocationLineHash": mark},
    }
