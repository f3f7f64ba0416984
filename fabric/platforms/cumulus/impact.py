"""What a change of one object of an NVUE file does to traffic, and whether it can lock us out.

A change of PFC, of a traffic pool or of adaptive routing reloads switchd (Cumulus Linux 5.14, Quality of Service and
Adaptive Routing): the whole switch, so it is drained first. What is not known counts as an interruption.
"""

from __future__ import annotations

import re

from fabric.platforms.base import Block, BlockImpact, Impact
from fabric.platforms.cumulus.canonical import blocks
from fabric.platforms.cumulus.tree import Leaf, leaves

OBJECTS: tuple[tuple[str, Impact, str], ...] = (
    ("qos pfc-watchdog", "buffer", "the watchdog starts anew"),
    ("qos pfc", "reload", "PFC buffers change: switchd reloads"),
    ("qos traffic-pool", "reload", "the buffer is divided anew: switchd reloads"),
    ("qos", "buffer", "packets are classed and queued anew"),
    ("router adaptive-routing", "reload", "adaptive routing changes: switchd reloads"),
    ("router policy", "hitless", "routes are chosen anew"),
    ("router bfd", "hitless", "sessions agree on new timers"),
    ("router bgp", "flap", "all sessions are built anew"),
    ("vrf default router bgp", "flap", "sessions are built anew"),
    ("system forwarding", "flap", "the hardware's path tables are written anew"),
    ("system", "none", "no traffic of hosts"),
    ("service", "none", "no traffic of hosts"),
    ("interface lo", "hitless", "only the route to the switch itself"),
    ("interface eth0", "none", "no traffic of hosts"),
)
"""Start of an object's path to what changing it does; the first that fits."""

SETTINGS: tuple[tuple[str, Impact, str], ...] = (
    ("description", "none", "text only"),
    ("router adaptive-routing", "reload", "adaptive routing changes: switchd reloads"),
    ("qos pfc profile", "reload", "PFC buffers change: switchd reloads"),
    ("qos", "buffer", "the port's queues are set up anew"),
    ("link breakout", "reload", "ports appear and vanish: switchd reloads"),
)
"""Start of a port's setting to what changing it does. Others interrupt the port."""

RANKS: tuple[Impact, ...] = ("none", "hitless", "buffer", "flap", "reload")
WAY_IN = ("interface eth0", "system aaa", "system api", "system ssh-server")


def block_impact(key: str, old: Block | None, new: Block | None) -> BlockImpact:
    """What changing one object does. Without a port and above `none`, the whole device is concerned."""
    port = re.fullmatch(r"interface (swp\S+)", key)
    if port is not None:
        return _port_impact(port[1], old, new)
    for start, impact, reason in OBJECTS:
        if key == start or key.startswith(f"{start} "):
            return BlockImpact(impact, reason=reason)
    return BlockImpact("flap", reason=f"what `{key}` does is not known: it counts as an interruption")


def _port_impact(port: str, old: Block | None, new: Block | None) -> BlockImpact:
    worst: tuple[Impact, str] = ("none", "text only")
    for path in sorted(_settings(old) ^ _settings(new)):
        found = _setting_impact(path)
        if RANKS.index(found[0]) > RANKS.index(worst[0]):
            worst = found
    ports = (port,) if worst[0] not in ("none", "reload") else ()
    return BlockImpact(worst[0], ports, worst[1])


def _setting_impact(path: str) -> tuple[Impact, str]:
    for start, impact, reason in SETTINGS:
        if path.startswith(start):
            return impact, reason
    return "flap", f"`{path}` changes how the port works"


def _settings(block: Block | None) -> frozenset[str]:
    return frozenset(_text(leaf) for leaf in leaves(block.text)) if block else frozenset()


def _text(leaf: Leaf) -> str:
    return " ".join((*leaf.path[2:], leaf.value)).strip()


def owns_way_in(old: str, new: str) -> tuple[str, ...]:
    """Why a change of canonical texts could lock us out: what our way in stands on, and changes or vanishes."""
    before, after = _way_in(old), _way_in(new)
    gone = [f"`{line}` goes" for line in sorted(before - after)]
    return tuple(gone)


def _way_in(text: str) -> frozenset[str]:
    return frozenset(
        " ".join((*leaf.path, leaf.value)).strip()
        for block in blocks(text)
        if block.key.startswith(WAY_IN)
        for leaf in leaves(block.text)
    )
