"""Routing in EOS's words: `router bgp`, `route-map`, `ip prefix-list`, `ip community-list`.

Sources: Arista AVD 6.4 (`router_bgp`, `route_maps`, `prefix_lists`, `ip_community_lists`); `neighbor G password 0 KEY`:
arista.eos `eos_bgp_global` (encryption types 0 and 7); EOS stores it as type 7. GTSM: `neighbor G ttl maximum-hops 1`
(AVD `ttl_maximum_hops`; manrs.org's guide for EOS). `maximum-routes 0` is not a limit (AVD).

Valley-free: routes received from upstream or across are marked, and marked ones are not advertised upstream or across.
Sessions to the outside neither take that mark in nor hand it out: `set community ... delete` (EOS manual, route maps;
annet, `rpl_generators/policy.py` @01883ba).
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import Switch
from fabric.devices.routing_model import Clause, PolicyStyle, RoutingPolicy
from fabric.platforms.eos.model import Bgp, StaticRoutes
from fabric.platforms.object_names import natural
from fabric.platforms.routing import route_maps
from fabric.platforms.routing.route_maps import Words, by_name, group_name

STYLE = PolicyStyle(group_name, graceful_shutdown="GSHUT")
"""`GSHUT` is EOS's word for 65535:0 (AVD, `ip_community_lists`)."""
DEFAULTS = {4: "0.0.0.0/0", 6: "::/0"}


def lower_bgp(switch: Switch, policy: RoutingPolicy) -> Bgp:
    """EBGP: sessions by address, and those over interfaces by name."""
    routing, groups = switch.routing, tuple(by_name(policy.groups))
    sessions = tuple(policy.sessions)
    numbered = (session for session in sessions if session[0].address)
    unnumbered = (session for session in sessions if not session[0].address)
    return Bgp(
        routing=routing,
        aggregates=tuple(sorted(map(str, routing.aggregates), key=natural)),
        has_host_routes=any(gateway.arp_hosts for gateway in switch.gateways),
        groups=groups,
        neighbors=tuple(sorted(numbered, key=lambda session: session[0].place)),
        unnumbered=tuple(sorted(unnumbered, key=lambda session: natural(session[0].port))),
        families=tuple(
            (version, active)
            for version in DEFAULTS
            if (active := tuple(group for group in groups if version in group.families))
        ),
    )


def lower_static_routes(switch: Switch) -> tuple[StaticRoutes, ...]:
    """To the management gateway, and those that drop packets."""
    gateway = switch.management.gateway
    routes = (
        StaticRoutes(
            route_maps.WORDS[version],
            tuple(prefix for prefix in switch.routing.discards if prefix.version == version),
            default,
            gateway if gateway and gateway.version == version else None,
        )
        for version, default in DEFAULTS.items()
    )
    return tuple(family for family in routes if family.discards or family.gateway)


def _sets(clause: Clause) -> Iterator[str]:
    """Of two `set community` in one clause, no source says what EOS makes: one replaces whatever the route carries."""
    if clause.add:
        yield f"community {clause.add.value}{'' if clause.delete else ' additive'}"
    elif clause.delete:
        yield f"community {clause.delete.value} delete"
    if clause.local_preference is not None:
        yield f"local-preference {clause.local_preference}"


WORDS = Words(_sets, deletes_by_list=False, knows_eq=True)
