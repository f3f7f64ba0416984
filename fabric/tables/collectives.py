"""What a simulation says, as tables and lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fabric.tables.table import Column, Row, Table
from fabric.tables.value_formats import View
from fabric.units import DataSize, counted

if TYPE_CHECKING:
    from fabric.simulation import Answer, HotLink, TierLoad, Variant

PLACES = 3
"""Decimals of a load."""


def answer_record(answer: Answer) -> dict[str, Any]:
    """The numbers of an answer for machines; tables come beside them."""
    return {
        "network": answer.network,
        "operation": answer.operation,
        "algorithm": answer.algorithm,
        "size_bytes": answer.size_bytes,
        "hosts": answer.shape.hosts,
        "ranks": answer.shape.ranks,
        "nics_per_host": answer.shape.nics,
        "hash": answer.hash_model,
        "qps": answer.qps,
        "routing_engine": answer.engine or None,
        "flows": answer.flows,
        "unsent_flows": answer.unsent_flows,
        "is_sampled": answer.sampled,
        "least_time_us": round(answer.time_us, PLACES),
        "least_time_of_nics_us": round(answer.nic_time_us, PLACES),
        "fair_time_us": None if answer.fair_time_us is None else round(answer.fair_time_us, PLACES),
        "bus_bandwidth_gbytes_per_s": round(answer.bus_gbytes_per_s, PLACES),
        "bus_bandwidth_of_nics_gbytes_per_s": round(answer.nic_bus_gbytes_per_s, PLACES),
        "bus_bandwidth_percent": round(answer.share_percent, PLACES),
        "incast_ports": answer.incast,
    }


def answer_lines(answer: Answer, view: View) -> Iterator[str]:
    """The answer in sentences: upper bounds of a bandwidth, lower bounds of a time."""
    shape = answer.shape
    gpus, hosts = counted(shape.ranks, ("GPU", "GPUs")), counted(shape.hosts, ("host", "hosts"))
    nics, qps = counted(shape.nics, ("NIC", "NICs")), counted(answer.qps, ("QP", "QPs"))
    flows = counted(answer.flows, ("flow", "flows"))
    yield (
        f"{answer.operation} ({answer.algorithm}) of {DataSize(answer.size_bytes)} by {gpus} on {hosts} with {nics}, "
        f"hash {answer.hash_model}, {qps}: {flows}" + (", a sample of all pairs" if answer.sampled else "")
    )
    yield from engine_lines(answer.engine)
    yield (
        f"bus bandwidth at most {answer.bus_gbytes_per_s:,.1f} GB/s, {answer.share_percent:.1f} % of the "
        f"{answer.nic_bus_gbytes_per_s:,.1f} that the NICs allow"
    )
    yield f"time at least {time_text(answer.time_us)}: a bound from the busiest link, not a promise"
    slow = answer.slowest
    if slow is not None:
        yield (
            f"slowest flow {_end(view, slow.from_node, slow.from_port)} to "
            f"{_end(view, slow.to_node, slow.to_port)}: {slow.rate_mbps / 1000:,.2f} Gb/s, "
            f"{slow.share_percent:.1f} % of its share of the NIC"
        )
    if answer.incast > 1:
        yield f"up to {answer.incast:,} NIC ports send to one NIC port at the same time"
    if answer.unsent_flows:
        unsent = counted(answer.unsent_flows, ("flow has", "flows have"))
        yield f"{unsent} no route: rails or planes do not meet, links are out, or leaves do not advertise hosts"


def engine_lines(engine: str) -> Iterator[str]:
    """Whose tables were derived, if any: what a subnet manager has really computed may differ."""
    from fabric.simulation.engine_tables import is_modelled

    if engine and is_modelled(engine):
        yield f"paths as routing engine {engine} of the subnet manager computes them; `--lft` takes its real tables"
    elif engine:
        yield (
            f"routing engine {engine} is not modelled: evenly used shortest paths stand for it; "
            "`--lft` takes its real tables"
        )


def time_text(microseconds: float) -> str:
    """A time as people read it."""
    return f"{microseconds / 1000:,.2f} ms" if microseconds >= 1000 else f"{microseconds:,.1f} us"


def _end(view: View, node: int, port: int) -> str:
    return f"{view.topology.names[node]} {view.port(port, node)}"


def tier_table(tiers: Sequence[TierLoad]) -> Table:
    """How busy the links of each tier are, against the busiest NIC port."""

    def rows() -> Iterator[Row]:
        for each in tiers:
            yield (
                each.tier,
                each.direction,
                each.links,
                each.idle_links,
                round(each.mean_load, PLACES),
                round(each.worst_load, PLACES),
            )

    columns = (
        Column(key="links_from", heading="LINKS FROM", style=lambda _v: "bold"),
        Column(key="direction", heading="WAY"),
        Column(key="links", heading="LINKS", right=True),
        Column(key="idle_links", heading="IDLE", right=True),
        Column(key="mean_load", heading="MEAN LOAD", right=True, show=_load),
        Column(key="worst_load", heading="WORST LOAD", right=True, show=_load, style=_style),
    )
    title = "Load of links: 1 is as busy as the busiest NIC port; above it the link is the bottleneck"
    return Table(
        name="tiers", columns=columns, rows=rows, noun=("kind of link", "kinds of links"), title=title
    )


def _load(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _style(value: float) -> str:
    return "red" if value > 1.001 else ""


def hot_table(hottest: Mapping[str, Sequence[HotLink]], view: View) -> Table:
    """The links between switches that are busy longest, by what is sent: `` where it is one collective."""

    def rows() -> Iterator[Row]:
        names = view.topology.names
        for what, links in hottest.items():
            for hot in links:
                yield (
                    *((what,) if what else ()),
                    names[hot.from_node],
                    view.port(hot.from_port, hot.from_node),
                    names[hot.to_node],
                    view.port(hot.to_port, hot.to_node),
                    round(hot.load, PLACES),
                    hot.flows or None,
                )

    of = () if "" in hottest else (Column(key="dimension", heading="DIMENSION"),)
    columns = (
        *of,
        Column(key="from_device", heading="FROM", style=lambda _v: "bold"),
        Column(key="from_port", heading="PORT"),
        Column(key="to_device", heading="TO", style=lambda _v: "bold"),
        Column(key="to_port", heading="PORT"),
        Column(key="load", heading="LOAD", right=True, show=_load, style=_style),
        Column(key="flows", heading="FLOWS", right=True),
    )
    return Table(
        name="hottest_links",
        columns=columns,
        rows=rows,
        noun=("hot link", "hot links"),
        title="Busiest links between switches",
    )


def variant_table(variants: Sequence[Variant]) -> Table:
    """What each change of a question makes of its answer."""

    def rows() -> Iterator[Row]:
        for each in variants:
            answer = each.answer
            yield (
                each.change,
                round(answer.bus_gbytes_per_s, PLACES),
                round(each.gain_percent, PLACES) + 0.0,  # not -0.0
                round(answer.share_percent, PLACES),
                round(max(tier.worst_load for tier in answer.tiers if tier.tier != "host"), PLACES)
                if len(answer.tiers) > 2
                else None,
                answer.flows,
            )

    columns = (
        Column(key="change", heading="CHANGE", style=lambda _v: "bold"),
        Column(key="bus_bandwidth_gbytes_per_s", heading="BUS GB/S", right=True, show=tenth),
        Column(key="gain_percent", heading="GAIN %", right=True, show=gain),
        Column(key="bus_bandwidth_percent", heading="OF NICS %", right=True, show=tenth, rank=1),
        Column(key="worst_load", heading="WORST LOAD", right=True, show=_load, rank=2),
        Column(key="flows", heading="FLOWS", right=True, rank=3),
    )
    return Table(
        name="variants",
        columns=columns,
        rows=rows,
        noun=("variant", "variants"),
        title="Bus bandwidth at most, with one thing changed, best first",
    )


def gain(percent: float) -> str:
    """A gain with its sign; one that rounds to zero is `+0.0`."""
    return f"{round(percent, 1) + 0.0:+.1f}"


def tenth(value: float | None) -> str:
    """A number with one decimal."""
    return "" if value is None else f"{value:,.1f}"


def gigabits(value_mbps: float | None) -> str:
    """A speed in Gb/s."""
    return "" if value_mbps is None else f"{value_mbps / 1000:,.2f}"
