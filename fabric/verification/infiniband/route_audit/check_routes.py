"""Findings of the route audit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from fabric.devices.infiniband.model import Subnet
from fabric.units import counted
from fabric.verification.finding import Finding, finding, ordered, some
from fabric.verification.infiniband.device_labels import Labels
from fabric.verification.infiniband.reading.discovery import End
from fabric.verification.infiniband.route_audit.audit_routes import OWN_LANES, Loop, RouteAudit

SHARE = 2
"""So many times its even share may an uplink carry."""


def route_findings(subnet: Subnet, audit: RouteAudit, labels: Labels) -> tuple[Finding, ...]:
    """Routes that do not arrive, uneven uplinks, rings of buffers."""
    findings = [_without_table(audit.untold, labels)] if audit.untold else []
    alike: dict[tuple[str, tuple[End, ...]], list[int]] = defaultdict(list)
    for stop in audit.stops:
        if stop.why != "no table":
            alike[stop.why, stop.ends].append(stop.switch)
    findings += [_stop(switches, why, ends, labels) for (why, ends), switches in alike.items()]
    if subnet.roots:  # without a top there are no uplinks, only ways around
        findings += _uneven(audit, labels)
    findings += [_loop(loop, labels) for loop in audit.loops if is_reported(subnet, loop)]
    return ordered(findings)


def is_reported(subnet: Subnet, loop: Loop) -> bool:
    """Whether a loop is reported: not where an engine separates paths by lanes and the lanes were not read."""
    return loop.lane is not None or subnet.engine not in OWN_LANES


def _without_table(switches: Sequence[int], labels: Labels) -> Finding:
    names = [labels.name(guid) for guid in switches]
    text = f"{some(map(labels.node, switches))}: no forwarding table in what was given"
    return finding("no-table", names, text, names)


WHY: Mapping[str, str] = {
    "no entry": "has no route to",
    "dark port": "sends to a dark port what is for",
    "wrong end": "sends to another end what is for",
    "circle": "is in a circle in which goes round what is for",
}
WHY_MANY: Mapping[str, str] = {
    "no entry": "have no route to",
    "dark port": "send to a dark port what is for",
    "wrong end": "send to another end what is for",
    "circle": "are in circles in which goes round what is for",
}


def _stop(switches: Sequence[int], why: str, ends: Sequence[End], labels: Labels) -> Finding:
    """All switches that do the same to the same destinations. A stranger among these is named as what it is."""
    names = [labels.name(guid) for guid in switches]
    many = counted(len(ends), ("end", "ends"))
    who = f"{some(map(labels.node, switches))} {WHY[why] if len(switches) == 1 else WHY_MANY[why]} {many}"
    text = f"{who}: {some(map(labels.end, ends))}"
    strangers = [labels.name(end[0]) for end in ends if not labels.knows(end[0])]
    if strangers:
        text += f"; {some(strangers)} {'is' if len(strangers) == 1 else 'are'} not in the inventory"
    places = names if len(names) == 1 else [*map(labels.place, ends)]
    return finding("unreachable", [*places, why.replace(" ", "-")], text, names)


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
