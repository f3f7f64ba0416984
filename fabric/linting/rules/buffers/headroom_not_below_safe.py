"""Less headroom than the worst case is a decision, and is seen."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.diagnostics import Severity
from fabric.linting.policies import OWN, in_policy, own_policy
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted
from fabric.units import Bytes


@rule(
    "FAB1105",
    "headroom-not-below-safe",
    "Headroom is below what the worst case needs",
    severity=Severity.INFO,
    why="`formula`, `vendor-table` and `smallest_frame` hold for the traffic and the peers that they assume. Where "
    "frames are smaller, or a peer answers as late as 802.3 allows, packets of a lossless class are lost.",
    fix="Write `headroom: safe` where the buffer affords it; else accept the finding, with what was measured.",
    source="802.3 annex 31B.3.7 (response times) and docs/lossless.md, held against the published tables",
    fails=Example("two-tier", OWN, own_policy(tail="headroom: {smallest_frame: 1086B, mode: formula}")),
    passes=Example("two-tier", OWN, own_policy(tail="headroom: safe")),
)
def headroom_not_below_safe(site: Linted) -> Iterator[Found]:
    """A kind of port has less headroom than `headroom: safe` gives it."""
    for network in site.ethernet:
        short = [
            (profile.headroom.headroom_bytes / profile.headroom.safe_bytes, profile)
            for kind in network.kinds
            for profile in kind.profiles
            if profile.headroom is not None and profile.headroom.headroom_bytes < profile.headroom.safe_bytes
        ]
        if short:
            part, profile = min(short, key=lambda each: (each[0], each[1].name))
            headroom = profile.headroom
            assert headroom is not None  # noqa: S101  # chosen above
            yield Found(
                in_policy(str(network.intent.lossless), "headroom"),
                f"{profile.name} in network {network.name} has {Bytes(headroom.headroom_bytes)} of headroom, "
                f"{round(100 * part)} percent of the {Bytes(headroom.safe_bytes)} of the worst case",
                about=network.name,
            )
