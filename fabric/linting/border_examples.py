"""A sound site with a border router, for examples of rules on its session."""

from __future__ import annotations

from fabric.linting.rule import Example

SESSION = {
    "asn": "65010",
    "password": '"env:BORDER_PASSWORD"',
    "ttl_security": "true",
    "max_prefixes": "100",
    "prefixes": "[203.0.113.0/24]",
    "advertise": "[10.0.0.0/10]",
    "bfd": "true",
}
SITE = """
networks: {compute: {tiers: {leaf: {reserved_ports: 1, max_oversubscription: "2:1"}}}}
attachments:
  border: {network: compute, kind: router, links: 4, speed: 400G, to: {tier: leaf}, bgp: BGP}
"""


def border(**changes: str | None) -> Example:
    """A site with a border router; `changes` of its session as YAML, None removes a key."""
    session = {key: value for key, value in {**SESSION, **changes}.items() if value is not None}
    text = ", ".join(f"{key}: {value}" for key, value in session.items())
    return Example("two-tier", SITE.replace("BGP", f"{{{text}}}"))
