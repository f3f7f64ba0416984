"""Which of the network's own prefixes a switch drops where no other route leads to them.

A router outside that sends a default route, or any prefix around our own pools, takes every packet for which there is
no better route: while a leaf is away, those for its hosts as well. They would leave the fabric, and may come back in a
loop. So a switch with such a session holds the pools itself, by a route that drops. Prefixes that switches advertise
are longer and win; one that is as long as its pool wins by distance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fabric.devices.context import NetworkContext
from fabric.devices.model import Neighbor, Prefix, Relation
from fabric.topology.assign_addresses import LOOPBACKS6
from fabric.topology.attachments.address_blocks import is_inside
from fabric.topology.attachments.assign_addresses import pairs


def discards(context: NetworkContext, neighbors: Sequence[Neighbor]) -> tuple[Prefix, ...]:
    """The network's own prefixes that lie in what a neighbour outside may advertise, IPv4 first, in order."""
    outside = [
        prefix
        for neighbor in neighbors
        if neighbor.relation is Relation.EXTERNAL
        for prefix in neighbor.accept
    ]
    if not outside:
        return ()
    pools = {own for own in own_prefixes(context) if any(is_inside(own, prefix) for prefix in outside)}
    whole = (own for own in pools if not any(is_inside(own, other) for other in pools - {own}))
    return tuple(sorted(whole, key=lambda own: (own.version, int(own.network_address))))


def own_prefixes(context: NetworkContext) -> Iterator[Prefix]:
    """The pools of every family in use, and the prefixes of attachments whose addresses are in the intent."""
    rules, topology = context.network.addressing, context.topology
    if 4 in rules.host_families:
        yield rules.host_pool
    if 6 in rules.host_families:
        yield rules.host_pool6
    yield rules.loopback_pool
    if topology.loopback6:
        yield rules.loopback_pool6 or LOOPBACKS6
    if rules.family in ("ipv4", "dual"):
        yield rules.fabric_pool
    if rules.family in ("ipv6", "dual"):
        yield rules.fabric_pool6
    for attachment in context.intent.site.attachments.values():
        if attachment.network == context.name and attachment.kind != "router":
            yield from (ours.network for link in attachment.addresses for _, ours, _ in pairs(link))
