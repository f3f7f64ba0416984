"""Routing in NX-OS's words: `router bgp`, `template peer`, `route-map`, `ip prefix-list`, `ip community-list`.

Sources: Ansible cisco.nxos (`bgp_global`, `bgp_neighbor_address_family`, `bgp_templates`, `prefix_lists`,
`route_maps`); Cisco Nexus 9000 Unicast Routing guide (neighbor by interface; `disable-peer-as-check`: NX-OS does not
tell a route to a neighbour whose AS number stands in its path; descriptions of at most 80 characters).

Valley-free: routes received from upstream or across are marked, and marked ones are not advertised upstream or across.
Each address family has route-maps of its own: a clause that matches IPv4 says nothing sure of an IPv6 route.
"""

from __future__ import annotations

from fabric.devices.model import Neighbor as Peer
from fabric.devices.model import Relation, Switch
from fabric.devices.routing_model import PeerGroup
from fabric.devices.routing_policy import routing_policy
from fabric.diagnostics import Report
from fabric.platforms.nxos import codes
from fabric.platforms.nxos.model import Bgp, Family, Neighbor, Template
from fabric.platforms.object_names import NameRule, natural, object_name
from fabric.platforms.routing.ranges import RoutingRanges, out_of_range
from fabric.platforms.routing.route_maps import BY_POLICY, SUFFIXES, RouteMaps, Words, by_name, route_maps

TAKES = RoutingRanges("Cisco NX-OS", max_paths=64, bfd_interval_ms=(50, 999))
DESCRIPTIONS = NameRule("A-Za-z0-9_-", 80)
WORDS = Words(knows_eq=True, by_family=True)
"""`set comm-list NAME delete`: Batfish, grammar/cisco_nxos: rms_comm_list."""


def lower_bgp(switch: Switch, report: Report) -> tuple[Bgp, RouteMaps]:
    """EBGP and the policies that it uses."""
    routing = switch.routing
    report.extend(out_of_range(switch, TAKES, codes.RANGE))
    made = routing_policy(switch, BY_POLICY)
    neighbors = {
        one.key: Neighbor(one.key, group.name, one.remote_asn, _described(one))
        for one, group in made.sessions
    }
    bgp = Bgp(
        routing.asn,
        str(routing.router_id),
        routing.keepalive_ms // 1000,
        routing.hold_ms // 1000,
        routing.max_paths,
        tuple(
            Family(
                version,
                SUFFIXES[version],
                tuple(sorted((str(p) for p in routing.aggregates if p.version == version), key=natural)),
            )
            for version in routing.families
        ),
        tuple(_template(group, switch) for group in by_name(made.groups)),
        tuple(neighbors[name] for name in sorted(neighbors, key=natural)),
    )
    return bgp, route_maps(made, WORDS)


def _template(group: PeerGroup, switch: Switch) -> Template:
    below = group.relation is Relation.DOWN and switch.routing.peers_reuse_asn
    asns = [one.remote_asn for one in group.members]
    repeated = group.allow_own_asn > 0 or below or len(set(asns)) < len(asns)
    families = tuple((version, SUFFIXES[version]) for version in group.families)
    return Template(group, families, repeated and not group.is_external)


def _described(one: Peer) -> str:
    """What is behind a session. Planning finds its port by the last word."""
    return object_name(one.peer, DESCRIPTIONS, suffix=f" over {one.port}")
