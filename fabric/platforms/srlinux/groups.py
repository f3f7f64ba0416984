"""BGP groups: sessions that are treated alike, and the policies that they are treated by."""

from __future__ import annotations

import msgspec

from fabric.devices.model import Neighbor, Relation, Routing, Switch
from fabric.platforms.object_names import object_name
from fabric.platforms.peer_groups import GROUP_NAMES, protection

IPV4 = 4
IN_ABOVE, IN_BELOW, OUT_ABOVE, OUT_BELOW = "from-above", "from-below", "to-above", "to-below"
POLICIES = {
    Relation.UP: (IN_ABOVE, OUT_ABOVE),
    Relation.ACROSS: (IN_ABOVE, OUT_ABOVE),
    Relation.DOWN: (IN_BELOW, OUT_BELOW),
}
"""Import and export policy of each relation within the fabric."""


class Group(msgspec.Struct, gc=False):
    """Sessions that are treated alike."""

    name: str
    relation: Relation
    sample: Neighbor
    families: set[int]
    import_policy: str
    export_policy: str


def group_of(switch: Switch) -> tuple[list[Group], dict[str, Group]]:
    """The groups in the order of their first session, and the group of each session by its key."""
    groups: dict[object, Group] = {}
    found: dict[str, Group] = {}
    for one in switch.routing.neighbors:
        word = "-unnumbered" if one.address is None else "" if one.address.version == IPV4 else "-v6"
        key: object = (one.relation, word, protection(one))
        if one.relation is Relation.EXTERNAL:
            key = (one.peer, word, one.accept, one.advertise, protection(one))
        group = groups.get(key)
        if group is None:
            group = groups[key] = _new_group(one, word, switch.routing, list(groups.values()))
        group.families |= {one.family} if one.address is not None else {one.family, IPV4}
        found[one.key] = group
    return list(groups.values()), found


def _new_group(one: Neighbor, word: str, routing: Routing, others: list[Group]) -> Group:
    name = one.relation.value + word
    if one.relation is Relation.EXTERNAL or one.password not in (None, routing.password):
        name = object_name(f"{name}-{one.peer}-{len(others)}", GROUP_NAMES)
    elif name in {other.name for other in others}:
        name = f"{name}-{len(others)}"
    return Group(name, one.relation, one, set(), *POLICIES.get(one.relation, (f"{name}-in", f"{name}-out")))
