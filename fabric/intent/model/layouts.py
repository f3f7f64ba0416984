"""Layouts other than a tree: dragonfly, dragonfly+, torus. Leaves in order of unit and place fill them."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from fabric.documents.schema.scalar_types import Count, Part
from fabric.units import counted


class Torus(Part, frozen=True, kw_only=True, tag_field="kind", tag="torus"):
    """Leaves in a grid whose rows are closed to rings, without spines."""

    dimensions: Annotated[
        tuple[Annotated[int, Meta(ge=2, le=4096)], ...],
        Meta(min_length=1, max_length=6, examples=[[4, 4, 4]]),
    ]
    """Leaves along each axis; the last axis is filled first. Their product is all leaves of a plane by capacity."""
    links: Count = 1
    """Parallel links between two neighbours."""
    doubled: bool = False
    """An axis of two leaves has both links of a ring. Default: its two ends are one neighbour, and so one link."""

    def __str__(self) -> str:
        text = f"torus {'x'.join(map(str, self.dimensions))}"
        text += f" of {self.links} links" if self.links > 1 else ""
        return text + (" doubled" if self.doubled else "")


class Dragonfly(Part, frozen=True, kw_only=True, tag_field="kind", tag="dragonfly"):
    """Groups of leaves, each joined to all others of its group, and every two groups joined; without spines."""

    units: Count
    """Units of one group. Their leaves of one plane are its `a` switches."""
    global_links: Count
    """Links of each switch to other groups (`h`). A group reaches at most `a * h` others."""
    local_links: Count = 1
    """Parallel links between two switches of a group."""

    def __str__(self) -> str:
        local = f", {self.local_links} local links" if self.local_links > 1 else ""
        return f"dragonfly of {counted(self.units, 'unit')} a group, {counted(self.global_links, 'global link')}{local}"


class DragonflyPlus(Part, frozen=True, kw_only=True, tag_field="kind", tag="dragonfly+"):
    """Groups that are two-tier trees, every two of them joined by links between their spines."""

    units: Count
    """Units of one group. Their leaves share its spines."""
    links_per_pair: Count
    """Links between two groups, dealt evenly over the spines of each."""

    def __str__(self) -> str:
        return f"dragonfly+ of {counted(self.units, 'unit')} a group, {counted(self.links_per_pair, 'link')} a pair"


Layout = Torus | Dragonfly | DragonflyPlus

__all__ = ["Dragonfly", "DragonflyPlus", "Layout", "Torus"]
