"""Routing in NVUE's words: `router bgp`, `router policy`, `vrf default router bgp`.

Source: https://docs.nvidia.com/networking-ethernet-software/nvue-reference, Set-and-Unset-Commands, BGP and
Router-Policy (`match community-list`, `set community`, `set community-delete-list`, `set local-preference`, all since
5.0); the dialects by New and Changed NVUE Commands of Cumulus Linux 5.15.

Valley-free: routes received from upstream or across are marked, and marked ones are not advertised upstream or across.
`set community` replaces what a route carries, and FRR looks for GRACEFUL_SHUTDOWN (RFC 8326) after the route-map: a
rule before each one that marks keeps both communities of what carries it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from fabric.devices.routing_model import Clause, PolicyStyle, RoutingPolicy, Session
from fabric.platforms.cumulus.model import Policies
from fabric.platforms.object_names import natural
from fabric.platforms.routing.route_maps import Words, group_name, route_maps

STYLE = PolicyStyle(group_name, drains_by_itself=True, adding_replaces=True)


def lower_policies(policy: RoutingPolicy) -> Policies:
    """The route-maps of the peer groups, with the lists that they match."""
    maps = route_maps(policy, Words(_communities))
    by_map = groupby(maps.entries, key=lambda entry: entry.name)
    return Policies(
        tuple(sorted(maps.prefix_lists, key=lambda prefixes: natural(prefixes.name))),
        tuple((name, tuple(entries)) for name, entries in by_map),
        maps.communities,
    )


def lower_sessions(policy: RoutingPolicy) -> tuple[Session, ...]:
    """The neighbours with their groups, by what they are called."""
    return tuple(sorted(policy.sessions, key=lambda session: natural(session[0].key)))


def _communities(clause: Clause) -> Iterator[str]:
    """They replace what a route carries: NVUE knows no `additive`."""
    if clause.add:
        yield clause.add.value
        if clause.community:
            yield clause.community.value
