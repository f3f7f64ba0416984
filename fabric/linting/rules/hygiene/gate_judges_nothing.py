"""A gate that judges nothing lets every wave pass."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.diagnostics import Origin
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted

OFF = "deployment: {gate: {lost_prefixes: null, errors: null, discards: null, pause_frames: null, marked: null}}"


@rule(
    "FAB1812",
    "gate-judges-nothing",
    "The gate after a wave looks at neither routes nor counters",
    why="Sessions may be up and carry nothing, and links may be up and drop. A wave that loses half of the routes is "
    "then confirmed, and the next one follows.",
    fix="Leave `lost_prefixes` and `errors` to their defaults, or run programs of yours by `gate.commands`.",
    source="docs/change.md, section on the gate",
    fails=Example("two-tier", "include: [gate.yaml]", {"gate.yaml": OFF}),
    passes=Example("two-tier"),
)
def gate_judges_nothing(site: Linted) -> Iterator[Found]:
    """Every limit of `deployment.gate` is null, and it has no `commands`."""
    gate = site.intent.site.deployment.gate
    limits = (gate.lost_prefixes, gate.errors, gate.discards, gate.pause_frames, gate.marked)
    if all(limit is None for limit in limits) and not gate.commands:
        yield Found(Origin(("deployment", "gate")), "a wave passes whatever it does to routes and counters")
