"""What a change of `router bgp` does to traffic: which sessions are built anew, and over which ports they go."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from fabric.platforms.base import Block, BlockImpact
from fabric.platforms.sections import Line, parse

OVER = re.compile(r"neighbor (\S+) description .* over (\S+)")
"""Our descriptions name the port of a session."""
MEMBER = re.compile(r"neighbor (\S+) peer group (\S+)")
INTERFACE = re.compile(r"neighbor interface (\S+) peer-group (\S+) .*")
BREAKING = (
    "remote-as",
    "peer",
    "password",
    "ttl",
    "shutdown",
    "activate",
    "next-hop",
    "local-as",
    "update-source",
)
"""What of a neighbour cannot change while its session stays up."""


class _Bgp(msgspec.Struct):
    """The sessions of one configuration and every line of it, with the address family it stands in."""

    lines: set[str] = msgspec.field(default_factory=set)
    ports: dict[str, str] = msgspec.field(default_factory=dict)
    """Neighbour to port."""
    members: dict[str, set[str]] = msgspec.field(default_factory=dict)
    """Group to neighbours."""

    @property
    def names(self) -> set[str]:
        """Every neighbour that is in a group."""
        return {name for members in self.members.values() for name in members}


def bgp_impact(old: Block | None, new: Block | None) -> BlockImpact:
    """`flap` with the ports of the sessions that are built anew, else `hitless`."""
    if old is None:
        return BlockImpact("hitless", reason="BGP starts: nothing was routed by it before")
    if new is None:
        return BlockImpact("flap", reason="BGP goes: all sessions with it")
    before, after = _understood(old), _understood(new)
    changed = before.lines ^ after.lines
    if any(line.startswith(("router bgp ", "router-id ")) for line in changed):
        return BlockImpact("flap", reason="AS number or router id changes: all sessions are built anew")
    touched = _touched(changed, before, after)
    existing = touched & (before.names | set(before.ports))
    if not existing:
        return BlockImpact("hitless", reason="sessions stay; routes are chosen anew")
    ports = {before.ports.get(name) or after.ports.get(name) for name in existing}
    if None in ports:
        return BlockImpact("flap", reason=f"sessions built anew: {_listed(existing)}")
    return BlockImpact(
        "flap", tuple(sorted(port for port in ports if port)), f"sessions built anew: {_listed(existing)}"
    )


def _touched(changed: Iterable[str], before: _Bgp, after: _Bgp) -> set[str]:
    """Neighbours whose session cannot stay up, groups replaced by their members."""
    found: set[str] = set()
    for line in changed:
        words = (
            line.partition("|")[2].removeprefix("no ").split()
            if "|" in line
            else line.removeprefix("no ").split()
        )
        if words[:2] == ["neighbor", "interface"]:
            found.add(words[2])
        elif words[0] == "neighbor" and len(words) > 2 and words[2].startswith(BREAKING):
            name = words[1]
            found |= before.members.get(name, set()) | after.members.get(name, set()) or {name}
    return found


def _understood(block: Block) -> _Bgp:
    found = _Bgp()
    _gather(parse(block.text), "", found)
    return found


def _gather(lines: Iterable[Line], family: str, found: _Bgp) -> None:
    for line in lines:
        found.lines.add(f"{family}|{line.text}" if family else line.text)
        if (match := OVER.fullmatch(line.text)) is not None:
            found.ports[match[1]] = match[2]
        elif (match := INTERFACE.fullmatch(line.text)) is not None:
            found.ports[match[1]] = match[1]
            found.members.setdefault(match[2], set()).add(match[1])
        elif (match := MEMBER.fullmatch(line.text)) is not None:
            found.members.setdefault(match[2], set()).add(match[1])
        inside = line.text if line.text.startswith("address-family") else family
        _gather(line.children, inside, found)


def _listed(names: Iterable[str]) -> str:
    ordered = sorted(names)
    return ", ".join(ordered[:3]) + (f" and {len(ordered) - 3} more" if len(ordered) > 3 else "")
