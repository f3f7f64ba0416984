"""`fabric simulate training`: the dimensions of a training job, each alone and all together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric import api
from fabric.api import Compiled
from fabric.cli import codes
from fabric.cli.commands.simulate.options import DEGREES, MESSAGES, NOT_OF_TRAINING, TRAINING
from fabric.cli.known_names import views_of
from fabric.cli.printing.command_output import Output
from fabric.cli.stop import Stop
from fabric.documents.places import placed
from fabric.tables.collectives import (
    PLACES,
    engine_lines,
    gigabits,
    hot_table,
    tenth,
    tier_table,
    time_text,
)
from fabric.tables.table import HOSTS, Column, Row, Table
from fabric.units import counted

if TYPE_CHECKING:  # numpy comes with it
    from fabric.simulation import Question, Work
    from fabric.simulation.parallelism import Dimension, Training

HOTTEST = 2
"""Links of each dimension that are shown."""
WORDS = {"tp": "tensor", "ep": "expert", "dp": "data", "pp": "pipeline"}


def is_training(operation: str | None, options: dict[str, Any]) -> bool:
    """Whether a training job is meant. `Stop` if a collective is named beside degrees of parallelism."""
    given = [name for name in (*DEGREES, *MESSAGES) if options[name] is not None]
    if operation not in (None, TRAINING) and given:
        rule = f"--{given[0].replace('_', '-')} is of a training job, not of {operation}"
        raise Stop(codes.USAGE, rule, "leave out the operation, or write `fabric simulate training`")
    return operation == TRAINING or bool(given)


def refuse_collective_options(options: dict[str, Any]) -> None:
    """`Stop` if an option of one collective stands beside a training job."""
    for name in NOT_OF_TRAINING:
        if options[name]:
            option = "--with" if name == "beside" else f"--{name}"
            rule = f"{option} is of one collective, not of a training job"
            raise Stop(codes.USAGE, rule, f"leave out {option}, or name an operation without degrees")


def show_training(
    output: Output, site: Compiled, work: Work, question: Question, options: dict[str, Any]
) -> None:
    """The answer: a row for each dimension, and the links with all dimensions on them."""
    from fabric.simulation.parallelism import Asked, Messages

    given = {name: options[f"{name[:2]}_size"] for name in ("dp_bytes", "pp_bytes", "ep_bytes")}
    given["dp_operation"] = options["dp_operation"]
    messages = Messages(**{name: value for name, value in given.items() if value is not None})
    asked = Asked(**{name: options[name] for name in DEGREES}, messages=messages)
    with placed(site.intent.sources):
        training = api.simulate_training(site, work, asked, question)
    (view,) = views_of(site, work.network)
    if output.is_text:
        for line in _lines(training):
            output.line(line)
        output.line()
    tables = [_dimensions(training)]
    if training.together is not None:
        together = training.together
        by_dimension = {d.name: d.answer.hottest[:HOTTEST] for d in training.dimensions if d.answer}
        tables += [tier_table(together.tiers), hot_table({"all": together.hottest, **by_dimension}, view)]
    output.tables(tables, {"site": site.topology.site, "training": _record(training)})
    output.summary(f"{counted(training.hosts, HOSTS)}, {counted(len(training.dimensions), 'dimension')}")


def _record(training: Training) -> dict[str, Any]:
    degrees, together = training.degrees, training.together
    return {
        "network": training.network,
        **{name: degrees.of(name) for name in DEGREES},
        "hosts": training.hosts,
        "hash": training.hash_model,
        "qps": training.qps,
        "routing_engine": training.engine or None,
        "least_time_us": together and round(together.time_us, PLACES),
        "least_time_of_nics_us": together and round(together.nic_time_us, PLACES),
        "speed_percent": together and round(together.share_percent, PLACES),
    }


def _lines(training: Training) -> Iterator[str]:
    d = training.degrees
    gpus = d.tp * d.pp * d.dp
    yield (
        f"{counted(gpus, 'GPU')} on {counted(training.hosts, HOSTS)}: tp {d.tp}, pp {d.pp}, dp {d.dp}, ep {d.ep}; "
        f"hash {training.hash_model}, {counted(training.qps, 'QP')}"
    )
    yield from engine_lines(training.engine)
    if training.together is None:
        yield "nothing crosses the network: all groups lie in hosts or scale-up domains"
        return
    yield (
        f"all dimensions at the same time take {time_text(training.together.time_us)} at least, at "
        f"{training.together.share_percent:.1f} % of the speed that the NICs allow: a bound, not a promise"
    )


def _dimensions(training: Training) -> Table:
    """A row for each dimension."""

    def rows() -> Iterator[Row]:
        for each in training.dimensions:
            yield (
                each.name,
                each.degree,
                each.groups,
                each.hosts,
                each.operation,
                each.size_bytes,
                *_of(each),
            )

    columns = (
        Column(
            key="dimension", heading="DIMENSION", style=lambda _v: "bold", show=lambda v: f"{WORDS[v]} ({v})"
        ),
        Column(key="degree", heading="GPUS", right=True),
        Column(key="groups", heading="GROUPS", right=True),
        Column(key="hosts_of_group", heading="HOSTS", right=True, rank=4),
        Column(key="operation", heading="OPERATION", rank=2),
        Column(key="size_bytes", heading="SIZE", right=True, rank=3, show=lambda v: f"{v / 1e6:,.1f} MB"),
        Column(key="flows", heading="FLOWS", right=True, rank=5),
        Column(key="bus_bandwidth_gbytes_per_s", heading="BUS GB/S", right=True, show=tenth),
        Column(key="bus_bandwidth_percent", heading="OF NICS %", right=True, show=tenth),
        Column(key="least_time_us", heading="TIME", right=True, show=_time, rank=1),
        Column(key="slowest_flow_mbps", heading="SLOWEST GBIT/S", right=True, show=gigabits, rank=6),
        Column(key="slowest_flow_together_mbps", heading="TOGETHER", right=True, show=gigabits, rank=7),
        Column(key="incast_ports", heading="INCAST", right=True, rank=8),
    )
    title = (
        "What each dimension gets: bandwidths at most, times at least; empty: it does not cross the network"
    )
    return Table(name="dimensions", columns=columns, rows=rows, noun=("dimension", "dimensions"), title=title)


def _time(microseconds: float | None) -> str:
    return "" if microseconds is None else time_text(microseconds)


def _of(each: Dimension) -> Row:
    answer = each.answer
    if answer is None:
        return (None,) * 7
    return (
        answer.flows,
        round(answer.bus_gbytes_per_s, PLACES),
        round(answer.share_percent, PLACES),
        round(answer.time_us, PLACES),
        None if each.alone_mbps is None else round(each.alone_mbps),
        None if each.together_mbps is None else round(each.together_mbps),
        answer.incast,
    )
