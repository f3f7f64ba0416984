"""`fabric simulate`: what a collective operation puts on the links of a network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import structs

from fabric import api
from fabric.api import Compiled, open_site
from fabric.cli import codes
from fabric.cli.command_classes import command
from fabric.cli.commands.simulate.incast_tables import incast_table
from fabric.cli.commands.simulate.jobs_tables import beside_table, shared_table
from fabric.cli.commands.simulate.options import OPERATIONS, TRAINING, simulate_options
from fabric.cli.commands.simulate.training import is_training, refuse_collective_options, show_training
from fabric.cli.common_options import current
from fabric.cli.known_names import known, views_of
from fabric.cli.printing.command_output import Output
from fabric.cli.stop import Stop
from fabric.documents.places import placed
from fabric.intent.default_pools import PRIMARY
from fabric.tables.collectives import (
    answer_lines,
    answer_record,
    hot_table,
    tier_table,
    variant_table,
)
from fabric.tables.table import HOSTS, total
from fabric.units import counted

if TYPE_CHECKING:  # numpy comes with it
    from fabric.simulation import Question, Work


NAMED = 4
"""So many hosts of both jobs are named; more are counted."""


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
        "fabric simulate --lft opensm-lfts.dump",
        "fabric simulate training",
        "fabric simulate --tp 2 --pp 2 --dp 4",
    ),
    formats=("text", "json", "csv"),
)
@click.argument(
    "operation", type=click.Choice((*OPERATIONS, TRAINING)), required=False, metavar="[OPERATION]"
)
@simulate_options
def run(*, operation: str | None, **options: Any) -> None:
    """Show what a collective operation puts on the links of a network.

    OPERATION is allreduce (the default), reducescatter, allgather, alltoall, broadcast or sendrecv as NCCL does them,
    or mpi-allreduce, mpi-allgather, mpi-alltoall or mpi-bcast; or training, which is all dimensions of parallelism of
    a training job, each by its own groups of GPUs, and all at the same time: --tp, --pp, --dp and --ep say how many
    GPUs a group has. Any of these options means training.

    Flows take the paths that the network's own equal-cost routes and a hash give them, over the links that are not
    shut, excluded or drained. Bandwidths are upper bounds and times lower ones: a link cannot carry its bytes sooner.
    What is told is how far from its NICs a job is held by the network, and by which links.
    """
    output, site = Output(), open_site(current().site)
    training = is_training(operation, options)
    work, question = _work(site, options), _question(operation, options, is_training=training)
    if training:
        refuse_collective_options(options)
        show_training(output, site, work, question, options)
    elif options["beside"] is not None:
        file: Path = options["beside"]
        other = structs.replace(
            work, gpus=None, placement="contiguous", host_list=_lines(file), file=str(file)
        )
        _show_together(output, site, (work, other), question)
    else:
        (_show_variants if options["variants"] else _show_answer)(output, site, work, question)


def _work(site: Compiled, options: dict[str, Any]) -> Work:
    """The job that the options name."""
    from fabric.simulation import Work

    file: Path | None = options["file"]
    return Work(
        network=_network(site, options["network"]),
        gpus=options["gpus"],
        placement=options["placement"],
        seed=options["seed"],
        host_list=_lines(file),
        file=str(file or ""),
        table_files=tuple((str(path), _text(path)) for path in options["tables"]),
    )


def _question(operation: str | None, options: dict[str, Any], *, is_training: bool) -> Question:
    """What is sent. `Stop` if the operation has no such algorithm."""
    from fabric.simulation import Question
    from fabric.simulation.collectives import algorithms_of
    from fabric.simulation.hashing import HashModel

    chosen = OPERATIONS[0] if operation is None or is_training else operation
    algorithm: str | None = options["algorithm"]
    if options["tables"] and options["model"] not in (None, "destination"):
        rule = f"with --lft a flow goes where the tables say, not by --hash {options['model']}"
        raise Stop(codes.USAGE, rule, "leave one of the two out")
    if not is_training and algorithm not in (None, *algorithms_of(chosen)):
        choice = ", ".join(algorithms_of(chosen))
        raise Stop(codes.USAGE, f"there is no {chosen} by {algorithm}", f"there is {choice}")
    return Question(
        operation=chosen,
        algorithm=algorithm,
        size_bytes=options["size"],
        qps=options["qps"],
        hash_model=HashModel(options["model"]) if options["model"] else None,
        seed=options["seed"],
    )


def _lines(file: Path | None) -> tuple[str, ...]:
    return tuple(_text(file).splitlines()) if file else ()


def _text(file: Path) -> str:
    from fabric.simulation.host_lists import decoded

    return decoded(file.read_bytes())


def _show_together(output: Output, site: Compiled, works: tuple[Work, Work], question: Question) -> None:
    with placed(site.intent.sources):
        jobs = api.simulate_jobs(site, works, question)
    names = tuple(work.file or "all hosts" for work in works)
    (view,) = views_of(site, works[0].network)
    tables = beside_table(jobs, names), shared_table(jobs, names, view)
    both = [view.topology.names[host] for host in jobs[0].hosts_of_both]
    document = {"site": site.topology.site, "network": works[0].network, "hosts_of_both": both}
    output.tables(tables, document)
    if both:
        output.note(_of_both(both, works))
    output.summary(total(tables))


def _of_both(names: Sequence[str], works: tuple[Work, Work]) -> str:
    """That jobs share hosts, and what to do about it."""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    is_one = len(names) == 1
    shared = f"{counted(len(names), HOSTS)} {'is' if is_one else 'are'} in both jobs, {', '.join(names[:NAMED])}{more}"
    fix = f"take {'it' if is_one else 'them'} out of {works[1].file}"
    fix += "" if works[0].file else ", or name the hosts of the first job with `--hosts`"
    return f"warning: {shared}: their NICs carry the flows of both. If jobs do not share hosts, {fix}"


def _show_variants(output: Output, site: Compiled, work: Work, question: Question) -> None:
    with placed(site.intent.sources):
        table = variant_table(api.simulate_variants(site, work, question))
    output.tables((table,), {"site": site.topology.site, "network": work.network})
    output.summary(total((table,)))


def _show_answer(output: Output, site: Compiled, work: Work, question: Question) -> None:
    with placed(site.intent.sources):
        answer = api.simulate(site, work, question)
    files = [name for name, _text in work.table_files]
    asks_queues = site.topology.networks[work.network].technology == "ethernet"
    (view,) = views_of(site, work.network, site.devices_if_any[0] if asks_queues else None)
    if output.is_text:
        for line in answer_lines(answer, view):
            output.line(line)
        if work.table_files:
            output.line(f"paths by the forwarding tables of {', '.join(files)}")
        output.line()
    queues = api.simulate_incasts(site, work.network, answer.incasts)
    tables = [tier_table(answer.tiers)]
    if answer.hottest or not output.is_text:
        tables.append(hot_table({"": answer.hottest}, view))
    tables.append(replace(incast_table(answer.incasts, queues, view), hides_empty=True))
    record = answer_record(answer) | {"forwarding_tables": files}
    output.tables(tables, {"site": site.topology.site, "answer": record})
    for what in api.not_simulated(site, work.network):
        output.note(what)
    output.summary(f"{counted(answer.flows, 'flow')} of {counted(answer.shape.hosts, HOSTS)}")


def _network(site: Compiled, network: str | None) -> str:
    known(network, site.topology.networks, "network")
    names = tuple(site.topology.networks)
    return network or (PRIMARY if PRIMARY in names else names[0])
