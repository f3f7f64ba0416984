"""Findings that are accepted in `state.yaml`: known, explained, dated, and so not repeated."""

from __future__ import annotations

from collections.abc import Container, Iterable
from datetime import date

from fabric.diagnostics import Diagnostic, Origin, Report, Severity, installed_rules
from fabric.diagnostics import codes as registered
from fabric.documents.suggest import did_you_mean
from fabric.intent import codes
from fabric.intent.model.site import Intent
from fabric.intent.state import Accepted


def open_findings(intent: Intent, findings: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The findings that are not accepted. Errors are never accepted."""
    findings = tuple(findings)
    if not intent.accepted:
        return findings
    return tuple(f for f in findings if f.is_error or not any(covers(entry, f) for entry in intent.accepted))


def covers(entry: Accepted, finding: Diagnostic) -> bool:
    """Whether the entry is about this finding: its code, at its place or below."""
    if entry.finding != finding.code:
        return False
    place = str(finding.origin)
    return entry.at is None or place == entry.at or place.startswith((f"{entry.at}.", f"{entry.at}["))


def holding(intent: Intent, today: date) -> tuple[Accepted, ...]:
    """The entries whose day has not passed (UTC)."""
    return tuple(entry for entry in intent.state.accept if entry.expires >= today)


def check_accepted(intent: Intent, report: Report) -> None:
    """Entries about findings that there are not, or that cannot be accepted."""
    if not intent.state.accept:
        return
    known = registered()  # imports every package: only sites that accept something pay for it
    for index, entry in enumerate(intent.state.accept):
        place = Origin(("accept", index, "finding"), "state")
        if entry.finding not in known and installed_rules():
            known = (
                registered()
            )  # a rule of another distribution may have it: looked for only here, as it is slow
        code = known.get(entry.finding)
        if code is None:
            lesser = [name for name, kind in known.items() if kind.severity is not Severity.ERROR]
            hint = did_you_mean(entry.finding, lesser) or "`fabric validate` prints the code of each finding"
            rule = f"there is no finding {entry.finding}"
            report.add(codes.STATE.at(place, rule, value=entry.finding, hint=hint))
        elif code.severity is Severity.ERROR:
            rule = f"{entry.finding} ({code.title}) is an error, and errors cannot be accepted"
            hint = f"remove the entry; `fabric explain {entry.finding}` shows how to fix the cause"
            report.add(codes.STATE.at(place, rule, value=entry.finding, hint=hint))


def unused(
    intent: Intent, findings: Iterable[Diagnostic], later: Container[str] = ()
) -> tuple[Diagnostic, ...]:
    """A finding for each entry that is about none of `findings`, which are all that a site has.

    `later`: codes that only other commands can find, of which nothing is known here.
    """
    findings = tuple(findings)
    return tuple(
        codes.NOTHING_ACCEPTED.at(
            Origin(("accept", index), "state"),
            f"nothing of this site is {entry.finding}{f' at {entry.at}' if entry.at else ''}",
            value=entry.finding,
            hint="remove the entry",
        )
        for index, entry in enumerate(intent.state.accept)
        if entry in intent.accepted
        and entry.finding not in later
        and not any(covers(entry, finding) for finding in findings)
    )
