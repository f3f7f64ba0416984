"""`fabric identify`: the GUIDs of a discovered InfiniBand subnet, as the inventory writes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabric.cli import codes
from fabric.cli.command_classes import command
from fabric.cli.common_options import ExistingPath, current
from fabric.cli.known_names import known, network_option
from fabric.cli.printing.command_output import Output
from fabric.cli.run import ERROR, OK
from fabric.cli.stop import Stop
from fabric.compiler import Compiled, open_site
from fabric.devices.model import SubnetManager
from fabric.diagnostics import Refused
from fabric.tables.table import ADAPTERS, SWITCHES
from fabric.units import counted

if TYPE_CHECKING:
    from fabric.devices.infiniband.model import Subnet
    from fabric.verification.infiniband.cables.match_nodes import Adapter, Identities

SOME = 10
"""Names that are told where more are meant."""


@command(
    "identify",
    examples=(
        "fabric identify ibnetdiscover.txt",
        "fabric identify ibnetdiscover.txt -o inventory.yaml",
        "fabric identify ibnetdiscover.txt --csv guids.csv -o inventory.yaml",
    ),
)
@click.argument("discovered", type=ExistingPath(dir_okay=False, path_type=Path))
@click.option("-o", "--out", type=click.Path(dir_okay=False, path_type=Path), help="Inventory file to make.")
@click.option(
    "--csv",
    "table",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Adapters go into this table, which the inventory names as `guids_csv`.",
)
@network_option("InfiniBand network.")
def run(*, discovered: Path, out: Path | None, table: Path | None, network: str | None) -> int:
    """Match the GUIDs of a discovered InfiniBand subnet to the intent.

    DISCOVERED holds the output of `ibnetdiscover`. Switches are known by their names, or by the majority of their
    cables; adapters by their place, which the host that they name must not contradict. What has a doubt is told and
    left out; then, or if something of the intent was not found, the exit code is 1. No file is overwritten.
    """
    from fabric.verification.infiniband.cables.match_nodes import identify

    output, site = Output(), open_site(current().site)
    subnet = _subnet(site, network)
    for file in (out, table):
        if file is not None and file.exists():
            raise Stop(codes.NOT_EMPTY, f"{file} exists", "choose another file, and join the two by hand")
    identified = identify(subnet, discovered.read_text(encoding="utf-8", errors="replace"))
    if table is not None:
        table.write_text("".join(_rows(identified, subnet.network)), encoding="utf-8")
    text = "".join(_inventory(identified, subnet.network, table))
    if out is not None:
        out.write_text(text, encoding="utf-8")
    if not output.is_text:
        output.document(_document(identified, subnet.network))
    elif out is None:
        output.raw(text)
    _print_identities(identified, output)
    return ERROR if identified.doubts or identified.missing else OK


def _subnet(site: Compiled, network: str | None) -> Subnet:
    """The subnet of the named network, or of the only one."""
    subnets = {
        device.network: device.subnet for device in site.devices.values() if isinstance(device, SubnetManager)
    }
    known(network, subnets, "InfiniBand network")
    if network is None and len(subnets) != 1:
        there = ", ".join(subnets) or "none"
        raise Refused(f"InfiniBand networks of this site: {there}", "name one with --network")
    return subnets[network or next(iter(subnets))]


def _inventory(identities: Identities, network: str, table: Path | None) -> Iterator[str]:
    yield "devices:\n" if identities.switches else ""
    for switch in identities.switches:
        yield f'  {switch.name}: {{guid: "{switch.guid:#018x}"}}\n'
    if table is not None:
        yield f"guids_csv: {table.name}\n"
        return
    host = ""
    yield "hosts:\n" if identities.adapters else ""
    for adapter in identities.adapters:
        if adapter.host != host:
            host = adapter.host
            yield f"  {host}:\n    hcas:\n      {network}:\n"
        yield f'        - {{node_guid: "{adapter.node_guid:#018x}", port_guids: [{_ports(adapter)}]}}\n'


def _ports(adapter: Adapter) -> str:
    return ", ".join(f'"{guid:#018x}"' for guid in adapter.port_guids)


def _rows(identities: Identities, network: str) -> Iterator[str]:
    yield "name,network,nic,node_guid,port_guids\n"
    for adapter in identities.adapters:
        ports = " ".join(f"{guid:#018x}" for guid in adapter.port_guids)
        yield f"{adapter.host},{network},{adapter.nic},{adapter.node_guid:#018x},{ports}\n"


def _document(identities: Identities, network: str) -> dict[str, object]:
    return {
        "network": network,
        "switches": [{"name": s.name, "guid": f"{s.guid:#018x}", "by": s.by} for s in identities.switches],
        "adapters": [
            {
                "host": a.host,
                "nic": a.nic,
                "node_guid": f"{a.node_guid:#018x}",
                "port_guids": [f"{guid:#018x}" for guid in a.port_guids],
                "by": a.by,
            }
            for a in identities.adapters
        ],
        "missing": list(identities.missing),
        "doubts": list(identities.doubts),
    }


def _print_identities(identities: Identities, output: Output) -> None:
    for doubt in identities.doubts[:SOME]:
        output.note(f"doubt: {doubt}")
    if identities.missing:
        more = f" and {len(identities.missing) - SOME} more" if len(identities.missing) > SOME else ""
        output.note(f"not found: {', '.join(identities.missing[:SOME])}{more}")
    by = Counter(
        [*(switch.by for switch in identities.switches), *(adapter.by for adapter in identities.adapters)]
    )
    known_by = ", ".join(f"{count} by {what}" for what, count in sorted(by.items()))
    output.summary(
        f"{counted(len(identities.switches), SWITCHES)} and {counted(len(identities.adapters), ADAPTERS)}: "
        f"{known_by or 'none known'}"
    )
