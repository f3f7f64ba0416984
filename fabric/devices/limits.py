"""How many prefixes a neighbour may send: what a network has at full capacity, with room for what is not foreseen.

A router's own rule of thumb for a limit is some multiple of what is expected (BCP 194, RFC 7454, section 6.5 asks for
one on every session, above what is known to be sent). What a switch can learn is bounded by what all of them bring in.
"""

from __future__ import annotations

from fabric.devices.context import NetworkContext

MARGIN = 2
"""Times what is expected. Growth beyond the capacity, and attachments that come later, stay below."""
LEAST = 128
"""Of small networks, where one attachment more would move the limit."""


def most_prefixes(context: NetworkContext, *, limited: bool) -> int | None:
    """The limit of every session between switches, per address family; None: no limit.

    `limited`: whether the product supports one. One that was asked for by number is kept, for the product to refuse.
    """
    setting = context.network.routing.bgp.max_prefixes
    if setting == "none" or (setting == "auto" and not limited):
        return None
    if setting != "auto":
        return setting
    return max(LEAST, 1 << (MARGIN * expected_prefixes(context) - 1).bit_length())


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
    """Prefixes of attachments as they stand in the intent: their links, and what border routers may send."""
    found = 0
    for one in context.intent.site.attachments.values():
        if one.network == context.name:
            found += one.links + (len(one.bgp.prefixes) + 1 if one.bgp else 0)
    return found
