"""What lines of an override may say beside ours on Arista EOS.

Sources: Arista EOS user manual, "Maintenance Mode", "Port Configuration", "BGP", "QoS", "Control Plane", "Static ARP",
"SNMP", "sFlow", "VRF", "Hardware counters"; the words of our own templates and reader.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fabric.platforms.overrides.lines import EXECUTED, Fault, faults, paths
from fabric.platforms.overrides.rules import OverrideRules

LEAVING = EXECUTED | {"abort", "bash", "boot", "commit", "watch", "zerotouch"}
"""First words of lines that would leave the configure session, or do more than configure."""
PROGRAMS = (
    ("agent",),
    ("container",),
    ("container-manager",),
    ("daemon",),
    ("event-handler",),
    ("interface", "defaults"),
    ("management", "tech-support"),
    ("schedule",),
    ("transceiver", "qsfp", "default-mode"),
    ("virtual-machine",),
)
"""What runs programs, or acts on ports and processes of ours without naming them. Source: Arista EOS user manual,
"Event Manager", "CLI Scheduler", "Daemons", "Interface defaults"."""
SHELL = re.compile(r"^alias\s.*\bbash\b")
"""An alias is typed by people; one that opens a shell is a program under another name."""
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


def stray_lines(text: str) -> Iterator[Fault]:
    """Lines of an override that would do more than configure, and aliases that others would type for a command."""
    yield from faults(text, LEAVING, PROGRAMS)
    for number, path in paths(text):
        line = " ".join(path)
        words = line.split()
        if words[0] == "alias" and (SHELL.match(line) or (len(words) > 1 and words[1] in LEAVING)):
            hint = "remove the line, or choose another name"
            yield Fault(number, line, "run another command than the one that is typed", hint)
