"""What is wrong or unwise in a site: its findings, those about one device, and a page for a site that has errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from fabric import api
from fabric.compiler import open_site
from fabric.diagnostics import Diagnostic, FabricError, Invalid, Report, Severity
from fabric.documents import InvalidDocument, Sources
from fabric.documents.print_findings import finding_lines, placed_findings
from fabric.intent.accepted_findings import open_findings
from fabric.lens.groups import Group
from fabric.lens.site_view import SiteView
from fabric.units import counted

WIDTH = 60
"""Letters of an excerpt."""


class Found(NamedTuple):
    """Findings, and where their places are looked up."""

    findings: tuple[Diagnostic, ...]
    sources: Sources


def site_findings(folder: Path) -> Found:
    """What the stages say of a site, what is said of its devices together, and what lint rules find.

    A site of its own is compiled for it, so that it may be done beside everything else.
    """
    report, site = Report(), open_site(folder)
    sources = site.intent.sources
    try:
        devices, reasons = site.devices_if_any
        report.extend((*site.intent.diagnostics, *site.topology.diagnostics, *reasons))
        if devices is not None:
            report.extend(devices.diagnostics)
            report.extend(site.artifacts.diagnostics)
        report.extend(api.lint(folder, baseline=False).found)
    except Invalid as error:
        report.extend(error.diagnostics)
    return Found(open_findings(site.intent, report), sources)


def device_findings(view: SiteView, name: str) -> tuple[Diagnostic, ...]:
    """What its product says of one device when it is printed."""
    site = view.compiled
    try:
        if view.devices is None:
            return ()
        if name in view.devices:
            return site.artifacts[name].diagnostics
        return site.host_artifacts[name].diagnostics if name in site.host_artifacts else ()
    except Invalid as error:
        return error.diagnostics


def findings_about(found: Iterable[Diagnostic], names: Iterable[str]) -> tuple[Diagnostic, ...]:
    """Findings that name one of some devices."""
    wanted = frozenset(names)
    return tuple(each for each in found if not wanted.isdisjoint(each.subjects))


def shown_findings(view: SiteView, chosen: Group | str, found: Found) -> str:
    """The findings about a device, a group of devices, or the whole site, as text."""
    own = found.findings
    if isinstance(chosen, str):
        own = (*findings_about(own, (chosen,)), *device_findings(view, chosen))
    elif chosen is not view.root:
        own = findings_about(own, chosen.names)
    report = Report()
    report.extend(open_findings(view.compiled.intent, own))
    text = findings_text(report, found.sources)
    of_site = "" if chosen is view.root else f"\nOf the whole site: {tally(found.findings)}."
    return f"{tally(tuple(report))}\n\n{text}{of_site}"


def findings_text(findings: Iterable[Diagnostic], sources: Sources) -> str:
    """Findings with their places, the line itself, and what mends it."""
    return "\n".join(
        "\n".join(text for _kind, text in finding_lines(finding, WIDTH)) + "\n"
        for finding in placed_findings(findings, sources)
    )


def tally(findings: Sequence[Diagnostic]) -> str:
    """`2 errors, 1 warning`."""
    counts = Counter(finding.severity for finding in findings)
    words = [counted(counts[each], (each.value, f"{each.value}s")) for each in Severity if counts[each]]
    return ", ".join(words) or "no findings"


def error_text(error: FabricError) -> str:
    """What is wrong, with places, for a reader."""
    if isinstance(error, Invalid):
        sources = error.sources if isinstance(error, InvalidDocument) else Sources()
        return f"{tally(error.diagnostics)}\n\n{findings_text(error.diagnostics, sources)}"
    hint = getattr(error, "hint", None)
    return f"{error}\n\nhint: {hint}" if hint else str(error)
