"""A dead link is noticed before NICs give up."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.intent.model import Routing
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted

RETRY_MS = 34_360
"""Eight times 4.096 us * 2**20: NCCL_IB_TIMEOUT 20, NCCL_IB_RETRY_CNT 7 and the first try."""


def _hold(hold: str) -> Example:
    return Example("two-tier", f"networks: {{compute: {{routing: {{bfd: none, bgp: {{hold: {hold}}}}}}}}}")


@rule(
    "FAB1506",
    "dead-link-outlasts-nics",
    "A link that dies silently takes traffic for longer than NICs repeat it",
    why="A link may stay up and carry nothing. Until its session is down a part of all flows is lost on it; when a NIC "
    "has repeated a packet as often as it may, its queue pair fails, and the job ends.",
    fix="Leave `routing.bfd` on, or write a `bgp.hold` well below 34 s.",
    source="NCCL, src/transport/net_ib.cc: NCCL_IB_TIMEOUT 20, NCCL_IB_RETRY_CNT 7; RFC 4271, section 6.5",
    fails=_hold("180s"),
    passes=_hold("9s"),
)
def dead_link_outlasts_nics(site: Linted) -> Iterator[Found]:
    """The BGP hold time, or with BFD its interval times its multiplier, is at least 34.36 s.

    That is 4.096 us * 2**20 for each of eight tries.
    """
    for network in site.ethernet:
        routing = network.intent.routing
        noticed_ms, place = _noticed(routing)
        if noticed_ms >= RETRY_MS:
            yield Found(
                network.at.child("routing", *place),
                f"it is noticed after {noticed_ms // 1000} s, and NICs give up after {RETRY_MS // 1000} s",
                value=f"{noticed_ms // 1000}s",
            )


def _noticed(routing: Routing) -> tuple[int, tuple[str, ...]]:
    """Milliseconds, and the value that says so."""
    hold = (int(routing.bgp.hold_ms), ("bgp", "hold"))
    if routing.bfd == "none":
        return hold
    bfd = (int(routing.bfd.interval_ms) * routing.bfd.multiplier, ("bfd", "interval"))
    return min(hold, bfd)
