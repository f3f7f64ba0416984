"""What a change of one BGP group does: which sessions are built anew, and over which ports they go."""

from __future__ import annotations

import re
from collections.abc import Iterable

from fabric.platforms.base import Block, BlockImpact
from fabric.platforms.junos.canonical import statements
from fabric.platforms.junos.curly import unquoted

NEIGHBOR = re.compile(r"neighbor (\S+)(?: (.*))?")
OVER = re.compile(r"neighbor (\S+) description (.*)")
INTERFACE = re.compile(r"dynamic-neighbor \S+ peer-auto-discovery interface (\S+)\.0")
SOFT = re.compile(r"(?:import|export|multipath|log-updown|description)\b.*|bfd-liveness-detection .*")
"""What of a group or neighbour changes while sessions stay up: policies are run anew, BFD agrees on new timers."""


def group_impact(old: Block | None, new: Block | None) -> BlockImpact:
    """`flap` with the ports of the sessions that are built anew, else `hitless`."""
    if old is None:
        return BlockImpact("hitless", (), "new sessions: nothing was routed by them before")
    before, after = statements(old), statements(new)
    changed = before ^ after
    ports = _ports(before | after)
    own = _ports(before)
    if new is None or any(_breaks_all(line) for line in changed):
        return BlockImpact("flap", _listed(own.values()), "all sessions of the group are built anew")
    touched = {match[1] for line in changed if (match := _hard(line)) is not None} & own.keys()
    if not touched:
        return BlockImpact("hitless", (), "sessions stay; routes are chosen anew")
    return BlockImpact(
        "flap", _listed(ports[one] for one in touched), f"sessions built anew: {_named(touched)}"
    )


def _breaks_all(line: str) -> bool:
    return not SOFT.fullmatch(line) and not NEIGHBOR.fullmatch(line) and not INTERFACE.fullmatch(line)


def _hard(line: str) -> re.Match[str] | None:
    """The neighbour whose session cannot stay up, if it is one."""
    match = NEIGHBOR.fullmatch(line)
    if match is not None:
        return None if SOFT.fullmatch(match[2] or "") else match
    return INTERFACE.fullmatch(line)


def _ports(lines: Iterable[str]) -> dict[str, str]:
    """Neighbour to port; our descriptions name it. Empty where they do not."""
    found: dict[str, str] = {}
    for line in sorted(lines):
        if (match := INTERFACE.fullmatch(line)) is not None:
            found[match[1]] = match[1]
        elif (match := OVER.fullmatch(line)) is not None:
            found[match[1]] = unquoted(match[2]).rpartition(" over ")[2] if " over " in match[2] else ""
        elif (match := NEIGHBOR.fullmatch(line)) is not None:
            found.setdefault(match[1], "")
    return found


def _listed(ports: Iterable[str]) -> tuple[str, ...]:
    """Sorted; empty, which is the whole switch, if a port is not known."""
    found = sorted(set(ports))
    return () if "" in found else tuple(found)


def _named(names: Iterable[str]) -> str:
    ordered = sorted(names)
    return ", ".join(ordered[:3]) + (f" and {len(ordered) - 3} more" if len(ordered) > 3 else "")
