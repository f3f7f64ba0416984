"""What changing one row of CONFIG_DB or one section of frr.conf does to traffic."""

from __future__ import annotations

from fabric.platforms.base import Block, BlockImpact, Impact

TABLES: dict[str, tuple[Impact, str]] = {
    "PORT": ("flap", "the port is set up anew"),
    "BREAKOUT_CFG": ("flap", "the ports of the cage are made anew"),
    "INTERFACE": ("flap", "its BGP session is built anew"),
    "VLAN": ("flap", "its hosts lose their gateway while it changes"),
    "VLAN_INTERFACE": ("flap", "its hosts lose their gateway while it changes"),
    "VLAN_MEMBER": ("flap", "the port changes its VLAN"),
    "LOOPBACK_INTERFACE": ("hitless", "only the route to the switch itself"),
    "SWITCH_HASH": ("hitless", "flows are spread anew"),
    "QUEUE": ("buffer", "the port's queues are set up anew"),
    "PORT_QOS_MAP": ("buffer", "the port's queues are set up anew"),
    "BUFFER_PG": ("buffer", "the port's buffers are set up anew"),
    "BUFFER_QUEUE": ("buffer", "the port's buffers are set up anew"),
    "CABLE_LENGTH": ("buffer", "headroom is computed anew"),
    "PFC_WD": ("buffer", "the watchdog starts anew"),
    "DEVICE_METADATA": ("reload", "read when the switch starts"),
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
}
"""Table to what changing a row of it does. A table that is not here: the whole switch."""

QUIET = frozenset(
    {
        "AAA",
        "BANNER_MESSAGE",
        "DEVICE_NEIGHBOR",
        "DEVICE_NEIGHBOR_METADATA",
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
        "SSH_SERVER",
        "SYSLOG_SERVER",
        "TACPLUS",
        "TACPLUS_SERVER",
        "DHCP_RELAY",
    }
)
"""Tables that carry no traffic of hosts."""

OF_A_PORT = frozenset(
    "PORT INTERFACE VLAN_MEMBER QUEUE PORT_QOS_MAP BUFFER_PG BUFFER_QUEUE PFC_WD BREAKOUT_CFG".split()  # noqa: SIM905
)


def block_impact(key: str, old: Block | None, new: Block | None) -> BlockImpact:
    """What the change of a block does; one of the two is None where it comes or goes."""
    if old is not None and new is not None and old.text == new.text:
        return BlockImpact("none")
    if key.startswith("frr "):
        return _frr_impact(key)
    table, _, row = key.partition("|")
    if table in QUIET:
        return BlockImpact("none", (), "no traffic of hosts")
    impact, reason = TABLES.get(table, ("reload", f"{table} may touch the whole switch"))
    ports = tuple(part for part in row.split("|") if part.startswith("Ethernet"))
    return BlockImpact(impact, ports if table in OF_A_PORT else (), reason)


def _frr_impact(key: str) -> BlockImpact:
    word = key.split()[1]
    if word == "router":
        return BlockImpact("flap", (), "BGP sessions may be built anew")
    if word in {"route-map", "ip", "ipv6", "bgp", "bfd"}:
        return BlockImpact("hitless", (), "routes are chosen anew")
    return BlockImpact("none", (), "no traffic of hosts")
