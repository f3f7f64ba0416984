"""What the audit of the routes says, as findings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabric.devices.subnet import Subnet
from fabric.verification.infiniband.finding import Finding, finding, ordered, some
from fabric.verification.infiniband.labels import Labels
from fabric.verification.infiniband.routes import OWN_LANES, Loop, RouteAudit, Stop

SHARE = 2
"""So many times its even share may an uplink carry."""


def route_findings(subnet: Subnet, audit: RouteAudit, labels: Labels) -> tuple[Finding, ...]:
    """Routes that do not arrive, uneven uplinks, rings of buffers."""
    found = [_untold(guid, labels) for guid in audit.untold]
    found += [_stop(stop, labels) for stop in audit.stops if stop.why != "no table"]
    found += _uneven(audit, labels)
    found += [_loop(loop, labels) for loop in audit.loops if loops_are_told(subnet, loop)]
    return ordered(found)


def loops_are_told(subnet: Subnet, loop: Loop) -> bool:
    """Not where an engine keeps paths apart by lanes and the lanes were not looked at."""
    return loop.lane is not None or subnet.engine not in OWN_LANES


def _untold(guid: int, labels: Labels) -> Finding:
    name = labels.name(guid)
    text = f"{labels.node(guid)}: no forwarding table in what was given"
    return finding("no-table", [name], text, [name])


WHY: Mapping[str, str] = {
    "no entry": "has no route to",
    "dark port": "sends to a dark port what is for",
    "wrong end": "sends to another end what is for",
    "circle": "is in a circle in which goes round what is for",
}


def _stop(stop: Stop, labels: Labels) -> Finding:
    name = labels.name(stop.switch)
    ends = [labels.end(end) for end in stop.ends]
    many = f"{len(ends):,} end{'s' * (len(ends) != 1)}"
    text = f"{labels.node(stop.switch)} {WHY[stop.why]} {many}: {some(ends)}"
    return finding("unreachable", [name, stop.why.replace(" ", "-")], text, [name])


def _uneven(audit: RouteAudit, labels: Labels) -> Iterator[Finding]:
    """Leaves with an uplink that carries nothing or far too much; all of them are one finding."""
    wrong = {leaf: ports for leaf, ports in audit.uplinks.items() if is_uneven(ports)}
    if len(wrong) > 1 and len(wrong) == len(audit.uplinks):
        most = max(max(ports.values()) for ports in wrong.values())
        least = min(min(ports.values()) for ports in wrong.values())
        text = f"on all {len(wrong)} leaves one uplink carries up to {most:,} LIDs and another {least:,}"
        yield finding("unbalanced", ["all"], text)
        return
    for leaf, ports in wrong.items():
        high, low = max(ports, key=lambda p: ports[p]), min(ports, key=lambda p: ports[p])
        text = (
            f"{labels.end((leaf, high))} carries {ports[high]:,} LIDs and "
            f"{labels.end((leaf, low))} {ports[low]:,}, of {sum(ports.values()):,} on {len(ports)} uplinks"
        )
        yield finding("unbalanced", [labels.name(leaf)], text, [labels.name(leaf)])


def is_uneven(ports: Mapping[int, int]) -> bool:
    """Whether an uplink is idle or carries more than twice its share, where there is enough to share out."""
    share = sum(ports.values()) / len(ports)
    return share >= SHARE and (min(ports.values()) == 0 or max(ports.values()) > SHARE * share)


def _loop(loop: Loop, labels: Labels) -> Finding:
    lane = "one lane" if loop.lane is None else f"VL {loop.lane}"
    links = [labels.end(end) for end in loop.channels]
    text = f"{len(links)} links wait for each other in a ring on {lane}: {some(links, most=8)}"
    owners = sorted({labels.name(end[0]) for end in loop.channels})
    places = ([] if loop.lane is None else [f"VL{loop.lane}"]) + [labels.place(end) for end in loop.channels]
    return finding("credit-loop", places, text, owners)
