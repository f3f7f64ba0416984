"""What readers of products with route-maps must note of the policies of a switch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from fabric.devices.routing_model import PeerGroup
from fabric.platforms.routing.route_maps import SUFFIXES, RouteMaps


def policy_facts(maps: RouteMaps) -> dict[str, str]:
    """Route-maps and lists by name."""
    found = {one.name: [f"permit {one.value}"] for one in maps.communities}
    found |= {one.name: [text for _, text in one.entries] for one in maps.prefix_lists}
    for entry in maps.entries:
        said = (
            entry.action,
            *(f"match {one}" for one in entry.matches),
            *(f"set {one}" for one in entry.sets),
        )
        found.setdefault(entry.name, []).extend(f"{entry.sequence} {text}" for text in said)
    return {name: "; ".join(lines) for name, lines in found.items()}


def group_facts(
    groups: Iterable[PeerGroup],
    own: Callable[[PeerGroup], Iterable[str]],
    kind: str = "group",
    *,
    prints_open: bool = False,
    by_family: bool = False,
) -> dict[str, str]:
    """Peer groups by name: their route-maps in each address family, and what a product says besides (`own`)."""
    found = {}
    for group in groups:
        lines = [*own(group)]
        for version in group.families:
            suffix = SUFFIXES[version] if by_family else ""
            lines.append(f"ipv{version} route-map RM-{group.import_policy.name}{suffix} in")
            if prints_open or not group.export_policy.is_open:
                lines.append(f"ipv{version} route-map RM-{group.export_policy.name}{suffix} out")
        found[f"{kind} {group.name}"] = "; ".join(sorted(lines))
    return found


def in_families(group: PeerGroup, *texts: str) -> Iterator[str]:
    """Settings that stand in each address family of a group."""
    yield from (f"ipv{version} {text}" for version in group.families for text in texts)
