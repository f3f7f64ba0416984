"""What lines of an override may say beside ours on Arista EOS.

Sources: Arista EOS user manual, "Maintenance Mode", "Port Configuration", "BGP", "QoS", "Control Plane", "Static ARP",
"SNMP", "sFlow", "VRF", "Hardware counters"; the words of our own templates and reader.
"""

from __future__ import annotations

from fabric.platforms.overrides.rules import OverrideRules

HARMLESS = (
    "interface * load-interval",
    "interface * logging event",
    "interface * sflow enable",
    "interface * snmp trap",
    "router bgp * bgp log-neighbor-changes",
    "router bgp * vrf *",
    "hardware counter",
    "management console",
    "vrf instance *",
)
WHOLE = (
    "aaa",
    "arp",
    "boot",
    "control-plane",
    "enable",
    "environment",
    "errdisable",
    "hardware",
    "ip arp",
    "ip hardware",
    "ip icmp",
    "ip load-sharing",
    "ip routing",
    "ipv6 hardware",
    "ipv6 neighbor",
    "ipv6 unicast-routing",
    "lldp",
    "load-balance",
    "mac address-table",
    "maintenance",
    "management accounts",
    "management api",
    "management security",
    "management ssh",
    "mlag",
    "monitor loop-protection",
    "mpls",
    "ntp authenticate",
    "platform",
    "policy-map type copp",
    "port-channel load-balance",
    "power",
    "priority-flow-control",
    "qos",
    "queue-monitor",
    "redundancy",
    "router bfd",
    "router bgp * graceful-shutdown",
    "router bgp * vrf default",
    "router general",
    "router multicast",
    "router segment-security",
    "router traffic-engineering",
    "service",
    "spanning-tree",
    "storm-control",
    "switch",
    "system",
    "traffic-policies",
    "transceiver",
    "username",
)


def override_rules(_section: str) -> OverrideRules:
    """One kind of lines, whatever the block is called."""
    return OverrideRules(harmless=HARMLESS, whole=WHOLE)
