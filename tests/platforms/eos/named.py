"""Named objects of EOS."""

from __future__ import annotations

from tests.platforms.names import Names, by_lines

DEFINED = (
    ("route-map", r"route-map (\S+) (?:permit|deny) \d+"),
    ("prefix-list", r"(?:ip|ipv6) prefix-list (\S+)"),
    ("community-list", r"ip community-list (\S+) permit .+"),
    ("qos profile", r"qos profile (\S+)"),
    ("peer group", r"neighbor (\S+) peer group"),
    ("vrf", r"vrf instance (\S+)"),
    ("access-list", r"(?:ip|ipv6) access-list (?:standard )?(\S+)"),
)
REFERRED = (
    ("route-map", r"neighbor \S+ route-map (\S+) (?:in|out)"),
    ("route-map", r"redistribute .*route-map (\S+)"),
    ("prefix-list", r"match ipv?6? address prefix-list (\S+)"),
    ("community-list", r"match community (\S+)"),
    ("qos profile", r"service-profile (\S+)"),
    ("peer group", r"neighbor \S+ peer group (\S+)"),
    ("peer group", r"neighbor interface \S+ peer-group (\S+)(?: remote-as \d+)?"),
    ("vrf", r"vrf (?!instance|default)(\S+)"),
    ("access-list", r"(?:ip|ipv6) access-group (\S+)(?: vrf \S+)? in"),
)


def named(text: str) -> tuple[Names, Names]:
    """What it defines and refers to."""
    return by_lines(text, DEFINED, REFERRED)
