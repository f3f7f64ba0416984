"""What readers of products with route-maps must note of the policies of a switch."""

from __future__ import annotations

from fabric.platforms.route_maps import RouteMaps


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
