"""What changing one row of CONFIG_DB or one section of frr.conf does to traffic.

Sources: sonic-swss orchagent (which fields of a port need it down), sonic-utilities generic_config_updater
(`gcu_field_operation_validators.conf.json`: BUFFER_POOL changes on no platform). What is not known counts as the worst.
"""

from __future__ import annotations

import msgspec

from fabric.platforms.base import Block, BlockImpact, Impact, rank
from fabric.platforms.sonic.impact_frr import frr_impact
from fabric.platforms.sonic.lower_acl import LISTS

"""Mildest first."""

TABLES: dict[str, tuple[Impact, str]] = {
    "PORT": ("flap", "the port is set up anew"),
    "BREAKOUT_CFG": ("flap", "the ports of the cage are made anew"),
    "INTERFACE": ("flap", "its BGP session is built anew"),
    "VLAN": ("flap", "its hosts lose their gateway while it changes"),
    "VLAN_INTERFACE": ("flap", "its hosts lose their gateway while it changes"),
    "ACL_TABLE": ("flap", "a list of others may drop traffic of hosts"),
    "ACL_RULE": ("flap", "a list of others may drop traffic of hosts"),
    "VLAN_MEMBER": ("flap", "the port changes its VLAN"),
    "LOOPBACK_INTERFACE": ("hitless", "only the route to the switch itself"),
    "SWITCH_HASH": ("hitless", "flows are spread anew"),
    "SWITCH_TRIMMING": ("hitless", "only packets that would be dropped"),
    "QUEUE": ("buffer", "the port's queues are set up anew"),
    "PORT_QOS_MAP": ("buffer", "the port's queues are set up anew"),
    "BUFFER_PG": ("buffer", "the port's buffers are set up anew"),
    "BUFFER_QUEUE": ("buffer", "the port's buffers are set up anew"),
    "BUFFER_PORT_INGRESS_PROFILE_LIST": ("buffer", "the port's buffers are set up anew"),
    "BUFFER_PORT_EGRESS_PROFILE_LIST": ("buffer", "the port's buffers are set up anew"),
    "CABLE_LENGTH": ("buffer", "headroom is computed anew"),
    "PFC_WD": ("buffer", "the watchdog starts anew"),
    "BUFFER_POOL": ("reload", "pools are laid out when the switch starts"),
    "BUFFER_PROFILE": ("buffer", "buffers are set up anew"),
    "DEFAULT_LOSSLESS_BUFFER_PARAMETER": ("reload", "read when the switch starts"),
    "LOSSLESS_TRAFFIC_PATTERN": ("reload", "read when the switch starts"),
    "SCHEDULER": ("buffer", "queues are set up anew"),
    "WRED_PROFILE": ("buffer", "queues are set up anew"),
    "DSCP_TO_TC_MAP": ("buffer", "packets are classed anew"),
    "TC_TO_QUEUE_MAP": ("buffer", "packets are queued anew"),
    "TC_TO_PRIORITY_GROUP_MAP": ("buffer", "packets are queued anew"),
    "MAP_PFC_PRIORITY_TO_QUEUE": ("buffer", "packets are queued anew"),
    "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": ("buffer", "packets are queued anew"),
    "BGP_GLOBALS": ("flap", "all sessions are built anew"),
    "BGP_PEER_GROUP": ("flap", "the sessions of the group are built anew"),
    "BGP_NEIGHBOR": ("flap", "the session is built anew"),
    "BGP_GLOBALS_AF": ("hitless", "routes are chosen anew"),
    "BGP_GLOBALS_AF_AGGREGATE_ADDR": ("hitless", "routes are told anew"),
    "BGP_PEER_GROUP_AF": ("hitless", "routes are chosen anew"),
    "COMMUNITY_SET": ("hitless", "routes are chosen anew"),
    "PREFIX": ("hitless", "routes are chosen anew"),
    "PREFIX_SET": ("hitless", "routes are chosen anew"),
    "ROUTE_MAP": ("hitless", "routes are chosen anew"),
    "ROUTE_MAP_SET": ("hitless", "routes are chosen anew"),
    "ROUTE_REDISTRIBUTE": ("hitless", "routes are told anew"),
    "STATIC_ROUTE": ("hitless", "only these routes"),
}
"""Table to what changing a row of it does. A table that is not here: the whole switch."""

FIELDS: dict[tuple[str, str], tuple[Impact, str]] = {
    ("PORT", "description"): ("none", "text only"),
    ("PORT", "alias"): ("none", "text only"),
    ("PORT", "index"): ("none", "text only"),
    ("BGP_NEIGHBOR", "name"): ("none", "text only"),
    ("DEVICE_METADATA", "hostname"): ("hitless", "the name only"),
    ("DEVICE_METADATA", "default_pfcwd_status"): ("hitless", "read when ports start their watchdog"),
    ("DEVICE_METADATA", "bgp_asn"): ("flap", "all sessions are built anew"),
    ("DEVICE_METADATA", "bgp_router_id"): ("flap", "all sessions are built anew"),
    ("DEVICE_METADATA", "docker_routing_config_mode"): ("flap", "the container of BGP starts anew"),
    ("DEVICE_METADATA", "frr_mgmt_framework_config"): ("flap", "the container of BGP starts anew"),
    ("VLAN", "dhcp_servers"): ("hitless", "only address requests of hosts"),
}
"""Single fields that do something else than the rest of their row."""

QUIET = frozenset(
    {
        "AAA",
        "BANNER_MESSAGE",
        "DEVICE_NEIGHBOR",
        "DEVICE_NEIGHBOR_METADATA",
        "DHCP_RELAY",
        "DNS_NAMESERVER",
        "DNS_OPTIONS",
        "FEATURE",
        "FLEX_COUNTER_TABLE",
        "GNMI",
        "MGMT_INTERFACE",
        "MGMT_PORT",
        "MGMT_VRF_CONFIG",
        "NTP",
        "NTP_SERVER",
        "SNMP",
        "SNMP_USER",
        "SSH_SERVER",
        "SYSLOG_SERVER",
        "TACPLUS",
        "TACPLUS_SERVER",
    }
)
"""Tables that carry no traffic of hosts."""


def block_impact(key: str, old: Block | None, new: Block | None) -> BlockImpact:
    """What the change of a block does; one of the two is None where it comes or goes."""
    if old is not None and new is not None and old.text == new.text:
        return BlockImpact("none")
    if key.startswith("frr "):
        return frr_impact(key.removeprefix("frr "), old, new)
    table, _, row = key.partition("|")
    if table in QUIET or (table.startswith("ACL_") and row.startswith(LISTS)):
        return BlockImpact("none", (), "no traffic of hosts")
    impact, reason = _worst(table, _changed(old, new))
    if row.startswith("Vlan"):  # of a VLAN with all its ports
        ports = [row.partition("|")[2]] if table == "VLAN_MEMBER" else []
    else:
        ports = row.split("|")[:1] if row.startswith("Ethernet") else []
        ports += row.split("|")[1:2] if table == "BGP_NEIGHBOR" and "|Ethernet" in row else []
    if table == "CABLE_LENGTH":
        ports = [field for field in _changed(old, new) if field.startswith("Ethernet")]
    return BlockImpact(impact, tuple(ports), reason)


def _worst(table: str, fields: tuple[str, ...]) -> tuple[Impact, str]:
    whole = TABLES.get(table, ("reload", f"{table} may touch the whole switch"))
    found = [FIELDS.get((table, field), whole) for field in fields] or [whole]
    return max(found, key=lambda one: rank(one[0]))


def _changed(old: Block | None, new: Block | None) -> tuple[str, ...]:
    """The fields that differ; none if the whole row comes or goes."""
    if old is None or new is None:
        return ()
    try:
        before, after = (msgspec.json.decode(one.text, type=dict[str, object]) for one in (old, new))
    except msgspec.MsgspecError:
        return ()
    return tuple(sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name)))
