"""What lines of an override may say beside ours on Arista EOS.

Sources: Arista EOS user manual, "Maintenance Mode", "Port Configuration", "BGP", "QoS", "Control Plane", "Static ARP",
"SNMP", "sFlow", "VRF", "Hardware counters"; the words of our own templates and reader.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fabric.platforms.overrides.lines import EXECUTED, Fault, faults, paths
from fabric.platforms.overrides.rules import COMMON_HARMLESS, COMMON_WHOLE, OverrideRules

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
    *COMMON_HARMLESS,
    "interface * sflow enable",
    "router bgp * bgp log-neighbor-changes",
    "hardware counter",
    "management console",
    "vrf instance *",
)
WHOLE = (
    *COMMON_WHOLE,
    "arp",
    "boot",
    "enable",
    "environment",
    "ip hardware",
    "ip icmp",
    "ipv6 hardware",
    "ipv6 unicast-routing",
    "load-balance",
    "management accounts",
    "management api",
    "management security",
    "management ssh",
    "mlag",
    "monitor loop-protection",
    "ntp authenticate",
    "platform",
    "policy-map type copp",
    "queue-monitor",
    "redundancy",
    "router bfd",
    "router general",
    "router multicast",
    "router segment-security",
    "router traffic-engineering",
    "service",
    "storm-control",
    "switch",
    "traffic-policies",
    "transceiver",
)


def override_rules(_section: str) -> OverrideRules:
    """One kind of lines, whatever the block is called."""
    return OverrideRules(harmless=HARMLESS, whole=WHOLE)


def stray_lines(text: str) -> Iterator[Fault]:
    """Lines of an override that would do more than configure, and aliases that others would type for a command."""
    yield from faults(text, LEAVING, PROGRAMS)
    for number, path in paths(text):
        line = " ".join(path).casefold()
        words = line.split()
        if words[0] == "alias" and (SHELL.match(line) or (len(words) > 1 and words[1] in LEAVING)):
            hint = "remove the line, or choose another name"
            yield Fault(number, line, "run another command than the one that is typed", hint)
