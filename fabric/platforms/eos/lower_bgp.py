"""Routing in EOS's words: `router bgp`, `route-map`, `ip prefix-list`, `ip community-list`.

Sources: Arista AVD 6.4 (`router_bgp`, `route_maps`, `prefix_lists`, `ip_community_lists`); `neighbor G password 0 KEY`:
arista.eos `eos_bgp_global` (encryption types 0 and 7); EOS stores it as type 7. GTSM: `neighbor G ttl maximum-hops 1`
(AVD `ttl_maximum_hops`; manrs.org's guide for EOS). `maximum-routes 0` is no limit (AVD).

Valley-free: routes received from upstream or across are marked, and marked ones are not advertised upstream or across.
Sessions to the outside neither take that mark in nor hand it out: `set community ... delete` (EOS manual, route maps;
annet, `rpl_generators/policy.py` @01883ba).
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import Switch
from fabric.devices.routing_model import Clause, PolicyStyle
from fabric.devices.routing_policy import routing_policy
from fabric.diagnostics import Report
from fabric.platforms.eos import codes
from fabric.platforms.eos.model import Bfd, Bgp
from fabric.platforms.object_names import natural
from fabric.platforms.routing.ranges import RoutingRanges, out_of_range
from fabric.platforms.routing.route_maps import RouteMaps, Words, by_name, group_name, route_maps

TAKES = RoutingRanges("Arista EOS", max_paths=600)
"""Arista AVD, `router_bgp.maximum_paths`."""
STYLE = PolicyStyle(group_name, graceful_shutdown="GSHUT")
"""`GSHUT` is EOS's word for 65535:0 (AVD, `ip_community_lists`)."""


def lower_bgp(switch: Switch, report: Report) -> tuple[Bgp, RouteMaps]:
    """EBGP and the policies that it uses."""
    routing = switch.routing
    report.extend(out_of_range(switch, TAKES, codes.RANGE))
    made = routing_policy(switch, STYLE)
    groups = by_name(made.groups)
    sessions = tuple(made.sessions)
    bgp = Bgp(
        routing.asn,
        str(routing.router_id),
        routing.keepalive_ms // 1000,
        routing.hold_ms // 1000,
        routing.max_paths,
        tuple(groups),
        tuple(sorted((pair for pair in sessions if pair[0].address), key=lambda pair: pair[0].place)),
        tuple(
            sorted((pair for pair in sessions if not pair[0].address), key=lambda pair: natural(pair[0].port))
        ),
        tuple(sorted((str(p) for p in routing.aggregates), key=natural)),
        any(gateway.arp_hosts for gateway in switch.gateways),
        tuple(
            (version, tuple(group for group in groups if version in group.families))
            for version in (4, 6)
            if any(version in group.families for group in groups)
        ),
    )
    return bgp, route_maps(made, WORDS)


def lower_bfd(switch: Switch) -> Bfd | None:
    """`router bfd`: the timers of all sessions."""
    interval = switch.routing.bfd_interval_ms
    return None if interval is None else Bfd(interval, switch.routing.bfd_multiplier)


def _sets(clause: Clause) -> Iterator[str]:
    """Of two `set community` in one clause, no source says what EOS makes: one replaces whatever the route carries."""
    if clause.add:
        yield f"community {clause.add.value}{'' if clause.delete else ' additive'}"
    elif clause.delete:
        yield f"community {clause.delete.value} delete"
    if clause.local_preference is not None:
        yield f"local-preference {clause.local_preference}"


WORDS = Words(_sets, deletes_by_list=False, knows_eq=True)
