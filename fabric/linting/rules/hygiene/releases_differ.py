"""Switches of a tier that run one product run one release."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted

TIERS = "networks: {compute: {tiers: {leaf: {release: 4.32.2F}, spine: {release: 4.32.2F}}}}\n"


@rule(
    "FAB1809",
    "releases-differ",
    "Switches of one tier run different releases of a product",
    why="Releases differ in defaults, in hashing and in defects. With two of them in a tier one collective meets both, "
    "a comparison of counters says nothing, and a canary stands for some of its tier only.",
    fix="Write one `release` at the tier, and remove it from `overrides` when the upgrade is over; accept the finding "
    "until then.",
    source="docs/change.md: the mildest change goes first, alone, as a canary; docs/mixed-fabrics.md",
    fails=Example(
        "two-tier", f"{TIERS}overrides: [{{device: spine-0-0, release: 4.33.1F, reason: upgrade}}]"
    ),
    passes=Example("two-tier", TIERS),
)
def releases_differ(site: Linted) -> Iterator[Found]:
    """Switches of one network, role and platform have more than one `release`."""
    for network in site.ethernet:
        releases: dict[tuple[str, str], dict[str, int]] = {}
        for kind in network.kinds:
            of_tier = releases.setdefault((kind.example.role, kind.example.platform), {})
            name = kind.example.release or "none named"
            of_tier[name] = of_tier.get(name, 0) + len(kind.nodes)
        for (role, platform), counts in releases.items():
            if len(counts) > 1:
                listed = ", ".join(f"{name} ({count})" for name, count in sorted(counts.items()))
                yield Found(
                    network.at.child("tiers", role, "release"),
                    f"{platform} runs in {len(counts)} releases: {listed}",
                    about=platform,
                )
