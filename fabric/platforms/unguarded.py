"""The refusal of what guards a BGP session, the same for every platform that does not support it."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import Neighbor, Relation, Switch
from fabric.diagnostics import Origin
from fabric.platforms.base import Capabilities


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


def session_origin(switch: Switch, one: Neighbor) -> Origin:
    """Where the settings of a session are written: at its attachment, or at the routing of the fabric."""
    if one.relation is Relation.EXTERNAL:
        return Origin(("attachments", one.peer, "bgp"))
    return Origin(("networks", switch.network, "routing", "bgp"))
