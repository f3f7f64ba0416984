"""What a layout other than a tree has no place for."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.diagnostics import Code, Origin, Report
from fabric.intent import codes
from fabric.intent.model.layouts import DragonflyPlus, Torus
from fabric.intent.model.tiers import Network

PAIR = 2
"""Leaves of an axis whose two ends are one neighbour."""

Finding = tuple[Code, tuple[str, ...], str, str]


def check_layout(network: Network, origin: Origin, report: Report) -> None:
    """Pods, zones and tiers that contradict the layout of a network, and settings without an effect in it."""
    if network.layout is None:
        return
    findings = _parts(network)
    if isinstance(network.layout, DragonflyPlus):
        findings = (*findings, *_with_spines(network))
    else:
        findings = (*findings, *_without_spines(network))
    for code, place, rule, hint in findings:
        report.add(code.at(origin.child(*place), rule, hint=hint))


def _kind(network: Network) -> str:
    return str(network.layout).partition(" ")[0]


def _parts(network: Network) -> tuple[Finding, ...]:
    """Other ways to gather units."""
    kind = _kind(network)
    rule = f"a {kind} says by itself how its units are gathered and joined"
    return tuple(
        (codes.EXCLUSIVE, (key,), rule, f"remove `{key}`, or remove `layout`")
        for key, there in (("pods", network.pods), ("zones", network.zones))
        if there is not None
    )


def _with_spines(network: Network) -> Iterator[Finding]:
    tiers = network.tiers
    if tiers.spine is None:
        rule = "the groups of a dragonfly+ are trees, joined by their spines"
        yield codes.NEEDS, ("layout",), rule, "add `tiers.spine`, or use `kind: dragonfly` for leaves alone"
    if tiers.superspine is not None:
        rule = "the groups of a dragonfly+ are joined spine to spine"
        yield codes.EXCLUSIVE, ("tiers", "superspine"), rule, "remove it, or use `pods` instead of `layout`"
    if tiers.spine is not None and tiers.spine.up.ports != "auto":
        rule = "the layout says how many ports of a spine lead to other groups"
        yield codes.EXCLUSIVE, ("tiers", "spine", "up", "ports"), rule, "leave it `auto`"


def _without_spines(network: Network) -> Iterator[Finding]:
    tiers, kind = network.tiers, _kind(network)
    for role, tier in (("spine", tiers.spine), ("superspine", tiers.superspine)):
        if tier is not None:
            rule = f"the leaves of a {kind} are joined to each other, without {role}s"
            yield (
                codes.EXCLUSIVE,
                ("tiers", role),
                rule,
                "remove it, or use `kind: dragonfly+`",
            )
    if tiers.leaf.up.ports != "auto":
        rule = "the layout says how many ports of a leaf lead to other leaves"
        yield codes.EXCLUSIVE, ("tiers", "leaf", "up", "ports"), rule, "leave it `auto`"
    layout = network.layout
    if isinstance(layout, Torus) and layout.doubled and PAIR not in layout.dimensions:
        rule = f"no axis of the {layout} has two leaves, so there is nothing to double"
        hint = "leave it out; `links` is for parallel links of every axis"
        yield codes.COUNTS, ("layout", "doubled"), rule, hint
