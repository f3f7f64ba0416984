"""Until all spines are there, the ratio is another one."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted
from fabric.topology.roles import Role


def _installed(installed: int) -> Example:
    return Example(
        "two-tier", f"networks: {{compute: {{tiers: {{spine: {{count: 4, installed: {installed}}}}}}}}}"
    )


@rule(
    "FAB1404",
    "missing-spines",
    "Leaves are oversubscribed beyond their ceiling while spines are missing",
    why="The ceiling is checked at full capacity. With fewer spines installed the same hosts share fewer uplinks, and "
    "jobs run slower than the design promised, without any alarm.",
    fix="Install the spines, or raise `max_oversubscription` to what is accepted for now.",
    source="docs/intent.md: `installed` of spines, `max_oversubscription` of leaves",
    fails=_installed(2),
    passes=_installed(4),
)
def missing_spines(site: Linted) -> Iterator[Found]:
    """The ratio of a leaf, times the spines of a group, by `tiers.spine.installed`, is above the leaf's ceiling."""
    for network in site.networks.values():
        spine, leaf = network.intent.tiers.spine, network.intent.tiers.leaf
        of_group = network.topology.sizes.spines
        ratio = network.topology.oversubscription.get(Role.LEAF)
        if spine is None or not spine.installed or ratio is None or spine.installed >= of_group:
            continue
        down, _, up = leaf.max_oversubscription.partition(":")
        now = ratio * of_group / spine.installed
        if now > Fraction(down) / Fraction(up or "1"):
            yield Found(
                network.at.child("tiers", "spine", "installed"),
                f"with {spine.installed} of {of_group} spines leaves are oversubscribed {float(now):.3g}:1, and "
                f"{leaf.max_oversubscription} is allowed",
                value=spine.installed,
            )
