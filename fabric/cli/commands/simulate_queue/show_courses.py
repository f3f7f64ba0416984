"""The command, and how the course of a queue is shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from fabric import api
from fabric.cli import codes
from fabric.cli.command_classes import command
from fabric.cli.common_options import current
from fabric.cli.known_names import complete_device, known_device
from fabric.cli.printing.command_output import Output
from fabric.cli.stop import Stop
from fabric.compiler import open_site
from fabric.tables.table import Column, Row, Table
from fabric.tables.value_formats import length, speed
from fabric.units import counted

if TYPE_CHECKING:
    from fabric.simulation.queues import QueueCourse

BARS = " ▁▂▃▄▅▆▇█"
SAMPLES = 32
"""Points of a drawn course."""


@command(
    "simulate-queue",
    examples=("fabric simulate-queue", "fabric simulate-queue --senders 16 --switch leaf-0-0"),
    formats=("text", "json", "csv"),
)
@click.option(
    "--senders", type=click.IntRange(1, 4096), default=8, show_default=True, help="That begin at once."
)
@click.option(
    "--switch", metavar="NAME", shell_complete=complete_device, help="Only this switch. Default: all kinds."
)
@click.option(
    "--until",
    type=click.IntRange(10, 100_000),
    default=500,
    show_default=True,
    metavar="US",
    help="Microseconds.",
)
def run(*, senders: int, switch: str | None, until: int) -> None:
    """Draw the queue of an incast over time, and say whether PFC pauses, or packets are lost, before ECN has acted.

    All senders begin at line rate and are alike; DCQCN is a fluid with its published defaults, the curve, cable,
    speed and buffer are those of the site. It is a model, not a promise: real senders are neither alike nor at once.
    """
    output, site = Output(), open_site(current().site)
    name = known_device(site, switch, None)
    found = api.simulate_queue(site, senders, name, float(until))
    if not found:
        rule = (
            "no switch has a class that is marked" if name is None else f"{name} has no class that is marked"
        )
        raise Stop(codes.UNKNOWN_NAME, rule, "`fabric show qos` lists the classes of each kind of port")
    table = _table(found, output)
    output.tables(
        [table],
        {"site": site.topology.site, "senders": senders, "until_us": until},
    )
    unknown = sum(not each.knows_pause for each in found)
    if unknown:
        does = "pauses" if all(each.link.is_paused for each in found) else "pauses or drops"
        kinds = counted(unknown, ("kind of port", "kinds of ports"))
        output.note(
            f"{kinds}: the catalogue has no buffer of the model, so when it {does} is unknown: "
            "the queue is drawn as if nothing ended it"
        )
    first = sum(each.course.pfc_first for each in found)
    summary = f"{first} of {len(found) - unknown} kinds of ports pause before ECN has acted"
    lost = sum(each.course.lost_at_us is not None for each in found)
    is_lossy = any(not each.link.is_paused for each in found)
    output.summary(f"{summary}, {lost} lose packets" if is_lossy else summary)


def _table(found: Sequence[QueueCourse], output: Output) -> Table:
    def rows() -> Iterator[Row]:
        for each in found:
            yield _row(each, is_text=output.is_text)

    columns = (
        Column(key="network", heading="NETWORK", rank=6),
        Column(key="role", heading="TIER"),
        Column(key="profile", heading="PROFILE", rank=7),
        Column(key="speed_mbps", heading="SPEED", right=True, show=speed),
        Column(key="cable_m", heading="CABLE", right=True, show=length, rank=4),
        Column(key="class", heading="CLASS", style=lambda _v: "bold"),
        Column(key="kmin_bytes", heading="KMIN B", right=True, rank=5),
        Column(key="most_bytes", heading="LONGEST B", right=True),
        Column(key="marked_at_us", heading="MARKED", right=True, show=_us, rank=3),
        Column(key="answered_at_us", heading="ANSWERED", right=True, show=_us),
        Column(key="paused_at_us", heading="PAUSED", right=True),
        Column(key="paused_us", heading="PAUSED FOR", right=True, rank=2),
        Column(key="loss_above_bytes", heading="LOSS ABOVE B", right=True, rank=8),
        Column(key="lost_at_us", heading="LOST FROM", right=True, rank=9),
        Column(key="lost_bytes", heading="LOST B", right=True, rank=10),
        Column(key="first", heading="FIRST", style=lambda value: "red" if value in ("PFC", "loss") else ""),
        Column(key="queue_bytes", heading="QUEUE", rank=1),
    )
    return Table(name="queues", columns=columns, rows=rows, noun=("queue", "queues"), hides_empty=True)


def _row(each: QueueCourse, *, is_text: bool) -> Row:
    course = each.course
    queue: Any = drawn(course.queue_bytes) if is_text else sampled(course.queue_bytes)
    return (
        each.network,
        each.role,
        each.profile.name,
        each.profile.speed_mbps,
        each.profile.cable_m,
        each.traffic_class,
        each.link.marking.kmin_bytes,
        course.most_bytes,
        course.marked_at_us,
        course.answered_at_us,
        _paused(each, course.paused_at_us) if is_text else course.paused_at_us,
        _paused(each, course.paused_us) if is_text else course.paused_us,
        each.link.most_bytes,
        _lost(each, course.lost_at_us) if is_text else course.lost_at_us,
        None if each.link.most_bytes is None else course.lost_bytes,
        each.first,
        queue,
    )


def sampled(queue_bytes: Sequence[int]) -> tuple[int, ...]:
    """The longest queue of each of equal spans of time."""
    count = min(SAMPLES, len(queue_bytes))
    return tuple(
        max(queue_bytes[i * len(queue_bytes) // count : (i + 1) * len(queue_bytes) // count])
        for i in range(count)
    )


def drawn(queue_bytes: Sequence[int]) -> str:
    """A course as bars, its longest queue the highest."""
    points = sampled(queue_bytes)
    most = max(points)
    return "".join(BARS[-(-point * (len(BARS) - 1) // most) if most else 0] for point in points)


def _paused(each: QueueCourse, value: float | None) -> str:
    if not each.link.is_paused:
        return ""
    return _us(value) if each.knows_pause else "unknown"


def _lost(each: QueueCourse, value: float | None) -> str:
    if each.link.is_paused:
        return ""
    return _us(value) if each.knows_pause else "unknown"


def _us(value: float | None) -> str:
    return "never" if value is None else f"{value:g} us"
