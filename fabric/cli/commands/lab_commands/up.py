"""`fabric lab up`: start every switch and host of the site."""

from __future__ import annotations

from pathlib import Path

import click

from fabric import lab
from fabric.api import open_site
from fabric.cli.command_classes import command
from fabric.cli.common_options import ExistingPath, current, remember
from fabric.cli.open_lab import folder_of_lab, lab_secrets
from fabric.cli.printing.command_output import Output
from fabric.documents.places import placed
from fabric.resources import scratch
from fabric.tables.table import CABLES, HOSTS, SWITCHES
from fabric.units import counted


@command("up", examples=("fabric lab up", "fabric lab up my-site --configured --no-hosts"))
@click.argument(
    "folder", metavar="[SITE]", required=False, type=ExistingPath(file_okay=False, path_type=Path)
)
@click.option(
    "--configured",
    is_flag=True,
    help="With the compiled configuration. Default: what zero-touch provisioning leaves.",
)
@click.option("--hosts/--no-hosts", default=True, show_default=True, help="With a NIC a rail each.")
def run(*, folder: Path | None, configured: bool, hosts: bool) -> None:
    """Start every switch and host of the site, and plug every cable.

    They run until `fabric lab down`. `.fabric/lab/lab.json` holds where each box is reached by SSH; the key and
    the host keys are beside it.
    """
    output, settings = Output(), current()
    if folder is not None:
        remember(site=folder)
    compiled = open_site(folder or settings.site)
    scratch(compiled.folder)
    with placed(compiled.intent.sources):
        running = lab.up(
            compiled.devices,
            folder_of_lab(compiled.folder),
            configured=configured,
            hosts=hosts,
            value_of=lab_secrets(compiled.folder),
        )
    state = running.state
    switches, count = len(running.switches), len(running.hosts)
    output.result(
        {"site": state.site, "pid": state.process.pid, "switches": switches, "hosts": count},
        f"{counted(switches, SWITCHES)}, {counted(count, HOSTS)} and {counted(len(state.cables), CABLES)} are up",
    )
    output.next("Run `fabric lab status`.")
