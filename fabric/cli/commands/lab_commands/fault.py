"""`fabric lab fault`: break a cable, a daemon or a whole box, or mend it."""

from __future__ import annotations

import click

from fabric.cli.command_classes import command
from fabric.cli.common_options import current
from fabric.cli.open_lab import folder_of_lab
from fabric.cli.printing.command_output import Output
from fabric.lab import Fault, RunningLab
from fabric.lab.build import locked
from fabric.lab.faults import clear, inject
from fabric.tables.table import FAULTS
from fabric.units import counted


@command(
    "fault",
    examples=(
        "fabric lab fault leaf-0-0 swp1s0 --down",
        "fabric lab fault spine-0 --silent",
        "fabric lab fault leaf-0-0 swp1s0 --swap leaf-1-0:swp1s0",
        "fabric lab fault leaf-0-0 --stop bgpd",
        "fabric lab fault --clear",
    ),
)
@click.argument("device", required=False)
@click.argument("port", required=False)
@click.option("--down", is_flag=True, help="The port goes down; without PORT, every port.")
@click.option(
    "--silent", is_flag=True, help="Packets are dropped both ways while carrier stays; or on every port."
)
@click.option("--swap", metavar="DEVICE:PORT", help="Exchange the far ends of two cables.")
@click.option("--move", metavar="DEVICE:PORT", help="Plug this end of the cable into another, free port.")
@click.option("--kill", metavar="DAEMON", help="Once: the watchdog starts it again.")
@click.option("--stop", metavar="DAEMON", help="It stays dead.")
@click.option("--dead", is_flag=True, help="The whole box: no process, no carrier, no management.")
@click.option("--clear", "clears", is_flag=True, help="Clear all faults, those of DEVICE, or those of PORT.")
def run(*, device: str | None, port: str | None, clears: bool, **options: str | bool | None) -> None:
    """Break a cable, a daemon or a whole box, or mend it.

    Faults stay until they are cleared. Ports are called as in the lab: `fabric lab status --cables`.
    """
    output, folder = Output(), folder_of_lab(current().site)
    fault = None if clears else _fault(device, port, options)
    if clears and any(options.values()):
        message = "--clear stands alone"
        raise click.UsageError(message)
    lab = RunningLab(folder)
    with locked(folder):
        lab = RunningLab(folder)
        if fault is not None:
            inject(lab, fault)
        cleared = clear(lab, device or "", port or "") if fault is None else ()
    output.result(
        {"set": [fault] if fault else [], "cleared": list(cleared)},
        f"{counted(len(cleared), FAULTS)} cleared" if fault is None else f"{device}: {fault.kind}",
    )


def _fault(device: str | None, port: str | None, options: dict[str, str | bool | None]) -> Fault:
    """The fault of a command line. `UsageError` unless it is exactly one, with what it needs."""
    given = [name for name, value in options.items() if value]
    if device is None or len(given) != 1:
        message = "name a device and one fault, or --clear"
        raise click.UsageError(message)
    name, value = given[0], options[given[0]]
    if name in ("swap", "move"):
        other_box, _, other_port = str(value).rpartition(":")
        if not port or not other_box or not other_port:
            message = f"--{name} takes a PORT of the device, and DEVICE:PORT"
            raise click.UsageError(message)
        kind = {"swap": "swapped", "move": "moved"}[name]
        return Fault(kind=kind, box=device, port=port, other_box=other_box, other_port=other_port)
    if port and name not in ("down", "silent"):
        message = f"--{name} is about the whole device: leave PORT out"
        raise click.UsageError(message)
    kind = {"kill": "killed", "stop": "stopped"}.get(name, name)
    return Fault(
        kind=kind, box=device, port=port or "", daemon=str(value) if name in ("kill", "stop") else ""
    )
