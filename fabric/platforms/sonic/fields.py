"""The tables and fields that the reader knows. What stands in neither list is reported, never dropped."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.platforms.sonic.tables import Book

FIELDS: dict[str, frozenset[str]] = {
    table: frozenset(fields.split())
    for table, fields in {
        "DEVICE_METADATA": "hostname type hwsku platform mac bgp_asn buffer_model docker_routing_config_mode "
        "frr_mgmt_framework_config default_pfcwd_status synchronous_mode bgp_router_id bgp_adv_lo_prefix_as_128",
        "PORT": "lanes speed index fec alias subport mtu admin_status description",
        "INTERFACE": "ipv6_use_link_local_only",
        "LOOPBACK_INTERFACE": "",
        "MGMT_INTERFACE": "gwaddr",
        "MGMT_PORT": "alias admin_status",
        "MGMT_VRF_CONFIG": "mgmtVrfEnabled",
        "VLAN": "vlanid mtu admin_status dhcp_servers",
        "VLAN_INTERFACE": "",
        "VLAN_MEMBER": "tagging_mode",
        "DHCP_RELAY": "dhcpv6_servers",
        "DEVICE_NEIGHBOR": "name port",
        "SWITCH_HASH": "ecmp_hash",
        "PORT_QOS_MAP": "dscp_to_tc_map tc_to_queue_map tc_to_pg_map pfc_to_queue_map pfc_to_pg_map pfc_enable "
        "pfcwd_sw_enable",
        "QUEUE": "scheduler wred_profile",
        "SCHEDULER": "type weight meter_type cir pir",
        "WRED_PROFILE": "ecn "
        + " ".join(
            f"wred_{c}_enable {c}_min_threshold {c}_max_threshold {c}_drop_probability"
            for c in ("green", "yellow", "red")
        ),
        "PFC_WD": "POLL_INTERVAL action detection_time restoration_time",
        "AAA": "login failthrough",
        "TACPLUS": "auth_type passkey",
        "TACPLUS_SERVER": "priority vrf",
        "NTP": "vrf src_intf",
        "NTP_SERVER": "association_type",
        "SYSLOG_SERVER": "vrf severity",
        "DNS_NAMESERVER": "",
        "DNS_OPTIONS": "search",
        "SSH_SERVER": "inactivity_timeout",
        "ACL_TABLE": "policy_desc type stage services",
        "ACL_RULE": "PRIORITY PACKET_ACTION SRC_IP SRC_IPV6 L4_DST_PORT",
        "GNMI": "port client_auth server_crt server_key ca_crt",
        "BANNER_MESSAGE": "state login",
        "SNMP": "Location Contact",
        "SNMP_USER": "SNMP_USER_TYPE SNMP_USER_PERMISSION SNMP_USER_AUTH_TYPE SNMP_USER_AUTH_PASSWORD "
        "SNMP_USER_ENCRYPTION_TYPE SNMP_USER_ENCRYPTION_PASSWORD",
        "BGP_GLOBALS": "local_asn router_id log_nbr_state_changes load_balance_mp_relax default_ipv4_unicast "
        "graceful_shutdown",
        "BGP_GLOBALS_AF": "max_ebgp_paths",
        "BGP_GLOBALS_AF_AGGREGATE_ADDR": "summary_only",
        "ROUTE_REDISTRIBUTE": "route_map",
        "STATIC_ROUTE": "blackhole distance",
        "BGP_PEER_GROUP": "keepalive holdtime bfd capability_ext_nexthop ttl_security_hops admin_status",
        "BGP_PEER_GROUP_AF": "admin_status route_map_in route_map_out allow_as_in allow_as_count "
        "max_prefix_limit",
        "BGP_NEIGHBOR": "asn peer_group_name name local_addr keepalive holdtime nhopself rrclient admin_status",
        "PREFIX_SET": "mode",
        "PREFIX": "action",
        "COMMUNITY_SET": "set_type match_action action community_member",
        "ROUTE_MAP_SET": "",
        "ROUTE_MAP": "route_operation match_prefix_set match_community set_community_inline",
    }.items()
}
"""Tables whose every field has a meaning here."""

ENTRIES = frozenset({"DSCP_TO_TC_MAP", "TC_TO_QUEUE_MAP", "MAP_PFC_PRIORITY_TO_QUEUE"})
"""Tables whose fields are numbers."""

BY_PORT = frozenset({"CABLE_LENGTH"})
"""Tables whose fields are ports."""

NOTED = frozenset(
    {
        "BREAKOUT_CFG",
        "BUFFER_PG",
        "BUFFER_POOL",
        "BUFFER_PORT_EGRESS_PROFILE_LIST",
        "BUFFER_PORT_INGRESS_PROFILE_LIST",
        "BUFFER_PROFILE",
        "BUFFER_QUEUE",
        "DEFAULT_LOSSLESS_BUFFER_PARAMETER",
        "DEVICE_NEIGHBOR_METADATA",
        "FEATURE",
        "FLEX_COUNTER_TABLE",
        "LOSSLESS_TRAFFIC_PATTERN",
        "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
        "SWITCH_TRIMMING",
        "TC_TO_PRIORITY_GROUP_MAP",
    }
)
"""Tables kept as they are: the neutral facts have no other word for them."""


def unknown(book: Book) -> Iterator[str]:
    """Every table and field that nothing here knows: `TABLE`, or `TABLE|key|field`."""
    for table in book.names:
        if table in FIELDS:
            known = FIELDS[table]
            for key, row in book.rows(table).items():
                yield from (f"{table}|{key}|{field}" for field in sorted(row.keys() - known))
        elif table in ENTRIES:
            for key, row in book.rows(table).items():
                yield from (f"{table}|{key}|{field}" for field in row if not field.isdecimal())
        elif table not in NOTED | BY_PORT:
            yield table
