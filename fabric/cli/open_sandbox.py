"""A site's sandbox: its devices as the sandbox wants them, and the management access to them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path

import msgspec

from fabric import sandbox
from fabric.cli import codes
from fabric.cli.printing.command_output import Output
from fabric.cli.stop import Stop
from fabric.compiler import Compiled
from fabric.deployment import SecretSource, targets
from fabric.deployment.refusal_message import named
from fabric.deployment.workplace import JOURNAL_FILE, Workplace
from fabric.devices.model import SubnetManager
from fabric.diagnostics import Invalid
from fabric.documents.places import placed
from fabric.intent.inventory import Inventory
from fabric.platforms.base import Target
from fabric.resources import SCRATCH
from fabric.sandbox.sandbox_process import Place
from fabric.sandbox.site_devices import emulated_switches

OTHER_LETTERS = re.compile(r"[^a-z0-9.-]")
USERNAME, PASSWORD = "admin", "sandbox"  # of emulated devices, on loopback addresses only
"""Where the inventory names no management access."""


class StandIns(Mapping[str, str]):
    """The environment, with a made-up value for each secret that it lacks: a sandbox keeps no real ones.

    `keys`: references of secrets that are 64-bit numbers.
    """

    def __init__(self, keys: frozenset[str] = frozenset()) -> None:
        self._keys = keys

    def __getitem__(self, name: str) -> str:
        return os.environ.get(name) or self._made_up(f"env:{name}")

    def source(self, folder: Path) -> SecretSource:
        """Secrets of a site, or stand-ins. No program is started for them, and no keyring is asked."""
        return SecretSource(environ=self, folder=folder, made_up=self._made_up)

    def _made_up(self, reference: str) -> str:
        name = reference.partition(":")[2]
        if reference in self._keys:
            return f"0x{sha256(name.encode()).hexdigest()[:16]}"
        return f"sandbox-{OTHER_LETTERS.sub('-', name.lower())}"

    def __iter__(self) -> Iterator[str]:
        return iter(os.environ)

    def __len__(self) -> int:
        return len(os.environ)


class SandboxWorkplace(Workplace, frozen=True, kw_only=True):
    """The workplace of a sandbox: a journal of its own, and secrets that need not exist."""

    keys: frozenset[str] = frozenset()
    """References to keys of subnets, which are 64-bit numbers."""

    @property
    def source(self) -> SecretSource:
        """Secrets of the site, or stand-ins."""
        return StandIns(self.keys).source(self.folder)


def folder_of_sandbox(site: Path) -> Path:
    """Where a site's sandbox keeps its state."""
    return site / SCRATCH / "sandbox"


def forget_runs(folder: Path) -> None:
    """Remove the journal of a sandbox that has ended: the next one starts with fresh devices, which have no history.

    SQLite's own files beside it go too: a program that was killed has left them.
    """
    for file in folder.glob(f"{JOURNAL_FILE}*"):
        file.unlink(missing_ok=True)


def workplace(compiled: Compiled) -> SandboxWorkplace:
    """The workplace of the running sandbox. `Stop` if none runs."""
    folder = folder_of_sandbox(compiled.folder)
    if growth := grown(compiled):
        Output().note(f"the sandbox has changed with the site: {growth}")
    state = sandbox.status(folder)
    if state is None:
        raise Stop(codes.NO_SANDBOX, "no sandbox of this site is running", "run `fabric sandbox up`")
    ways = sandbox_targets(compiled.intent.inventory, compiled.artifacts, compiled.folder)
    places = {name: _moved(ways[name], place) for name, place in state.state.targets.items() if name in ways}
    journal = f"sqlite:///{(folder / JOURNAL_FILE).resolve()}"
    return SandboxWorkplace(
        folder=compiled.folder,
        journal_url=journal,
        replaced=places,
        stand_ins="sandbox",
        subnets=sandbox.environments(folder / sandbox.SUBNETS),
        has_routes=all(place.has_routes for place in state.state.targets.values()),
        keys=_subnet_keys(compiled),
    )


def grown(compiled: Compiled) -> str:
    """Give the running sandbox the devices and cables that the site has now; in words, what that has changed.

    `Refused` if it cannot be: simulated InfiniBand networks do not change while they run. `Invalid`, and it stays as
    it is, if the site has an error: a typo ends no device, with all that was rehearsed on it.
    """
    folder = folder_of_sandbox(compiled.folder)
    state = sandbox.status(folder)
    if state is None or state.state.intent == compiled.digest:
        return ""
    with placed(compiled.intent.sources):
        compiled.artifacts.check_together()
        compiled.artifacts.check_each()
        devices = tuple(emulated(compiled))
    managers = sandbox.simulated(compiled.devices.values())
    growth = sandbox.update(devices, folder, managers=managers, intent=compiled.digest)
    parts = {"added": growth.added, "removed": growth.removed, "cabled anew": growth.rewired}
    return ", ".join(f"{named(names)} {verb}" for verb, names in parts.items() if names)


def _subnet_keys(compiled: Compiled) -> frozenset[str]:
    if all(network.technology == "ethernet" for network in compiled.topology.networks.values()):
        return frozenset()  # no switch is derived to find that out
    managers = [device for device in compiled.devices.values() if isinstance(device, SubnetManager)]
    keys = [manager.subnet.keys for manager in managers if manager.subnet.keys is not None]
    return frozenset(reference for key in keys for reference in (key.management, key.administration))


def _moved(way: Target, place: Place) -> Target:
    """A device's access, to where the sandbox has it. Hosts of subnet managers let in whoever runs the sandbox."""
    moved = msgspec.structs.replace(
        way, address=place.address, port=place.port, ports=place.ports, trust=place.trust
    )
    if not place.key_file:
        return moved
    return msgspec.structs.replace(
        moved, username=place.username, password="", key_file=place.key_file, host=place.host
    )


def sandbox_targets(inventory: Inventory, names: Iterable[str], folder: Path) -> dict[str, Target]:
    """Address, account and password of each device, as the inventory has them or made up."""
    source = StandIns().source(folder)
    by_name: dict[str, Target] = {}
    for name in names:
        try:
            by_name |= targets(inventory, [name], source)
        except Invalid:
            by_name[name] = Target(name=name, address="", port=None, username=USERNAME, password=PASSWORD)
    return by_name


def emulated(compiled: Compiled) -> Iterator[sandbox.Emulated]:
    """Every switch of a site, fresh out of its box, with its cables."""
    ways = sandbox_targets(compiled.intent.inventory, compiled.artifacts, compiled.folder)
    return emulated_switches(
        compiled.devices.values(), lambda name: (ways[name].username, ways[name].password)
    )
