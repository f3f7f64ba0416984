"""What changing a part of an SR Linux configuration does to traffic, and whether it could lock us out.

A judgement by the leaves that differ. What is not known counts as an interruption.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from fabric.platforms.base import Block, BlockImpact, Impact, rank
from fabric.platforms.srlinux.canonical import blocks
from fabric.platforms.srlinux.names import IRB, LOOPBACK, MANAGEMENT, MANAGEMENT_INSTANCE, VLAN_INSTANCE
from fabric.platforms.srlinux.trees import leaves

"""Mildest first."""
Rule = tuple[str, Impact, str]
"""Part of a path or start of a key, impact, reason."""

LEAVES: tuple[Rule, ...] = (
    ("/description", "none", "text only"),
    ("/dhcp-relay", "hitless", "only address requests of hosts"),
    ("/router-role/prefix", "hitless", "only addresses that hosts make of their own"),
    ("/managed-configuration-flag", "hitless", "only how hosts ask for addresses"),
    ("/import-policy", "hitless", "routes are chosen anew, sessions stay"),
    ("/export-policy", "hitless", "routes are told anew, sessions stay"),
    ("/multipath", "hitless", "paths are chosen anew, sessions stay"),
    ("/route-advertisement", "hitless", "only how soon routes are told"),
    ("-advertisement-interval", "hitless", "only how soon routes are told and neighbours found"),
    ("/connect-retry", "hitless", "only how soon a lost session is tried again"),
    ("/ip-load-balancing", "flap", "flows move to other paths: some packets come out of order"),
    ("/aggregate-routes", "hitless", "routes are told anew"),
    ("/static-routes", "hitless", "only these routes"),
    ("/next-hop-groups", "hitless", "only the static routes that use it"),
    ("-receive", "hitless", "sessions agree on new timers"),
    ("-transmit-interval", "hitless", "sessions agree on new timers"),
    ("/detection-multiplier", "hitless", "sessions agree on new timers"),
)
"""What changing a leaf of a port, a session or an instance does. Others interrupt."""

SECTIONS: tuple[Rule, ...] = (
    ("system load-balancing", "flap", "flows move to other paths: some packets come out of order"),
    ("system ", "none", "no traffic of hosts"),
    (f"interface {MANAGEMENT}", "none", "no traffic of hosts"),
    (f"network-instance {MANAGEMENT_INSTANCE}", "none", "no traffic of hosts"),
    (f"interface {LOOPBACK}", "hitless", "only the route to the switch itself"),
    (f"interface {IRB}", "flap", "hosts of VLANs lose their gateway while it changes"),
    (f"network-instance {VLAN_INSTANCE}", "flap", "hosts of the VLAN lose their gateway while it changes"),
    ("routing-policy ", "hitless", "routes are chosen anew, sessions stay"),
    ("qos linecard", "buffer", "the buffer of all ports is divided anew"),
    ("qos ", "buffer", "packets of all ports are classed and queued anew"),
)
"""What changing a block does, whichever its leaves."""

WAY_IN = (
    f"interface {MANAGEMENT}",
    f"network-instance {MANAGEMENT_INSTANCE}",
    "acl ",
    "system aaa",
    "system configuration",
    "system control-plane-traffic",
    "system ssh-server",
    "system json-rpc-server",
    "system grpc-server",
    "system gnmi-server",
    "system netconf-server",
    "system tls",
)
"""Starts of blocks that management access needs, ours or another."""
GATES = (f"interface {MANAGEMENT}", f"network-instance {MANAGEMENT_INSTANCE}", "acl ", "system aaa")
"""Of these even one that comes new can shut us out."""
OVER = re.compile(r'"description": "\S+ over ([^"\s]+)"')
PORT = re.compile(r"ethernet-[\d/]+")


def block_impact(key: str, old: Block | None, new: Block | None) -> BlockImpact:
    """What changing one block does. Without ports and above `none`, the whole device is concerned."""
    port = PORT.search(key)
    if key.startswith("qos interface") and port:
        return BlockImpact("buffer", (port[0],), "the port's queues and buffers are set up anew")
    if key.startswith("acl "):
        return _filter(old, new)
    for start, impact, reason in SECTIONS:
        if key.startswith(start):
            return BlockImpact(impact, (), reason)
    changed = _changed(old, new)
    if port:
        return _judged(changed, _parts(port[0], old, new))
    if key.startswith("network-instance default"):
        return _judged(changed, _ports(key, old, new, changed))
    return BlockImpact("flap", (), f"what `{key}` does is not known: it counts as an interruption")


def owns_way_in(old: str, new: str) -> tuple[str, ...]:
    """Why a change of canonical texts could lock us out: what management access needs changes, goes, or bars it."""
    before = {block.key: block for block in blocks(old)}
    after = {block.key: block for block in blocks(new)}
    if not before:
        return ()
    return tuple(
        f"`{key}` {'comes' if key not in before else 'changes' if key in after else 'goes'}"
        for key in sorted(before.keys() | after.keys())
        if key.startswith(WAY_IN if key in before else GATES)
        and any(not path.endswith("/description") for path, _ in _changed(before.get(key), after.get(key)))
    )


def _judged(changed: Iterable[tuple[str, str]], ports: tuple[str, ...]) -> BlockImpact:
    """The worst that any of the changed leaves does."""
    worst: tuple[Impact, str] = ("none", "nothing but text")
    for path, _ in sorted(changed):
        found = next(((impact, why) for part, impact, why in LEAVES if part in path), None)
        impact, reason = found or ("flap", f"`{path.rpartition('/')[2]}` interrupts the port or session")
        if rank(impact) > rank(worst[0]):
            worst = impact, reason
    return BlockImpact(worst[0], ports if worst[0] != "none" else (), worst[1])


def _filter(old: Block | None, new: Block | None) -> BlockImpact:
    if any("ethernet-" in value or IRB in value for _, value in _changed(old, new)):
        return BlockImpact("flap", (), "packets of hosts are filtered anew")
    return BlockImpact("none", (), "no traffic of hosts")


def _changed(old: Block | None, new: Block | None) -> frozenset[tuple[str, str]]:
    """Path and value of every leaf that differs, but the keys that both have."""
    return _values(old) ^ _values(new)


def _values(block: Block | None) -> frozenset[tuple[str, str]]:
    return frozenset((path, value) for _, path, value in leaves(block.text)) if block else frozenset()


def _parts(port: str, old: Block | None, new: Block | None) -> tuple[str, ...]:
    """The port; of a connector that is split, or no longer is, its parts."""
    counts = [
        int(v.strip('"')) for path, v in _values(old) | _values(new) if path.endswith("/num-breakout-ports")
    ]
    return tuple(f"{port}/{n}" for n in range(1, max(counts) + 1)) if counts else (port,)


def _ports(
    key: str, old: Block | None, new: Block | None, changed: Iterable[tuple[str, str]]
) -> tuple[str, ...]:
    """The ports of a session, or those that join or leave an instance."""
    if " bgp" in key:
        return tuple(sorted({port for block in (old, new) if block for port in OVER.findall(block.text)}))
    paths = {path for path, _ in changed}
    if paths == {"/network-instance/interface/name"}:
        return tuple(sorted({found[0] for _, value in changed if (found := PORT.search(value))}))
    return ()
