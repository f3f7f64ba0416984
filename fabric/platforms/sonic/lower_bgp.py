"""BGP as tables of CONFIG_DB, for the daemons that make frr.conf themselves.

Sources: sonic-bgp-*.yang, sonic-route-map.yang, sonic-routing-policy-sets.yang, sonic-route-common.yang,
sonic-static-route.yang (with frrcfgd.py, IpNextHop: a blackhole needs no next hop), and the templates named in `modes`.
"""

from __future__ import annotations

from fabric.devices.addresses import IpInterface
from fabric.devices.model import Neighbor, Switch
from fabric.platforms.sonic.model import Clause, Family, Frr, Group, Row, Rows, Tables

VRF = "default"
MODES = {"ip": "IPv4", "ipv6": "IPv6"}


def frrcfgd_tables(frr: Frr) -> Tables:
    """Everything that frrcfgd makes frr.conf of."""
    return {
        "BGP_GLOBALS": {VRF: _globals(frr)},
        "BGP_GLOBALS_AF": {
            f"{VRF}|{family.name}_unicast": {"max_ebgp_paths": str(frr.max_paths)} for family in frr.families
        },
        "BGP_GLOBALS_AF_AGGREGATE_ADDR": {
            f"{VRF}|{family.name}_unicast|{prefix}": {"summary_only": "true"}
            for family in frr.families
            for prefix in family.aggregates
        },
        "ROUTE_REDISTRIBUTE": {
            f"{VRF}|connected|bgp|{family.name}": {"route_map": ["RM-CONNECTED"]} for family in frr.families
        },
        "BGP_PEER_GROUP": {f"{VRF}|{group.name}": _group(group, frr) for group in frr.groups},
        "BGP_PEER_GROUP_AF": {key: row for family in frr.families for key, row in _active(family).items()},
        "BGP_NEIGHBOR": {
            f"{VRF}|{one.key}": {
                "asn": str(one.remote_asn),
                "peer_group_name": one.group,
                "name": one.description,
            }
            for one in frr.sessions
        },
        **_policies(frr),
        "STATIC_ROUTE": {
            f"{VRF}|{prefix}": {"blackhole": "true", "distance": str(frr.discard_distance)}
            for prefix in frr.discards
        },
    }


def bgpcfgd_rows(switch: Switch) -> Rows:
    """BGP_NEIGHBOR as bgpcfgd takes it: one row an address, everything else is SONiC's own policy."""
    routing = switch.routing
    timers = {"keepalive": str(routing.keepalive_ms // 1000), "holdtime": str(routing.hold_ms // 1000)}
    status = "down" if switch.shuts_sessions else "up"
    ours = {port.name: port.addresses for port in switch.ports}
    return {
        str(one.address): {
            "asn": str(one.remote_asn),
            "name": one.peer,
            "local_addr": _beside(one, ours.get(one.port, ())),
            **timers,
            "nhopself": "0",
            "rrclient": "0",
            "admin_status": status,
        }
        for one in routing.neighbors
    }


def _beside(neighbor: Neighbor, ours: tuple[IpInterface, ...]) -> str:
    """Our address on the neighbour's link."""
    return next((str(one.ip) for one in ours if one.version == neighbor.family), "")


def _globals(frr: Frr) -> Row:
    return {
        "local_asn": str(frr.asn),
        "router_id": frr.router_id,
        "log_nbr_state_changes": "true",
        "load_balance_mp_relax": "true",
        "default_ipv4_unicast": "false",
        **({"graceful_shutdown": "true"} if frr.drained else {}),
    }


def _group(group: Group, frr: Frr) -> Row:
    row: Row = {"keepalive": str(frr.keepalive_s), "holdtime": str(frr.hold_s)}
    if group.bfd:
        row["bfd"] = "true"
    if group.over_link_local:
        row["capability_ext_nexthop"] = "true"
    if group.ttl_security:
        row["ttl_security_hops"] = "1"
    row["admin_status"] = "down" if group.shutdown else "up"
    return row


def _active(family: Family) -> Rows:
    rows: Rows = {}
    for group in family.groups:
        row: Row = {
            "admin_status": "up",
            "route_map_in": [group.import_map],
            "route_map_out": [group.export_map],
        }
        if group.allow_own_asn:
            row |= {"allow_as_in": "true", "allow_as_count": str(group.allow_own_asn)}
        if group.max_prefixes:
            row["max_prefix_limit"] = str(group.max_prefixes)
        rows[f"{VRF}|{group.name}|{family.name}_unicast"] = row
    return rows


def _policies(frr: Frr) -> Tables:
    found: Tables = {
        "PREFIX_SET": {entry.name: {"mode": MODES[entry.word]} for entry in frr.prefix_entries},
        "PREFIX": {
            f"{entry.name}|{entry.sequence}|{entry.prefix}|"
            + ("exact" if entry.longest == entry.length else f"{entry.shortest}..{entry.longest}"): {
                "action": "permit"
            }
            for entry in frr.prefix_entries
        },
        "ROUTE_MAP_SET": {clause.name: {} for clause in frr.clauses},
        "ROUTE_MAP": {f"{clause.name}|{clause.sequence}": _clause(clause) for clause in frr.clauses},
    }
    if frr.community:
        row: Row = {
            "set_type": "STANDARD",
            "match_action": "ANY",
            "action": "permit",
            "community_member": [frr.community],
        }
        found["COMMUNITY_SET"] = {"FROM-ABOVE": row}
    return found


def _clause(clause: Clause) -> Row:
    row: Row = {"route_operation": clause.action}
    if clause.prefix_list:
        row["match_prefix_set"] = clause.prefix_list
    if clause.community:
        row["match_community"] = clause.community
    if clause.mark:
        row["set_community_inline"] = [clause.mark, "additive"]
    return row
