"""`fabric lab`: a site as real software in network namespaces of this machine."""

from __future__ import annotations

import click

from fabric.cli.command_classes import LateGroup

COMMANDS: tuple[tuple[str, str, str], ...] = (
    ("Commands", "up", "Start every switch and host of the site, and plug every cable."),
    ("Commands", "status", "Show boxes, daemons, sessions and faults."),
    (
        "Commands",
        "ping",
        "Send an echo request from every NIC of every host to the next host on the same rail.",
    ),
    ("Commands", "fault", "Break a cable, a daemon or a whole box, or mend it."),
    ("Commands", "down", "End the lab, and leave nothing behind."),
)


@click.group(
    "lab",
    cls=LateGroup,
    package="fabric.cli.commands.lab_commands",
    rows=COMMANDS,
    examples=(
        "fabric lab up --configured",
        "fabric lab fault leaf-0-0 swp1s0 --down",
        "fabric lab down",
    ),
)
def run() -> None:
    """A site as real software in network namespaces of this machine.

    FRR plays every Ethernet switch, whatever product it is; lldpd and sshd run in every box. Linux and root needed.
    """
