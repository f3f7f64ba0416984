"""What changing a part of an SR Linux configuration does to traffic, and whether it could lock us out."""

from __future__ import annotations

import re

from fabric.platforms.base import Block, BlockImpact, Impact
from fabric.platforms.srlinux.canonical import blocks
from fabric.platforms.srlinux.names import LOOPBACK, MANAGEMENT, MANAGEMENT_INSTANCE

QUIET = re.compile(r' *"description": .*')
OVER = re.compile(r'"description": "\S+ over ([^"\s]+)"')
WAY_IN = (
    f"interface {MANAGEMENT}",
    f"network-instance {MANAGEMENT_INSTANCE}",
    "system aaa",
    "system configuration",
    "system ssh-server",
    "system json-rpc-server",
    "system grpc-server",
    "system tls",
)
"""Blocks that our way in stands on."""

RULES: tuple[tuple[str, Impact, str], ...] = (
    ("system ", "none", "no traffic of hosts"),
    (f"interface {MANAGEMENT}", "none", "no traffic of hosts"),
    (f"network-instance {MANAGEMENT_INSTANCE}", "none", "no traffic of hosts"),
    (f"interface {LOOPBACK}", "flap", "the loopback is told to everybody"),
    ("routing-policy ", "hitless", "routes are evaluated anew, sessions stay"),
    ("qos ", "buffer", "queues of all ports are set anew"),
    ("bfd ", "flap", "sessions follow their BFD"),
)
"""Start of the key, impact, reason."""


def block_impact(key: str, old: Block | None, new: Block | None) -> BlockImpact:
    """What changing one block does. Without ports and above `none`, the whole device is concerned."""
    if key.startswith("interface ethernet"):
        return _port(key, old, new)
    port = re.match(r"(?:qos interface|bfd subinterface) (\S+?)(?:\.\d+)?$", key)
    if port:
        kind: Impact = "buffer" if key.startswith("qos") else "flap"
        return BlockImpact(kind, (port[1],), "queues or BFD of the port are set anew")
    if " bgp " in key:
        ports = tuple(sorted(_ports(key, old) | _ports(key, new)))
        return BlockImpact("flap", ports, "the session starts anew")
    for start, impact, reason in RULES:
        if key.startswith(start):
            return BlockImpact(impact, (), reason)
    if key == "network-instance default" and old is not None and not _lines(old) - _lines(new):
        return BlockImpact("hitless", (), "only additions to the network instance")
    return BlockImpact("flap", (), f"what `{key}` does is not known: it counts as an interruption")


def owns_way_in(old: str, new: str) -> tuple[str, ...]:
    """Why a change of canonical texts could lock us out: what our way in stands on, and changes or vanishes."""
    before = {block.key: block.text for block in blocks(old)}
    after = {block.key: block.text for block in blocks(new)}
    return tuple(
        f"`{key}` {'changes' if key in after else 'goes'}"
        for key in WAY_IN
        if key in before and before[key] != after.get(key)
    )


def _port(key: str, old: Block | None, new: Block | None) -> BlockImpact:
    name = key.split()[1]
    if all(QUIET.fullmatch(line) for line in _lines(old) ^ _lines(new)):
        return BlockImpact("none", (), "nothing but descriptions")
    return BlockImpact("flap", (name,), "the port is set anew")


def _ports(key: str, block: Block | None) -> frozenset[str]:
    named = re.search(r" bgp interface (\S+?)(?:\.\d+)?$", key)
    return frozenset(OVER.findall(block.text) if block else ()) | ({named[1]} if named else frozenset())


def _lines(block: Block | None) -> frozenset[str]:
    return frozenset(line.rstrip(",") for line in block.text.splitlines()) if block else frozenset()
