"""Findings of a running network: one a fault, with an id that is the same from run to run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from fabric.diagnostics import Code
from fabric.verification import codes

Section = Literal[
    "managers", "devices", "cabling", "ports", "sessions", "partitions", "lanes", "queues", "hosts", "routes"
]
SUBNET_SECTIONS: tuple[Section, ...] = ("managers", "cabling", "partitions", "lanes", "routes")
"""Of InfiniBand, in the order of a report."""
ETHERNET_SECTIONS: tuple[Section, ...] = (
    "devices",
    "cabling",
    "ports",
    "sessions",
    "queues",
    "hosts",
    "routes",
)
"""Of Ethernet."""

KINDS: Mapping[str, tuple[Section, Code]] = {
    "stranger-manager": ("managers", codes.STRANGER_MANAGER),
    "no-master": ("managers", codes.NO_MASTER),
    "lost-master": ("managers", codes.LOST_MASTER),
    "two-masters": ("managers", codes.TWO_MASTERS),
    "wrong-master": ("managers", codes.WRONG_MASTER),
    "manager-priority": ("managers", codes.MANAGER_PRIORITY),
    "dead-manager": ("managers", codes.DEAD_MANAGER),
    "dead-switch": ("cabling", codes.DEAD_SWITCH),
    "dead-host": ("cabling", codes.DEAD_HOST),
    "replaced": ("cabling", codes.UNKNOWN_NODE),
    "unknown-node": ("cabling", codes.UNKNOWN_NODE),
    "wrong-model": ("cabling", codes.WRONG_MODEL),
    "wrong-name": ("cabling", codes.WRONG_NAME),
    "wrong-rail": ("cabling", codes.MISCABLED),
    "wrong-plane": ("cabling", codes.MISCABLED),
    "swapped": ("cabling", codes.MISCABLED),
    "moved": ("cabling", codes.MISCABLED),
    "missing": ("cabling", codes.NO_LINK),
    "unexpected": ("cabling", codes.NOT_MEANT),
    "width": ("cabling", codes.LINK_RATE),
    "speed": ("cabling", codes.LINK_RATE),
    "lid": ("cabling", codes.WRONG_LID),
    "fail-open": ("partitions", codes.FAIL_OPEN),
    "pkey-extra": ("partitions", codes.PARTITION_TABLE),
    "pkey-missing": ("partitions", codes.PARTITION_TABLE),
    "pkey-full": ("partitions", codes.PARTITION_TABLE),
    "pkey-limited": ("partitions", codes.PARTITION_TABLE),
    "pkey-leaf": ("partitions", codes.PARTITION_TABLE),
    "sl2vl": ("lanes", codes.LANE_TABLE),
    "vlarb": ("lanes", codes.LANE_WEIGHTS),
    "no-answer": ("devices", codes.NO_ANSWER),
    "fec": ("ports", codes.LINK_RATE),
    "port-speed": ("ports", codes.LINK_RATE),
    "mtu": ("ports", codes.PORT_MTU),
    "session-down": ("sessions", codes.SESSION),
    "session-missing": ("sessions", codes.SESSION),
    "session-asn": ("sessions", codes.SESSION),
    "queueing": ("queues", codes.QUEUES),
    "code-points": ("queues", codes.QUEUES),
    "watchdog": ("queues", codes.QUEUES),
    "pfc": ("queues", codes.HARDWARE_QUEUES),
    "ecn": ("queues", codes.HARDWARE_QUEUES),
    "dscp": ("queues", codes.HARDWARE_QUEUES),
    "scheduling": ("queues", codes.HARDWARE_QUEUES),
    "pfc-watchdog": ("queues", codes.HARDWARE_QUEUES),
    "host-end": ("hosts", codes.HOST_END),
    "host-setting": ("hosts", codes.HOST_END),
    "no-route": ("routes", codes.NARROW),
    "narrow": ("routes", codes.NARROW),
    "no-table": ("routes", codes.NO_ROUTE),
    "unreachable": ("routes", codes.NO_ROUTE),
    "unbalanced": ("routes", codes.UNBALANCED),
    "credit-loop": ("routes", codes.CREDIT_LOOP),
}
"""Every kind of finding: its section, and what `fabric explain` says of it. In the order of a report."""
ORDER = {kind: place for place, kind in enumerate(KINDS)}


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One fault."""

    id: str
    """Of kind and places: the same in every run, whatever else is wrong."""
    kind: str
    section: Section
    code: str
    text: str
    hint: str
    subjects: tuple[str, ...] = ()
    """Devices and ports concerned, by name."""


def finding(kind: str, places: Iterable[str], text: str, subjects: Iterable[str] = ()) -> Finding:
    """A finding of a kind at places, which make its id."""
    section, code = KINDS[kind]
    at = "+".join(sorted(place.replace(" ", ".") for place in places))
    return Finding(
        id=f"{kind}:{at}" if at else kind,
        kind=kind,
        section=section,
        code=code.code,
        text=text,
        hint=code.fix,
        subjects=tuple(subjects),
    )


def ordered(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """In the order of a report: by kind, then by place."""
    return tuple(sorted(findings, key=lambda row: (ORDER[row.kind], row.id)))


def some(names: Iterable[str], most: int = 4) -> str:
    """A few by name, many by number: `a, b and 6 more`."""
    items = list(names)
    if len(items) <= most:
        return ", ".join(items)
    return f"{', '.join(items[:2])} and {len(items) - 2:,} more"
