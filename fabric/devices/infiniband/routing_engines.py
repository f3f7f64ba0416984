"""Which routing engine fits which layout, and which ones take over from it.

What was run: OpenSM 3.3.23 under ibsim 0.10, every engine on every layout with hosts at spines, wrong cables and
dead roots (tests/infiniband/test_healing.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from fabric.devices import codes
from fabric.devices.infiniband.model import Subnet
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
TAKE_OVER = {
    "fat_tree": ("updn", "nue"),
    "dragonfly_plus": ("updn", "nue"),
    "dragonfly": ("nue",),
    "torus": ("nue",),
}
"""Who routes what the chosen engine cannot: free of loops of credits whatever is connected, the faster one first.

`updn` needs a root that is alive; `nue` routes everything that is connected, on one lane if there is one only
(Domke et al., HPDC 2016), and takes minutes for thousands of hosts: so it is the last.
"""
ROOTED = frozenset({"ftree", "updn", "dnup"})
OWN_LANES = frozenset({"lash", "nue", "dfsssp", "torus-2qos"})
"""Engines that give out service levels and lanes themselves, to break loops."""
SCATTERED = frozenset({"minhop", "updn", "dnup"})
"""Engines that may choose by chance among ports with equally few routes."""
SCATTER_SEED = 8
"""Of that chance, any number: routes are the same after each sweep and restart.

On 128 leaves, 128 spines and 64 superspines the busiest link of `updn` has 57,344 pairs without it and 4,499 with it
(mean 3,558; run with OpenSM 3.3.23). On two tiers routes are even without it, and for shifted permutations evener."""
AXES = (2, 3)
"""Dimensions that torus-2QoS can recognise: in a ring it finds no face of four switches to begin with."""
TWO_TIERS = 2


@dataclass(frozen=True, slots=True)
class Shape:
    """What of a network decides about engines, beside its layout."""

    switches: int = 2
    leaves: int = 2
    tiers: int = 3
    hosts_on_roots: int = 0
    """Switches above the leaves that hosts or attachments are plugged into."""


def layout_of(network: Network) -> str:
    """The word of a layout: what `Subnet.layout` holds."""
    if network.layout is None:
        return "dragonfly_plus" if network.zones else "fat_tree"
    return {"Torus": "torus", "Dragonfly": "dragonfly"}.get(type(network.layout).__name__, "dragonfly_plus")


def engine(network: Network, origin: Origin, report: Report, shape: Shape, *, adaptive: bool = False) -> str:
    """The routing engine: the requested one if it fits the layout, or the best that does."""
    asked, layout = network.infiniband.engine, layout_of(network)
    foreign = _foreign(network, shape.switches)
    best = (
        "updn" if adaptive and layout == "fat_tree" else _best(network, layout, shape, foreign=bool(foreign))
    )
    chosen = best if asked == "auto" else asked
    at = origin.child("engine")
    if chosen not in FITS[layout] and shape.switches > 1:
        rule = f"{asked} {_unfit(asked, layout)}"
        hint = f"use one of {', '.join(FITS[layout])}, or `auto`"
        report.add(codes.ENGINE_UNFIT.at(at, rule, value=asked, hint=hint))
    elif chosen == "torus-2qos" and foreign:
        report.add(codes.ENGINE_UNFIT.at(at, foreign, value=asked, hint="use `nue`, as `auto` does"))
    elif chosen == "ftree" and shape.hosts_on_roots:
        rule = f"ftree needs all hosts at leaves, and {shape.hosts_on_roots} switches above them have some"
        report.add(codes.ENGINE_UNFIT.at(at, rule, value=asked, hint="use `updn`, or `auto`"))
    elif chosen in OWN_LANES and _has_classes(network):
        rule = f"{chosen} gives out service levels itself, to break loops of credits; {_taken(network)}"
        hint = "leave `service_levels` out, or choose another engine where the layout allows one"
        report.add(codes.ENGINE_UNFIT.at(at, rule, value=asked, hint=hint))
    return chosen


def is_scattered(subnet: Subnet) -> bool:
    """Whether engines choose by chance among ports with equally few routes: where there are three tiers."""
    engines = {subnet.engine, *subnet.fallbacks}
    return bool(SCATTERED & engines) and any(switch.role == "superspine" for switch in subnet.switches)


def _has_classes(network: Network) -> bool:
    """Whether anything but service level 0 on lane 0 is used."""
    levels = network.infiniband.service_levels.values()
    return [(level.service_level, level.virtual_lane) for level in levels] != [(0, 0)]


def _taken(network: Network) -> str:
    """What classes do to an engine that needs all service levels and lanes."""
    levels = network.infiniband.service_levels
    if len(levels) > 1:
        return f"{len(levels)} classes would take them away"
    [(name, level)] = levels.items()
    place = f"service level {level.service_level} on lane {level.virtual_lane}"
    return f"it leaves no place for {name} at {place}"


def _best(network: Network, layout: str, shape: Shape, *, foreign: bool) -> str:
    """The engine of `auto`.

    On two tiers `updn` spreads routes as evenly as `ftree`, over links and over shifted permutations, and a cable
    between two leaves costs it nothing: with one, `ftree` says that all is well and leaves some ports without a
    route. On three tiers `updn` alone puts seven times as much on the busiest link.
    """
    if foreign:
        return "nue"
    if min(shape.leaves, shape.switches) == 1:
        return "minhop"  # OpenSM's `ftree` sees no tree in a single leaf, with spines or without
    best = BEST[layout]
    if best not in OWN_LANES and shape.hosts_on_roots > 1 and not _has_classes(network):
        return "nue"  # two hosts at two spines: from one to the other it goes down, then up
    if best == "ftree" and (network.infiniband.lmc or shape.tiers <= TWO_TIERS or shape.hosts_on_roots):
        return "updn"  # OpenSM's `ftree` gives each port one LID only, and wants all hosts at leaves
    return best


def fallbacks(network: Network, chosen: str, origin: Origin, report: Report, shape: Shape) -> tuple[str, ...]:
    """The engines that take over from the chosen one, in their order."""
    named, layout = network.infiniband.fallback, layout_of(network)
    if named is None:
        possible = (name for name in TAKE_OVER[layout] if name not in ROOTED or shape.tiers > 1)
        return () if chosen == "nue" else tuple(name for name in possible if name != chosen)
    has_classes = _has_classes(network)
    for i, name in enumerate(named):
        rule = ""
        if name == chosen or name in named[:i]:
            rule = f"{name} is listed twice: it would fail again"
        elif name not in FITS[layout] and shape.switches > 1:
            rule = f"{name} {_unfit(name, layout)}"
        elif name in OWN_LANES - {"nue"} and (has_classes or chosen not in OWN_LANES):
            rule = f"{name} needs all lanes for itself, and {chosen} has given them to classes of traffic"
        if rule:
            known = [other for other in TAKE_OVER[layout] if other != chosen]
            hint = f"use {' and '.join(known)}, as by default" if known else "write `fallback: []`"
            report.add(codes.ENGINE_UNFIT.at(origin.child("fallback", i), rule, value=name, hint=hint))
    return named


def _foreign(network: Network, switches: int) -> str:
    """Why torus-2qos would not recognise a torus; empty if it does, and in other layouts."""
    if not isinstance(network.layout, TorusLayout):
        return ""
    dimensions = network.layout.dimensions
    if len(dimensions) not in AXES:
        return f"torus-2qos knows {AXES[0]} or {AXES[1]} dimensions, the layout has {len(dimensions)}"
    missing = prod(dimensions) - switches
    # One or two it takes for failures; with more it finds no routes.
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
