"""Named objects of NX-OS; names that the product brings along are not of ours."""

from __future__ import annotations

from tests.platforms.names import Names, by_lines

OWN = r"(?!c-|class-default|network-admin)"
DEFINED = (
    ("route-map", r"route-map (\S+) (?:permit|deny) \d+"),
    ("prefix-list", r"(?:ip|ipv6) prefix-list (\S+) seq .+"),
    ("community-list", r"ip community-list standard (\S+) seq .+"),
    ("class-map", rf"class-map type \S+ (?:match-any |match-all )?{OWN}(\S+)"),
    ("policy-map", rf"policy-map type \S+ {OWN}(\S+)"),
    ("template", r"template peer (\S+)"),
    ("vrf", r"vrf context (\S+)"),
    ("access-list", r"(?:ip|ipv6) access-list (\S+)"),
)
REFERRED = (
    ("route-map", r"route-map (\S+) (?:in|out)"),
    ("route-map", r"redistribute .*route-map (\S+)"),
    ("prefix-list", r"match ipv?6? address prefix-list (\S+)"),
    ("community-list", r"match community (\S+)"),
    ("community-list", r"set comm-list (\S+) delete"),
    ("class-map", rf"class (?:type \S+ )?{OWN}(\S+)"),
    ("policy-map", r"service-policy type \S+ (?:input |output )?(\S+)"),
    ("template", r"inherit peer (\S+)"),
    ("vrf", r"(?:vrf member|.*\bvrf|.* use-vrf) (?!context|member)(\S+)"),
    ("access-list", r"(?:ip|ipv6) (?:access-group|access-class|traffic-filter) (\S+) .*"),
)


def named(text: str) -> tuple[Names, Names]:
    """What it defines and refers to."""
    return by_lines(text, DEFINED, REFERRED)
