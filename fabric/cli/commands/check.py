"""`fabric check`: what the vendors' own schemas say of the compiled configurations."""

from __future__ import annotations

from pathlib import Path

import click

from fabric import api
from fabric.api import open_site
from fabric.cli.command_classes import command
from fabric.cli.common_options import current
from fabric.cli.printing.command_output import Output
from fabric.cli.printing.findings import shown, tally, write
from fabric.cli.reports import FORMATS
from fabric.cli.run import ERROR, OK
from fabric.documents.places import placed
from fabric.intent.accepted_findings import open_findings
from fabric.platforms.registry import platform
from fabric.verification import Schemas, Verdict


@command(
    "check",
    examples=(
        "fabric check --yang models",
        "fabric check --yang models/leaves --yang models/spines --format concise",
        "fabric check --openapi openapi.json",
    ),
    formats=("text", "full", "concise", "json", *FORMATS),
)
@click.option(
    "--yang",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    multiple=True,
    help="Folder with vendors' YANG models, searched below. May be repeated.",
)
@click.option(
    "--openapi",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The openapi.json that the product serves.",
)
@click.option(
    "--platform", "platforms", metavar="NAME", multiple=True, help="Only devices of it. May be repeated."
)
def run(*, yang: tuple[Path, ...], openapi: Path | None, platforms: tuple[str, ...]) -> int:
    """Check what is compiled against the vendors' own schemas.

    Your copy of the models of the release that the devices run: YANG by libyang (install
    the extra `yang`), OpenAPI by jsonschema. No device is connected to, nothing is fetched. The exit
    code is 1 if a schema has anything against a device. What could not be checked is named.
    """
    if not yang and openapi is None:
        raise click.UsageError("there is nothing to check against: give --yang DIR or --openapi FILE")
    output, site = Output(), open_site(current().site)
    with placed(site.intent.sources):
        verdict = api.check(site, Schemas(yang, openapi), platforms)
    findings = shown(open_findings(site.intent, verdict.findings), site.intent.sources)
    write(findings, output)
    output.summary(f"{tally(findings)}; checked {_checked(verdict)}")
    return OK if verdict.is_clean else ERROR


def _checked(verdict: Verdict) -> str:
    """`64 SONiC, 8 Nokia SR Linux`."""
    return ", ".join(f"{number:,} {platform(name).title}" for name, number in verdict.checked.items())
