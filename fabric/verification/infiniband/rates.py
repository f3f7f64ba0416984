"""Speed and width of links, where the cable is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from fabric.devices.infiniband.model import Subnet, SubnetLink
from fabric.units import Speed
from fabric.verification.infiniband.discovered import LANE_MBPS, Discovered, SeenLink, rate_mbps
from fabric.verification.infiniband.finding import Finding, finding
from fabric.verification.infiniband.labels import Labels

SIMULATED_MBPS = 4 * LANE_MBPS["HDR"]
"""Every link under ibsim."""


def rates(subnet: Subnet, seen: Discovered, labels: Labels, *, simulated: bool) -> Iterator[Finding]:
    """Links that run otherwise than planned: each once; if all do in the same way, one finding."""
    wrong: list[tuple[SubnetLink, SeenLink, int]] = []
    running = 0
    for link in subnet.links:
        found = seen.links.get((link.lower, link.lower_port))
        if found is None or found.peer != (link.upper, link.upper_port):
            continue
        running += 1
        planned = SIMULATED_MBPS if simulated else link.speed_mbps
        if rate_mbps(found) not in (0, planned):
            wrong.append((link, found, planned))
    kinds = Counter((found.width, found.speed, planned) for _, found, planned in wrong)
    if len(wrong) > 1 and len(wrong) == running and len(kinds) == 1:
        _, found, planned = wrong[0]
        yield finding(
            _kind(found, planned),
            ["all"],
            f"all {running:,} links run at {_rate(found)}, planned are {Speed(planned)}",
        )
        return
    for link, found, planned in wrong:
        lower, upper = (link.lower, link.lower_port), (link.upper, link.upper_port)
        text = (
            f"{labels.end(lower)} to {labels.end(upper)} runs at {_rate(found)}, planned is {Speed(planned)}"
        )
        owners = [labels.owner(link.lower), labels.owner(link.upper)]
        yield finding(_kind(found, planned), [labels.place(lower)], text, owners)


def _kind(found: SeenLink, planned: int) -> str:
    """Whether lanes are missing, or each is slower."""
    return "width" if LANE_MBPS[found.speed] * 4 == planned and found.width < 4 else "speed"  # 4x


def _rate(found: SeenLink) -> str:
    return f"{found.width}x {found.speed} ({Speed(rate_mbps(found))})"
