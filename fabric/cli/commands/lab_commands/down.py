"""`fabric lab down`: end the lab."""

from __future__ import annotations

from fabric import lab
from fabric.cli.command_classes import command
from fabric.cli.common_options import current
from fabric.cli.open_lab import folder_of_lab
from fabric.cli.printing.command_output import Output


@command("down", examples=("fabric lab down",))
def run() -> None:
    """End the lab, and leave nothing behind.

    Also what a start that was killed has left.
    """
    output = Output()
    ended = lab.down(folder_of_lab(current().site))
    output.result({"ended": ended}, "lab ended" if ended else "no lab was running")
