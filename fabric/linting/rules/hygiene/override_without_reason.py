"""A departure from the rule says why."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.diagnostics import Origin, Severity
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted


def _override(reason: str) -> Example:
    return Example("two-tier", f"overrides: [{{device: spine-0-0, max_paths: 64{reason}}}]")


@rule(
    "FAB1808",
    "override-without-reason",
    "An override does not say why",
    severity=Severity.INFO,
    why="Switches of a tier stand in for each other because they are alike. Whoever finds one that is not, at night, "
    "must know whether the difference still serves somebody.",
    fix="Write `reason` beside it.",
    source="docs/intent.md: `reason` of an override is for the reviewer",
    fails=_override(""),
    passes=_override(", reason: counters of wide groups are compared"),
)
def override_without_reason(site: Linted) -> Iterator[Found]:
    """An entry of `overrides` has no `reason`."""
    for index, override in enumerate(site.intent.site.overrides):
        if override.reason is None:
            yield Found(Origin(("overrides", index)), "nobody can tell whether this is still needed")
