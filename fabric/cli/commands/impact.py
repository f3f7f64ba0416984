"""`fabric impact`: what failures take of the network."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabric import api
from fabric.cli import codes
from fabric.cli.command_classes import command
from fabric.cli.common_options import current
from fabric.cli.known_names import complete_device, known, network_option
from fabric.cli.printing.command_output import Output
from fabric.cli.run import ERROR, OK
from fabric.cli.stop import Stop
from fabric.compiler import Compiled, open_site
from fabric.tables.failures import failure_table, job_table, notes, summary, taken_table

if TYPE_CHECKING:
    from fabric.failures import Maintenance

TOP = 20


@command(
    "impact",
    examples=(
        "fabric impact",
        "fabric impact --top 5",
        "fabric impact --pairs",
        "fabric impact --take spine-0",
        "fabric impact --take leaf-0-0:spine-0,leaf-0-1:spine-0",
        "fabric impact --format json",
    ),
    formats=("text", "json", "csv"),
)
@network_option("Only this network.")
@click.option(
    "--pairs",
    is_flag=True,
    help="Every pair of links, switches, planes and racks that fail together, in place of one failure.",
)
@click.option(
    "--take",
    "taken",
    metavar="NAMES",
    shell_complete=complete_device,
    help="May these be taken out together? Switches, or A:B for the links of two, with commas between.",
)
@click.option(
    "--jobs-file",
    "jobs",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="With --take: a CSV file with the columns name and hosts (blanks between): which jobs feel it.",
)
@click.option(
    "--top",
    type=click.IntRange(min=1),
    metavar="COUNT",
    help=f"So many classes of each network, the worst; as text {TOP} by default.",
)
def run(*, network: str | None, pairs: bool, taken: str | None, jobs: Path | None, top: int | None) -> int:
    """Show what failures take of the network, worst first.

    Every link, cable, optic, leaf, spine, superspine, line card, plane, and rack and power feed of the inventory fails
    alone. Failures of one kind with equal effects are one row: how many there are, one of them, hosts that are cut off,
    rails of hosts without a path, and the bandwidth that is left. Nothing is connected to.

    With --take the exit code is 1 if a host would be cut off, or a rail of a host, or a leaf from another one.
    """
    output, site = Output(), open_site(current().site)
    known(network, site.topology.networks, "network")
    if taken is not None:
        if pairs or top:
            raise click.UsageError("--take goes with neither --pairs nor --top")
        return _take(site, network, taken, jobs, output)
    if jobs is not None:
        raise click.UsageError("--jobs-file goes with --take")
    impacts = api.impact(site, network, pairs=pairs)
    most = top or (TOP if output.is_text else None)
    output.tables([failure_table(impacts, most)], {"site": site.topology.site, "pairs": pairs})
    for impact in impacts:
        for note in notes(impact):
            output.note(note)
    output.summary(summary(impacts))
    return OK


def _take(site: Compiled, network: str | None, taken: str, jobs: Path | None, output: Output) -> int:
    names = tuple(dict.fromkeys(name.strip() for name in taken.split(",") if name.strip()))
    if not names:
        raise click.UsageError("--take names no switch and no link")
    try:
        answers = api.maintenance(site, names, _jobs(jobs, site) if jobs else {}, network)
    except KeyError as error:
        _no_switch(site, str(error.args[0]), network)
        raise
    tables = [taken_table(answers), *([job_table(answers)] if jobs else [])]
    allowed = all(answer.is_allowed for answer in answers)
    output.tables(tables, {"site": site.topology.site, "taken": names, "is_allowed": allowed})
    output.summary(_verdict(answers))
    return OK if allowed else ERROR


def _verdict(answers: tuple[Maintenance, ...]) -> str:
    from fabric.failures import reasons

    wrong = [f"{answer.network}: {reason}" for answer in answers for reason in answer.reasons]
    if wrong:
        return f"no: {'; '.join(wrong)}"
    lost = [f"{answer.network}: {reason}" for answer in answers for reason in reasons(answer.already)]
    if lost:
        return f"yes: nothing is lost beside what is out already: {'; '.join(lost)}"
    return "yes: every host still reaches every other on every rail"


def _no_switch(site: Compiled, name: str, network: str | None) -> None:
    """`Stop`: there is no such switch, or no link between these two."""
    networks = site.topology.networks
    switches = [
        networks[each].names[node]
        for each in ([network] if network else networks)
        for node in networks[each].switches
    ]
    if ":" not in name:
        known(name, switches, "switch")
    rule = f"no link joins {' and '.join(name.split(':'))}"
    raise Stop(codes.UNKNOWN_NAME, rule, "`fabric show links` lists all of them")


def _jobs(path: Path, site: Compiled) -> dict[str, tuple[str, ...]]:
    """The hosts of each job. `Stop` if the file has other columns, or names a host that there is not."""
    with path.open(encoding="utf-8", newline="") as stream:
        rows = csv.DictReader(stream)
        if not {"name", "hosts"} <= set(rows.fieldnames or ()):
            rule = f"{path}: a list of jobs has the columns name and hosts"
            raise Stop(codes.FILE_TROUBLE, rule, "write `name,hosts` into its first line")
        jobs = {row["name"] or "": tuple((row["hosts"] or "").split()) for row in rows}
    names = {name for network in site.topology.networks.values() for name in network.names}
    for job, hosts in jobs.items():
        for host in hosts:
            if host not in names:
                known(host, sorted(names), "host", f"this site, as job {job!r} says")
    return jobs
