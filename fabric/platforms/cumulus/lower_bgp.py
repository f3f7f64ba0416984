"""Routing in NVUE's words: `router bgp`, `router policy`, `vrf default router bgp`.

Source: https://docs.nvidia.com/networking-ethernet-software/nvue-reference, Set-and-Unset-Commands, BGP and
Router-Policy (`match community-list`, `set community`, `set community-delete-list`, `set local-preference`, all since
5.0); the dialects by New and Changed NVUE Commands of Cumulus Linux 5.15.

Valley-free: routes received from upstream or across are marked, and marked ones are not advertised upstream or across.
`set community` replaces what a route carries, and FRR looks for GRACEFUL_SHUTDOWN (RFC 8326) after the route-map: a
rule before each one that marks keeps both communities of what carries it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from fabric.devices.model import Switch
from fabric.devices.routing_model import Clause, PolicyStyle, RoutingPolicy
from fabric.devices.routing_policy import routing_policy
from fabric.diagnostics import Report
from fabric.platforms.cumulus import codes
from fabric.platforms.cumulus.model import Bgp, Family, Neighbor, Policies
from fabric.platforms.cumulus.names import quoted
from fabric.platforms.object_names import natural
from fabric.platforms.routing.ranges import RoutingRanges, out_of_range
from fabric.platforms.routing.route_maps import Words, by_name, group_name, route_maps

TAKES = RoutingRanges("Cumulus Linux", max_paths=128)
"""Of `multipaths ebgp` (nvue-reference BGP.md)."""
STYLE = PolicyStyle(group_name, drains_by_itself=True, adding_replaces=True)


def lower_bgp(switch: Switch, report: Report) -> tuple[Bgp, Policies]:
    """EBGP and the policies that it uses."""
    routing = switch.routing
    report.extend(out_of_range(switch, TAKES, codes.RANGE))
    made = routing_policy(switch, STYLE)
    bgp = Bgp(
        asn=routing.asn,
        router_id=str(routing.router_id),
        keepalive=routing.keepalive_ms // 1000,
        hold=routing.hold_ms // 1000,
        bfd=routing.bfd_interval_ms or 0,
        multiplier=routing.bfd_multiplier,
        paths=routing.max_paths,
        families=tuple(_families(made, switch)),
        groups=tuple(by_name(made.groups)),
        neighbors=tuple(sorted(_neighbors(made), key=lambda one: natural(one.key))),
        drained=switch.drained,
    )
    maps = route_maps(made, Words(_communities))
    lists = sorted(maps.prefix_lists, key=lambda one: natural(one.name))
    by_map = groupby(maps.entries, key=lambda entry: entry.name)
    return bgp, Policies(
        tuple(lists), tuple((name, tuple(entries)) for name, entries in by_map), maps.communities
    )


def _neighbors(made: RoutingPolicy) -> Iterator[Neighbor]:
    for one, group in made.sessions:
        kind = "unnumbered" if group.unnumbered else "numbered"
        description = quoted(f"{one.peer} over {one.port}")
        yield Neighbor(one.key, group.name, one.remote_asn, kind, description)


def _families(made: RoutingPolicy, switch: Switch) -> Iterable[Family]:
    for version in made.active_families:
        aggregates = (str(p) for p in switch.routing.aggregates if p.version == version)
        yield Family(version, tuple(sorted(aggregates, key=natural)))


def _communities(clause: Clause) -> Iterator[str]:
    """They replace what a route carries: NVUE knows no `additive`."""
    if clause.add:
        yield clause.add.value
        if clause.community:
            yield clause.community.value
