"""What changing a section of frr.conf does: which sessions are built anew, and over which ports they go."""

from __future__ import annotations

import re

from fabric.platforms.base import Block, BlockImpact

MILD = {
    "route-map": "routes are chosen anew",
    "ip": "routes are chosen anew",
    "ipv6": "routes are chosen anew",
    "bgp": "routes are chosen anew",
    "bfd": "sessions agree on new timers",
}
"""First word of a section to what changing it does, at most."""
SOFT = (
    " maximum-paths ",
    " aggregate-address ",
    " redistribute ",
    " bgp bestpath ",
    " bgp log-neighbor-changes",
)
"""Lines of `router bgp` that leave the sessions up."""
NEIGHBOR = re.compile(r"^\s*neighbor (\S+) (.+)$")
SOFT_OF_A_NEIGHBOR = ("description ", "route-map ", "bfd")
OVER = re.compile(r"neighbor (\S+) description .* over (\S+)")
"""Our descriptions name the port of a session."""
MEMBER = re.compile(r"neighbor (\S+) (?:interface )?peer-group (\S+)$")


def frr_impact(section: str, old: Block | None, new: Block | None) -> BlockImpact:
    """`flap` with the ports of the sessions that are built anew, `hitless`, or nothing."""
    word = section.partition(" ")[0]
    if word in MILD:
        return BlockImpact("hitless", (), MILD[word])
    if word != "router":
        return BlockImpact("none", (), "no traffic of hosts")
    if old is None or new is None:
        return BlockImpact("flap", (), "BGP comes or goes, with all its sessions")
    before, after = old.text.splitlines(), new.text.splitlines()
    hard, names = _touched(set(before) ^ set(after))
    if hard:
        return BlockImpact("flap", (), f"`{hard}` builds all sessions anew")
    names |= {one for one, group in _members(before) | _members(after) if group in names}
    ports = {match[1]: match[2] for line in (*before, *after) if (match := OVER.search(line))}
    concerned = sorted(name for name in names if not _is_group(name, before + after))
    if not concerned:
        return BlockImpact("hitless", (), "sessions stay; routes are chosen anew")
    known = all(name in ports for name in concerned)
    return BlockImpact(
        "flap", tuple(sorted(ports[name] for name in concerned)) if known else (), "sessions are built anew"
    )


def _touched(changed: set[str]) -> tuple[str, set[str]]:
    """A line that concerns every session, if there is one; else the neighbours and groups concerned."""
    names = set()
    for line in sorted(changed):
        match = NEIGHBOR.match(line)
        if match is None:
            if not f" {line.strip()} ".startswith(SOFT):
                return line.strip(), set()
        elif not match[2].startswith(SOFT_OF_A_NEIGHBOR):
            names.add(match[1])
    return "", names


def _members(lines: list[str]) -> set[tuple[str, str]]:
    return {(match[1], match[2]) for line in lines if (match := MEMBER.search(line))}


def _is_group(name: str, lines: list[str]) -> bool:
    return any(line.strip() == f"neighbor {name} peer-group" for line in lines)
