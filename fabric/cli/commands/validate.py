"""`fabric validate`: everything that is wrong with a site."""

from __future__ import annotations

import importlib
from operator import attrgetter

from fabric.cli.command_classes import command
from fabric.cli.common_options import Settings, current, processes_option
from fabric.cli.printing.command_output import Output
from fabric.cli.printing.findings import shown, tally, write
from fabric.cli.printing.progress import watched
from fabric.cli.printing.tables import DEVICES
from fabric.cli.reports import FORMATS
from fabric.cli.run import ERROR, OK
from fabric.compiler import open_site
from fabric.diagnostics import Code, Invalid, Report, Severity
from fabric.documents import InvalidDocument, Sources
from fabric.documents.print_findings import Finding
from fabric.intent.accepted_findings import open_findings, unused
from fabric.units import counted
from fabric.workers import processors


@command(
    "validate",
    examples=(
        "fabric validate",
        "fabric validate --format concise",
        "fabric validate --format github",
        "fabric validate --format sarif > fabric.sarif",
    ),
    formats=("text", "full", "concise", "json", *FORMATS),
)
@processes_option
def run(*, jobs: int | None) -> int:
    """Check a site and print everything that is wrong, each with its place.

    All stages are gone through, up to the text of each device. The exit code is 1 if there is an error;
    warnings do not count, and those that somebody has accepted in state.yaml are not printed. `github`,
    `gitlab`, `sarif` and `junit` are for CI.
    """
    output, settings = Output(), current()
    findings, devices = _findings(settings, jobs)
    failed = any(finding.severity is Severity.ERROR for finding in findings)
    write(findings, output)
    output.summary(f"{tally(findings)}" + (f" in {counted(devices, DEVICES)}" if devices else ""))
    if failed:
        first = next(finding.code for finding in findings if finding.severity is Severity.ERROR)
        output.next(f"`fabric explain {first}` tells more")
    return ERROR if failed else OK


LATER = ("planning", "deployment", "verification")
"""Packages whose findings are about a network that runs, or about what others make of a site: nobody asks here."""


def _found_later() -> frozenset[str]:
    """The codes that are found by a plan, an apply, a check, a verification or a lint alone."""
    from fabric.linting import rules

    modules = (importlib.import_module(f"fabric.{name}.codes") for name in LATER)
    found = (known for module in modules for known in vars(module).values() if isinstance(known, Code))
    return frozenset(code.code for code in (*found, *(rule.code for rule in rules())))


def _findings(settings: Settings, jobs: int | None) -> tuple[tuple[Finding, ...], int]:
    """All findings of all stages, and for how many devices text was made."""
    report, sources = Report(), Sources()
    try:
        site = open_site(settings.site, jobs or processors())
        sources = site.intent.sources
        report.extend(site.intent.diagnostics)
        report.extend(site.topology.diagnostics)
        report.extend(site.devices.diagnostics)
        artifacts = site.artifacts
        checked = artifacts.collect(report, then=attrgetter("name"))
        for _device in watched(checked, len(artifacts), "checking devices", settings):
            continue
        hosts = site.host_artifacts
        for _host in watched(hosts.collect(report), len(hosts), "checking hosts", settings):
            continue
    except InvalidDocument as error:
        report.extend(error.diagnostics)
        return shown(report, error.sources), 0
    except Invalid as error:
        report.extend(error.diagnostics)
        return shown(report, sources), 0
    report.extend(unused(site.intent, report, _found_later() if site.intent.accepted else ()))
    return shown(open_findings(site.intent, report), sources), len(artifacts)
