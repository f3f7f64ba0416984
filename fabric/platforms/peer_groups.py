"""Sessions that are treated alike, for products whose BGP has peer groups and route-maps by name."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import msgspec

from fabric.devices.model import Neighbor, Relation, Routing
from fabric.platforms.object_names import NameRule, object_name

GROUP_NAMES = NameRule("A-Za-z0-9_-", 50)
"""Of peer groups, whose names stand in those of route-maps and prefix lists too: NX-OS takes 63 characters there, and
no product that is known takes fewer."""
CONNECTED = "RM-CONNECTED"
FROM_ABOVE_MAP, FROM_BELOW_MAP, TO_ABOVE_MAP = "RM-FROM-ABOVE", "RM-FROM-BELOW", "RM-TO-ABOVE"
TO_BELOW_MAP = "RM-TO-BELOW"
"""Needed only while a switch is drained: else every route is advertised downstream as it is."""
GRACEFUL_SHUTDOWN = "GRACEFUL-SHUTDOWN"
"""The community list of routes of a neighbour that is being drained."""
MAPS = {
    Relation.UP: (FROM_ABOVE_MAP, TO_ABOVE_MAP),
    Relation.ACROSS: (FROM_ABOVE_MAP, TO_ABOVE_MAP),
    Relation.DOWN: (FROM_BELOW_MAP, ""),
}
"""Import and export route-map of each relation within the fabric."""


class Sessions(msgspec.Struct, gc=False):
    """Sessions of one peer group."""

    name: str
    relation: Relation
    sample: Neighbor
    families: set[int]
    import_map: str
    export_map: str


def protection(one: Neighbor) -> tuple[object, ...]:
    """What guards a session. Sessions of one group agree in it."""
    return one.password, one.bfd, one.ttl_security, one.max_prefixes


def by_bfd(one: Neighbor, routing: Routing) -> bool:
    """Whether BFD watches a session."""
    return one.bfd and routing.bfd_interval_ms is not None


def used_maps(groups: Iterable[Sessions]) -> frozenset[str]:
    """The route-maps that these groups and the redistribution of our own prefixes name: no other is printed."""
    return frozenset(
        {CONNECTED, *(name for group in groups for name in (group.import_map, group.export_map))}
    )


def group_name(one: Neighbor, word: str, routing: Routing, taken: Collection[str]) -> str:
    """The name of a new group: its relation, kind of session and, where it has settings of its own, its neighbour.

    With a number behind it where another group has it already.
    """
    name = one.relation.upper() + word
    if one.relation is Relation.EXTERNAL or one.password not in (None, routing.password):
        name += f"-{one.peer.upper()}"
    several = (name, *(f"{name}-{i}" for i in range(2, len(taken) + 3)))
    fitting = (object_name(one, GROUP_NAMES) for one in several)
    return next(candidate for candidate in fitting if candidate not in taken)


def joined(one: Neighbor, routing: Routing, groups: dict[object, Sessions]) -> Sessions:
    """The group of a session, made if it is new.

    One for each relation, kind of session and, outside the fabric, neighbour.
    """
    word = "-UNNUMBERED" if one.address is None else "-V6" if one.address.version == 6 else ""
    if one.relation is Relation.EXTERNAL:
        key: object = (one.peer, word, one.accept, one.advertise, *protection(one))
    else:
        key = (one.relation, word, *protection(one))
    group = groups.get(key)
    if group is None:
        group = groups[key] = _new(one, word, routing, groups)
    group.families.add(one.family)
    if one.address is None:
        group.families.add(4)
    return group


def _new(one: Neighbor, word: str, routing: Routing, groups: dict[object, Sessions]) -> Sessions:
    name = group_name(one, word, routing, {group.name for group in groups.values()})
    maps = MAPS.get(one.relation, (f"RM-{name}-IN", f"RM-{name}-OUT"))
    return Sessions(name, one.relation, one, set(), *maps)
