"""Addresses of attachments: out of the host pool, from its end downwards.

Hosts fill the pool from its start, by capacity. A link of an attachment takes a block as large as the prefix of a host
port; block 0 is the last one of the pool. `fabric.lock` keeps which block a link has and new links take the first free
ones, so growth of hosts, switches or attachments moves none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from ipaddress import IPv4Interface, IPv6Interface

import msgspec

from fabric.diagnostics import Origin
from fabric.intent.model import AttachmentLink
from fabric.topology import codes
from fabric.topology.draft import Attached, Draft
from fabric.topology.model import NONE
from fabric.topology.pools import Pool, Prefix

AttachmentEnd = IPv4Interface | IPv6Interface


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


def is_inside(prefix: Prefix, pool: Prefix) -> bool:
    """Whether the whole prefix belongs to a pool."""
    return (
        prefix.version == pool.version
        and int(pool.network_address) <= int(prefix.network_address)
        and int(prefix.broadcast_address) <= int(pool.broadcast_address)
    )


def take_blocks(draft: Draft, shares: Sequence[Share]) -> int:
    """Choose the block of every link that has no addresses of its own; how many blocks are in use or passed over."""
    lock = draft.intent.lock.attachments if draft.intent.lock else {}
    written = {b for _, _, prefix in _written(draft) for s in shares for b in _covered(prefix, s)}
    for attached in draft.attached:
        wanted = [_needs_block(attached, link) for link in range(len(attached.ports))]
        held = lock.get(attached.name)
        kept = held.blocks if held is not None and held.network == draft.name else ()
        kept = (*kept, *[NONE] * len(wanted))
        attached.blocks = [block if needs else NONE for needs, block in zip(wanted, kept, strict=False)]
    taken = {block for attached in draft.attached for block in attached.blocks} - {NONE}
    free = (block for block in _count() if block not in taken and block not in written)
    for attached in draft.attached:
        for link, block in enumerate(attached.blocks):
            if block == NONE and _needs_block(attached, link):
                attached.blocks[link] = next(free)
    return max((block for attached in draft.attached for block in attached.blocks), default=NONE) + 1


def give_addresses(draft: Draft, shares: Sequence[Share], pools: list[Pool]) -> None:
    """Write the addresses of both ends of every link: those of the intent, or of its block."""
    net = draft.net
    for attached in draft.attached:
        given = attached.attachment.addresses
        for link, port in enumerate(attached.ports):
            if port != NONE and link < len(given):
                _give_written(draft, attached, link, port)
            elif port != NONE and attached.blocks[link] != NONE:
                for share in shares:
                    first = share.first(attached.blocks[link])
                    _set(draft, port, share.pool.version, first + share.ours, share.length)
                    _set(draft, net.peer[port], share.pool.version, first + share.theirs, share.length)
    _check_written(draft, shares, pools)


def _count() -> Iterator[int]:
    block = 0
    while True:
        yield block
        block += 1


def _needs_block(attached: Attached, link: int) -> bool:
    """Whether the addresses of a link come from a block: on a host position they are the host's own."""
    is_seated = attached.attachment.to.host_slot is not None
    return not is_seated and link >= len(attached.attachment.addresses)


def pairs(link: AttachmentLink) -> Iterator[tuple[str, AttachmentEnd, AttachmentEnd]]:
    """Each pair of addresses of a link: the key of ours, ours, theirs."""
    yield "ours", link.ours, link.theirs
    if link.ours6 is not None and link.theirs6 is not None:
        yield "ours6", link.ours6, link.theirs6


def _give_written(draft: Draft, attached: Attached, link: int, port: int) -> None:
    for _, ours, theirs in pairs(attached.attachment.addresses[link]):
        for end, interface in ((port, ours), (draft.net.peer[port], theirs)):
            _set(draft, end, interface.version, int(interface), interface.network.prefixlen)


def _set(draft: Draft, port: int, version: int, address: int, length: int) -> None:
    net = draft.net
    if version == 4:
        net.address[port], net.prefix_length[port] = address, length
        return
    if not net.address6:
        net.address6 = [NONE] * net.port_base[-1]
    net.address6[port], net.prefix6_length[port] = address, length


def _written(draft: Draft) -> Iterator[tuple[Attached, Origin, Prefix]]:
    """Every prefix that the intent writes, with the attachment and the place."""
    for attached in draft.attached:
        for link, written in enumerate(attached.attachment.addresses):
            for key, ours, _ in pairs(written):
                yield attached, attached.at.child("addresses", link, key), ours.network


def _covered(prefix: Prefix, share: Share) -> Iterable[int]:
    return share.blocks(prefix) if is_inside(prefix, share.pool) else ()


def _check_written(draft: Draft, shares: Sequence[Share], pools: list[Pool]) -> None:
    """Written addresses inside the host pool must be nobody's; outside they are a pool of their own."""
    seen: list[tuple[Prefix, str]] = []
    for attached, at, prefix in _written(draft):
        link = at.path[-2]
        share = next((s for s in shares if is_inside(prefix, s.pool)), None)
        other = _owner(draft, share, prefix, seen) if share is not None else ""
        if other:
            rule = f"{prefix} of link {link} of {attached.name} collides with {other}"
            hint = "choose a prefix that nobody has, leave `addresses` out, or take one outside of the pools"
            draft.report.add(codes.ATTACHMENT_ADDRESS.at(at, rule, value=str(prefix), hint=hint))
        elif share is None:
            pools.append(Pool(prefix, prefix.num_addresses, f"link {link} of {attached.name}", at))
        seen.append((prefix, f"link {link} of {attached.name}, {prefix}"))


def _owner(draft: Draft, share: Share, prefix: Prefix, seen: Sequence[tuple[Prefix, str]]) -> str:
    """Who has addresses of a prefix inside the host pool; empty: nobody."""
    first = int(share.pool.network_address)
    if int(prefix.network_address) < first + share.hosts:
        low, high = share.pool.network_address, share.pool.network_address + (share.hosts - 1)
        return f"the hosts, which have {low} to {high} at full capacity"
    covered = set(share.blocks(prefix))
    for attached in draft.attached:
        for link, block in enumerate(attached.blocks):
            if block in covered:
                return f"link {link} of {attached.name}, {_prefix(share, block)}"
    return next(
        (who for other, who in seen if other.version == prefix.version and other.overlaps(prefix)), ""
    )


def _prefix(share: Share, block: int) -> Prefix:
    return type(share.pool)((share.first(block), share.length))
