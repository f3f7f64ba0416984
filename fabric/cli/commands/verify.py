"""`fabric verify`: a running InfiniBand subnet against the intent."""

from __future__ import annotations

from pathlib import Path

import click

from fabric import api
from fabric.api import Compiled, open_site
from fabric.cli.command_classes import command
from fabric.cli.common_options import current
from fabric.cli.known_names import complete_network, known
from fabric.cli.printing.command_output import Output
from fabric.cli.run import ERROR, OK
from fabric.cli.views import subnet_verdict as view
from fabric.diagnostics import Refused
from fabric.documents.places import placed


@command(
    "verify",
    examples=(
        "fabric verify",
        "fabric verify --from outputs",
        "fabric verify --from outputs --format json",
        "fabric verify --from outputs --format junit > verify.xml",
    ),
    formats=("text", "json", "junit"),
)
@click.option(
    "--from",
    "outputs",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder with outputs of the tools. Default: run them, on this host of the subnet.",
)
@click.option(
    "--network",
    metavar="NAME",
    shell_complete=complete_network,
    help="InfiniBand network. Needed if there are several.",
)
@click.option("--simulate", is_flag=True, help="The subnet is simulated by ibsim: every link is 4x HDR.")
def run(*, outputs: Path | None, network: str | None, simulate: bool) -> int:
    """Compare a running InfiniBand subnet with the intent.

    Cables, dead and strange nodes, speeds and names; P_Keys of every port; lanes; and all routes: whether they
    arrive, how even they are, and whether they can deadlock. Each fault is told once, and its id is the same in
    every run. The exit code is 1 if there is one. What nobody looked at is named.
    """
    output, site = Output(), open_site(current().site)
    chosen = _chosen(site, network)
    with placed(site.intent.sources):
        verdict = api.verify(site, chosen, outputs, simulated=simulate)
    if output.is_text:
        output.lines(view.lines(verdict, output.settings.verbose))
    elif output.settings.format == "json":
        output.document(view.document(site.intent.site.site, verdict))
    else:
        output.raw(view.junit(verdict))
    if verdict.unread:
        output.note(f"nothing that is known is in {', '.join(verdict.unread)}")
    output.summary(f"{view.tally(verdict.findings)} in {chosen}")
    if not verdict.is_clean:
        output.next(f"`fabric explain {verdict.findings[0].code}` tells more")
    return OK if verdict.is_clean else ERROR


def _chosen(site: Compiled, network: str | None) -> str:
    """The network to verify: the named one, or the only one."""
    subnets = [
        name for name, topology in site.topology.networks.items() if topology.technology == "infiniband"
    ]
    known(network, subnets, "InfiniBand network")
    if network is not None:
        return network
    if not subnets:
        raise Refused(
            "this site has no InfiniBand network", "Ethernet switches are compared by `fabric drift`"
        )
    if len(subnets) > 1:
        raise Refused(
            f"there are several InfiniBand networks: {', '.join(subnets)}", "name one with --network"
        )
    return subnets[0]
