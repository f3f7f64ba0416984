"""`fabric sandbox`: emulated switches of a site, on this machine."""

from __future__ import annotations

import click

from fabric.cli.command_classes import LateGroup

COMMANDS: tuple[tuple[str, str, str], ...] = (
    ("Commands", "up", "Start every switch of the site, fresh out of its box."),
    ("Commands", "status", "Show whether a sandbox runs, and which faults are set."),
    ("Commands", "fault", "Make a device slow, silent, or break in the middle of a commit."),
    ("Commands", "drift", "Type configuration lines on a device's console."),
    ("Commands", "advance", "Let time pass at once, on all devices."),
    ("Commands", "down", "End the sandbox."),
)


@click.group(
    "sandbox",
    cls=LateGroup,
    package="fabric.cli.commands.sandbox_commands",
    rows=COMMANDS,
    examples=(
        "fabric sandbox up",
        "fabric plan --sandbox --adopt",
        "fabric apply .fabric/plan --sandbox --yes",
    ),
)
def run() -> None:
    """Emulated switches of a site, on this machine.

    They listen on loopback addresses and speak their product's protocol, so that plan, apply, drift and
    rollback run as against real ones, with `--sandbox`.
    """
