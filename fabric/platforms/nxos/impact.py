"""What a change of one piece of an NX-OS configuration does to traffic, and whether it can lock us out.

A judgement by the piece alone. What is not known counts as an interruption.
"""

from __future__ import annotations

import re

from fabric.platforms.base import Block, BlockImpact, Impact
from fabric.platforms.nxos.canonical import section

RANKS: tuple[Impact, ...] = ("none", "hitless", "buffer", "flap", "reload")
LINE_IMPACTS: tuple[tuple[str, Impact, str], ...] = (
    ("description", "none", "text only"),
    ("service-policy", "buffer", "the port's queues are set up anew"),
    ("priority-flow-control", "buffer", "the port's buffers are set up anew"),
    ("ip dhcp", "hitless", "only address requests of hosts"),
    ("ipv6 dhcp", "hitless", "only address requests of hosts"),
    ("ipv6 nd", "hitless", "only router advertisements"),
    ("no ip redirects", "hitless", "only redirects"),
    ("no ipv6 redirects", "hitless", "only redirects"),
)
"""First words of an interface's line to what changing it does. Others interrupt the port."""
SECTION_IMPACTS: dict[str, tuple[Impact, str]] = {
    "hardware profile": ("reload", "hardware profiles take effect with a reload"),
    "ip load-sharing": ("hitless", "flows choose their paths anew"),
    "policy-map type network-qos": ("buffer", "buffers of all ports are set up anew"),
    "policy-map type queuing": ("buffer", "queues of the ports that use it are set up anew"),
    "policy-map type qos": ("buffer", "packets are classed anew"),
    "class-map": ("buffer", "packets are classed anew"),
    "system qos": ("buffer", "buffers of all ports are set up anew"),
    "priority-flow-control": ("buffer", "the watchdog starts anew"),
    "bfd": ("hitless", "sessions agree on new timers"),
    "ip prefix-list": ("hitless", "routes are chosen anew"),
    "ipv6 prefix-list": ("hitless", "routes are chosen anew"),
    "ip community-list": ("hitless", "routes are chosen anew"),
    "route-map": ("hitless", "routes are chosen anew"),
    "interface loopback": ("hitless", "only the route to the switch itself"),
    "interface mgmt": ("none", "no traffic of hosts"),
    "interface Vlan": ("flap", "hosts lose their gateway while it changes"),
    "vlan": ("flap", "its hosts lose their gateway while it changes"),
}
QUIET = frozenset(
    {
        "aaa", "aaa group", "banner", "grpc", "hostname", "ip access-list", "ip dhcp", "ipv6 access-list", "ipv6 dhcp",
        "line", "logging", "ntp", "service", "tacacs-server", "username", "vrf context",
    }
)  # fmt: skip
"""Sections that carry no traffic of hosts."""
QUIET_FEATURES = ("feature scp-server", "feature grpc", "feature lldp", "feature tacacs+", "feature dhcp")
WAY_IN = (
    "interface mgmt0",
    "vrf context management",
    "username",
    "ip access-list",
    "ipv6 access-list",
    "line vty",
    "feature scp-server",
)


def block_impact(key: str, old: Block | None, new: Block | None) -> BlockImpact:
    """What changing one block does. Without ports and above `none`, the whole device is concerned."""
    kind = section(key)
    if kind == "interface Ethernet":
        return _port(key, old, new)
    if kind == "interface breakout":
        return _cage(key)
    if kind == "router bgp":
        return _bgp(old, new)
    if kind in QUIET or key.startswith(QUIET_FEATURES):
        return BlockImpact("none", reason="no traffic of hosts")
    known = SECTION_IMPACTS.get(kind)
    if known is None:
        return BlockImpact("flap", reason=f"what `{key}` does is not known: it counts as an interruption")
    return BlockImpact(known[0], reason=known[1])


def owns_way_in(old: str, new: str) -> tuple[str, ...]:
    """Lines of our way in that a change takes away."""
    after = _ways_in(new)
    return tuple(f"`{header}: {line}` goes" for header, line in _ways_in(old) if (header, line) not in after)


def _ways_in(text: str) -> dict[tuple[str, str], None]:
    found: dict[tuple[str, str], None] = {}
    header = ""
    for line in text.splitlines():
        header = header if line.startswith(" ") else line
        if header.startswith(WAY_IN) and not line.strip().startswith("description"):
            found[header, line.strip()] = None
    return found


def _lines(block: Block | None) -> frozenset[str]:
    return frozenset(line.strip() for line in block.text.splitlines()[1:]) if block else frozenset()


def _port(key: str, old: Block | None, new: Block | None) -> BlockImpact:
    port = key.split()[1]
    worst: tuple[Impact, str] = ("none", "text only")
    for line in sorted(_lines(old) ^ _lines(new)):
        impact, reason = next(
            ((impact, reason) for words, impact, reason in LINE_IMPACTS if line.startswith(words)),
            ("flap", f"`{line}` interrupts the port"),
        )
        if RANKS.index(impact) > RANKS.index(worst[0]):
            worst = (impact, reason)
    return BlockImpact(worst[0], (port,) if worst[0] != "none" else (), worst[1])


def _cage(key: str) -> BlockImpact:
    """All parts of the cage go and come back."""
    match = re.search(r"module (\d+) port (\d+)", key)
    if match is None:
        return BlockImpact("flap", reason="the ports of a cage are made anew")
    name = f"Ethernet{match[1]}/{match[2]}"
    parts = (name, *(f"{name}/{part}" for part in range(1, 9)))
    return BlockImpact("flap", parts, "the ports of the cage are made anew")


def _bgp(old: Block | None, new: Block | None) -> BlockImpact:
    if old is None:
        return BlockImpact("hitless", reason="BGP starts: nothing was routed by it before")
    if new is None:
        return BlockImpact("flap", reason="BGP goes: all sessions with it")
    changed = _peers(old, new)
    if changed is None:
        return BlockImpact("flap", reason="settings of many sessions change: they are built anew")
    if not changed:
        return BlockImpact("hitless", reason="sessions stay; routes are chosen anew")
    return BlockImpact("flap", changed, "sessions over these ports are built anew")


def _peers(old: Block, new: Block) -> tuple[str, ...] | None:
    """Ports whose sessions are built anew; None where that cannot be told."""
    before, after = _parts(old), _parts(new)
    ports: set[str] = set()
    for name in {**before, **after}:
        mine, other = before.get(name), after.get(name)
        if mine == other or mine is None:
            continue
        if not name.startswith("neighbor "):
            if any(not line.startswith(SOFT) for line in mine ^ (other or frozenset())):
                return None
            continue
        over = [line.rsplit(" over ", 1)[1] for line in mine if " over " in line]
        if not over:
            return None
        ports.update(over)
    return tuple(sorted(ports))


SOFT = ("maximum-paths", "route-map", "redistribute", "aggregate-address", "send-community")
"""What of BGP changes while sessions stay up."""


def _parts(block: Block) -> dict[str, frozenset[str]]:
    """The second level of `router bgp`, each with all lines below."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in block.text.splitlines():
        if line.startswith("  ") and not line.startswith("   "):
            name = line.strip()
        found.setdefault(name, []).append(line.strip())
    return {name: frozenset(lines) for name, lines in found.items()}
