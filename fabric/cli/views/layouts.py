"""The layouts that `fabric size` has found, a row each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from fabric.tables.table import Column, Row, Table
from fabric.tables.value_formats import speed
from fabric.units import ratio

if TYPE_CHECKING:
    from fabric.capacity import Layout

ROLES = ("leaf", "spine", "superspine")


def layout_table(layouts: Sequence[Layout]) -> Table:
    """One row a layout, the cheapest first."""

    def rows() -> Iterator[Row]:
        for number, layout in enumerate(layouts, 1):
            yield _row(number, layout)

    knows_power = any(layout.power_w is not None for layout in layouts)
    columns = (
        Column(key="choice", heading="#", right=True, style=lambda _v: "bold"),
        Column(key="switches", heading="SWITCHES", right=True),
        Column(key="tiers", heading="TIERS", right=True, rank=5),
        *(Column(key=key, heading=key.upper(), right=True, show=_zero) for key in ROLES),
        Column(key="models", heading="MODEL"),
        Column(key="capacity_mbps", heading="CAPACITY", right=True, show=speed, rank=4),
        Column(key="rails", heading="RAILS", rank=2),
        Column(key="planes", heading="PLANES", rank=3),
        Column(key="hosts_per_unit", heading="HOSTS A UNIT", right=True, rank=6),
        Column(key="units", heading="UNITS", right=True, rank=6),
        Column(key="pods", heading="PODS", right=True, rank=6, show=_zero),
        Column(key="free_gpus", heading="FREE", right=True, rank=3),
        Column(key="uplink_mbps", heading="UPLINKS", right=True, show=speed, rank=4),
        Column(key="oversubscription", heading="RATIO", right=True, show=_ratio, rank=3),
        Column(key="host_cables", heading="HOST CABLES", right=True, rank=5),
        Column(key="fabric_cables", heading="CABLES", right=True),
        Column(key="optics", heading="OPTICS", right=True),
        Column(key="paths", heading="PATHS", right=True, rank=2),
        Column(key="power_w", heading="WATTS", right=True, rank=1 if knows_power else 7),
        Column(key="worst_failure", heading="WORST FAILURE", rank=1),
        Column(key="left_percent", heading="LEFT", right=True, show=_percent),
        Column(key="left_of_plane_percent", heading="OF A PLANE", right=True, show=_percent, rank=6),
        Column(key="other_models", heading="OR", rank=8, wraps=True),
    )
    return Table(name="layouts", columns=columns, rows=rows, noun=("layout", "layouts"))


def _row(number: int, layout: Layout) -> Row:
    counts = {tier.role: tier.count for tier in layout.tiers}
    worst, left = layout.failures.worst
    plane = layout.failures.plane
    alike = dict.fromkeys(model for tier in layout.tiers for model in tier.models[1:])
    others = (*alike, *(" + ".join(models) for models in layout.alternatives))
    return (
        number,
        layout.switches,
        len(layout.tiers),
        *(counts.get(role, 0) for role in ROLES),
        layout.models,
        layout.capacity_mbps,
        layout.rails,
        f"{layout.planes} dual ToR" if layout.dual_tor else str(layout.planes),
        layout.hosts_per_unit,
        layout.units,
        layout.pods,
        layout.free_gpus,
        layout.candidate.shape.uplink_mbps if len(layout.tiers) > 1 else None,
        layout.oversubscription,
        layout.host_cables,
        layout.fabric_cables,
        layout.optics,
        layout.paths,
        layout.power_w,
        worst,
        left * 100,
        None if plane is None else plane * 100,
        others,
    )


def _zero(value: int) -> str:
    return str(value) if value else "-"


def _ratio(value: Fraction) -> str:
    return ratio(value) if value else "-"


def _percent(value: Any) -> str:
    return "-" if value is None else f"{float(value):.4g} %"
