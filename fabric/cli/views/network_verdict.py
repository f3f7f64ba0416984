"""What was found in a running network: for people, as JSON, and as JUnit XML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import msgspec

from fabric.cli.printing.styled_lines import BOLD, PLAIN, Line
from fabric.cli.printing.write_tables import printable
from fabric.units import counted
from fabric.verification.finding import Finding
from fabric.verification.infiniband.verify_subnet import SubnetVerdict
from fabric.verification.verdict import NetworkVerdict

RED, DIM = {"fg": "red", "bold": True}, {"dim": True}


def lines(verdict: NetworkVerdict, verbose: int) -> Iterator[Line]:
    """Findings, then what was looked at. Ids stand behind the findings with `--verbose`."""
    for finding in verdict.findings:
        yield ((f"{finding.code} {finding.kind}", RED), (f": {finding.text}", PLAIN))
        if verbose:
            yield ((f"    id: {finding.id}", DIM),)
        yield ((f"    hint: {finding.hint}", DIM),)
    for seen in verdict.seen:
        yield ((f"{seen.section}", BOLD), (f": {seen.text}", PLAIN))
    for seen in verdict.not_seen:
        yield ((f"{seen.section}", BOLD), (f": not looked at: {seen.text}", PLAIN))


def document(site: str, verdict: NetworkVerdict) -> dict[str, Any]:
    """Everything, with the figures of a subnet's routes."""
    document: dict[str, Any] = {
        "site": site,
        "network": verdict.network,
        "findings": [msgspec.to_builtins(finding) for finding in verdict.findings],
        "seen": [msgspec.to_builtins(statement) for statement in verdict.seen],
        "not_seen": [msgspec.to_builtins(statement) for statement in verdict.not_seen],
        "unread": list(verdict.unread),
    }
    return {**document, "routes": _audit(verdict)} if isinstance(verdict, SubnetVerdict) else document


def _audit(verdict: SubnetVerdict) -> dict[str, Any] | None:
    routes = verdict.routes
    if routes is None:
        return None
    return {
        "switches": routes.switches,
        "pairs": routes.pairs,
        "unreachable": routes.unreachable,
        "links_to_pairs": {str(many): pairs for many, pairs in routes.hops.items()},
        "uplink_lids_max": routes.uplink_max,
        "uplink_lids_min": routes.uplink_min,
        "link_pairs_max": routes.load_max,
        "link_pairs_mean": round(routes.load_mean, 1),
        "credit_loops": len(routes.loops),
    }


def junit(verdict: NetworkVerdict) -> str:
    """A suite a section, a case a finding by its id; a section without findings passes, one not seen is skipped."""
    suites = "".join(_suite(verdict, section) for section in verdict.sections)
    head = f"<testsuites name={quoteattr(f'fabric verify {verdict.network}')}>"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{head}\n{suites}</testsuites>\n'


def _suite(verdict: NetworkVerdict, section: str) -> str:
    findings = [finding for finding in verdict.findings if finding.section == section]
    skipped = [statement.text for statement in verdict.not_seen if statement.section == section]
    seen = "; ".join(statement.text for statement in verdict.seen if statement.section == section)
    cases = [*map(_failed, findings), *(_skipped(section, text) for text in skipped)]
    if seen and not cases:
        cases.append(_case(section, "as planned", f"<system-out>{_text(seen)}</system-out>"))
    head = f'name="{section}" tests="{len(cases)}" failures="{len(findings)}" errors="0" skipped="{len(skipped)}"'
    return f"  <testsuite {head}>\n{''.join(cases)}  </testsuite>\n"


def _failed(finding: Finding) -> str:
    message = quoteattr(printable(finding.text))
    return _case(
        finding.section,
        finding.id,
        f"<failure message={message}>{_text(f'{finding.code} {finding.hint}')}</failure>",
    )


def _skipped(section: str, text: str) -> str:
    return _case(section, f"not looked at: {text}", f"<skipped message={quoteattr(printable(text))}/>")


def _case(section: str, name: str, inside: str) -> str:
    return f'    <testcase classname="{section}" name={quoteattr(printable(name))}>{inside}</testcase>\n'


def _text(text: str) -> str:
    return escape(printable(text))


def tally(findings: Sequence[Finding]) -> str:
    """`2 findings`."""
    return counted(len(findings), ("finding", "findings")) if findings else "no findings"
