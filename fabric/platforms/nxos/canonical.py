"""The form of a configuration that digests and diffs are taken over.

Sections in one order, a section written twice joined, comments, volatile lines and what NX-OS does not show gone,
secrets masked. Unverified: which of the lines that equal a default NX-OS leaves out of its running configuration.
"""

from __future__ import annotations

import re

from fabric.platforms.base import Block
from fabric.platforms.nxos.lower_interfaces import ADVERTISING
from fabric.platforms.nxos.names import natural, one_by_one
from fabric.platforms.nxos.read import DEFAULT_FACILITY, LITERALS
from fabric.platforms.nxos.secrets import mask
from fabric.platforms.nxos.spelling import plain
from fabric.platforms.sections import Line, parse

SECTIONS = (
    "hostname", "feature", "interface breakout", "ip load-sharing", "hardware profile", "policy-map type network-qos",
    "class-map", "policy-map type qos", "policy-map type queuing", "system qos", "priority-flow-control", "banner",
    "username", "snmp-server", "tacacs-server", "ntp", "logging", "grpc", "service", "ip dhcp", "ipv6 dhcp", "bfd",
    "aaa group", "aaa", "ip access-list", "ipv6 access-list", "line", "vlan", "ip route", "ipv6 route", "vrf context",
    "ip prefix-list",
    "ipv6 prefix-list",
    "ip community-list", "route-map", "interface Vlan", "interface Ethernet", "interface port-channel",
    "interface mgmt", "interface loopback", "interface", "router bgp",
)  # fmt: skip
"""In the order in which our own text has them; others follow."""
VOLATILE = re.compile(r"(?:version|!Command|!Time) .*|Building configuration.*|end")
FIRST_VLAN = "vlan 1"
"""It is always there."""
OWN = ("boot ", "no boot ", "power redundancy", "rmon event ", "role name priv-", "vdc ")
"""What no intent says and every switch has: images, the roles and the virtual device that come with it."""
NAMED = (
    "feature ",
    "interface ",
    "username ",
    "vlan ",
    "route-map ",
    "class-map ",
    "policy-map ",
    "vrf context ",
)
LISTED = (
    "ip prefix-list ",
    "ipv6 prefix-list ",
    "ip community-list ",
    "ip access-list ",
    "ipv6 access-list ",
)


def canonical(text: str) -> str:
    """The canonical form, with every secret that is no placeholder masked."""
    found: dict[str, list[Line]] = {}
    for line in parse(text, literals=LITERALS):
        if VOLATILE.fullmatch(line.text) or line.text.startswith(OWN):
            continue
        for header in one_by_one(_plain(line.text)):
            if header != FIRST_VLAN:
                found.setdefault(mask(header), []).extend(line.children)
    lines: list[str] = []
    for header in sorted(found, key=_order):
        lines.append(header)
        if header in LITERALS:
            lines += [child.text for child in found[header]]
            lines.append(LITERALS[header])
        else:
            _below(found[header], 2, lines)
    return "".join(f"{line}\n" for line in lines)


def blocks(text: str) -> tuple[Block, ...]:
    """The pieces of a canonical text: each section with its lines, single lines of one section together."""
    found: dict[str, list[str]] = {}
    key, closing = "", ""
    for line in text.splitlines():
        if closing:
            closing = "" if line == closing else closing
        elif not line.startswith(" "):
            key, closing = _key(line), LITERALS.get(line, "")
        found.setdefault(key, []).append(line)
    return tuple(Block(key, "".join(f"{line}\n" for line in lines)) for key, lines in found.items())


def section(header: str) -> str:
    """The kind of a line at the left margin; itself if it is none that we know."""
    rank = _rank(header)
    return SECTIONS[rank] if rank < len(SECTIONS) else header


def _key(header: str) -> str:
    """What stays the same when the value changes."""
    words = header.split()
    if header.startswith("interface breakout"):
        return " ".join(words[:6])
    if header.startswith("username "):
        return " ".join(words[:2])
    if header.startswith(LISTED):
        return " ".join(words[: 4 if words[2:3] == ["standard"] else 3])
    if header.startswith(NAMED):
        return header
    known = section(header)
    return "banner" if header.startswith("banner") else known


def _below(lines: list[Line], indent: int, found: list[str]) -> None:
    merged: dict[str, list[Line]] = {}
    for line in lines:
        if line.text != ADVERTISING:
            merged.setdefault(plain(line.text), []).extend(line.children)
    for text, children in merged.items():
        found.append(mask(" " * indent + text))
        _below(children, indent + 2, found)


def _plain(text: str) -> str:
    """Without what NX-OS adds of its own: a second space before `role`, and the facility that is the default."""
    if text in LITERALS:
        return text
    return plain(re.sub(r"(?<=\S) {2,}(?=role )", " ", text).removesuffix(DEFAULT_FACILITY))


def _order(header: str) -> tuple[int, list[tuple[int, str]]]:
    rank = _rank(header)
    ordered = ("feature", "interface", "vlan", "username", "route-map", "class-map")
    return rank, natural(header) if header.startswith(ordered) else []


def _rank(header: str) -> int:
    best = max((words for words in SECTIONS if header.startswith(words)), key=len, default=None)
    return len(SECTIONS) if best is None else SECTIONS.index(best)
