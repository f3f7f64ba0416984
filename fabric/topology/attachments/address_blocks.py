"""Which blocks of the host pools attachments have: a link has one, a VLAN has a run of them on each leaf.

Blocks are counted from the end of the pools, the same in IPv4 and IPv6. `fabric.lock` keeps the first block of each
link, and what is new takes the first free ones: growth of hosts, switches or attachments moves none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from ipaddress import IPv4Network, IPv6Network

import msgspec

from fabric.topology.check_pools import Prefix
from fabric.topology.network_draft import Attached, Draft
from fabric.topology.roles import NONE

SUBNET_BITS6 = 64
"""Host bits of an IPv6 subnet with several hosts. Source: RFC 4291, section 2.5.1."""
ROOM6 = 1 << 16
"""Blocks of links that an IPv6 pool keeps at its end; the subnets of VLANs are below them."""
BLOCK = 2
"""Addresses of a block without an IPv4 pool."""


class Share(msgspec.Struct, frozen=True):
    """What a host pool of one version is parted into."""

    pool: Prefix
    hosts: int
    """Addresses that hosts need at full capacity, from the first one of the pool."""
    length: int
    """Prefix length of a block."""
    ours: int
    """Offset of the switch's address in a block; likewise that of the other end."""
    theirs: int

    @property
    def size(self) -> int:
        """Addresses of a block."""
        return 1 << (self.pool.max_prefixlen - self.length)

    def first(self, block: int) -> int:
        """First address of a block."""
        return int(self.pool.broadcast_address) + 1 - (block + 1) * self.size

    def blocks(self, prefix: Prefix) -> range:
        """The blocks that a prefix inside the pool covers."""
        end = int(self.pool.broadcast_address)
        low = (end - int(prefix.broadcast_address)) // self.size
        return range(low, (end - int(prefix.network_address)) // self.size + 1)

    def span(self, attached: Attached, block: int, run: int) -> Prefix:
        """The prefix of a link, or of the subnet of a VLAN, whose first block is this one."""
        four, bits = self.pool.version == 4, self.pool.max_prefixlen
        kind = IPv4Network if four else IPv6Network
        if attached.attachment.vlan is None:
            return kind((self.first(block), self.length))
        if four:
            return kind((self.first(block + run - 1), bits + 1 - (run * self.size).bit_length()))
        number = block
        if bits - self.length < SUBNET_BITS6:
            number += -(-ROOM6 * self.size >> SUBNET_BITS6)
        first = int(self.pool.broadcast_address) + 1 - (number + 1 << SUBNET_BITS6)
        return kind((first, bits - SUBNET_BITS6))


def is_inside(prefix: Prefix, pool: Prefix) -> bool:
    """Whether the whole prefix belongs to a pool."""
    return (
        prefix.version == pool.version
        and int(pool.network_address) <= int(prefix.network_address)
        and int(prefix.broadcast_address) <= int(pool.broadcast_address)
    )


def run_of(attached: Attached, shares: Sequence[Share]) -> int:
    """Blocks that a link takes; with a VLAN those of a subnet, which the links to one leaf share."""
    if attached.attachment.vlan is None:
        return 1
    size = next((share.size for share in shares if share.pool.version == 4), BLOCK)
    return max(1, (1 << 32 - attached.attachment.prefix_length) // size)


def take_blocks(draft: Draft, shares: Sequence[Share], written: Sequence[Prefix]) -> None:
    """Choose the first block of every link whose addresses the intent does not write."""
    taken: set[int] = set()
    barred = [share.blocks(prefix) for share in shares for prefix in written if is_inside(prefix, share.pool)]
    for attached in draft.attached:
        attached.blocks = _locked_blocks(draft, attached, run_of(attached, shares), taken)
    for attached in draft.attached:
        run = run_of(attached, shares)
        for first, links in owners(attached):
            if _wants(attached, links) and attached.blocks[first] == NONE:
                block = _free(run, taken, barred)
                taken.update(range(block, block + run))
                for link in links:
                    attached.blocks[link] = block


def needed(draft: Draft, share: Share, shares: Sequence[Share]) -> int:
    """Addresses from the end of a pool that attachments use or pass over."""
    firsts = [int(prefix.network_address) for _, _, prefix in spans(draft, share, shares)]
    return int(share.pool.broadcast_address) + 1 - min(firsts) if firsts else 0


def spans(draft: Draft, share: Share, shares: Sequence[Share]) -> Iterator[tuple[Attached, int, Prefix]]:
    """Every prefix that attachments have of a pool, with the attachment and its first link."""
    for attached in draft.attached:
        run = run_of(attached, shares)
        for first, _ in owners(attached):
            if attached.blocks[first] != NONE:
                yield attached, first, share.span(attached, attached.blocks[first], run)


def owners(attached: Attached) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Links that share a prefix, behind the first of them: each for itself, in a VLAN those to one leaf."""
    if attached.attachment.vlan is None:
        yield from ((link, (link,)) for link in range(len(attached.switches)))
        return
    for switch in dict.fromkeys(attached.switches):
        links = tuple(link for link, node in enumerate(attached.switches) if node == switch)
        yield links[0], links


def _wants(attached: Attached, links: Sequence[int]) -> bool:
    """Whether the prefix of some links comes from a block: on a host position they have the host's addresses."""
    given = len(attached.attachment.addresses)
    return attached.attachment.to.host_slot is None and not any(link < given for link in links)


def _locked_blocks(draft: Draft, attached: Attached, run: int, taken: set[int]) -> list[int]:
    """The blocks of the links as locked, as far as they can stay; they are taken then."""
    lock = draft.intent.lock.attachments if draft.intent.lock else {}
    locked = lock.get(attached.name)
    kept = locked.blocks if locked is not None and locked.network == draft.name else ()
    blocks = [NONE] * len(attached.switches)
    for _, links in owners(attached):
        block = next((kept[link] for link in links if link < len(kept) and kept[link] != NONE), NONE)
        covered = range(block, block + run)
        if block == NONE or not _wants(attached, links) or block % run or not taken.isdisjoint(covered):
            continue
        taken.update(covered)
        for link in links:
            blocks[link] = block
    return blocks


def _free(run: int, taken: set[int], barred: Sequence[range]) -> int:
    """The first free block of a run."""
    block = 0
    while True:
        wall = next((r for r in barred if r.start < block + run and block < r.stop), None)
        if wall is not None:
            block = -(-wall.stop // run) * run
        elif taken.isdisjoint(range(block, block + run)):
            return block
        else:
            block += run
