"""Named objects of Dell Enterprise SONiC."""

from __future__ import annotations

import re

from tests.platforms.names import Names, by_lines

DEFINED = (
    ("route-map", r"route-map (\S+) (?:permit|deny) \d+"),
    ("prefix-list", r"(?:ip|ipv6) prefix-list (\S+) seq .+"),
    ("community-list", r"bgp community-list standard (\S+) .+"),
    ("dscp-tc", r"qos map dscp-tc (\S+)"),
    ("tc-queue", r"qos map tc-queue (\S+)"),
    ("tc-pg", r"qos map tc-pg (\S+)"),
    ("pfc-priority-queue", r"qos map pfc-priority-queue (\S+)"),
    ("scheduler", r"qos scheduler-policy (\S+)"),
    ("curve", r"qos wred-policy (\S+)"),
    ("bfd", r"profile (\S+)"),
)
REFERRED = (
    ("route-map", r"route-map (\S+) (?:in|out)"),
    ("route-map", r"redistribute .*route-map (\S+)"),
    ("prefix-list", r"match ipv?6? address prefix-list (\S+)"),
    ("community-list", r"match community (\S+)"),
    ("community-list", r"set comm-list (\S+) delete"),
    ("dscp-tc", r"qos-map dscp-tc (\S+)"),
    ("tc-queue", r"qos-map tc-queue (\S+)"),
    ("tc-pg", r"qos-map tc-pg (\S+)"),
    ("pfc-priority-queue", r"qos-map pfc-priority-queue (\S+)"),
    ("scheduler", r"scheduler-policy (\S+)"),
    ("curve", r"queue \d wred-policy (\S+)"),
    ("bfd", r"bfd profile (\S+)"),
)


def named(text: str) -> tuple[Names, Names]:
    """What it defines and refers to."""
    defined, referred = by_lines(text, DEFINED, REFERRED)
    for names, margin in ((defined, " "), (referred, "  ")):
        names |= {("peer-group", name) for name in re.findall(rf"(?m)^{margin}peer-group (\S+)$", text)}
    return defined, referred
