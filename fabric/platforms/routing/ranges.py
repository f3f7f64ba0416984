"""The refusal of paths and of BFD timers that a product takes less of, the same for every product."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fabric.devices.model import Switch
from fabric.diagnostics import Code, Diagnostic, Origin
from fabric.units import Duration

Range = tuple[int, int]
"""The least and the most that a product takes."""


class RoutingRanges(NamedTuple):
    """What a product takes; None: all that an intent may say."""

    product: str
    max_paths: int
    bfd_interval_ms: Range | None = None
    bfd_multiplier: Range | None = None


def out_of_range(switch: Switch, takes: RoutingRanges, code: Code) -> Iterator[Diagnostic]:
    """A finding for each number of the routing that the product does not take."""
    routing, bfd = switch.routing, Origin(("networks", switch.network, "routing", "bfd"))
    if routing.max_paths > takes.max_paths:
        rule = f"{takes.product} takes 1 to {takes.max_paths} equal paths, not {routing.max_paths}"
        hint = f"write {takes.max_paths} or less"
        yield code.at(switch.max_paths_origin, rule, value=routing.max_paths, hint=hint)
    if routing.bfd_interval_ms is None:
        return
    timers = (
        ("interval", Duration(routing.bfd_interval_ms), takes.bfd_interval_ms),
        ("multiplier", routing.bfd_multiplier, takes.bfd_multiplier),
    )
    for key, value, bounds in timers:
        least, most = map(type(value), bounds or (value, value))
        if not least <= value <= most:
            rule = f"{takes.product} takes a BFD {key} of {least} to {most}, not {value}"
            hint = f"write {max(least, min(value, most))}"
            yield code.at(bfd.child(key), rule, value=str(value), hint=hint)
