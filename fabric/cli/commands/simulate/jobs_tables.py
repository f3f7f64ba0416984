"""Tables of jobs at the same time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from fabric.tables.collectives import gigabits
from fabric.tables.table import Column, Row, Table
from fabric.tables.value_formats import View

if TYPE_CHECKING:  # numpy comes with it
    from fabric.simulation import Beside

BOLD = "bold"
LOSS_TO_SEE = 0.05
"""Percent: less is shown as none."""


def beside_table(jobs: Sequence[Beside], names: Sequence[str]) -> Table:
    """What each job gets alone, and beside the other."""

    def rows() -> Iterator[Row]:
        for job, name in zip(jobs, names, strict=True):
            yield (
                name,
                job.hosts,
                round(job.alone_mbps),
                round(job.together_mbps),
                round(job.loss_percent, 3) + 0.0,  # not -0.0
            )

    columns = (
        Column(key="job", heading="JOB", style=lambda _v: BOLD),
        Column(key="hosts", heading="HOSTS", right=True),
        Column(key="slowest_flow_alone_mbps", heading="ALONE GBIT/S", right=True, show=gigabits),
        Column(key="slowest_flow_together_mbps", heading="TOGETHER GBIT/S", right=True, show=gigabits),
        Column(
            key="loss_percent",
            heading="LOSS %",
            right=True,
            show=lambda v: f"{round(v, 1) + 0.0:.1f}",
            style=_style,
        ),
    )
    title = "Rate of the slowest flow of each job, alone and beside the other (max-min fair)"
    return Table(name="jobs", columns=columns, rows=rows, noun=("job", "jobs"), title=title)


def _style(loss_percent: float) -> str:
    return "red" if loss_percent > LOSS_TO_SEE else ""


def shared_table(jobs: Sequence[Beside], names: Sequence[str], view: View) -> Table:
    """The fullest links between switches that both jobs use."""

    def rows() -> Iterator[Row]:
        nodes = view.topology.names
        for hot in jobs[0].shared:
            yield (
                nodes[hot.from_node],
                view.port(hot.from_port, hot.from_node),
                nodes[hot.to_node],
                view.port(hot.to_port, hot.to_node),
                hot.flows,
                round(hot.load, 3),
            )

    columns = (
        Column(key="from_device", heading="FROM", style=lambda _v: BOLD),
        Column(key="from_port", heading="PORT"),
        Column(key="to_device", heading="TO", style=lambda _v: BOLD),
        Column(key="to_port", heading="PORT"),
        Column(key="flows", heading="FLOWS", right=True),
        Column(key="use", heading="USE", right=True, show=lambda v: f"{v:.2f}"),
    )
    title = f"Links between switches that {' and '.join(names)} share"
    return Table(
        name="shared_links", columns=columns, rows=rows, noun=("shared link", "shared links"), title=title
    )
