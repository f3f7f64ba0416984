"""What a change of one piece of an NX-OS configuration does to traffic.

A judgement by the piece alone. What is not known counts as an interruption. Sources: Cisco Nexus 9000 QoS guide 10.5
(changes of queuing are disruptive for all ports; PFC turned on "does not cause a port flap"), Interfaces guide 10.6
(breakout), Unicast Routing guide 10.5 (DLB takes effect with a reload). Unverified: which settings of a BGP template
NX-OS applies without ending the session; only policies and multipath count as such.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from fabric.platforms.base import Block, BlockImpact, Impact, rank
from fabric.platforms.nxos.canonical import section

LINE_IMPACTS: tuple[tuple[str, Impact, str], ...] = (
    ("description", "none", "text only"),
    ("service-policy", "buffer", "the port's queues are set up anew"),
    ("priority-flow-control", "buffer", "the port's buffers are set up anew"),
    ("ip dhcp", "hitless", "only address requests of hosts"),
    ("ipv6 dhcp", "hitless", "only address requests of hosts"),
    ("ipv6 nd", "hitless", "only router advertisements"),
    ("spanning-tree port type", "hitless", "only how soon the port forwards after its link comes up"),
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
    "feature": ("flap", "what runs by it starts anew"),
    "vlan": ("flap", "its hosts lose their network while it changes"),
    "system qos": ("buffer", "buffers of all ports are set up anew"),
    "priority-flow-control": ("buffer", "the watchdog starts anew"),
    "bfd": ("hitless", "sessions agree on new timers"),
    "ip route": ("hitless", "only these routes"),
    "ipv6 route": ("hitless", "only these routes"),
    "ip prefix-list": ("hitless", "routes are chosen anew"),
    "ipv6 prefix-list": ("hitless", "routes are chosen anew"),
    "ip community-list": ("hitless", "routes are chosen anew"),
    "route-map": ("hitless", "routes are chosen anew"),
    "interface loopback": ("hitless", "only the route to the switch itself"),
    "interface mgmt": ("none", "no traffic of hosts"),
}
COMING_AND_GOING: dict[str, tuple[str, str]] = {
    "feature": ("nothing runs by it yet", "what runs by it stops"),
    "vlan": ("no host is in it yet", "its hosts lose their network"),
    "class-map": ("no policy uses it yet", "packets are classed anew"),
}
"""Why a new section changes nothing by itself, and why one that goes interrupts."""
QUIET = frozenset(
    {
        "aaa", "aaa group", "banner", "grpc", "hostname", "ip access-list", "ip dhcp", "ipv6 access-list", "ipv6 dhcp",
        "line", "logging", "ntp", "service", "snmp-server", "tacacs-server", "username", "vrf context",
    }
)  # fmt: skip
"""Sections that carry no traffic of hosts."""
QUIET_FEATURES = ("feature scp-server", "feature grpc", "feature lldp", "feature tacacs+", "feature dhcp")


def block_impact(key: str, old: Block | None, new: Block | None) -> BlockImpact:
    """What changing one block does. Without ports and above `none`, the whole device is concerned."""
    kind = section(key)
    judge = JUDGES.get(kind)
    if judge is not None:
        return judge(key, old, new)
    if kind in QUIET or key.startswith(QUIET_FEATURES):
        return BlockImpact("none", reason="no traffic of hosts")
    if kind in COMING_AND_GOING and None in (old, new):
        why_none, why_flap = COMING_AND_GOING[kind]
        return BlockImpact("none", reason=why_none) if old is None else BlockImpact("flap", reason=why_flap)
    unknown: tuple[Impact, str] = ("flap", f"what `{key}` does is not known: it counts as an interruption")
    impact, reason = SECTION_IMPACTS.get(kind, unknown)
    return BlockImpact(impact, reason=reason)


def _lines(block: Block | None) -> frozenset[str]:
    return frozenset(line.strip() for line in block.text.splitlines()[1:]) if block else frozenset()


def _port(key: str, old: Block | None, new: Block | None) -> BlockImpact:
    impact, reason = _worst(old, new)
    return BlockImpact(impact, (key.split()[1],) if impact != "none" else (), reason)


def _gateway(_key: str, old: Block | None, new: Block | None) -> BlockImpact:
    impact, reason = _worst(old, new)
    return BlockImpact(impact, reason=reason)


def _worst(old: Block | None, new: Block | None) -> tuple[Impact, str]:
    """Impact and reason of the line that does most."""
    worst: tuple[Impact, str] = ("none", "text only")
    for line in sorted(_lines(old) ^ _lines(new)):
        impact, reason = next(
            ((impact, reason) for words, impact, reason in LINE_IMPACTS if line.startswith(words)),
            ("flap", f"`{line}` interrupts what is behind it"),
        )
        if rank(impact) > rank(worst[0]):
            worst = (impact, reason)
    return worst


def _cage(key: str, _old: Block | None, _new: Block | None) -> BlockImpact:
    """All parts of the cage go and come back."""
    match = re.search(r"module (\d+) port (\d+)", key)
    if match is None:
        return BlockImpact("flap", reason="the ports of a cage are made anew")
    name = f"Ethernet{match[1]}/{match[2]}"
    parts = (name, *(f"{name}/{part}" for part in range(1, 9)))
    return BlockImpact("flap", parts, "the ports of the cage are made anew")


def _bgp(_key: str, old: Block | None, new: Block | None) -> BlockImpact:
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


JUDGES: dict[str, Callable[[str, Block | None, Block | None], BlockImpact]] = {
    "interface Ethernet": _port,
    "interface Vlan": _gateway,
    "interface breakout": _cage,
    "router bgp": _bgp,
}
"""Sections whose impact depends on which of their lines change."""
