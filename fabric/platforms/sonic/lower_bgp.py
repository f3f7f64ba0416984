"""BGP as tables of CONFIG_DB, for the daemons that make frr.conf themselves.

Sources: sonic-bgp-*.yang, sonic-route-map.yang, sonic-routing-policy-sets.yang, sonic-route-common.yang,
sonic-static-route.yang (with frrcfgd.py, IpNextHop: a blackhole needs no next hop), and the templates named in `modes`.
"""

from __future__ import annotations

from fabric.devices.addresses import IpInterface
from fabric.devices.model import DISCARD_DISTANCE, Neighbor, PrefixRange, Switch
from fabric.devices.routing_model import PeerGroup
from fabric.platforms.routing.route_maps import Entry, RouteMaps
from fabric.platforms.routing.vtysh_bgp import Bgp, Family
from fabric.platforms.sonic.model import Row, Rows, Tables

VRF = "default"


def frrcfgd_tables(bgp: Bgp) -> Tables:
    """Everything that frrcfgd makes frr.conf of."""
    return {
        "BGP_GLOBALS": {VRF: _globals(bgp)},
        "BGP_GLOBALS_AF": {
            f"{VRF}|{family.name}_unicast": {"max_ebgp_paths": str(bgp.routing.max_paths)}
            for family in bgp.families
        },
        "BGP_GLOBALS_AF_AGGREGATE_ADDR": {
            f"{VRF}|{family.name}_unicast|{prefix}": {"summary_only": "true"}
            for family in bgp.families
            for prefix in family.aggregates
        },
        "ROUTE_REDISTRIBUTE": {
            f"{VRF}|connected|bgp|{family.name}": {"route_map": ["RM-CONNECTED"]} for family in bgp.families
        },
        "BGP_PEER_GROUP": {f"{VRF}|{group.name}": _group(group, bgp) for group in bgp.groups},
        "BGP_PEER_GROUP_AF": {key: row for family in bgp.families for key, row in _active(family).items()},
        "BGP_NEIGHBOR": {
            f"{VRF}|{neighbor.key}": {
                "asn": str(neighbor.remote_asn),
                "peer_group_name": group,
                "name": f"{neighbor.peer} over {neighbor.port}",
            }
            for neighbor, group in bgp.sessions
        },
        **_policies(bgp.policies),
        "STATIC_ROUTE": {
            f"{VRF}|{prefix}": {"blackhole": "true", "distance": str(DISCARD_DISTANCE)}
            for prefix in bgp.routing.discards
        },
    }


def bgpcfgd_rows(switch: Switch) -> Rows:
    """BGP_NEIGHBOR as bgpcfgd takes it: one row an address, everything else is SONiC's own policy."""
    routing = switch.routing
    timers = {"keepalive": str(routing.keepalive_ms // 1000), "holdtime": str(routing.hold_ms // 1000)}
    status = "down" if switch.shuts_sessions else "up"
    ours = {port.name: port.addresses for port in switch.ports}
    return {
        str(neighbor.address): {
            "asn": str(neighbor.remote_asn),
            "name": neighbor.peer,
            "local_addr": _beside(neighbor, ours.get(neighbor.port, ())),
            **timers,
            "nhopself": "0",
            "rrclient": "0",
            "admin_status": status,
        }
        for neighbor in routing.neighbors
    }


def _beside(neighbor: Neighbor, ours: tuple[IpInterface, ...]) -> str:
    """Our address on the neighbour's link."""
    return next((str(address.ip) for address in ours if address.version == neighbor.family), "")


def _globals(bgp: Bgp) -> Row:
    return {
        "local_asn": str(bgp.routing.asn),
        "router_id": str(bgp.routing.router_id),
        "log_nbr_state_changes": "true",
        "load_balance_mp_relax": "true",
        "default_ipv4_unicast": "false",
        **({"graceful_shutdown": "true"} if bgp.drained else {}),
    }


def _group(group: PeerGroup, bgp: Bgp) -> Row:
    row: Row = {"keepalive": str(bgp.timers_s[0]), "holdtime": str(bgp.timers_s[1])}
    if group.bfd:
        row["bfd"] = "true"
    if group.unnumbered:
        row["capability_ext_nexthop"] = "true"
    if group.ttl_security:
        row["ttl_security_hops"] = "1"
    row["admin_status"] = "down" if group.shut else "up"
    return row


def _active(family: Family) -> Rows:
    rows: Rows = {}
    for group in family.groups:
        row: Row = {
            "admin_status": "up",
            "route_map_in": [f"RM-{group.import_policy.name}"],
            "route_map_out": [f"RM-{group.export_policy.name}"],
        }
        if group.allow_own_asn:
            row |= {"allow_as_in": "true", "allow_as_count": str(group.allow_own_asn)}
        if group.max_prefixes:
            row["max_prefix_limit"] = str(group.max_prefixes)
        rows[f"{VRF}|{group.name}|{family.name}_unicast"] = row
    return rows


def _policies(policies: RouteMaps) -> Tables:
    return {
        "PREFIX_SET": {
            prefixes.name: {"mode": f"IPv{prefixes.version}"} for prefixes in policies.prefix_lists
        },
        "PREFIX": {
            f"{prefixes.name}|{sequence}|{_lengths(entry)}": {"action": "permit"}
            for prefixes in policies.prefix_lists
            for sequence, entry in prefixes.numbered
        },
        "ROUTE_MAP_SET": {entry.name: {} for entry in policies.entries},
        "ROUTE_MAP": {f"{entry.name}|{entry.sequence}": _clause(entry) for entry in policies.entries},
        "COMMUNITY_SET": {
            community.name: {
                "set_type": "STANDARD",
                "match_action": "ANY",
                "action": "permit",
                "community_member": [community.value],
            }
            for community in policies.communities
        },
    }


def _lengths(entry: PrefixRange) -> str:
    return f"{entry.prefix}|" + ("exact" if entry.is_exact else f"{entry.shortest}..{entry.longest}")


def _clause(entry: Entry) -> Row:
    row: Row = {"route_operation": entry.action}
    if entry.version:
        row["match_prefix_set"] = entry.prefix_list
    if entry.clause.community:
        row["match_community"] = entry.clause.community.name
    if entry.clause.add:
        row["set_community_inline"] = [entry.clause.add.value, "additive"]
    return row
