"""The devices of a site as a tree: networks, tiers, planes, pods, units. Each level is made when asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from fabric.exports.network_view import View
from fabric.topology.roles import NONE, Role

TIERS = {
    Role.LEAF: "leaves",
    Role.SPINE: "spines",
    Role.SUPERSPINE: "superspines",
    Role.HOST: "hosts",
    Role.ATTACHMENT: "attachments",
}
LEVELS = (("plane", "planes"), ("pod", "pods"), ("unit", "units"))
"""What a tier is divided by, where there are several: a column of the topology, and its plural."""
MOST = 200
"""Devices below one node of the tree: more are divided by their order."""


@dataclass(frozen=True)
class Group:
    """Some devices of a site."""

    label: str
    view: View | None = None
    """None: the site, or devices that no network's topology has."""
    nodes: Sequence[int] = ()
    """Of the topology."""
    parts: tuple[Group, ...] = ()
    """Its divisions where they are known already."""
    others: tuple[str, ...] = ()
    """Devices without a node in the topology: subnet managers."""
    level: int = field(default=0, repr=False)
    """The first of LEVELS that it may be divided by."""

    @property
    def names(self) -> Iterator[str]:
        """All its devices and hosts."""
        for part in self.parts:
            yield from part.names
        if self.view is not None and not self.parts:
            names = self.view.topology.names
            yield from (names[node] for node in self.nodes)
        yield from self.others

    def has(self, name: str) -> bool:
        """Whether a device is one of them."""
        return any(own == name for own in self.names)


def site_group(site: str, views: Sequence[View], others: Sequence[str]) -> Group:
    """The whole site."""
    parts = [network_group(view) for view in views]
    if others:
        parts.append(Group("subnet managers", others=tuple(others)))
    return Group(site, parts=tuple(parts))


def network_group(view: View) -> Group:
    """One network, by tiers."""
    starts = view.topology.role_start
    tiers = [_tier(view, role, nodes) for role, nodes in starts.items() if nodes]
    return Group(view.topology.name, view, parts=tuple(tiers))


def _tier(view: View, role: Role, nodes: Sequence[int]) -> Group:
    return Group(f"{view.tier_name(role) or TIERS[role]} ({len(nodes):,})", view, nodes)


def divisions(group: Group) -> tuple[Group, ...]:
    """What is directly below a group; empty if that is its devices."""
    if group.parts or group.view is None:
        return group.parts
    for level in range(group.level, len(LEVELS)):
        found = _divided(group, group.view, level)
        if len(found) > 1:
            return found
    return _chunks(group, group.view) if len(group.nodes) > MOST else ()


def _divided(group: Group, view: View, level: int) -> tuple[Group, ...]:
    word, plural = LEVELS[level]
    column = getattr(view.topology, word)
    found: dict[int, list[int]] = {}
    for node in group.nodes:
        found.setdefault(column[node], []).append(node)
    return tuple(
        Group(f"all {plural}" if value == NONE else f"{word} {value}", view, nodes, level=level + 1)
        for value, nodes in sorted(found.items())
    )


def _chunks(group: Group, view: View) -> tuple[Group, ...]:
    names = view.topology.names
    parts = [group.nodes[at : at + MOST] for at in range(0, len(group.nodes), MOST)]
    return tuple(
        Group(f"{names[part[0]]} to {names[part[-1]]}", view, part, level=len(LEVELS)) for part in parts
    )
