"""Whether a change of an NVUE file can lock us out."""

from __future__ import annotations

from collections.abc import Iterable

from fabric.platforms.cumulus.canonical import blocks
from fabric.platforms.cumulus.tree import leaves

ADMIN = "role system-admin"
WAY_IN = (
    "interface eth0",
    "system aaa",
    "system api",
    "system control-plane",
    "system ssh-server",
    "vrf mgmt",
)
"""Objects that our management access stands on."""
GATES = (
    "system aaa authentication-order",
    "system aaa tacacs",
    "system api listening-address",
    "system control-plane",
    "system ssh-server",
)
"""Paths that also lock out by what is added."""
HARMLESS = (
    "system ssh-server inactive-timeout",
    "interface eth0 description",
    "system aaa tacacs accounting",
)


def owns_way_in(old: str, new: str) -> tuple[str, ...]:
    """Why a change of canonical texts could lock us out: what management access needs goes, or a gate comes."""
    before, after = _way_in(old), _way_in(new)
    admins = {line.split(" ")[3] for line in before if line.endswith(ADMIN)}
    gone = (f"`{line}` goes" for line in sorted(before - after) if _matters(line, admins))
    come = (f"`{line}` comes" for line in sorted(after - before) if line.startswith(GATES))
    return (*gone, *come)


def _matters(line: str, admins: Iterable[str]) -> bool:
    words = line.split(" ")
    return words[:3] != ["system", "aaa", "user"] or words[3] in admins


def _way_in(text: str) -> frozenset[str]:
    found = (
        " ".join((*leaf.path, leaf.value)).strip()
        for block in blocks(text)
        if block.key.startswith(WAY_IN)
        for leaf in leaves(block.text)
    )
    return frozenset(line for line in found if not line.startswith(HARMLESS))
