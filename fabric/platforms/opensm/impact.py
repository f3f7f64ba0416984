"""What a change of OpenSM's files does to the subnet."""

from __future__ import annotations

from fabric.platforms.base import Block, BlockImpact

WHOLE = {
    "opensm.conf": BlockImpact("reload", reason="OpenSM must be started anew: nothing is healed meanwhile"),
    "root-guids": BlockImpact("flap", reason="all routes are computed anew"),
    "guid2lid": BlockImpact("flap", reason="ports whose LID changes lose their connections"),
    "qos-policy.conf": BlockImpact("hitless", reason="new path records carry the new service level"),
}


def block_impact(key: str, old: Block | None, new: Block | None) -> BlockImpact:
    """Of a partition: who joins and who leaves."""
    if not key.startswith("partition "):
        return WHOLE.get(key, BlockImpact("none", reason="names only"))
    before, after = _members(old), _members(new)
    joins, leaves = len(after - before), len(before - after)
    reason = f"{key.removeprefix('partition ')}: {joins} join, {leaves} leave"
    return BlockImpact("flap" if leaves else "hitless", reason=reason)


def _members(block: Block | None) -> frozenset[str]:
    if block is None:
        return frozenset()
    return frozenset(word.strip(" ,;\n") for word in block.text.splitlines()[1:])
