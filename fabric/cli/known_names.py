"""What a command line names of a site: networks, devices, and their completion in the shell."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress

import click

from fabric.cli import codes
from fabric.cli.command_classes import Body
from fabric.cli.common_options import META, Settings
from fabric.cli.stop import Stop
from fabric.compiler import Compiled, open_site
from fabric.devices.site_devices import Devices
from fabric.diagnostics import FabricError
from fabric.documents.suggest import did_you_mean
from fabric.tables.value_formats import View, views
from fabric.topology.model import NetworkTopology


def known(name: str | None, names: Iterable[str], what: str, where: str = "this site") -> None:
    """`Stop`, with the nearest one, if `name` is not one of `names`."""
    names = list(names)
    if name is None or name in names:
        return
    hint = did_you_mean(name, names) or f"there are {', '.join(names[:8])}{', ...' if len(names) > 8 else ''}"
    raise Stop(codes.UNKNOWN_NAME, f"there is no {what} {name!r} in {where}", hint)


def views_of(site: Compiled, network: str | None, devices: Devices | None = None) -> tuple[View, ...]:
    """What lists of a site are made from. `Stop` if there is no network of that name.

    `devices`: those of the site, where they are derived anyway: else what lists need of them is derived alone.
    """
    known(network, site.topology.networks, "network")
    contexts = () if devices is None else devices.contexts
    return views(site.intent, site.topology, (network,) if network else (), contexts)


def known_device(site: Compiled, name: str | None, network: str | None = None) -> str | None:
    """The name, if the site, or the network, has such a device or host. `Stop` if it has not."""
    if name is not None:
        networks = site.topology.networks
        known(name, [n for each in networks.values() for n in each.names], "device")
        if network is not None:
            known(name, networks[network].names, "device", f"network {network}")
    return name


def complete_device(context: click.Context, _parameter: click.Parameter, start: str) -> list[str]:
    """Names of devices and hosts for the shell. Says nothing where the site is wrong: nobody asked."""
    return [name for network in _networks(context) for name in network.names if name.startswith(start)]


def complete_network(context: click.Context, _parameter: click.Parameter, start: str) -> list[str]:
    """Names of networks for the shell."""
    return [network.name for network in _networks(context) if network.name.startswith(start)]


def _networks(context: click.Context) -> Iterable[NetworkTopology]:
    with suppress(FabricError, OSError):
        return open_site(Settings(**context.meta.get(META, {})).site).topology.networks.values()
    return ()


def target_option(what: str = "Only these devices") -> Callable[[Body], Body]:
    """`--target`, of the commands that choose devices by more than their names; `what` says what it chooses there."""
    return click.option(
        "--target",
        multiple=True,
        metavar="[KIND:]NAME",
        shell_complete=complete_device,
        help=f"{what}: a name, or `rail:3`, `plane:0`, `unit:1`, `pod:0`, `role:spine`, `tag:NAME`; `*` matches; "
        "`role:leaf,unit:1` wants both; may be repeated.",
    )


def network_option(help_text: str) -> Callable[[Body], Body]:
    """`--network`, of every command that may look at one network alone; `help_text` says what holds without it."""
    return click.option("--network", metavar="NAME", shell_complete=complete_network, help=help_text)
