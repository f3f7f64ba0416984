"""Address pools: how much of each is used at full capacity, whether it is enough, and whether two overlap."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network

import msgspec

from fabric.diagnostics import Origin, Report
from fabric.topology import codes

Prefix = IPv4Network | IPv6Network


class Pool(msgspec.Struct, frozen=True):
    """A pool in use."""

    prefix: Prefix
    needed: int
    """Addresses at full capacity, counted from the first one of the pool."""
    what: str
    """What takes them, for people."""
    at: Origin


def check_pools(pools: Sequence[Pool], report: Report) -> None:
    """Report every pool that is too small, and every two that overlap."""
    for pool in pools:
        _check_size(pool, report)
    for version in (4, 6):
        _check_overlaps([p for p in pools if p.prefix.version == version], report)


def _check_size(pool: Pool, report: Report) -> None:
    if pool.needed <= pool.prefix.num_addresses:
        return
    bits = pool.prefix.max_prefixlen
    length = bits - (pool.needed - 1).bit_length()
    rule = f"{pool.what} need {pool.needed} addresses at full capacity, {pool.prefix} has {pool.prefix.num_addresses}"
    enough = pool.prefix.supernet(new_prefix=length) if length >= 0 else None
    hint = f"{enough} would be enough" if enough else "no pool of this version is large enough"
    report.add(codes.POOL_SHORT.at(pool.at, rule, value=str(pool.prefix), hint=hint))


def _check_overlaps(pools: Sequence[Pool], report: Report) -> None:
    order = sorted(pools, key=lambda p: (int(p.prefix.network_address), -p.prefix.num_addresses))
    widest: Pool | None = None
    for pool in order:
        if widest is not None and int(pool.prefix.network_address) <= int(widest.prefix.broadcast_address):
            _overlap(widest, pool, report)
        if widest is None or int(pool.prefix.broadcast_address) > int(widest.prefix.broadcast_address):
            widest = pool


def _overlap(first: Pool, second: Pool, report: Report) -> None:
    # The smaller one is the one to move; of equal ones the one that stands later.
    later, earlier = sorted((first, second), key=lambda p: (-p.prefix.num_addresses, p.at.path))[::-1]
    rule = f"{later.prefix} of {later.what} overlaps {earlier.prefix} of {earlier.what} at {earlier.at}"
    hint = "give each pool of each network its own prefix"
    report.add(codes.POOLS_OVERLAP.at(later.at, rule, value=str(later.prefix), hint=hint))
