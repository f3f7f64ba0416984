"""Routing in FRR's words: frr.conf of the routing mode `split-unified`, and what frrcfgd's tables stand for.

Sources: FRR manual, chapters BGP, BFD and filtering; sonic-buildimage dockers/docker-fpm-frr/docker_init.sh @01d737d
(the lines about `fpm` are appended by SONiC itself where they are absent).

Valley-free: routes received from upstream or across are marked, and marked ones are not advertised upstream or across.
Every group has a map each way: FRR tells and takes nothing over eBGP without (RFC 8212).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fabric.devices.model import Routing, Switch
from fabric.devices.routing_model import PeerGroup, PolicyStyle, RoutingPolicy
from fabric.devices.routing_policy import routing_policy
from fabric.diagnostics import Report
from fabric.platforms.object_names import natural
from fabric.platforms.routing.ranges import RoutingRanges, out_of_range
from fabric.platforms.routing.route_maps import BY_DAEMON, RouteMaps, Words, group_name, route_maps
from fabric.platforms.sonic import codes
from fabric.platforms.sonic.model import Family, Frr
from fabric.platforms.sonic.modes import Mode, mode_of

TAKES = RoutingRanges("FRR on SONiC", max_paths=256)
"""What SONiC builds FRR with (sonic-buildimage src/sonic-frr: --enable-multipath)."""
IN_TABLES = PolicyStyle(group_name, drains_by_itself=True, deletes_communities=False)
"""frrcfgd's tables know no `comm-list delete`."""
WORDS = Words(prints_open=True)


def lower_frr(switch: Switch, report: Report, extra: tuple[str, ...] = ()) -> Frr:
    """Everything that FRR will run."""
    routing = switch.routing
    report.extend(out_of_range(switch, TAKES, codes.RANGE))
    made = policy(switch)
    return Frr(
        hostname=switch.name,
        asn=routing.asn,
        router_id=str(routing.router_id),
        keepalive_s=routing.keepalive_ms // 1000,
        hold_s=routing.hold_ms // 1000,
        max_paths=routing.max_paths,
        bfd=None if routing.bfd_interval_ms is None else (routing.bfd_interval_ms, routing.bfd_multiplier),
        groups=made.groups,
        sessions=tuple((one, group.name) for one, group in made.sessions),
        families=tuple(_families(made.groups, routing)),
        policies=route_maps(made, WORDS) if made.groups else RouteMaps((), (), ()),
        discards=routing.discards,
        drained=switch.drained,
        extra=extra,
    )


def policy(switch: Switch) -> RoutingPolicy:
    """The peer groups and their policies, as the routing mode can say them."""
    return routing_policy(switch, BY_DAEMON if mode_of(switch.release) is Mode.SPLIT else IN_TABLES)


def _families(groups: Sequence[PeerGroup], routing: Routing) -> Iterator[Family]:
    for version in (4, 6):
        active = tuple(group for group in groups if version in group.families)
        if active:
            told = tuple(sorted((str(p) for p in routing.aggregates if p.version == version), key=natural))
            yield Family(f"ipv{version}", told, active)
