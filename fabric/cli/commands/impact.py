"""`fabric impact`: what failures take of the network."""

from __future__ import annotations

import click

from fabric import api
from fabric.cli.command_classes import command
from fabric.cli.common_options import current
from fabric.cli.known_names import complete_network, known
from fabric.cli.printing.command_output import Output
from fabric.cli.run import OK
from fabric.cli.views.failures import failure_table, notes, summary
from fabric.compiler import open_site

TOP = 20


@command(
    "impact",
    examples=("fabric impact", "fabric impact --top 5", "fabric impact --format json"),
    formats=("text", "json", "csv"),
)
@click.option("--network", metavar="NAME", shell_complete=complete_network, help="Only this network.")
@click.option(
    "--top",
    type=click.IntRange(min=1),
    metavar="COUNT",
    help=f"So many classes of each network, the worst; as text {TOP} by default.",
)
def run(*, network: str | None, top: int | None) -> int:
    """Show what failures take of the network, worst first.

    Every link, cable, optic, leaf, spine, superspine, line card, plane, and rack of the inventory fails alone. Failures
    of one kind with equal effects are one row: how many there are, one of them, hosts that are cut off, rails of
    hosts without a path, and the bandwidth that is left. Nothing is connected to.
    """
    output, site = Output(), open_site(current().site)
    known(network, site.topology.networks, "network")
    impacts = api.impact(site, network)
    most = top or (TOP if output.is_text else None)
    output.tables([failure_table(impacts, most)], {"site": site.topology.site})
    for impact in impacts:
        for note in notes(impact):
            output.note(note)
    output.summary(summary(impacts))
    return OK
