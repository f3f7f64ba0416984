"""Routing in NX-OS's words: `router bgp`, `template peer`, `route-map`, `ip prefix-list`, `ip community-list`.

Sources: Ansible cisco.nxos (`bgp_global`, `bgp_neighbor_address_family`, `bgp_templates`, `prefix_lists`,
`route_maps`); Cisco Nexus 9000 Unicast Routing guide (neighbor by interface; `disable-peer-as-check`: NX-OS does not
tell a route to a neighbour whose AS number stands in its path; descriptions of at most 80 characters).

Valley-free: routes received from upstream or across are marked, and marked ones are not advertised upstream or across.
Each address family has route-maps of its own: a clause that matches IPv4 says nothing sure of an IPv6 route.
"""

from __future__ import annotations

from collections.abc import Iterable

from fabric.devices.model import Neighbor, Relation, Routing
from fabric.devices.routing_model import PeerGroup, Session
from fabric.platforms.object_names import NameRule, natural, object_name
from fabric.platforms.routing.route_maps import Words, by_name

DESCRIPTIONS = NameRule("A-Za-z0-9_-", 80)
WORDS = Words(knows_eq=True, by_family=True)
"""`set comm-list NAME delete`: Batfish, grammar/cisco_nxos: rms_comm_list."""


def lower_templates(groups: Iterable[PeerGroup], routing: Routing) -> tuple[tuple[PeerGroup, bool], ...]:
    """`template peer`, and whether its neighbours get routes of their own AS number."""
    return tuple((group, _repeats_asn(group, routing)) for group in by_name(groups))


def lower_neighbors(sessions: Iterable[Session]) -> tuple[tuple[Neighbor, str, str], ...]:
    """`neighbor`. Planning finds the port of one by the last word of its description."""
    named = {peer.key: (peer, group.name, _described(peer)) for peer, group in sessions}
    return tuple(named[key] for key in sorted(named, key=natural))


def _repeats_asn(group: PeerGroup, routing: Routing) -> bool:
    below = group.relation is Relation.DOWN and routing.peers_reuse_asn
    asns = [peer.remote_asn for peer in group.members]
    repeated = group.allow_own_asn > 0 or below or len(set(asns)) < len(asns)
    return repeated and not group.is_external


def _described(peer: Neighbor) -> str:
    return object_name(peer.peer, DESCRIPTIONS, suffix=f" over {peer.port}")
