"""Routing in FRR's words: frr.conf of the routing mode `split-unified`, and what frrcfgd's tables stand for.

Sources: FRR manual, chapters BGP, BFD and filtering; sonic-buildimage dockers/docker-fpm-frr/docker_init.sh @01d737d
(the lines about `fpm` are appended by SONiC itself where they are absent).

Valley-free: routes received from upstream or across are marked, and marked ones are not advertised upstream or across.
Every group has a map each way: FRR tells and takes nothing over eBGP without (RFC 8212).
"""

from __future__ import annotations

from fabric.devices.model import Switch
from fabric.devices.routing_model import PolicyStyle, RoutingPolicy
from fabric.devices.routing_policy import routing_policy
from fabric.platforms.routing.route_maps import BY_DAEMON, RouteMaps, Words, group_name, route_maps
from fabric.platforms.routing.vtysh_bgp import Bgp, families
from fabric.platforms.sonic.modes import Mode, mode_of

IN_TABLES = PolicyStyle(group_name, drains_by_itself=True, deletes_communities=False)
"""frrcfgd's tables know no `comm-list delete`."""
WORDS = Words(prints_open=True)


def lower_frr(switch: Switch) -> Bgp:
    """Everything that FRR will run."""
    routing, rules = switch.routing, policy(switch)
    return Bgp(
        hostname=switch.name,
        routing=routing,
        timers_s=(routing.keepalive_s, routing.hold_s),
        groups=rules.groups,
        sessions=tuple((neighbor, group.name) for neighbor, group in rules.sessions),
        families=tuple(families(rules.groups, routing)),
        policies=route_maps(rules, WORDS) if rules.groups else RouteMaps((), (), ()),
        drained=switch.drained,
    )


def policy(switch: Switch) -> RoutingPolicy:
    """The peer groups and their policies, as the routing mode can say them."""
    return routing_policy(switch, BY_DAEMON if mode_of(switch.release) is Mode.SPLIT else IN_TABLES)
