"""`fabric import`: what cannot be computed, from the inventory system that has it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabric.cli import codes
from fabric.cli.command_classes import command
from fabric.cli.common_options import ExistingPath, current
from fabric.cli.printing.command_output import Output
from fabric.cli.printing.warnings import warn
from fabric.cli.run import ERROR, OK
from fabric.cli.stop import Stop
from fabric.compiler import Compiled, open_site
from fabric.topology.roles import Role
from fabric.units import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.integrations.netbox.client import NetBox
    from fabric.integrations.netbox.inventory_rows import Matched
    from fabric.integrations.netbox.read_devices import NetBoxDevice

SOME = 5
"""Names that are shown where more are meant."""


@command(
    "import",
    examples=(
        "fabric import netbox --url https://netbox.example.com -o inventory.yaml",
        "fabric import netbox --url https://netbox.example.com --netbox-site fra1 --token file:netbox.token",
        "fabric import netbox --from netbox_devices.csv -o inventory.yaml",
    ),
)
@click.argument("system", type=click.Choice(["netbox"]), metavar="netbox")
@click.option("--url", help="Address of NetBox; https only.")
@click.option(
    "--token",
    "reference",
    default="env:NETBOX_TOKEN",
    show_default=True,
    metavar="REFERENCE",
    help="Where the token is: `env:NAME`, `file:PATH`, `cmd:NAME` or `keyring:NAME`. Never the token itself.",
)
@click.option("--netbox-site", metavar="SLUG", help="The site there. Default: as the site is called here.")
@click.option("--ca-file", type=ExistingPath(dir_okay=False), help="Authorities of its certificate.")
@click.option(
    "--from",
    "table",
    type=ExistingPath(dir_okay=False, path_type=Path),
    help="A CSV export of NetBox's devices, in place of asking.",
)
@click.option("-o", "--out", type=click.Path(dir_okay=False, path_type=Path), help="Inventory file to make.")
def run(
    *,
    system: str,  # noqa: ARG001  # there is one so far
    url: str | None,
    reference: str,
    netbox_site: str | None,
    ca_file: str | None,
    table: Path | None,
    out: Path | None,
) -> int:
    """Take serial numbers, racks and management addresses from NetBox.

    Devices are known by their names. Nothing is changed in NetBox: a token that may only view devices is enough. A
    value that the inventory does not allow is left out, with a warning. No file is overwritten. The exit code is 1 if
    a device of the intent is not there.
    """
    from fabric.integrations.netbox.inventory_rows import inventory_text, match

    if (url is None) == (table is None):
        message = "give either `--url` or `--from`"
        raise click.UsageError(message)
    if out is not None and out.exists():
        raise Stop(codes.NOT_EMPTY, f"{out} exists", "choose another file, and join the two by hand")
    output, site = Output(), open_site(current().site)
    matched = match(_found(site, url, table, netbox_site, (reference, ca_file)), *_wanted(site))
    text = "".join(inventory_text(matched))
    if out is not None:
        out.write_text(text, encoding="utf-8")
    if output.is_text and out is None:
        output.raw(text)
    _print_matched(matched, output)
    warn(matched.findings, site.intent)
    return ERROR if matched.missing else OK


def _found(
    site: Compiled, url: str | None, table: Path | None, named: str | None, server: tuple[str, str | None]
) -> Iterator[NetBoxDevice]:
    """The site's devices in NetBox, or in an export of it."""
    from fabric.integrations.netbox.read_devices import from_api, from_csv

    there = named or site.topology.site
    if table is not None:
        text = table.read_text(encoding="utf-8", errors="replace")
        return from_csv(text, (there, site.topology.site))
    return from_api(_server(site, url or "", *server), there)


def _print_matched(matched: Matched, output: Output) -> None:
    if not output.is_text:
        devices, hosts = dict(matched.devices), dict(matched.hosts)
        output.document(
            {"devices": devices, "hosts": hosts, "missing": list(matched.missing), "others": matched.others}
        )
    if matched.missing:
        some = ", ".join(matched.missing[:SOME]) + (", ..." if len(matched.missing) > SOME else "")
        output.note(f"not in NetBox: {counted(len(matched.missing), ('device', 'devices'))}: {some}")
    rows = len(matched.devices) + len(matched.hosts)
    output.summary(f"{counted(rows, ('device', 'devices'))} found, {matched.others} others left alone")


def _server(site: Compiled, url: str, reference: str, ca_file: str | None) -> NetBox:
    from fabric.deployment.connection.secrets import SecretSource
    from fabric.integrations.netbox.client import NetBox

    if ":" not in reference:
        message = "`--token` is a reference such as `env:NETBOX_TOKEN`, never the token: other users can read arguments"
        raise click.UsageError(message)
    secrets = SecretSource(folder=site.folder).resolve([reference])
    return NetBox(url, secrets[reference], ca_file)


def _wanted(site: Compiled) -> tuple[dict[str, str | None], list[str]]:
    """The switches with their platforms, and the hosts."""
    from fabric.exports.network_view import views

    switches: dict[str, str | None] = {}
    hosts: dict[str, None] = {}
    for view in views(site.intent, site.topology):
        names = view.topology.names
        switches |= {names[node]: view.platform(node) for node in view.topology.switches}
        hosts |= {names[node]: None for node in view.topology.role_start[Role.HOST]}
    return switches, list(hosts)
