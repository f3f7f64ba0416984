"""Routing in FRR's words, under `frr defaults datacenter`: no line that only says a default.

Source: FRR manual (bgp, routemap, filter, bfd); each line was loaded into FRR 8.4.4, which shows it back as written.

Valley-free: routes received from upstream or across are marked, and marked ones are not advertised upstream or across.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fabric.devices.model import Neighbor, Routing, Switch
from fabric.devices.routing_model import PeerGroup
from fabric.devices.routing_policy import routing_policy
from fabric.platforms.frr.model import Bfd, Bgp, Family
from fabric.platforms.object_names import natural
from fabric.platforms.routing.route_maps import BY_DAEMON, RouteMaps, Words, by_name, route_maps

PROFILE_TIMERS_S = (3, 9)
"""Keepalive and hold time of `frr defaults datacenter`; FRR does not show them."""
BFD_INTERVAL_MS, BFD_MULTIPLIER = 300, 3
"""FRR's own (manual, bfd); it does not show them."""
MOST_PATHS = 256
"""What FRR's packages are built for, and take without a line. Source: `bgpd --version` of Debian's and FRR's own."""
BARE_ALLOW_OWN = 3
"""`allowas-in` without a number; FRR shows it so."""


def lower_bgp(switch: Switch) -> tuple[Bgp, RouteMaps]:
    """EBGP and the policies that it uses."""
    routing = switch.routing
    made = routing_policy(switch, BY_DAEMON)
    groups = by_name(made.groups)
    timers = (routing.keepalive_ms // 1000, routing.hold_ms // 1000)
    bgp = Bgp(
        routing.asn,
        str(routing.router_id),
        "" if timers == PROFILE_TIMERS_S else f"{timers[0]} {timers[1]}",
        None if routing.max_paths == MOST_PATHS else routing.max_paths,
        tuple(groups),
        tuple((one, group.name) for group in groups for one in sorted(group.members, key=_by_name)),
        tuple(_families(routing, groups)),
        "" if routing.allow_own_asn == BARE_ALLOW_OWN else f" {routing.allow_own_asn}",
        switch.drained,
    )
    return bgp, route_maps(made, Words())


def _by_name(one: Neighbor) -> tuple[tuple[int, int], list[str | int]]:
    """Interfaces by name, then addresses by number, IPv4 first: as FRR shows the peers of a group."""
    return one.place, natural(one.port)


def lower_bfd(switch: Switch) -> Bfd | None:
    """`bfd` profile of all sessions."""
    routing = switch.routing
    if routing.bfd_interval_ms is None:
        return None
    multiplier, interval_ms = routing.bfd_multiplier, routing.bfd_interval_ms
    return Bfd(
        None if multiplier == BFD_MULTIPLIER else multiplier,
        None if interval_ms == BFD_INTERVAL_MS else interval_ms,
    )


def _families(routing: Routing, groups: Sequence[PeerGroup]) -> Iterator[Family]:
    for version in (4, 6):
        active = tuple(group for group in groups if version in group.families)
        if active:
            aggregates = sorted((str(p) for p in routing.aggregates if p.version == version), key=natural)
            yield Family(f"ipv{version}", tuple(aggregates), active)
