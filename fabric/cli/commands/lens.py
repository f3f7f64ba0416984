"""`fabric lens`: look around in a site."""

from __future__ import annotations

import sys

import click

from fabric.cli.command_classes import command
from fabric.cli.common_options import current
from fabric.diagnostics import ToolMissing, with_extra


@command("lens", examples=("fabric lens -C my-site",), formats=("text",))
def run() -> int:
    """Look around in a site: devices, ports, configurations, and why each line is as it is.

    A tree of networks, tiers, units, devices and hosts; of the chosen device its ports, neighbours, configuration and
    queues, what is found about it, and of a configuration line what it stems from. `?` shows the keys. It reads files
    only: nothing is written, and no device is asked.
    """
    try:
        from fabric.lens.app import Lens
    except ModuleNotFoundError as error:
        message = f"the package {error.name} is missing: {with_extra('lens')}"
        raise ToolMissing(message) from None
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError(
            "lens needs a terminal; `fabric show devices` and `fabric compile` print the same"
        )
    explorer = Lens(current().site)
    explorer.run()
    return explorer.return_code or 0
