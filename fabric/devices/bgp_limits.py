"""Limits of BGP in a network: how many equal paths to one prefix, and how many prefixes a neighbour may send.

A router's own rule of thumb for a limit of prefixes is some multiple of what is expected (BCP 194, RFC 7454, section
6.5 asks for one on every session, above what is known to be sent). What a switch can learn is bounded by what all of
them bring in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from fabric.devices.context import NetworkContext
from fabric.topology.roles import NONE, Role

PREFIX_MARGIN = 2
"""Times what is expected. Growth beyond the capacity, and attachments that come later, stay below."""
LEAST_PREFIXES = 128
"""Of small networks, where one attachment more would move the limit."""


def max_paths(context: NetworkContext) -> int:
    """As written, or the most equal paths that capacity and border routers allow, as a power of two."""
    setting = context.network.routing.max_paths
    if setting != "auto":
        return setting
    widest = max(_to_leaves(context), *_to_borders(context))
    return 1 << (widest - 1).bit_length()


def _to_leaves(context: NetworkContext) -> int:
    sizes = context.topology.sizes
    return max(
        sizes.leaf_uplinks,
        sizes.spine_uplinks,
        sizes.links_per_leaf_spine * _meet(context),
        _from_superspine(context),
        context.topology.shape.zone_links,
    )


def _to_borders(context: NetworkContext) -> Iterator[int]:
    """What all border routers advertise may be one prefix, the default route: their paths count together."""
    net = context.topology
    sizes, links = net.sizes, Counter(_border_switches(context))
    by_tier = {role: [node for node in links if net.role[node] == role] for role in Role}
    leaves = by_tier[Role.LEAF]
    yield max(links.values(), default=0)  # sessions of one switch with routers
    yield (  # from a spine, all of one length: down, up, and across to other zones
        len(leaves) * sizes.links_per_leaf_spine
        + (sizes.spine_uplinks if by_tier[Role.SUPERSPINE] else 0)
        + len({net.pod[node] for node in links}) * net.shape.zone_links
    )
    yield len(by_tier[Role.SPINE]) * sizes.links_per_spine_superspine  # down from a superspine
    groups = {(net.pod[node], net.index[node] if sizes.spine_groups > 1 else 0) for node in leaves}
    yield len(groups) * _from_superspine(context)


def _border_switches(context: NetworkContext) -> Iterator[int]:
    """The switch of each link of a router that runs BGP."""
    net, attachments = context.topology, context.intent.site.attachments
    for node in net.role_start[Role.ATTACHMENT]:
        if attachments[net.names[node]].bgp is not None:
            for port in range(net.port_base[node], net.port_base[node + 1]):
                if net.peer[port] != NONE:
                    yield context.node_of(net.peer[port])


def _from_superspine(context: NetworkContext) -> int:
    """From a superspine to one leaf, over all spines between them."""
    sizes = context.topology.sizes
    spines = max(1, sizes.spines // max(1, sizes.superspine_groups))
    return sizes.links_per_spine_superspine * _meet(context) * spines


def _meet(context: NetworkContext) -> int:
    """Planes that are joined above the leaves."""
    return context.topology.sizes.planes if context.network.planes.meet_at != "none" else 1


def most_prefixes(context: NetworkContext, *, limited: bool) -> int | None:
    """The limit of every session between switches, per address family; None: no limit.

    `limited`: whether the product supports one. One that was asked for by number is kept, for the product to refuse.
    """
    setting = context.network.routing.bgp.max_prefixes
    if setting == "none" or (setting == "auto" and not limited):
        return None
    if setting != "auto":
        return setting
    return max(LEAST_PREFIXES, 1 << (PREFIX_MARGIN * expected_prefixes(context) - 1).bit_length())


def expected_prefixes(context: NetworkContext) -> int:
    """Prefixes of one address family at full capacity: by `fabric.lock`, so that growth does not move the limit.

    Loopbacks, a block for each leaf, and every port towards hosts by itself: while switches start, single prefixes may
    be heard before the block that sums them up.
    """
    sizes = context.topology.sizes
    leaves = sizes.units * sizes.leaves_per_unit * sizes.planes
    spines = sizes.spines * sizes.spine_groups * sizes.planes
    superspines = sizes.superspines * sizes.superspine_groups * sizes.planes
    ports = sizes.leaf_downlinks or sizes.host_slots * sizes.rails
    return leaves * (2 + ports) + spines + superspines + _attached(context)


def _attached(context: NetworkContext) -> int:
    """Prefixes of attachments as written in the intent: their links, and what border routers may send."""
    prefixes = 0
    for attachment in context.intent.site.attachments.values():
        if attachment.network == context.name:
            prefixes += attachment.links + (len(attachment.bgp.prefixes) + 1 if attachment.bgp else 0)
    return prefixes
