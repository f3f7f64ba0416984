"""`fabric sandbox down`: end the sandbox."""

from __future__ import annotations

from fabric import sandbox
from fabric.cli.command_classes import command
from fabric.cli.common_options import current
from fabric.cli.open_sandbox import folder_of_sandbox, forget_runs
from fabric.cli.printing.command_output import Output


@command("down", examples=("fabric sandbox down",))
def run() -> None:
    """End the sandbox.

    What its devices ran is gone, and what its journal says with it.
    """
    output, folder = Output(), folder_of_sandbox(current().site)
    ended = sandbox.down(folder)
    forget_runs(folder)
    output.result({"ended": ended}, "sandbox ended" if ended else "no sandbox was running")
