"""Findings in the formats of CI systems: functions of findings, and of the command that found them, to a text."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fabric.cli.reports.annotations import github
from fabric.cli.reports.gitlab import gitlab
from fabric.cli.reports.junit import junit
from fabric.cli.reports.sarif import sarif
from fabric.documents.print_findings import Finding

FORMATS: dict[str, Callable[[Sequence[Finding], str], str]] = {
    "github": github,
    "gitlab": gitlab,
    "junit": junit,
    "sarif": sarif,
}
"""By the word of `--format`."""

__all__ = ["FORMATS", "github", "gitlab", "junit", "sarif"]
