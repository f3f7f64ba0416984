"""When an engine cannot route, another one does."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted


def _fallback(fallback: str) -> Example:
    return Example(
        "infiniband", f"networks: {{compute: {{infiniband: {{engine: ftree, fallback: {fallback}}}}}}}"
    )


@rule(
    "FAB1609",
    "nobody-takes-over",
    "No engine takes over when the first one cannot route",
    why="One HCA at a spine, or a cable at the wrong place, is enough for `ftree` to give up: at every sweep, so that "
    "from then on no failure is routed around, until the cause is removed.",
    fix="Leave `fallback` out: engines take over that make no loops of credits in the layout.",
    source="OpenSM 3.3.23 under ibsim: ERR AB26 at every sweep with ftree and no fallback (docs/infiniband.md)",
    fails=_fallback("[]"),
    passes=_fallback("[updn]"),
)
def nobody_takes_over(site: Linted) -> Iterator[Found]:
    """`infiniband.fallback` is an empty list, and the engine is one that may fail: not `nue`, `minhop`, `updn`."""
    for network in site.infiniband:
        subnet = network.intent.infiniband
        if subnet.fallback == () and subnet.engine in {"ftree", "torus-2qos", "dfsssp", "lash"}:
            yield Found(
                network.at.child("infiniband", "fallback"),
                f"with {subnet.engine} alone one wrong cable may stop all routing",
                value=[],
            )
