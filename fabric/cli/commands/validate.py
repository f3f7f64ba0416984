"""`fabric validate`: everything that is wrong with a site."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from fabric.cli.command_classes import command
from fabric.cli.common_options import Settings, current, processes_option
from fabric.cli.printing.command_output import Output
from fabric.cli.printing.findings import shown, tally, write
from fabric.cli.printing.progress import watched
from fabric.cli.reports import FORMATS
from fabric.cli.run import ERROR, OK
from fabric.compiler import open_site
from fabric.diagnostics import Severity
from fabric.documents.print_findings import Finding
from fabric.operations.check_site import check_site
from fabric.tables.table import DEVICES
from fabric.units import counted
from fabric.workers import processors

T = TypeVar("T")


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


def _findings(settings: Settings, jobs: int | None) -> tuple[tuple[Finding, ...], int]:
    """All findings of all stages, and for how many devices text was made."""

    def shown_progress(steps: Iterable[T], total: int, stage: str, /) -> Iterable[T]:
        return watched(steps, total, stage, settings)

    checked = check_site(lambda: open_site(settings.site, jobs or processors()), shown_progress)
    return shown(checked.findings, checked.sources), checked.devices
