"""What a change of one piece of an EOS configuration does to traffic, and whether it can lock us out.

A judgement by the piece alone: which line of it changes, and what EOS does then. What is not known counts as an
interruption.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from fabric.platforms.base import Block, BlockImpact, Impact, rank
from fabric.platforms.eos.impact_bgp import bgp_impact
from fabric.platforms.eos.order import section

"""Mildest first: an interruption counts for more than new buffers on the same port."""

LINE_IMPACTS: tuple[tuple[str, Impact, str], ...] = (
    ("description", "none", "text only"),
    ("random-detect ecn count", "none", "counters only"),
    ("service-profile", "buffer", "the port's queues and buffers are set up anew"),
    ("uc-tx-queue", "none", "counters only"),
    ("tx-queue", "none", "counters only"),
    ("bandwidth", "buffer", "the port's queues are set up anew"),
    ("priority-flow-control", "buffer", "the port's buffers are set up anew"),
    ("qos", "buffer", "packets are classed anew"),
    ("shape", "buffer", "the port's queues are set up anew"),
    ("ip helper-address", "hitless", "only address requests of hosts"),
    ("ipv6 dhcp", "hitless", "only address requests of hosts"),
    ("ipv6 nd", "hitless", "only router advertisements"),
    ("ip attached-host", "hitless", "only which host routes are told"),
    ("lldp", "none", "discovery only"),
    ("ip local-proxy-arp", "hitless", "only who answers ARP requests of hosts"),
    ("storm-control", "hitless", "only broadcasts and multicasts of hosts"),
    ("spanning-tree", "hitless", "only what a port does with BPDUs"),
    ("lacp timer", "hitless", "only how often LACP is heard"),
    ("logging", "none", "logs only"),
    ("load-interval", "none", "counters only"),
    ("shutdown", "flap", "the port goes down or comes up"),
    ("mtu", "flap", "the largest packet changes"),
    ("speed", "flap", "the port is set up anew"),
    ("error-correction", "flap", "the port is set up anew"),
    ("ip address", "flap", "its BGP session is built anew"),
    ("ipv6 address", "flap", "its BGP session is built anew"),
)
"""First words of an interface's line to what changing it does. Others interrupt the port."""

SECTION_IMPACTS: dict[str, tuple[Impact, str]] = {
    "service routing protocols": ("reload", "the routing model changes only with a reload"),
    "lacp": ("flap", "bonds are built anew"),
    "qos profile": ("buffer", "queues and buffers of the ports that use it are set up anew"),
    "qos": ("buffer", "packets are classed and queued anew"),
    "priority-flow-control": ("buffer", "the watchdog starts anew"),
    "spanning-tree": ("hitless", "routed ports do not take part"),
    "ip virtual-router": ("flap", "hosts learn a new gateway"),
    "vlan": ("flap", "its hosts lose their gateway while it changes"),
    "ip routing": ("flap", "routing starts anew"),
    "ipv6 unicast-routing": ("flap", "routing starts anew"),
    "ip hardware": ("flap", "the hardware's path tables are written anew"),
    "ip community-list": ("hitless", "routes are chosen anew"),
    "ip prefix-list": ("hitless", "routes are chosen anew"),
    "ipv6 prefix-list": ("hitless", "routes are chosen anew"),
    "route-map": ("hitless", "routes are chosen anew"),
    "router bfd": ("hitless", "sessions agree on new timers"),
    "ip route": ("hitless", "only these routes"),
    "ipv6 route": ("hitless", "only these routes"),
    "interface Loopback": ("hitless", "only the route to the switch itself"),
    "interface Management": ("none", "no traffic of hosts"),
    "interface Vlan": ("flap", "hosts lose their gateway while it changes"),
    "interface Port-Channel": ("flap", "the bond is built anew"),
}
"""Section to what changing it does."""

QUIET = frozenset(
    {
        "aaa accounting",
        "aaa authentication",
        "aaa authorization",
        "aaa group server radius",
        "aaa group server tacacs+",
        "aaa root",
        "agent",
        "alias",
        "banner",
        "boot",
        "clock",
        "daemon",
        "dns domain",
        "event-handler",
        "hostname",
        "ip access-list",
        "ip domain",
        "ip host",
        "ip name-server",
        "ip radius",
        "ip routing vrf",
        "ip tacacs",
        "ipv6 access-list",
        "lldp",
        "logging",
        "management api gnmi",
        "management api http-commands",
        "management api models",
        "management console",
        "management defaults",
        "management security",
        "management ssh",
        "ntp",
        "prompt",
        "radius-server",
        "schedule",
        "snmp-server",
        "tacacs-server",
        "terminal",
        "transceiver",
        "username",
        "vrf instance",
    }
)
"""Sections that carry no traffic of hosts."""

Diff = tuple[frozenset[str], frozenset[str]]


def block_impact(key: str, old: Block | None, new: Block | None) -> BlockImpact:
    """What changing one block does. Without ports and above `none`, the whole device is concerned."""
    kind = section(key)
    if kind == "interface Ethernet":
        return _port_impact(key, old, new)
    if kind == "router bgp":
        return bgp_impact(old, new)
    if kind in QUIET:
        return BlockImpact("none", reason="no traffic of hosts")
    known = SECTION_IMPACTS.get(kind)
    if known is None:
        return BlockImpact("flap", reason=f"what `{key}` does is not known: it counts as an interruption")
    return BlockImpact(known[0], reason=known[1])


def _port_impact(key: str, old: Block | None, new: Block | None) -> BlockImpact:
    port = key.split()[1]
    worst: tuple[Impact, str] = ("none", "nothing but comments")
    for line in sorted(_lines(old) ^ _lines(new)):
        found = _line_impact(line)
        if rank(found[0]) > rank(worst[0]) or worst[1] == "nothing but comments":
            worst = found
    return BlockImpact(worst[0], (port,) if worst[0] != "none" else (), worst[1])


def _line_impact(line: str) -> tuple[Impact, str]:
    words = line.removeprefix("no ")
    for start, impact, reason in LINE_IMPACTS:
        if words == start or words.startswith(f"{start} "):
            return impact, reason
    return "flap", f"`{words}` changes how the port works"


def _lines(block: Block | None) -> frozenset[str]:
    return frozenset(line.strip() for line in block.text.splitlines()[1:]) if block else frozenset()


def owns_way_in(old: str, new: str) -> tuple[str, ...]:
    """Why a change of canonical texts could lock us out: what management access needs, and changes or vanishes."""
    before, after = _way_in_part(old), _way_in_part(new)
    return () if before == after else tuple(reason for check in CHECKS for reason in check(before, after))


WAY_IN = re.compile(
    r"(?m)^(?:management |interface Management|vrf instance |ip(?:v6)? (?:route|access-list|tacacs) "
    r"|username |aaa |tacacs-server ).*(?:\n +.*)*"
)
"""The sections that the checks below look at: a small part of a configuration."""


def _way_in_part(text: str) -> str:
    return "\n".join(WAY_IN.findall(text))


def _management_port(old: str, new: str) -> Iterator[str]:
    for name, was in _sections(old, r"interface (Management\S+)"):
        if not any(line.startswith(("ip address", "ipv6 address")) for line in was):
            continue
        now = dict(_sections(new, r"interface (Management\S+)")).get(name, frozenset())
        words = ("ip address", "ipv6 address", "vrf", "shutdown")
        for line in sorted(was ^ now):
            if line.startswith(words):
                yield f"{name}: `{line}` {'goes' if line in was else 'comes'}"


def _management_routes(old: str, new: str) -> Iterator[str]:
    vrfs = {
        line.partition(" ")[2]
        for _, lines in _sections(old, r"interface (Management\S+)")
        for line in lines
        if line.startswith("vrf ")
    }
    starts = tuple(f"{family} route vrf {vrf} " for vrf in vrfs for family in ("ip", "ipv6"))
    if not starts:
        return
    yield from _vanished(old, new, lambda line: line.startswith(starts))
    yield from _vanished(old, new, lambda line: line.removeprefix("vrf instance ") in vrfs)


def _api(old: str, new: str) -> Iterator[str]:
    was = dict(_sections(old, r"(management api http-commands)")).get("management api http-commands")
    if was is None:
        return
    now = dict(_sections(new, r"(management api http-commands)")).get(
        "management api http-commands", frozenset()
    )
    for line in sorted(was ^ now):
        yield f"eAPI: `{line}` {'goes' if line in was else 'comes'}"


def _ssh(old: str, new: str) -> Iterator[str]:
    was = dict(_sections(old, r"(management ssh)")).get("management ssh", frozenset())
    now = dict(_sections(new, r"(management ssh)")).get("management ssh", frozenset())
    for line in sorted(was ^ now):
        if not line.startswith("idle-timeout") and (
            line in was or "access-group" in line or line == "shutdown"
        ):
            yield f"SSH: `{line}` {'goes' if line in was else 'comes'}"


def _access_lists(old: str, new: str) -> Iterator[str]:
    pattern = r"(ip(?:v6)? access-list standard \S+)"
    after = dict(_sections(new, pattern))
    used = [
        line.split()[2]
        for _, lines in _sections(old, r"(management \S.*)")
        for line in lines
        if "access-group" in line
    ]
    for name, was in _sections(old, pattern):
        if name.split()[-1] in used and after.get(name, was) != was:
            yield f"`{name}` changes: it says who may log in"


def _accounts(old: str, new: str) -> Iterator[str]:
    starts = (
        "username ",
        "aaa authentication ",
        "aaa authorization ",
        "tacacs-server ",
        "aaa group ",
        "ip tacacs ",
    )
    yield from _vanished(old, new, lambda line: line.startswith(starts))
    before, after = set(old.splitlines()), set(new.splitlines())
    for line in sorted(after - before):
        if line.startswith(("aaa authentication ", "aaa authorization ")):
            yield f"`{line}` comes: it decides who may log in"


CHECKS: tuple[Callable[[str, str], Iterator[str]], ...] = (
    _management_port,  # the address that we talk to
    _management_routes,  # our replies leave by them
    _api,  # the service that we talk to
    _ssh,  # the way of people, if we fail
    _access_lists,
    _accounts,  # who we log in as
)


def _vanished(old: str, new: str, concerned: Callable[[str], bool]) -> Iterator[str]:
    after = set(new.splitlines())
    for line in old.splitlines():
        if line and line not in after and concerned(line):
            yield f"`{line}` goes"


def _sections(text: str, pattern: str) -> Iterator[tuple[str, frozenset[str]]]:
    """Sections whose header matches: the first group, and the lines below."""
    found = re.compile(rf"(?m)^{pattern}$((?:\n +.*)*)")
    for match in found.finditer(text):
        yield match[1], frozenset(line.strip() for line in match[2].split("\n") if line.strip())
