"""What a change of one object of an NVUE file does to traffic.

A change of PFC, of a traffic pool or of adaptive routing reloads switchd (Cumulus Linux 5.14, Quality of Service and
Adaptive Routing): the whole switch, so it is drained first. Other queueing is set up anew. Hash fields are loaded
without an interruption (Equal Cost Multipath Load Sharing). What is not known counts as an interruption.
"""

from __future__ import annotations

import re

from fabric.platforms.base import Block, BlockImpact, Impact, rank
from fabric.platforms.cumulus.tree import leaves

Row = tuple[str, Impact, str]
"""Start of a path, what changing it does, and why; the first that fits."""

OBJECTS: tuple[Row, ...] = (
    ("qos pfc-watchdog", "buffer", "the watchdog starts anew"),
    ("qos pfc", "reload", "PFC buffers change: switchd reloads"),
    ("qos traffic-pool", "reload", "the buffer is divided anew: switchd reloads"),
    ("qos roce", "reload", "the preset divides the buffer anew: switchd reloads"),
    ("qos", "buffer", "packets are classed and queued anew"),
    ("router adaptive-routing", "reload", "adaptive routing changes: switchd reloads"),
    ("router policy", "hitless", "routes are chosen anew"),
    ("router bfd", "hitless", "sessions agree on new timers"),
    ("vrf default router static", "hitless", "only these routes"),
    ("vrf default router bgp", "flap", "sessions are built anew"),
    ("bridge", "flap", "the ports of the bridge are set up anew"),
    ("system", "none", "no traffic of hosts"),
    ("service dhcp-relay", "hitless", "the relay starts anew"),
    ("service", "none", "no traffic of hosts"),
    ("interface lo", "hitless", "only the route to the switch itself"),
    ("interface eth0", "none", "no traffic of hosts"),
    ("interface vlan", "flap", "the hosts of the VLAN lose their gateway"),
)
PORT: tuple[Row, ...] = (
    ("description", "none", "text only"),
    ("router adaptive-routing", "reload", "adaptive routing changes: switchd reloads"),
    ("qos pfc profile", "reload", "PFC buffers change: switchd reloads"),
    ("qos", "buffer", "the port's queues are set up anew"),
    ("link breakout", "reload", "ports appear and vanish: switchd reloads"),
    ("ip neighbor-discovery", "hitless", "hosts are told other prefixes"),
    ("ipv6 neighbor-discovery", "hitless", "hosts are told other prefixes"),
    ("", "flap", "the port is set up anew"),
)
"""Settings of a port. Its own type says nothing, so what comes or goes with it decides."""
NEIGHBOR: tuple[Row, ...] = (
    ("description", "none", "text only"),
    ("", "flap", "the session is built anew"),
)
PROCESS: tuple[Row, ...] = (
    ("aggregate-route", "hitless", "other routes are told"),
    ("multipaths", "hitless", "other paths are used"),
    ("redistribute connected route-map", "hitless", "other routes are told"),
    ("policy", "hitless", "routes are asked for anew"),
    ("prefix-limits", "hitless", "only what is above the limit ends a session"),
    ("", "flap", "sessions are built anew"),
)
"""Settings of an address family of BGP or of a peer group."""
ROUTER: tuple[Row, ...] = (
    ("graceful-shutdown", "hitless", "neighbours choose other paths"),
    ("", "flap", "all sessions are built anew"),
)
FORWARDING: tuple[Row, ...] = (
    ("ecmp-hash", "hitless", "flows move to other paths"),
    ("packet-trim", "flap", "a service port starts to carry cut packets around"),
    ("", "flap", "the hardware's path tables are written anew"),
)

BGP = "vrf default router bgp"


def block_impact(key: str, old: Block | None, new: Block | None) -> BlockImpact:
    """What changing one object does. Without a port and above `none`, the whole device is concerned."""
    port = re.fullmatch(r"interface (swp\S+)", key)
    if port is not None:
        return _judged(PORT, 2, (port[1],), old, new)
    if key.startswith(f"{BGP} neighbor "):
        return _session_impact(key, old, new)
    if key.startswith((f"{BGP} peer-group ", f"{BGP} address-family")):
        return _judged(PROCESS, 6, (), old, new, families=True)
    if key == "router bgp":
        return _judged(ROUTER, 2, (), old, new)
    if key == "system forwarding":
        return _judged(FORWARDING, 2, (), old, new)
    return _object_impact(key)


def _object_impact(key: str) -> BlockImpact:
    for start, impact, reason in OBJECTS:
        if key.startswith(start):
            return BlockImpact(impact, reason=reason)
    return BlockImpact("flap", reason=f"what `{key}` does is not known: it counts as an interruption")


def _session_impact(key: str, old: Block | None, new: Block | None) -> BlockImpact:
    if old is None:
        return BlockImpact("hitless", _session_ports(key, new), "a session comes")
    return _judged(NEIGHBOR, 6, _session_ports(key, old), old, new)


def _judged(
    rows: tuple[Row, ...],
    depth: int,
    ports: tuple[str, ...],
    old: Block | None,
    new: Block | None,
    *,
    families: bool = False,
) -> BlockImpact:
    """The worst that any changed setting of an object does. The first `depth` steps name the object."""
    changed = _settings(old, depth) ^ _settings(new, depth)
    if families:
        changed = {re.sub(r"^(?:address-family )?ipv[46]-unicast ", "", path) for path in changed}
    if not changed:
        changed = {"type"}
    worst = max((_row(rows, path) for path in changed), key=lambda row: (rank(row[1]), row[2]))
    return BlockImpact(worst[1], () if worst[1] in ("none", "reload") else ports, worst[2])


def _row(rows: tuple[Row, ...], path: str) -> Row:
    return next(row for row in rows if path.startswith(row[0]))


def _settings(block: Block | None, depth: int) -> set[str]:
    if block is None:
        return set()
    return {" ".join((*leaf.path[depth:], leaf.value)).strip() for leaf in leaves(block.text)}


def _session_ports(key: str, block: Block | None) -> tuple[str, ...]:
    """The port of a session: its own name, or the one that its description tells."""
    name = key.rpartition(" ")[2]
    if name.startswith("swp"):
        return (name,)
    told = re.search(r"over (swp\d+(?:s\d)?)'?$", block.text, re.MULTILINE) if block else None
    return (told[1],) if told else ()
