"""A site's sandbox: its devices as the sandbox wants them, and the way in to them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from fabric import sandbox
from fabric.api import Compiled
from fabric.cli import codes
from fabric.cli.failures import Stop
from fabric.deployment import SecretSource, targets
from fabric.deployment.workplace import Workplace
from fabric.diagnostics import Invalid
from fabric.intent.inventory import Inventory
from fabric.platforms.base import Target
from fabric.sandbox.site import emulated as played

USERNAME, PASSWORD = "admin", "sandbox"  # of emulated devices, on loopback addresses only
"""Where the inventory names no way in."""


class StandIns(Mapping[str, str]):
    """The environment, with a made-up value for each secret that it lacks: a sandbox keeps no real ones."""

    def __getitem__(self, name: str) -> str:
        return os.environ.get(name) or f"sandbox-{name.lower().replace('_', '-')}"

    def __iter__(self) -> Iterator[str]:
        return iter(os.environ)

    def __len__(self) -> int:
        return len(os.environ)


class SandboxWorkplace(Workplace, frozen=True, kw_only=True):
    """The workplace of a sandbox: a journal of its own, and secrets that need not exist."""

    @property
    def source(self) -> SecretSource:
        """Secrets of the site, or stand-ins."""
        return SecretSource(environ=StandIns(), folder=self.folder)


def folder_of_sandbox(site: Path) -> Path:
    """Where a site's sandbox keeps its state."""
    return site / ".fabric" / "sandbox"


def workplace(compiled: Compiled) -> SandboxWorkplace:
    """The workplace of the running sandbox. `Stop` if none runs."""
    folder = folder_of_sandbox(compiled.folder)
    found = sandbox.status(folder)
    if found is None:
        hint = f"run `fabric sandbox up -C {compiled.folder}`"
        raise Stop(codes.NO_SANDBOX, "no sandbox of this site is running", hint)
    ways = ways_in(compiled.intent.inventory, compiled.artifacts, compiled.folder)
    places = {
        name: msgspec.structs.replace(ways[name], address=place.address, port=place.port)
        for name, place in found.state.targets.items()
        if name in ways
    }
    journal = f"sqlite:///{(folder / 'journal.sqlite').resolve()}"
    return SandboxWorkplace(folder=compiled.folder, journal_url=journal, replaced=places)


def ways_in(inventory: Inventory, names: Iterable[str], folder: Path) -> dict[str, Target]:
    """Address, account and password of each device, as the inventory has them or made up."""
    source = SecretSource(environ=StandIns(), folder=folder)
    found: dict[str, Target] = {}
    for name in names:
        try:
            found |= targets(inventory, [name], source)
        except Invalid:
            found[name] = Target(name=name, address="", port=None, username=USERNAME, password=PASSWORD)
    return found


def emulated(compiled: Compiled) -> Iterator[sandbox.Emulated]:
    """Every switch of a site, fresh out of its box, with its cables."""
    ways = ways_in(compiled.intent.inventory, compiled.artifacts, compiled.folder)
    return played(compiled.devices.values(), lambda name: (ways[name].username, ways[name].password))
