"""`router bgp` as products with a frr.conf print it: neutral records, and what each address family has of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from fabric.devices.model import Neighbor, Routing
from fabric.devices.routing_model import PeerGroup
from fabric.platforms.object_names import natural
from fabric.platforms.routing.route_maps import RouteMaps


class Family(NamedTuple):
    """`address-family NAME unicast`."""

    name: str
    aggregates: tuple[str, ...]
    groups: tuple[PeerGroup, ...]


class Bgp(msgspec.Struct, frozen=True, kw_only=True):
    """EBGP, the policies that it uses, and the prefixes whose packets are dropped without a route of their own."""

    hostname: str
    routing: Routing
    timers_s: tuple[int, int]
    """Keepalive and hold time."""
    groups: tuple[PeerGroup, ...]
    sessions: tuple[tuple[Neighbor, str], ...]
    """With the names of their groups."""
    families: tuple[Family, ...]
    policies: RouteMaps
    drained: bool
    """Every route carries GRACEFUL_SHUTDOWN (RFC 8326), which FRR takes from others with local preference 0."""


def families(groups: Sequence[PeerGroup], routing: Routing) -> Iterator[Family]:
    """Those that a session carries."""
    for version in (4, 6):
        active = tuple(group for group in groups if version in group.families)
        if active:
            blocks = (str(prefix) for prefix in routing.aggregates if prefix.version == version)
            yield Family(f"ipv{version}", tuple(sorted(blocks, key=natural)), active)
