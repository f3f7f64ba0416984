"""`fabric sandbox advance`: let time pass at once."""

from __future__ import annotations

import click

from fabric import sandbox
from fabric.cli.command_classes import command
from fabric.cli.common_options import current, milliseconds
from fabric.cli.open_sandbox import folder_of_sandbox
from fabric.cli.printing.command_output import Output


@command("advance", examples=("fabric sandbox advance 10min",))
@click.argument("time")
def run(*, time: str) -> None:
    """Let time pass at once, on all devices.

    Timers fire in their order: commits that nobody confirms are taken back, and sessions whose neighbour is gone end by
    their hold time.
    """
    output, seconds = Output(), milliseconds("TIME", time) / 1000
    sandbox.advance(folder_of_sandbox(current().site), seconds)
    output.result({"seconds": seconds}, f"{time} have passed")
