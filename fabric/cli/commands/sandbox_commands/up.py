"""`fabric sandbox up`: start every switch of the site."""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path

import click

from fabric import sandbox
from fabric.api import Compiled, open_site
from fabric.cli.command_classes import command
from fabric.cli.common_options import ExistingPath, current, remember
from fabric.cli.open_sandbox import emulated, folder_of_sandbox, forget_runs, grown, workplace
from fabric.cli.printing.command_output import Output
from fabric.cli.printing.progress import watched
from fabric.deployment.refusal_message import named
from fabric.devices.model import Switch
from fabric.documents.places import placed
from fabric.platforms.registry import platform
from fabric.resources import scratch
from fabric.units import counted

LISTENING = ("device listens", "devices listen")
NOT_PLAYED = ("device is not played", "devices are not played")
PLAN = "Run `fabric plan --sandbox`."
PLAN_OTHERS = "Run `fabric plan --sandbox --skip-unreachable`."
ADOPT = "Run `fabric plan --sandbox --adopt`."
ADOPT_OTHERS = "Run `fabric plan --sandbox --adopt --skip-unreachable`."
NOBODY = "The sandbox plays none of this site's products: `fabric lab up` runs them as real software."


@command("up", examples=("fabric sandbox up", "fabric sandbox up my-site --port 9443"))
@click.argument(
    "folder", metavar="[SITE]", required=False, type=ExistingPath(file_okay=False, path_type=Path)
)
@click.option(
    "--port", type=click.IntRange(1024, 65535), default=8443, show_default=True, help="Of every device."
)
def run(*, folder: Path | None, port: int) -> None:
    """Start every switch of the site, fresh out of its box.

    If the sandbox runs already, it gets the devices and cables that the site has now: new ones are started, those that
    are gone end, and the others keep what they run. `--sandbox` of other commands does the same.

    An InfiniBand network is played by ibsim; each of its subnet managers is a host with the real product behind a
    real sshd. They run in a process of their own until `fabric sandbox down`.
    """
    output, settings = Output(), current()
    if folder is not None:
        remember(site=folder)
    compiled = open_site(folder or settings.site)
    if (running := sandbox.status(folder_of_sandbox(compiled.folder))) is not None:
        _update(compiled, output, running.state.pid)
        return
    with placed(compiled.intent.sources):
        devices = tuple(watched(emulated(compiled), len(compiled.devices), "building devices", settings))
    managers = sandbox.simulated(compiled.devices.values())
    scratch(compiled.folder)
    forget_runs(folder_of_sandbox(compiled.folder))  # of one that was killed
    state = sandbox.up(
        devices, folder_of_sandbox(compiled.folder), port=port, managers=managers, intent=compiled.digest
    )
    some_missing = _left_out(compiled, state.targets, output)
    output.result(
        {"site": compiled.intent.site.site, "pid": state.pid, "devices": len(state.targets)},
        f"{counted(len(state.targets), LISTENING)} (process {state.pid})",
    )
    output.next((ADOPT_OTHERS if some_missing else ADOPT) if state.targets else NOBODY)


def _update(compiled: Compiled, output: Output, process: int) -> None:
    """The sandbox that runs, as the site is now."""
    growth = grown(compiled)
    played = workplace(compiled).replaced or {}
    count = len(played)
    some_missing = _left_out(compiled, played, output)
    output.result(
        {"site": compiled.intent.site.site, "pid": process, "devices": count},
        f"{counted(count, LISTENING)} (process {process}): {growth or 'nothing has changed'}",
    )
    output.next(PLAN_OTHERS if some_missing else PLAN)


def _left_out(compiled: Compiled, played: Container[str], output: Output) -> bool:
    """Tell which devices the sandbox does not play, by product; whether there are any."""
    missing: dict[str, list[str]] = {}
    for name in compiled.artifacts:
        if name not in played:
            missing.setdefault(platform(compiled.platform_of(name)).title, []).append(name)
    for title, names in missing.items():
        many = counted(len(names), NOT_PLAYED)
        output.note(f"{many}, for the sandbox has no emulator of {title}: {named(names)}")
    if any(isinstance(compiled.devices[name], Switch) for names in missing.values() for name in names):
        output.note("`fabric lab up` plays every Ethernet switch, whatever its product")
    return bool(missing)
