"""`fabric sandbox drift`: a hand on the console."""

from __future__ import annotations

import click

from fabric import sandbox
from fabric.cli.command_classes import command
from fabric.cli.common_options import current
from fabric.cli.open_sandbox import folder_of_sandbox
from fabric.cli.printing.command_output import Output
from fabric.units import counted


@command("drift", examples=("fabric sandbox drift leaf-0-0 'ntp server 203.0.113.9'",))
@click.argument("device")
@click.argument("lines", nargs=-1, required=True)
def run(*, device: str, lines: tuple[str, ...]) -> None:
    """Type configuration lines on a device's console.

    `fabric drift --sandbox` then finds them.
    """
    output = Output()
    sandbox.drift(folder_of_sandbox(current().site), device, *lines)
    output.result(
        {"device": device, "lines": list(lines)},
        f"{counted(len(lines), ('line', 'lines'))} typed on {device}",
    )
