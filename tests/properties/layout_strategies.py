"""Random networks that are no trees: torus, dragonfly, dragonfly+."""

from __future__ import annotations

from math import prod
from typing import Any

from hypothesis import strategies as st

SWITCH = "nvidia-sn5600"
"""64 cages of 800G: room for every small shape."""


@st.composite
def tori(draw: st.DrawFn) -> tuple[dict[str, Any], int]:
    """A torus and its leaves."""
    dimensions = draw(st.lists(st.integers(2, 5), min_size=1, max_size=3))
    layout: dict[str, Any] = {"kind": "torus", "dimensions": dimensions, "links": draw(st.integers(1, 2))}
    if 2 in dimensions:
        layout["doubled"] = draw(st.booleans())
    return layout, prod(dimensions)


@st.composite
def dragonflies(draw: st.DrawFn) -> tuple[dict[str, Any], int]:
    """A dragonfly and its leaves. Half of them have all groups that they reach."""
    members, links = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    most = members * links + 1
    groups = most if draw(st.booleans()) else draw(st.integers(1, most))
    layout = {
        "kind": "dragonfly",
        "units": members,
        "global_links": links,
        "local_links": draw(st.integers(1, 2)),
    }
    return layout, members * groups


@st.composite
def dragonflies_plus(draw: st.DrawFn) -> tuple[dict[str, Any], int]:
    """A dragonfly+ and its leaves."""
    members, groups = draw(st.integers(1, 4)), draw(st.integers(1, 6))
    return {
        "kind": "dragonfly+",
        "units": members,
        "links_per_pair": draw(st.integers(1, 6)),
    }, members * groups


@st.composite
def layouts(draw: st.DrawFn) -> dict[str, Any]:
    """A whole site with one such network at full capacity, as plain values."""
    layout, leaves = draw(st.one_of(tori(), dragonflies(), dragonflies_plus()))
    per_unit = draw(
        st.sampled_from([n for n in (1, 2) if leaves % n == 0 and layout.get("units", n) % n == 0])
    )
    planes = draw(st.sampled_from([1, 1, 2]))
    if "units" in layout:
        layout = {**layout, "units": layout["units"] // per_unit}
    tiers: dict[str, Any] = {"leaf": {"model": SWITCH, "max_oversubscription": "1000:1"}}
    if layout["kind"] == "dragonfly+":
        spines = draw(st.integers(1, 4))
        tiers["spine"] = {"model": SWITCH, "count": spines, "max_oversubscription": "1000:1"}
        tiers["leaf"]["up"] = {"ports": spines}
    nics = {"count": per_unit, "ports": planes, "speed": "400G"}
    return {
        "units": leaves // per_unit,
        "hosts": {"gpu": {"per_unit": draw(st.integers(1, 3)), "nics": {"compute": nics}}},
        "networks": {
            "compute": {
                "rails": "auto" if per_unit > 1 else "none",
                "planes": {"count": planes},
                "layout": layout,
                "tiers": tiers,
            }
        },
    }
