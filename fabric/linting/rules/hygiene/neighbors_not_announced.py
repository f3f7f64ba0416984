"""Cables are checked by what neighbours announce."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.diagnostics import Origin
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted


@rule(
    "FAB1806",
    "neighbors-not-announced",
    "Switches do not announce themselves to their neighbours",
    why="Without LLDP neither the gate of `fabric apply` nor `fabric verify` sees which port a cable leads to: two "
    "swapped cables of equal speed are found by whoever misses the bandwidth.",
    fix="Leave `services.lldp` out, or write `true`.",
    source="docs/change.md, section on the gate: it compares LLDP neighbours; IEEE 802.1AB",
    fails=Example("two-tier", "services: {lldp: false}"),
    passes=Example("two-tier"),
)
def neighbors_not_announced(site: Linted) -> Iterator[Found]:
    """`services.lldp` is false."""
    if not site.intent.site.services.lldp:
        yield Found(
            Origin(("services", "lldp")),
            "no cable between switches can be checked",
            value=False,
            fix=True,
        )
