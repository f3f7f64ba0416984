"""Which routing engine fits which layout."""

from __future__ import annotations

from math import prod

from fabric.devices import codes
from fabric.diagnostics import Origin, Report
from fabric.intent.model import Network
from fabric.intent.model import Torus as TorusLayout

SHORTEST = ("minhop", "updn", "dnup", "sssp", "dfsssp", "nue", "file")
FITS = {
    "fat_tree": ("ftree", *SHORTEST),
    "dragonfly_plus": ("updn", "dnup", "minhop", "sssp", "dfsssp", "nue", "file"),
    "dragonfly": ("lash", "nue", "dfsssp", "file"),
    "torus": ("torus-2qos", "lash", "nue", "file"),
}
"""Engines that use every cable of a layout and make no loop of credits in it, the best first.

On trees `dor` and `lash` put all routes on one of several parallel cables; on a torus or dragonfly only engines that
spread over virtual lanes are free of loops (OpenSM's doc/current-routing.txt, and runs under ibsim).
"""
BEST = {"fat_tree": "ftree", "dragonfly_plus": "updn", "dragonfly": "nue", "torus": "torus-2qos"}
OWN_LANES = frozenset({"lash", "nue", "dfsssp", "torus-2qos"})
"""Engines that give out service levels and lanes themselves, to break loops."""
AXES = (2, 3)
"""Dimensions that torus-2QoS can recognise: in a ring it finds no face of four switches to begin with."""


def layout_of(network: Network) -> str:
    """The word of a layout: what `Subnet.layout` holds."""
    if network.layout is None:
        return "dragonfly_plus" if network.zones else "fat_tree"
    return {"Torus": "torus", "Dragonfly": "dragonfly"}.get(type(network.layout).__name__, "dragonfly_plus")


def engine(network: Network, origin: Origin, report: Report, *, switches: int = 2, leaves: int = 2) -> str:
    """The routing engine: what is asked for if it fits the layout, or the best that does."""
    asked, layout = network.infiniband.engine, layout_of(network)
    foreign = _foreign(network, switches)
    best = "nue" if foreign else BEST[layout]
    if best == "ftree" and network.infiniband.lmc:
        best = "updn"  # OpenSM's `ftree` gives each port one LID only
    if min(leaves, switches) == 1:
        best = "minhop"  # OpenSM's `ftree` sees no tree in a single leaf, with spines or without
    chosen = best if asked == "auto" else asked
    at = origin.child("engine")
    if chosen not in FITS[layout] and switches > 1:
        rule = f"{asked} {_unfit(asked, layout)}"
        hint = f"use one of {', '.join(FITS[layout])}, or `auto`"
        report.add(codes.ENGINE_UNFIT.at(at, rule, value=asked, hint=hint))
    elif chosen == "torus-2qos" and foreign:
        report.add(codes.ENGINE_UNFIT.at(at, foreign, value=asked, hint="use `nue`, as `auto` does"))
    elif chosen in OWN_LANES and len(network.infiniband.service_levels) > 1:
        rule = f"{chosen} gives out service levels itself, to break loops of credits; "
        rule += f"{len(network.infiniband.service_levels)} classes would take them away"
        hint = "leave `service_levels` out, or choose another engine where the layout allows one"
        report.add(codes.ENGINE_UNFIT.at(at, rule, value=asked, hint=hint))
    return chosen


def _foreign(network: Network, switches: int) -> str:
    """Why torus-2qos would not recognise a torus; empty if it does, and in other layouts."""
    if not isinstance(network.layout, TorusLayout):
        return ""
    dimensions = network.layout.dimensions
    if len(dimensions) not in AXES:
        return f"torus-2qos knows {AXES[0]} or {AXES[1]} dimensions, the layout has {len(dimensions)}"
    missing = prod(dimensions) - switches
    # One or two it takes for failures; with more it finds no routes, and the subnet would stay down.
    return (
        f"torus-2qos needs all {prod(dimensions)} switches, {missing} are not installed"
        if missing > 0
        else ""
    )


def _unfit(asked: str, layout: str) -> str:
    """Why an engine does not fit a layout."""
    if layout == "fat_tree" and asked in ("dor", "lash"):
        return "does not spread over the parallel cables of a tree: one uplink would carry all"
    if asked in ("ftree", "updn", "dnup") and layout in ("torus", "dragonfly"):
        return f"needs roots above the leaves, and a {layout} has none"
    if asked == "dfsssp" and layout == "torus":
        return "runs out of lanes in a torus: 4x4x4 leaves with two hosts each take nine"
    if asked == "torus-2qos":
        return f"is for a torus, and this is a {layout.replace('_', ' ')}"
    return f"makes loops of credits, or leaves cables idle, in a {layout.replace('_', ' ')}"
