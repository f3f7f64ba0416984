"""`fabric lab ping`: whether the hosts reach each other on all rails."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import click

from fabric.api import open_site
from fabric.cli.command_classes import command
from fabric.cli.common_options import current
from fabric.cli.open_lab import folder_of_lab
from fabric.cli.printing.command_output import Output
from fabric.cli.run import ERROR, OK
from fabric.documents.places import placed
from fabric.lab import RunningLab
from fabric.lab.traffic import PingAnswer, flows_between_hosts, ping
from fabric.tables.table import Column, Row, Table

PAIRS = ("pair", "pairs")


@command(
    "ping",
    examples=("fabric lab ping", "fabric lab ping --all-pairs --across-rails"),
    formats=("text", "json", "csv"),
)
@click.option("--all-pairs", is_flag=True, help="From each host to every other. Default: to the next one.")
@click.option("--across-rails", is_flag=True, help="Also between NICs of different rails.")
def run(*, all_pairs: bool, across_rails: bool) -> int:
    """Send an echo request from every NIC of every host to the next host on the same rail.

    The exit code is 0 if all are answered. Those that are not are listed.
    """
    output, settings = Output(), current()
    lab = RunningLab(folder_of_lab(settings.site))
    site = open_site(settings.site)
    with placed(site.intent.sources):
        flows = flows_between_hosts(site.devices, all_pairs=all_pairs, across_rails=across_rails)
    here = frozenset(lab.hosts)
    answers = ping(lab, (flow for flow in flows if {flow.source, flow.target} <= here))
    silent = [answer for answer in answers if not answer.is_answered]
    head = {"sent": len(answers), "answered": len(answers) - len(silent)}
    output.tables([_table(silent)] if silent else [], head)
    output.summary(f"{len(answers) - len(silent):,} of {len(answers):,} answered")
    return ERROR if silent or not answers else OK


def _table(silent: Iterable[PingAnswer]) -> Table:
    def rows() -> Iterator[Row]:
        for flow, _ in silent:
            ends = (flow.source, flow.source_address, flow.target, flow.target_address)
            yield (flow.network, flow.rail, flow.plane, *ends)

    columns = (
        Column(key="network", heading="NETWORK"),
        Column(key="rail", heading="RAIL", right=True),
        Column(key="plane", heading="PLANE", right=True),
        Column(key="source", heading="FROM", style=lambda _v: "bold"),
        Column(key="source_address", heading="ADDRESS"),
        Column(key="target", heading="TO", style=lambda _v: "bold"),
        Column(key="target_address", heading="ADDRESS"),
    )
    return Table(name="unanswered", columns=columns, rows=rows, noun=PAIRS)
