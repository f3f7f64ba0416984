"""What a change of OpenSM's files does to the subnet: who joins which tenant, who leaves, whose LID moves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from fabric.platforms.base import Block, BlockImpact
from fabric.platforms.opensm.canonical import blocks
from fabric.platforms.opensm.names import LID_FILE

WHOLE = {
    "root-guids": BlockImpact("flap", reason="all routes are computed anew"),
    "io-guids": BlockImpact("flap", reason="all routes are computed anew"),
    "torus-2QoS.conf": BlockImpact("flap", reason="all routes are computed anew"),
    "qos-policy.conf": BlockImpact("hitless", reason="new path records carry the new service level"),
    "prefix-routes.conf": BlockImpact("hitless", reason="path records to other subnets"),
}
NAMES = BlockImpact("none", reason="names only")

OPTIONS = {
    "m_key": "the key of all ports changes: one that is away meanwhile keeps the old one",
    "sm_key": "managers with different ones ignore each other until all have it: two masters for a moment",
    "lmc": "all LIDs are given anew: every connection of the subnet is lost",
    "subnet_prefix": "all GIDs change: every connection of the subnet is lost",
    "routing_engine": "all routes are computed anew, by another engine",
    "qos_sl2vl": "packets under way may change their lane",
    "guid": "OpenSM manages through another port",
}
"""Options whose change does more than that OpenSM is started anew."""
RESTART = "OpenSM is started anew: nothing is healed meanwhile"

MEMBER = re.compile(
    r"(?P<port>ALL\w*|SELF|0x[0-9a-f]+)\s*(?:=\s*(?P<how>\w+))?\s*(?:[,;]|$)\s*(?:#\s*(?P<name>.*))?"
)
FEW = 3
"""So many names are told; of more, their number."""

Members = Mapping[str, tuple[str, str]]
"""By port: membership and whose it is."""


def block_impact(key: str, old: Block | None, new: Block | None) -> BlockImpact:
    """The judgement of one block."""
    if key.startswith("partition "):
        return _partition(key.removeprefix("partition "), old, new)
    if key.startswith("option "):
        why = OPTIONS.get(key.removeprefix("option "))
        return BlockImpact("reload", reason=f"{why}; {RESTART}" if why else RESTART)
    if key == LID_FILE:
        return _lids(old, new)
    return WHOLE.get(key, NAMES)


def _partition(pkey: str, old: Block | None, new: Block | None) -> BlockImpact:
    before, after = _members(old), _members(new)
    joins = [_who(port, after) for port in after if port not in before]
    leaves = [_who(port, before) for port in before if port not in after]
    turned = {
        how: [
            _who(port, after) for port in after if before.get(port, after[port])[0] != after[port][0] == how
        ]
        for how in ("full", "limited")
    }
    said = [*_said("join", joins), *_said("leave", leaves)]
    for how, who in turned.items():
        said += (f"{words} {how}" for words in _said("become", who))
    if not said and _words(old) == _words(new):
        return NAMES
    if not said:
        said = ["its group, service level or name changes"]
    reason = f"{_name(new or old)} ({pkey}): {'; '.join(said)}"
    return BlockImpact("flap" if leaves or any(turned.values()) else "hitless", reason=reason)


def _members(block: Block | None) -> Members:
    """Who is in a partition; what stands before the colon is no member."""
    found: dict[str, tuple[str, str]] = {}
    for line in block.text.splitlines() if block else ():
        code = line.partition("#")[0]
        rest = line[code.index(":") + 1 :] if ":" in code else line
        for member in MEMBER.finditer(rest.strip()):
            found[member["port"]] = member["how"] or "limited", (member["name"] or "").strip()
    return found


def _who(port: str, members: Members) -> str:
    return members[port][1] or port


def _said(what: str, who: list[str]) -> Iterator[str]:
    if who:
        more = f" and {len(who) - FEW:,} more" if len(who) > FEW else ""
        yield f"{', '.join(who[:FEW])}{more} {what}{'s' if len(who) == 1 else ''}"


def _words(block: Block | None) -> list[str]:
    lines = block.text.splitlines() if block else []
    return sorted(line.partition("#")[0].strip(" ,;") for line in lines)


def _name(block: Block | None) -> str:
    return block.text.partition("=")[0].strip() if block else ""


def _lids(old: Block | None, new: Block | None) -> BlockImpact:
    """New ports bring new records; a port whose LID changes loses its connections."""
    before, after = _records(old), _records(new)
    moved = sum(before[guid] != lids for guid, lids in after.items() if guid in before)
    come, gone = len(after.keys() - before.keys()), len(before.keys() - after.keys())
    reason = f"{come:,} LIDs more, {gone:,} fewer; {RESTART}"
    if moved:
        reason = f"{moved:,} ports get another LID and lose their connections; {reason}"
    return BlockImpact("reload", reason=reason)


def _records(block: Block | None) -> dict[str, str]:
    lines = (line.partition(" ") for line in (block.text.splitlines() if block else ()))
    return {guid: lids for guid, _, lids in lines}


def owns_way_in(old: str, new: str) -> tuple[str, ...]:
    """Why the change would lock us out: ports keep the M_Key that they have, and answer nobody who has another."""
    before, after = _option("m_key", blocks(old)), _option("m_key", blocks(new))
    if not before or before == after or _number(before) == 0:
        return ()
    what = "is left out" if not after else "changes"
    reason = f"m_key {what}: ports that hold the old one answer no manager without it"
    return (f"{reason}; let the lease run out first, or set the ports one by one",)


def _number(text: str) -> int | None:
    """A number as OpenSM writes it; None for a placeholder."""
    try:
        return int(text, 0)
    except ValueError:
        return None


def _option(name: str, found: Iterable[Block]) -> str:
    return next((b.text.split()[1] for b in found if b.key == f"option {name}"), "")
