"""`fabric verify`: a running network against the intent."""

from __future__ import annotations

from pathlib import Path

import click

from fabric import api
from fabric.api import Compiled, open_site
from fabric.cli.command_classes import command
from fabric.cli.common_options import current
from fabric.cli.known_names import known, network_option
from fabric.cli.online_commands import jobs_option, observing, tell_of_run_under_way
from fabric.cli.printing.command_output import Output
from fabric.cli.run import ERROR, OK
from fabric.cli.views import network_verdict as view
from fabric.cli.where import Where, where_option
from fabric.diagnostics import Refused
from fabric.documents.places import placed
from fabric.verification.verdict import NetworkVerdict


@command(
    "verify",
    examples=(
        "fabric verify",
        "fabric verify --sandbox",
        "fabric verify --save answers",
        "fabric verify --from answers --junit verify.xml",
        "fabric verify --hosts results",
        "fabric verify --from outputs --format json",
    ),
    formats=("text", "json", "junit"),
)
@click.option(
    "--from",
    "outputs",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder with answers that were saved, or with outputs of InfiniBand's tools. Default: ask now.",
)
@click.option(
    "--save",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Save what the switches say, for --from.",
)
@click.option(
    "--hosts",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder with what `fabric-roce-verify --report` has printed on the hosts, a file a host.",
)
@click.option(
    "--junit", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write JUnit XML too."
)
@network_option("Needed if there are several.")
@where_option()
@click.option("--simulate", is_flag=True, help="The subnet is simulated by ibsim: every link is 4x HDR.")
@jobs_option
def run(
    *,
    outputs: Path | None,
    save: Path | None,
    hosts: Path | None,
    junit: Path | None,
    network: str | None,
    where: Where,
    simulate: bool,
    jobs: int,
) -> int:
    """Compare a running network with the intent.

    Ethernet: cables by LLDP, ports, BGP sessions, queues, routes and their equal paths, as the switches say; with
    --hosts also what the hosts' own verify program has found, each NIC with its switch.
    InfiniBand, on a host of the subnet, or with --sandbox that of the sandbox: managers, cables, P_Keys, lanes and
    routes. Each fault is told once, and its id is the same in every run. The exit code is 1 if there is one. What
    nobody looked at is named.
    """
    if outputs is not None and (save is not None or where.stand_ins):
        message = "--from reads what was saved: --save, --sandbox and --lab ask now"
        raise click.UsageError(message)
    output, settings = Output(), current()
    site = open_site(settings.site)
    chosen = _chosen(site, network)
    if save is not None and site.topology.networks[chosen].technology == "infiniband":
        raise Refused(
            "of InfiniBand nothing is saved", "keep the outputs of its tools: `--from DIR` reads them"
        )
    site, place = where.opened(site, jobs)
    if outputs is None:
        tell_of_run_under_way(output, place, site.intent.site.site)
    total = len(site.topology.networks[chosen].switches)
    with placed(site.intent.sources), observing(total, settings) as on_event:
        verdict = api.verify(
            site,
            chosen,
            outputs,
            hosts=hosts,
            simulated=simulate,
            place=place,
            save=save,
            on_event=on_event,
        )
    if junit is not None:
        junit.write_text(view.junit(verdict), encoding="utf-8")
    return _shown(site, chosen, verdict, output)


def _shown(site: Compiled, network: str, verdict: NetworkVerdict, output: Output) -> int:
    """Print the report; the exit code."""
    if output.is_text:
        output.lines(view.lines(verdict, current().verbose))
    elif current().format == "json":
        output.document(view.document(site.intent.site.site, verdict))
    else:
        output.raw(view.junit(verdict))
    if verdict.unread:
        output.note(f"nothing that is known is in {', '.join(verdict.unread)}")
    output.summary(f"{view.tally(verdict.findings)} in {network}")
    if not verdict.is_clean:
        output.next(f"`fabric explain {verdict.findings[0].code}` tells more")
    return OK if verdict.is_clean else ERROR


def _chosen(site: Compiled, network: str | None) -> str:
    """The network to verify: the named one, or the only one."""
    networks = list(site.topology.networks)
    known(network, networks, "network")
    if network is not None:
        return network
    if len(networks) > 1:
        raise Refused(f"there are several networks: {', '.join(networks)}", "name one with --network")
    return networks[0]
