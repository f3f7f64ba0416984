"""The worst incast of every tier, and its queue by the site's own policy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from fabric.tables.collectives import gigabits
from fabric.tables.table import Column, Row, Table
from fabric.tables.value_formats import View

if TYPE_CHECKING:  # numpy comes with it
    from fabric.simulation import Incast
    from fabric.simulation.queues import IncastQueue

BOLD = "bold"


def incast_table(found: Sequence[Incast], queues: Sequence[IncastQueue], view: View) -> Table:
    """A row for each tier and marked class: who meets where, and whether marks or pauses act first."""
    of_incast: Mapping[Incast, list[IncastQueue]] = {each: [] for each in found}
    for queue in queues:
        of_incast[queue.incast].append(queue)

    def rows() -> Iterator[Row]:
        for incast, own in of_incast.items():
            place = (
                incast.tier,
                incast.direction,
                view.topology.names[incast.node],
                view.port(incast.port, incast.node),
                incast.senders,
                incast.ports,
                round(incast.arriving_mbps),
                round(incast.leaving_mbps),
            )
            yield from ((*place, *_of(queue)) for queue in own)
            if not own:
                yield (*place, *(None,) * 8)

    columns = (
        Column(key="links_from", heading="LINKS FROM", style=lambda _v: BOLD),
        Column(key="direction", heading="WAY"),
        Column(key="device", heading="SWITCH", style=lambda _v: BOLD),
        Column(key="port", heading="PORT"),
        Column(key="senders", heading="SENDERS", right=True),
        Column(key="ports", heading="BY PORTS", right=True, rank=3),
        Column(key="arriving_mbps", heading="IN GBIT/S", right=True, show=gigabits, rank=1),
        Column(key="leaving_mbps", heading="OUT", right=True, show=gigabits, rank=4),
        Column(key="class", heading="CLASS", rank=5),
        Column(key="marked_after_us", heading="MARKED", right=True, show=_us),
        Column(key="kmin_bytes", heading="KMIN B", right=True, rank=6),
        Column(key="answered_bytes", heading="QUEUE B", right=True),
        Column(key="pause_bytes", heading="PAUSE B", right=True),
        Column(key="loss_bytes", heading="LOSS B", right=True, rank=8),
        Column(key="headroom_bytes", heading="HEADROOM B", right=True, rank=7),
        Column(key="first", heading="FIRST", style=lambda value: "red" if value in ("PFC", "loss") else ""),
    )
    title = (
        "Worst incast of each tier: its queue when the answer to the first marks arrives, and where PFC pauses or "
        "loss begins"
    )
    return Table(name="incasts", columns=columns, rows=rows, noun=("incast", "incasts"), title=title)


def _of(queue: IncastQueue) -> Row:
    return (
        queue.traffic_class,
        None if queue.marked_after_us is None else round(queue.marked_after_us, 3),
        queue.kmin_bytes,
        queue.answered_bytes,
        queue.pause_bytes,
        queue.loss_bytes,
        queue.headroom_bytes,
        queue.first,
    )


def _us(value: float | None) -> str:
    return "" if value is None else f"{value:g} us"
