"""What a change of one piece of a Junos configuration does to traffic, and whether it can lock us out.

Changing PFC on a port blocks it while it is done (Juniper CLI reference, `congestion-notification-profile`). What is
not known counts as an interruption.
"""

from __future__ import annotations

import re

from fabric.platforms.base import Block, BlockImpact
from fabric.platforms.junos.canonical import blocks

QUIET = ("system", "snmp", "protocols lldp", "interfaces re0:mgmt-0", "routing-instances mgmt_junos")
WAYS = ("interfaces re0:mgmt-0", "routing-instances mgmt_junos")
HITLESS = ("policy-options", "routing-options", "protocols router-advertisement", "interfaces lo0")


def block_impact(key: str, old: Block | None, new: Block | None) -> BlockImpact:
    """A judgement by the piece alone."""
    port = re.match(r"(class-of-service )?interfaces (et-\S+)", key)
    if port and port[1]:
        return BlockImpact("buffer", (port[2],), "the port is blocked while its queues are set up anew")
    if port:
        before, after = (_without_text(block) for block in (old, new))
        same = before == after
        reason = "text only" if same else "the port is set up anew"
        return BlockImpact("none" if same else "flap", (port[2],), reason)
    if _starts(key, QUIET):
        return BlockImpact("none", (), "no traffic of hosts")
    if _starts(key, HITLESS):
        return BlockImpact("hitless", (), "routes are chosen anew")
    if key.startswith("class-of-service"):
        return BlockImpact("buffer", (), "queues and buffers of the ports that use it are set up anew")
    return BlockImpact("flap", (), "sessions or tables are built anew")


def owns_way_in(old: str, new: str) -> tuple[str, ...]:
    """Reasons why the change would lock us out."""
    before, after = ({block.key: block.text for block in blocks(text)} for text in (old, new))
    found = [f"{key} changes" for key in WAYS if key in before and before[key] != after.get(key)]
    lost = [word for word in ("ssh", "user ") if word in _system(before) and word not in _system(after)]
    found += [f"system has no {word.strip()} any more" for word in lost]
    return tuple(found)


def _system(found: dict[str, str]) -> str:
    return "".join(text for key, text in found.items() if key.startswith("system"))


def _starts(key: str, words: tuple[str, ...]) -> bool:
    return any(key == word or key.startswith(f"{word} ") for word in words)


def _without_text(block: Block | None) -> str:
    return re.sub(r"^ *description .*\n", "", block.text, flags=re.MULTILINE) if block else ""
