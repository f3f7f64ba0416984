"""The refusal of what guards BGP sessions and own prefixes, the same for every platform that does not support it."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import Neighbor, Relation, Switch
from fabric.diagnostics import Origin
from fabric.platforms.base import Capabilities
from fabric.topology.attachments.address_blocks import is_inside


def unguarded(switch: Switch, can: Capabilities) -> Iterator[tuple[Origin, str, str]]:
    """Place, feature and fix of each guard that a session wants and the product does not support."""
    found: dict[Origin, tuple[Origin, str, str]] = {}
    for one in switch.routing.neighbors:
        if one.ttl_security and not can.ttl_security:
            place = session_origin(switch, one).child("ttl_security")
            hint = "leave `ttl_security` out, and set a `password`"
            found[place] = place, "no TTL security (GTSM) of a BGP session", hint
        if one.max_prefixes is not None and not can.max_prefixes:
            place = session_origin(switch, one).child("max_prefixes")
            found[place] = place, "no limit of a neighbour's prefixes", "leave `max_prefixes` out"
    yield from found.values()
    yield from _undiscarded(switch, can)


def _undiscarded(switch: Switch, can: Capabilities) -> Iterator[tuple[Origin, str, str]]:
    """Sessions whose routes would take packets for the network's own prefixes outside."""
    if can.discard_routes:
        return
    for name in dict.fromkeys(one.peer for one in switch.routing.neighbors if _covers(one, switch)):
        feature = "no route that drops what is for the network's own prefixes and would leave by the router"
        yield (
            Origin(("attachments", name, "bgp")),
            feature,
            "accept `prefixes` alone that lie outside of the pools",
        )


def _covers(one: Neighbor, switch: Switch) -> bool:
    own = switch.routing.discards
    outside = one.relation is Relation.EXTERNAL
    return outside and any(is_inside(prefix, other) for prefix in own for other in one.accept)


def session_origin(switch: Switch, one: Neighbor) -> Origin:
    """Where the settings of a session are written: at its attachment, or at the routing of the fabric."""
    if one.relation is Relation.EXTERNAL:
        return Origin(("attachments", one.peer, "bgp"))
    return Origin(("networks", switch.network, "routing", "bgp"))
