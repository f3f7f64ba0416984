"""Addresses of attachments: out of the host pool, from its end downwards.

Hosts fill the pool from its start, by capacity. A link of an attachment takes a block as large as the prefix of a host
port; block 0 is the last one of the pool. A VLAN takes a subnet on each leaf: its first address is the gateway's, the
links follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from ipaddress import IPv4Interface, IPv6Interface

from fabric.diagnostics import Origin
from fabric.intent.model import AttachmentLink
from fabric.topology import codes
from fabric.topology.attachments.address_blocks import Share, is_inside, owners, run_of, spans, take_blocks
from fabric.topology.check_pools import Pool, Prefix
from fabric.topology.model import AttachedVlan
from fabric.topology.network_draft import Attached, Draft
from fabric.topology.roles import NONE, Role

AttachmentEnd = IPv4Interface | IPv6Interface


def give_addresses(draft: Draft, shares: Sequence[Share], pools: list[Pool]) -> None:
    """Write the addresses of both ends of every link, and gateways of VLANs: those of the intent, or of its block."""
    take_blocks(draft, shares, [prefix for _, _, prefix in _written(draft)])
    for attached in draft.attached:
        if attached.attachment.vlan is not None:
            _give_subnets(draft, attached, shares)
        else:
            _give_links(draft, attached, shares)
    _check_written(draft, shares, pools)


def _give_links(draft: Draft, attached: Attached, shares: Sequence[Share]) -> None:
    """Addresses of routed links."""
    for link, port in enumerate(attached.ports):
        if port == NONE:
            continue
        if link < len(attached.attachment.addresses):
            for _, ours, theirs in pairs(attached.attachment.addresses[link]):
                for end, interface in ((port, ours), (draft.net.peer[port], theirs)):
                    _set(draft, end, interface.version, int(interface), interface.network.prefixlen)
        elif attached.blocks[link] != NONE:
            for share in shares:
                first = share.first(attached.blocks[link])
                _set(draft, port, share.pool.version, first + share.ours, share.length)
                _set(draft, draft.net.peer[port], share.pool.version, first + share.theirs, share.length)


def _give_subnets(draft: Draft, attached: Attached, shares: Sequence[Share]) -> None:
    """The gateway of a VLAN on each leaf, and the addresses of the ends; those of a bundle have one."""
    attachment, net = attached.attachment, draft.net
    node = net.role_start[Role.ATTACHMENT][draft.attached.index(attached)]
    for first, links in owners(attached):
        gateway = []
        for version, ours, ends, length in _subnets(attached, shares, first, links):
            gateway.append((version, ours, length))
            for link, end in zip(links, ends, strict=False):
                if attached.ports[link] != NONE:
                    _set(draft, net.peer[attached.ports[link]], version, end, length)
        vlan = AttachedVlan(attached.switches[first], node, attachment.vlan or 0, tuple(gateway))
        net.attached_vlans = (*net.attached_vlans, vlan)


def _subnets(
    attached: Attached, shares: Sequence[Share], first: int, links: Sequence[int]
) -> Iterator[tuple[int, int, list[int], int]]:
    """Of each version: the gateway, the ends of the links as far as they are known, and the prefix length."""
    given, bundled = attached.attachment.addresses, attached.attachment.lacp
    if first < len(given):
        for key, ours, theirs in pairs(given[first]):
            others = (pair for link in links if link < len(given) for pair in pairs(given[link]))
            ends = [int(end) for other, _, end in others if other == key]
            ends = [int(theirs)] * len(links) if bundled else ends
            yield ours.version, int(ours), ends, ours.network.prefixlen
    elif attached.blocks[first] != NONE:
        for share in shares:
            subnet = share.span(attached, attached.blocks[first], run_of(attached, shares))
            base = int(subnet.network_address) + 1
            ends = [base + 1 + (0 if bundled else rank) for rank in range(len(links))]
            yield share.pool.version, base, ends, subnet.prefixlen


def pairs(link: AttachmentLink) -> Iterator[tuple[str, AttachmentEnd, AttachmentEnd]]:
    """Each pair of addresses of a link: the key of ours, ours, theirs."""
    yield "ours", link.ours, link.theirs
    if link.ours6 is not None and link.theirs6 is not None:
        yield "ours6", link.ours6, link.theirs6


def _set(draft: Draft, port: int, version: int, address: int, length: int) -> None:
    net = draft.net
    if version == 4:
        net.address[port], net.prefix_length[port] = address, length
        return
    if not net.address6:
        net.address6 = [NONE] * net.port_base[-1]
    net.address6[port], net.prefix6_length[port] = address, length


def _written(draft: Draft) -> Iterator[tuple[Attached, Origin, Prefix]]:
    """Every prefix that the intent writes, with the attachment and the place; that of a VLAN once for each leaf."""
    for attached in draft.attached:
        given = attached.attachment.addresses
        for link, _ in owners(attached):
            for key, ours, _ in pairs(given[link]) if link < len(given) else ():
                yield attached, attached.at.child("addresses", link, key), ours.network


def _check_written(draft: Draft, shares: Sequence[Share], pools: list[Pool]) -> None:
    """Written addresses inside the host pool must be free; outside they are a pool of their own."""
    seen: list[tuple[Prefix, str]] = []
    for attached, at, prefix in _written(draft):
        link = at.path[-2]
        share = next((s for s in shares if is_inside(prefix, s.pool)), None)
        other = _owner(draft, share, shares, prefix, seen) if share is not None else ""
        if other:
            rule = f"{prefix} of link {link} of {attached.name} collides with {other}"
            hint = "choose an unused prefix, leave `addresses` out, or take one outside of the pools"
            draft.report.add(codes.ATTACHMENT_ADDRESS.at(at, rule, value=str(prefix), hint=hint))
        elif share is None:
            pools.append(Pool(prefix, prefix.num_addresses, f"link {link} of {attached.name}", at))
        seen.append((prefix, f"link {link} of {attached.name}, {prefix}"))


def _owner(
    draft: Draft,
    share: Share,
    shares: Sequence[Share],
    prefix: Prefix,
    seen: Sequence[tuple[Prefix, str]],
) -> str:
    """The owners of addresses of a prefix inside the host pool; empty: none."""
    first = int(share.pool.network_address)
    if int(prefix.network_address) < first + share.hosts:
        low, high = share.pool.network_address, share.pool.network_address + (share.hosts - 1)
        return f"the hosts, which have {low} to {high} at full capacity"
    for attached, link, span in spans(draft, share, shares):
        if span.overlaps(prefix):
            return f"link {link} of {attached.name}, {span}"
    return next(
        (who for other, who in seen if other.version == prefix.version and other.overlaps(prefix)), ""
    )
