"""Opening a site: from `-C DIR` to its stages, with the place of every finding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import click
import msgspec

from fabric import api
from fabric.cli import codes
from fabric.cli.failures import Stop
from fabric.cli.settings import META, Settings
from fabric.cli.views.labels import View, views
from fabric.devices.site_devices import Devices
from fabric.diagnostics import Diagnostic, FabricError, Invalid
from fabric.documents import InvalidDocument, Sources
from fabric.documents.suggest import did_you_mean
from fabric.intent.model import Intent
from fabric.rendering import Artifacts, HostArtifacts
from fabric.topology.model import NetworkTopology, Topology


@contextmanager
def placed(sources: Sources) -> Iterator[None]:
    """Give what a later stage finds the files in which it stands."""
    try:
        yield
    except InvalidDocument:
        raise
    except Invalid as error:
        raise InvalidDocument(error.diagnostics, sources) from error


@dataclass(frozen=True)
class Opened:
    """A site and its stages, each made when asked for."""

    path: Path
    intent: Intent

    @cached_property
    def topology(self) -> Topology:
        """Stage 2."""
        with placed(self.intent.sources):
            return api.expand(self.intent)

    @property
    def unlocked(self) -> Opened:
        """The same site as if there were no fabric.lock: every `auto` is searched for again."""
        return Opened(self.path, msgspec.structs.replace(self.intent, lock=None))

    @cached_property
    def devices(self) -> Devices:
        """Stage 3."""
        with placed(self.intent.sources):
            return api.derive(self.intent, self.topology)

    @cached_property
    def artifacts(self) -> Artifacts:
        """Stage 4, printed when asked for."""
        return api.render(self.devices, folder_of(self.path))

    @cached_property
    def host_artifacts(self) -> HostArtifacts:
        """The files of hosts, printed when asked for."""
        return api.render_hosts(self.devices, folder_of(self.path))

    @property
    def compiled(self) -> api.Compiled:
        """All stages, as the functions that talk to devices want them."""
        return api.Compiled(folder_of(self.path), self.intent, self.topology, self.devices, self.artifacts)

    @property
    def findings(self) -> tuple[Diagnostic, ...]:
        """The warnings of the stages up to the devices; printing them finds the rest."""
        return self.intent.diagnostics + self.topology.diagnostics + self.devices.diagnostics

    def views(self, network: str | None) -> tuple[View, ...]:
        """What lists are made from. `Stop` if there is no network of that name."""
        known(network, self.topology.networks, "network")
        return views(self.intent, self.topology, (network,) if network else ())

    def device(self, name: str | None, network: str | None = None) -> str | None:
        """The name, if the site, or the network, has such a device or host. `Stop` if it has not."""
        if name is not None:
            networks = self.topology.networks
            known(name, [n for one in networks.values() for n in one.names], "device")
            if network is not None:
                known(name, networks[network].names, "device", f"network {network}")
        return name


def known(name: str | None, names: Iterable[str], what: str, where: str = "this site") -> None:
    """`Stop`, with the nearest one, if `name` is none of `names`."""
    names = list(names)
    if name is None or name in names:
        return
    hint = did_you_mean(name, names) or f"there are {', '.join(names[:8])}{', ...' if len(names) > 8 else ''}"
    raise Stop(codes.UNKNOWN_NAME, f"there is no {what} {name!r} in {where}", hint)


def folder_of(path: Path) -> Path:
    """The folder of a site that was named by its folder or its first file."""
    return path if path.is_dir() else path.parent


def opened(path: Path) -> Opened:
    """Read a site."""
    return Opened(path, api.load(path))


def complete_device(context: click.Context, _parameter: click.Parameter, start: str) -> list[str]:
    """Names of devices and hosts for the shell. Says nothing where the site is wrong: nobody asked."""
    return [name for network in _networks(context) for name in network.names if name.startswith(start)]


def complete_network(context: click.Context, _parameter: click.Parameter, start: str) -> list[str]:
    """Names of networks for the shell."""
    return [network.name for network in _networks(context) if network.name.startswith(start)]


def _networks(context: click.Context) -> Iterable[NetworkTopology]:
    with suppress(FabricError, OSError):
        return opened(Settings(**context.meta.get(META, {})).site).topology.networks.values()
    return ()
