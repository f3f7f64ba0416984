"""Judge a site by rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fabric.diagnostics import Diagnostic, Report
from fabric.diagnostics import codes as registered
from fabric.intent import accepted_findings
from fabric.linting.rule import Rule
from fabric.linting.site import Linted


def lint(site: Linted, by: Iterable[Rule]) -> tuple[Diagnostic, ...]:
    """What rules find in a site, in their order. Nothing that anybody has accepted is left out here."""
    report = Report()
    for rule in by:
        report.extend(rule.findings(site))
    return tuple(report)


def open_findings(site: Linted, by: Sequence[Rule]) -> tuple[Diagnostic, ...]:
    """What rules find and nobody has accepted, and each acceptance that is about nothing which they find."""
    found = lint(site, by)
    if not site.intent.accepted:
        return found
    others = registered().keys() - {rule.code.code for rule in by}
    unused = accepted_findings.unused(site.intent, found, others)
    return accepted_findings.open_findings(site.intent, (*found, *unused))
