"""What a change of UFM's partitions does to the tenants."""

from __future__ import annotations

from fabric.platforms.base import Block, BlockImpact
from fabric.platforms.ufm.model import Member, Pkey
from fabric.platforms.ufm.pkeys import lines_of, read_pkeys


def block_impact(key: str, old: Block | None, new: Block | None) -> BlockImpact:
    """Who joins a partition and who leaves it; who leaves loses its connections there."""
    before, after = _pkey(old), _pkey(new)
    was, will = _members(before), _members(after)
    joins, leaves = len(will.keys() - was.keys()), len(was.keys() - will.keys())
    both = [(was[guid], will[guid]) for guid in was.keys() & will.keys()]
    anew = before is not None and after is not None and before.ip_over_ib != after.ip_over_ib
    again = sum(anew or old.index0 != new.index0 for old, new in both)
    turned = 0 if anew else sum(old.membership != new.membership for old, new in both)
    words = [f"{joins} join", f"{leaves} leave"]
    words += [f"{turned} change membership"] if turned else []
    words += [f"{again} leave and join again"] if again else []
    words += ["limits change, after a restart of UFM"] if _limits(before, after) else []
    reason = f"{key.removeprefix('partition ')}: {', '.join(words)}"
    return BlockImpact("flap" if leaves or turned or again else "hitless", reason=reason)


def _pkey(block: Block | None) -> Pkey | None:
    found = read_pkeys(lines_of(block.text), []) if block else ()
    return found[0] if found else None


def _members(one: Pkey | None) -> dict[str, Member]:
    return {member.guid: member for member in one.members} if one else {}


def _limits(old: Pkey | None, new: Pkey | None) -> bool:
    """Whether a partition that stays has other limits."""
    if old is None or new is None:
        return False
    return (old.mtu_limit, old.rate_limit, old.service_level) != (
        new.mtu_limit,
        new.rate_limit,
        new.service_level,
    )
