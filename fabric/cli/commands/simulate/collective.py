"""`fabric simulate`: what a collective operation puts on the links of a network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fabric import api
from fabric.api import Compiled, open_site
from fabric.cli import codes
from fabric.cli.command_classes import command
from fabric.cli.commands.simulate.jobs_tables import beside_table, shared_table
from fabric.cli.commands.simulate.tables import (
    answer_lines,
    answer_record,
    hot_table,
    tier_table,
    variant_table,
)
from fabric.cli.common_options import current
from fabric.cli.failure_messages import Stop
from fabric.cli.known_names import complete_network, known, views_of
from fabric.cli.printing.command_output import Output
from fabric.cli.printing.tables import HOSTS, total
from fabric.documents.places import placed
from fabric.intent.default_pools import PRIMARY
from fabric.units import DataSize, counted

if TYPE_CHECKING:  # numpy comes with it
    from fabric.simulation import Question, Work

OPERATIONS = (
    "allreduce",
    "reducescatter",
    "allgather",
    "alltoall",
    "broadcast",
    "sendrecv",
    "mpi-allreduce",
    "mpi-allgather",
    "mpi-alltoall",
    "mpi-bcast",
)
ALGORITHMS = ("ring", "tree", "nvls", "pairs", "halving")
HASHES = ("crc32", "crc32-seeded", "mixer", "spray", "destination")
"""Names of `fabric.simulation`, which is imported when the command runs; a test holds them equal."""
MOST_QPS = 256
MOST_FLOWS_SEED = (1 << 32) - 1


@command(
    "simulate",
    examples=(
        "fabric simulate",
        "fabric simulate alltoall --gpus 64 --size 256MiB",
        "fabric simulate allreduce --placement random --qps 16",
        "fabric simulate allreduce --algorithm tree",
        "fabric simulate allreduce --placement random --variants",
        "fabric simulate --hosts job.txt --with other.txt",
        "fabric simulate allreduce --hosts job.txt --format json",
    ),
    formats=("text", "json", "csv"),
)
@click.argument("operation", type=click.Choice(OPERATIONS), default=OPERATIONS[0], metavar="[OPERATION]")
@click.option(
    "--algorithm",
    type=click.Choice(ALGORITHMS),
    help="How the operation is done. Default: ring, of alltoall and sendrecv pairs.",
)
@click.option(
    "--size",
    default="1GiB",
    show_default=True,
    metavar="SIZE",
    help="Bytes, as nccl-tests prints them.",
)
@click.option("--network", metavar="NAME", shell_complete=complete_network, help="Default: compute.")
@click.option("--gpus", type=click.IntRange(1), metavar="N", help="Default: all but those of spare hosts.")
@click.option(
    "--placement",
    type=click.Choice(("contiguous", "random")),
    default="contiguous",
    show_default=True,
    help="Hosts of the job: unit by unit as they stand, or any in any order.",
)
@click.option(
    "--hosts",
    "file",
    type=click.Path(dir_okay=False, exists=True, path_type=Path),
    metavar="FILE",
    help="Hosts of the job in the order of its ranks: CSV whose first column is `host`, or Slurm host lists.",
)
@click.option(
    "--qps",
    type=click.IntRange(1, MOST_QPS),
    default=4,
    show_default=True,
    metavar="N",
    help="Queue pairs between two NIC ports.",
)
@click.option(
    "--hash",
    "model",
    type=click.Choice(HASHES),
    help="How switches choose among equal paths. Default: as the intent says, CRC-32 for a product's own.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, MOST_FLOWS_SEED),
    default=0,
    show_default=True,
    metavar="N",
    help="Of source ports and of a random placement: the same seed gives the same answer.",
)
@click.option(
    "--with",
    "beside",
    type=click.Path(dir_okay=False, exists=True, path_type=Path),
    metavar="FILE",
    help="Hosts of a second job at the same time: what the two take of each other.",
)
@click.option(
    "--variants",
    is_flag=True,
    help="The same job with other QPs, hashes, seeds and orders of hosts, best first.",
)
def run(
    *,
    operation: str,
    algorithm: str | None,
    size: str,
    network: str | None,
    file: Path | None,
    qps: int,
    model: str | None,
    seed: int,
    variants: bool,
    **where: Any,
) -> None:
    """Show what a collective operation puts on the links of a network.

    OPERATION is allreduce (the default), reducescatter, allgather, alltoall, broadcast or sendrecv as NCCL does them,
    or mpi-allreduce, mpi-allgather, mpi-alltoall or mpi-bcast.

    Flows take the paths that the network's own equal-cost routes and a hash give them, over the links that are not
    shut, excluded or drained. Bandwidths are upper bounds and times lower ones: a link cannot carry its bytes sooner.
    What is told is how far from its NICs a job is held by the network, and by which links.
    """
    from fabric.simulation import Question, Work
    from fabric.simulation.collectives import algorithms_of
    from fabric.simulation.hashing import HashModel

    output, site = Output(), open_site(current().site)
    beside: Path | None = where.pop("beside")
    name = _network(site, network)
    if algorithm not in (None, *algorithms_of(operation)):
        choice = ", ".join(algorithms_of(operation))
        raise Stop(codes.USAGE, f"there is no {operation} by {algorithm}", f"there is {choice}")
    work = Work(network=name, seed=seed, host_list=_lines(file), file=str(file or ""), **where)
    question = Question(
        operation=operation,
        algorithm=algorithm,
        size_bytes=_bytes(size),
        qps=qps,
        hash_model=HashModel(model) if model else None,
        seed=seed,
    )
    if beside is not None:
        other = Work(network=name, host_list=_lines(beside), file=str(beside))
        _show_together(output, site, (work, other), question)
        return
    (_show_variants if variants else _show_answer)(output, site, work, question)


def _lines(file: Path | None) -> tuple[str, ...]:
    return tuple(file.read_text("utf-8", errors="replace").splitlines()) if file else ()


def _show_together(output: Output, site: Compiled, works: tuple[Work, Work], question: Question) -> None:
    with placed(site.intent.sources):
        jobs = api.simulate_jobs(site, works, question)
    names = tuple(work.file or "all hosts" for work in works)
    (view,) = views_of(site, works[0].network)
    tables = beside_table(jobs, names), shared_table(jobs, names, view)
    output.tables(tables, {"site": site.topology.site, "network": works[0].network})
    output.summary(total(tables))


def _show_variants(output: Output, site: Compiled, work: Work, question: Question) -> None:
    with placed(site.intent.sources):
        table = variant_table(api.simulate_variants(site, work, question))
    output.tables((table,), {"site": site.topology.site, "network": work.network})
    output.summary(total((table,)))


def _show_answer(output: Output, site: Compiled, work: Work, question: Question) -> None:
    with placed(site.intent.sources):
        answer = api.simulate(site, work, question)
    (view,) = views_of(site, work.network)
    if output.is_text:
        for line in answer_lines(answer, view):
            output.line(line)
        output.line()
    tables = tier_table(answer), hot_table(answer, view)
    output.tables(tables, {"site": site.topology.site, "answer": answer_record(answer)})
    output.summary(f"{answer.flows:,} flows of {counted(answer.shape.hosts, HOSTS)}")


def _network(site: Compiled, network: str | None) -> str:
    known(network, site.topology.networks, "network")
    names = tuple(site.topology.networks)
    return network or (PRIMARY if PRIMARY in names else names[0])


def _bytes(size: str) -> int:
    try:
        return int(DataSize.parse(size))
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--size") from error
