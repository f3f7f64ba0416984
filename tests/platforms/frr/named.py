"""Named objects of FRR."""

from __future__ import annotations

from tests.platforms.names import Names, by_lines

DEFINED = (
    ("route-map", r"route-map (\S+) (?:permit|deny) \d+"),
    ("prefix-list", r"(?:ip|ipv6) prefix-list (\S+) seq .+"),
    ("community-list", r"bgp community-list standard (\S+) seq .+"),
    ("peer-group", r"neighbor (\S+) peer-group"),
)
REFERRED = (
    ("route-map", r"neighbor \S+ route-map (\S+) (?:in|out)"),
    ("route-map", r"redistribute connected route-map (\S+)"),
    ("prefix-list", r"match ipv?6? address prefix-list (\S+)"),
    ("community-list", r"match community (\S+)"),
    ("community-list", r"set comm-list (\S+) delete"),
    ("peer-group", r"neighbor \S+ (?:interface )?peer-group (\S+)"),
)


def named(text: str) -> tuple[Names, Names]:
    """What it defines and refers to."""
    return by_lines(text, DEFINED, REFERRED)
