"""`fabric sandbox fault`: break a device on purpose."""

from __future__ import annotations

from typing import Any, get_args

import click

from fabric import sandbox
from fabric.cli.command_classes import command
from fabric.cli.common_options import current, milliseconds
from fabric.cli.open_sandbox import folder_of_sandbox
from fabric.cli.printing.command_output import Output
from fabric.platforms.emulation import Step
from fabric.tables.table import DEVICES
from fabric.units import Speed, counted

OF_A_PORT = (
    "down",
    "speed",
    "fec",
    "mtu_bytes",
    "errors_per_s",
    "discards_per_s",
    "marked_per_s",
    "pause_received_per_s",
    "pause_sent_per_s",
    "stuck_bytes_per_s",
    "without_pfc",
    "without_watchdog",
    "watchdog_detect_ms",
    "without_ecn",
    "ecn_kmin_bytes",
    "ignores_dscp",
    "misplaces_dscp",
    "without_scheduler",
)
STEPS = ", ".join(get_args(Step))
CLOCK_JUMP = "clock_jump"
TIMES = {"latency": ("latency_ms", 1000), "reboot_time": ("reboot_s", 1), CLOCK_JUMP: ("clock_jump_s", 1)}
"""Options that are a time: the fault, and how many of its units are a second."""


@command(
    "fault",
    examples=(
        "fabric sandbox fault leaf-0-0 --latency 200ms",
        "fabric sandbox fault leaf-0-0 --die-in-commit after",
        "fabric sandbox fault leaf-0-0 --port Ethernet1/1 --errors-per-s 100",
        "fabric sandbox fault leaf-0-0 --port Ethernet1/1 --port Ethernet2/1 --down",
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
@click.option(
    "--die-in",
    metavar="STEP:WHEN",
    help=f"Once: the connection drops in a step ({STEPS}), `before` or `after` it.",
)
@click.option("--reboot-in-commit", is_flag=True, help="Once: it restarts in a commit.")
@click.option("--reboot-time", metavar="TIME", help="How long a restart takes.")
@click.option("--clock-jump", metavar="TIME", help="Its clock is so far ahead; `-3h`: so far behind.")
@click.option(
    "--cut-answer-after",
    type=click.IntRange(0),
    metavar="BYTES",
    help="Once: the connection drops in an answer.",
)
@click.option("--disk-full", is_flag=True, help="Nothing can be written to a file.")
@click.option(
    "--wrong-certificate",
    type=click.Choice(("other_name", "self_signed")),
    help="Somebody else answers over TLS.",
)
@click.option("--wrong-host-key", is_flag=True, help="Somebody else answers over SSH.")
@click.option(
    "--port",
    multiple=True,
    help="The port of the options that are of a port; `*` is every port; may be repeated.",
)
@click.option("--down", is_flag=True, help="Of the port: its cable is cut.")
@click.option("--speed", metavar="SPEED", help="Of the port: it tells this speed.")
@click.option("--fec", metavar="WORD", help="Of the port: it tells this error correction.")
@click.option("--mtu-bytes", type=click.IntRange(1), help="Of the port: it carries packets of no more.")
@click.option("--errors-per-s", type=click.FloatRange(0), help="Of the port: frames received with errors.")
@click.option("--discards-per-s", type=click.FloatRange(0), help="Of the port: packets dropped.")
@click.option("--marked-per-s", type=click.FloatRange(0), help="Of the port: packets marked with ECN.")
@click.option("--pause-received-per-s", type=click.FloatRange(0), help="Of the port: PFC frames received.")
@click.option("--pause-sent-per-s", type=click.FloatRange(0), help="Of the port: PFC frames sent.")
@click.option(
    "--stuck-bytes-per-s", type=click.FloatRange(0), help="Of the port: traffic that no drain takes away."
)
@click.option(
    "--without-pfc", is_flag=True, help="Of the port: its hardware does no PFC, whatever is configured."
)
@click.option("--without-watchdog", is_flag=True, help="Of the port: no PFC watchdog looks at it.")
@click.option(
    "--watchdog-detect-ms", type=click.IntRange(0), help="Of the port: its PFC watchdog waits so long."
)
@click.option("--without-ecn", is_flag=True, help="Of the port: its hardware marks nothing.")
@click.option(
    "--ecn-kmin-bytes", type=click.IntRange(0), help="Of the port: its hardware marks with ECN from here on."
)
@click.option("--ignores-dscp", is_flag=True, help="Of the port: its hardware has lost the classes by DSCP.")
@click.option(
    "--misplaces-dscp", is_flag=True, help="Of the port: its hardware classes each DSCP one class too high."
)
@click.option(
    "--without-scheduler",
    is_flag=True,
    help="Of the port: its hardware shares it out evenly, whatever is configured.",
)
@click.option("--reboot", is_flag=True, help="Restart from the startup configuration.")
@click.option("--clear", is_flag=True, help="Make the device whole again, before anything else.")
def run(*, device: str, reboot: bool, clear: bool, **options: Any) -> None:
    """Make a device slow, silent, or break in the middle of a commit.

    Faults stay until they are cleared. DEVICE is a name, or `*` for all. Hosts of subnet managers are real: of these
    faults they know --latency, --refuse, --hang, --deny-login, --disk-full and --die-in-commit, from the next login on.
    """
    planned = {name: value for name, value in options.items() if value not in (None, False, ())}
    on_port = {name: planned.pop(name) for name in OF_A_PORT if name in planned}
    if ports := planned.pop("port", ()):
        planned["ports"] = dict.fromkeys(ports, _port_fault(on_port))
    elif on_port:
        message = f"--{next(iter(on_port)).replace('_', '-')} needs --port"
        raise click.UsageError(message)
    for option, (fault, a_second) in TIMES.items():
        if option in planned:
            planned[fault] = _time(option, planned.pop(option)) * a_second // 1000
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
    output.result({"devices": answered}, f"{counted(len(answered), DEVICES)} changed")


def _time(option: str, text: str) -> int:
    """Milliseconds. Only a clock may be set back."""
    sign = -1 if option == CLOCK_JUMP and text.startswith("-") else 1
    return sign * milliseconds(f"--{option.replace('_', '-')}", text.removeprefix("-") if sign < 0 else text)


def _port_fault(options: dict[str, Any]) -> dict[str, Any]:
    """What is wrong with a port."""
    if "speed" not in options:
        return options
    try:
        return {name: value for name, value in options.items() if name != "speed"} | {
            "speed_mbps": int(Speed.parse(options["speed"]))
        }
    except ValueError as error:
        message = f"--speed: {error}"
        raise click.UsageError(message) from None
