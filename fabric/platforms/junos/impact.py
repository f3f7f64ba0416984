"""What a change of one piece of a Junos configuration does to traffic.

A judgement by the piece alone: which statement of it changes, and what Junos does then. Sources: Juniper CLI
reference, `buffer-partition` (traffic stops on all ports until the buffer is programmed anew) and
`congestion-notification-profile` (a port is blocked while its PFC changes). What is not known counts as an
interruption.
"""

from __future__ import annotations

import re

from fabric.platforms.base import Block, BlockImpact, Impact, rank
from fabric.platforms.junos.canonical import statements
from fabric.platforms.junos.impact_bgp import group_impact

"""Mildest first."""

Effect = tuple[Impact, str]

STATEMENTS: tuple[tuple[str, Effect], ...] = (
    (r"description .*", ("none", "text only")),
    (r"disable", ("flap", "the port goes down or comes up")),
    (r"number-of-sub-ports .*", ("flap", "the cage is split anew")),
    (r"speed .*", ("flap", "the port is set up anew")),
    (r"mtu .*|unit 0 family inet6? mtu .*", ("flap", "the largest packet changes")),
    (r"unit 0 family inet6? address .*", ("flap", "its BGP session is built anew")),
)
"""Statement of a port to what changing it does. Others interrupt the port."""

STANZAS: tuple[tuple[str, Effect], ...] = (
    (
        r"class-of-service (?:shared|dedicated)-buffer",
        ("flap", "traffic stops on all ports until buffers are anew"),
    ),
    (
        r"class-of-service congestion-notification-profile.*",
        ("flap", "its ports are blocked while PFC changes"),
    ),
    (r"class-of-service.*", ("buffer", "queues of the ports that use it are set up anew")),
    (r"interfaces lo0", ("hitless", "only the route to the switch itself")),
    (r"interfaces re0:mgmt-0", ("none", "no traffic of hosts")),
    (r"interfaces irb.*|vlans.*", ("flap", "hosts lose their gateway while it changes")),
    (r"policy-options.*", ("hitless", "routes are chosen anew")),
    (r"protocols lldp", ("none", "discovery only")),
    (r"protocols router-advertisement.*", ("hitless", "only router advertisements")),
    (r"routing-instances mgmt_junos", ("none", "no traffic of hosts")),
    (r"routing-options .*", ("hitless", "routes are chosen anew")),
    (r"forwarding-options dhcp-relay", ("hitless", "only address requests of hosts")),
    (r"firewall family inet6?", ("none", "only connections to the switch itself")),
    (r"system.*|snmp.*|security.*|event-options.*", ("none", "no traffic of hosts")),
)
"""Key of a piece to what changing it does. Others interrupt the whole switch."""


def block_impact(key: str, old: Block | None, new: Block | None) -> BlockImpact:
    """What changing one piece does. Without ports and above `none`, the whole switch is concerned."""
    if (port := re.fullmatch(r"interfaces (et-\S+)", key)) is not None:
        return _port_impact(port[1], old, new)
    if (port := re.fullmatch(r"class-of-service interfaces (et-\S+)", key)) is not None:
        return BlockImpact("buffer", (port[1],), "the port is blocked while its queues are set up anew")
    if key.startswith("protocols bgp group "):
        return group_impact(old, new)
    if key in ("protocols bgp", "routing-options"):
        return _device_impact(old, new)
    for pattern, (impact, reason) in STANZAS:
        if re.fullmatch(pattern, key):
            return BlockImpact(impact, (), reason)
    return BlockImpact("flap", (), f"what `{key}` does is not known: it counts as an interruption")


def _port_impact(port: str, old: Block | None, new: Block | None) -> BlockImpact:
    found = [_effect(line) for line in sorted(statements(old) ^ statements(new))]
    impact, reason = max(found, key=lambda effect: rank(effect[0]), default=("none", "nothing changes"))
    return BlockImpact(impact, _parts(port, old, new) if impact != "none" else (), reason)


def _effect(line: str) -> Effect:
    for pattern, effect in STATEMENTS:
        if re.fullmatch(pattern, line):
            return effect
    return "flap", f"`{line}` changes how the port works"


def _parts(port: str, old: Block | None, new: Block | None) -> tuple[str, ...]:
    """The port, or every part of the cage as it was and as it will be."""
    counts = [
        line.split()[1] for block in (old, new) for line in statements(block) if line.startswith("number-of-")
    ]
    most = max((int(count) for count in counts if count.isdigit()), default=0)
    return (port, *(f"{port}:{part}" for part in range(most)))


def _device_impact(old: Block | None, new: Block | None) -> BlockImpact:
    changed = statements(old) ^ statements(new)
    if changed <= {"log-updown"}:
        return BlockImpact("none", (), "logs only")
    if old is None:
        return BlockImpact("hitless", (), "BGP starts: nothing was routed by it before")
    return BlockImpact("flap", (), "AS number, router id or all sessions change: they are built anew")
