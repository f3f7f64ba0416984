"""Routing in FRR's words, under `frr defaults datacenter`: no line that only says a default.

Source: FRR manual (bgp, routemap, filter, bfd); each line was loaded into FRR 8.4.4, which shows it back as written.

Valley-free: routes received from upstream or across are marked, and marked ones are not advertised upstream or across.
"""

from __future__ import annotations

from fabric.devices.model import Neighbor, Routing, Switch
from fabric.devices.routing_policy import routing_policy
from fabric.platforms.frr.model import Defaults
from fabric.platforms.object_names import natural
from fabric.platforms.routing.route_maps import BY_DAEMON, Words, by_name, route_maps
from fabric.platforms.routing.vtysh_bgp import Bgp, families

PROFILE_TIMERS_S = (3, 9)
"""Keepalive and hold time of `frr defaults datacenter`; FRR does not show them."""
BFD_INTERVAL_MS, BFD_MULTIPLIER = 300, 3
"""FRR's own (manual, bfd); it does not show them."""
MOST_PATHS = 256
"""What FRR's packages are built for, and take without a line. Source: `bgpd --version` of Debian's and FRR's own."""
BARE_ALLOW_OWN = 3
"""`allowas-in` without a number; FRR shows it so."""


def lower_bgp(switch: Switch) -> Bgp:
    """EBGP and the policies that it uses."""
    routing, policy = switch.routing, routing_policy(switch, BY_DAEMON)
    groups = tuple(by_name(policy.groups))
    return Bgp(
        hostname=switch.name,
        routing=routing,
        timers_s=(routing.keepalive_s, routing.hold_s),
        groups=groups,
        sessions=tuple(
            (neighbor, group.name) for group in groups for neighbor in sorted(group.members, key=_place)
        ),
        families=tuple(families(groups, routing)),
        policies=route_maps(policy, Words()),
        drained=switch.drained,
    )


def _place(neighbor: Neighbor) -> tuple[tuple[int, int], list[str | int]]:
    """Interfaces by name, then addresses by number, IPv4 first: as FRR shows the peers of a group."""
    return neighbor.place, natural(neighbor.port)


def lower_defaults(routing: Routing) -> Defaults:
    """What is not a default of FRR."""
    timers = (routing.keepalive_s, routing.hold_s)
    own, interval_ms, multiplier = routing.allow_own_asn, routing.bfd_interval_ms, routing.bfd_multiplier
    return Defaults(
        timers="" if timers == PROFILE_TIMERS_S else f"{timers[0]} {timers[1]}",
        max_paths=None if routing.max_paths == MOST_PATHS else routing.max_paths,
        allow_own="" if own == BARE_ALLOW_OWN else f" {own}",
        bfd_multiplier=None if multiplier == BFD_MULTIPLIER else multiplier,
        bfd_interval_ms=None if interval_ms == BFD_INTERVAL_MS else interval_ms,
    )
