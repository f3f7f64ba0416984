"""`fabric report`: everything that is known of a site, as one page for a browser."""

from __future__ import annotations

from pathlib import Path

import click

from fabric import api
from fabric.api import open_site
from fabric.cli.command_classes import command
from fabric.cli.commands.simulate.options import OPERATIONS
from fabric.cli.common_options import ExistingPath, current
from fabric.cli.known_names import network_option, views_of
from fabric.cli.printing.command_output import Output
from fabric.units import counted

DEFAULT = Path("report.html")
STDOUT = Path("-")


@command(
    "report",
    examples=(
        "fabric report",
        "fabric report -o pod.html --collective alltoall",
        "fabric report --plan .fabric/plan",
        "fabric verify --format json > verify.json; fabric report --verify verify.json",
    ),
)
@click.option(
    "--out",
    "-o",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    default=DEFAULT,
    metavar="FILE",
    help="The page; `-` is the standard output. Default: report.html.",
)
@click.option(
    "--plan",
    "plan_folder",
    type=ExistingPath(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Show a saved plan too: waves, impacts, differences.",
)
@click.option(
    "--verify",
    "verify_file",
    type=ExistingPath(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Show what `fabric verify --format json` has printed.",
)
@click.option(
    "--collective",
    type=click.Choice(OPERATIONS),
    default=OPERATIONS[0],
    metavar="OPERATION",
    help="Whose load of the links is shown. Default: allreduce.",
)
@network_option("Only this network.")
def run(
    *,
    out: Path,
    plan_folder: Path | None,
    verify_file: Path | None,
    collective: str,
    network: str | None,
) -> None:
    """Write everything that is known of a site as one page for a browser.

    The page is one file that asks for nothing from outside: the network as a drawing that opens from the whole down
    to a single port, lint findings, failures, the load of a collective, queues, ports, racks, addresses, parts, and
    on request a plan and what was verified. It goes by mail, onto a share, into a pipeline's artifacts. Secrets are
    not in it. The same site gives the same bytes.
    """
    output = Output()
    site = open_site(current().site)
    views = views_of(site, network)
    text = api.report(site, network, collective=collective, plan=plan_folder, verified=verify_file)
    if out == STDOUT:
        output.raw(text)
    else:
        out.write_text(text, encoding="utf-8")
    switches = sum(len(view.topology.switches) for view in views)
    if not output.is_text and out != STDOUT:
        output.document({"site": site.topology.site, "report": str(out), "bytes": len(text.encode())})
    name = "standard output" if out == STDOUT else out
    output.summary(f"{name}: {counted(switches, ('switch', 'switches'))}, {len(text.encode()) / 1e6:.1f} MB")
