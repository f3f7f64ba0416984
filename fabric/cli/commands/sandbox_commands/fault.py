"""`fabric sandbox fault`: break a device on purpose."""

from __future__ import annotations

from typing import Any

import click

from fabric import sandbox
from fabric.cli.command_classes import command
from fabric.cli.common_options import current
from fabric.cli.open_sandbox import folder_of_sandbox
from fabric.cli.printing.command_output import Output
from fabric.units import Duration


@command(
    "fault",
    examples=(
        "fabric sandbox fault leaf-0-0 --latency 200ms",
        "fabric sandbox fault leaf-0-0 --die-in-commit after",
        "fabric sandbox fault leaf-0-0 --clear",
    ),
)
@click.argument("device")
@click.option("--latency", metavar="TIME", help="Added to every answer.")
@click.option("--refuse", is_flag=True, help="Nobody listens.")
@click.option("--hang", is_flag=True, help="Requests are taken and never answered.")
@click.option("--deny-login", is_flag=True, help="The password is wrong.")
@click.option("--fail-commit", is_flag=True, help="A commit answers with an error and changes nothing.")
@click.option(
    "--die-in-commit", type=click.Choice(("before", "after")), help="Once: the connection drops in a commit."
)
@click.option("--reboot", is_flag=True, help="Restart from the startup configuration.")
@click.option("--clear", is_flag=True, help="Make the device whole again, before anything else.")
def run(*, device: str, latency: str | None, reboot: bool, clear: bool, **faults: Any) -> None:
    """Make a device slow, silent, or break in the middle of a commit.

    Faults stay until they are cleared. DEVICE is a name, or `*` for all.
    """
    planned = {name: value for name, value in faults.items() if value}
    if latency:
        planned["latency_ms"] = _milliseconds(latency)
    if not planned and not reboot and not clear:
        message = "name a fault, --reboot or --clear"
        raise click.UsageError(message)
    output, folder = Output(), folder_of_sandbox(current().site)
    answered: dict[str, Any] = {}
    if clear:
        answered |= sandbox.clear(folder, device)
    if planned:
        answered |= sandbox.inject(folder, device, **planned)
    if reboot:
        answered |= sandbox.reboot(folder, device)
    if not output.is_text:
        output.document({"devices": answered})
    output.summary(f"{len(answered):,} {'device' if len(answered) == 1 else 'devices'} changed")


def _milliseconds(text: str) -> int:
    try:
        return int(Duration.parse(text))
    except ValueError as error:
        message = f"--latency: {error}"
        raise click.UsageError(message) from None
