"""Judge a site by rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fabric.diagnostics import Diagnostic, Origin, Report
from fabric.diagnostics import codes as registered
from fabric.intent import accepted_findings
from fabric.linting.codes import RULE_FAILED
from fabric.linting.registry import distribution_of, unusable
from fabric.linting.rule import Rule
from fabric.linting.site import Linted


def lint(site: Linted, by: Iterable[Rule]) -> tuple[Diagnostic, ...]:
    """What rules find in a site, in their order. Nothing that anybody has accepted is left out here."""
    report = Report()
    for rule in by:
        report.extend(_judged(site, rule))
    return tuple(report)


def _judged(site: Linted, rule: Rule) -> Iterable[Diagnostic]:
    """What a rule finds, or that it fails: one rule keeps no other from being judged by."""
    try:
        return tuple(rule.findings(site))
    except Exception as error:  # noqa: BLE001  # whatever somebody else's function raises
        what = f"lint rule {rule.name} ({rule.code.code}) of {distribution_of(rule)}"
        return (_failed(f"{what} fails: {type(error).__name__}: {error}", rule.name),)


def unusable_rules() -> tuple[Diagnostic, ...]:
    """One finding for each module of another distribution that brings no rules because it fails."""
    return tuple(
        _failed(f"lint rules {each.name} of {each.distribution} cannot be used: {each.error}", each.name)
        for each in unusable()
    )


def _failed(rule: str, about: str) -> Diagnostic:
    return RULE_FAILED.at(Origin(), rule, hint=RULE_FAILED.fix, about=about)


def open_findings(site: Linted, by: Sequence[Rule]) -> tuple[Diagnostic, ...]:
    """What rules find and nobody has accepted, and each acceptance that is about nothing which they find."""
    found = lint(site, by)
    if not site.intent.accepted:
        return found
    others = registered().keys() - {rule.code.code for rule in by}
    unused = accepted_findings.unused(site.intent, found, others)
    return accepted_findings.open_findings(site.intent, (*found, *unused))
