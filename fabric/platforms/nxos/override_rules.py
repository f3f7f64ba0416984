"""What lines of an override may say beside ours on Cisco NX-OS.

Sources: Cisco Nexus 9000 Series NX-OS configuration guides: system management ("Graceful Insertion and Removal":
`system mode maintenance`, `isolate`), interfaces, unicast routing, QoS, security ("Control Plane Policing").
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.platforms.overrides.lines import EXECUTED, Fault, faults
from fabric.platforms.overrides.rules import COMMON_HARMLESS, COMMON_WHOLE, OverrideRules

LEAVING = EXECUTED | {
    "abort",
    "attach",
    "boot",
    "checkpoint",
    "commit",
    "guestshell",
    "python",
    "run",
    "run-script",
    "tclsh",
}
"""First words of lines that would do more than configure."""
PROGRAMS = (
    ("app-hosting",),
    ("cli", "alias"),
    ("event", "manager"),
    ("feature", "scheduler"),
    ("scheduler",),
    ("system", "default"),
    ("system", "jumbomtu"),
    ("virtual-service",),
)
"""What runs commands, or acts on ports of ours without naming them. Source: Cisco Nexus 9000 Series NX-OS system
management guide, "Scheduler", "Embedded Event Manager"; fundamentals guide, "Command aliases"."""
HARMLESS = (
    *COMMON_HARMLESS,
    "feature eigrp",
    "feature hsrp",
    "feature isis",
    "feature lacp",
    "feature ospf",
    "feature ospfv3",
    "feature pim",
    "feature ptp",
    "feature sflow",
    "feature udld",
    "feature vrrp",
    "router bgp * log-neighbor-changes",
    "vrf context *",
)
WHOLE = (
    *COMMON_WHOLE,
    "bfd",
    "class-map type control-plane",
    "configure",
    "copp",
    "fabric",
    "feature",  # of servers and programs; those that need further lines are harmless
    "fex",
    "forwarding",
    "install",
    "interface breakout",
    "ip adjacency",
    "ip ssh",
    "ip tcp",
    "isolate",
    "license",
    "limit-resource",
    "line",
    "policy-map type control-plane",
    "policy-map type network-qos",
    "nxapi",
    "router bgp * isolate",
    "slot",
    "ssh",
    "switching-mode",
    "vdc",
    "vpc",
    "vrf context default",
)


def override_rules(_section: str) -> OverrideRules:
    """One kind of lines, whatever the block is called."""
    return OverrideRules(harmless=HARMLESS, whole=WHOLE)


def stray_lines(text: str) -> Iterator[Fault]:
    """Lines of an override that would do more than configure, or several things at once."""
    yield from faults(text, LEAVING, PROGRAMS)
    for number, line in enumerate(text.splitlines(), start=1):
        if " ;" in line:
            yield Fault(number, line, "take several commands", "write each on a line of its own")
