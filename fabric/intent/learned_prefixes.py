"""What a border router brings in."""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Network

from fabric.documents.schema.scalar_types import Prefix
from fabric.intent.model import Addressing, Attachment

DEFAULT_ROUTE: dict[int, Prefix] = {4: IPv4Network("0.0.0.0/0"), 6: IPv6Network("::/0")}


def learned(attachment: Attachment, addressing: Addressing) -> tuple[Prefix, ...]:
    """The prefixes that are accepted from a router. `addressing`: of its network."""
    if attachment.bgp is None:
        return ()
    ends = (end for link in attachment.addresses for end in (link.ours, link.ours6))
    written = {end.version for end in ends if end is not None}
    defaults = [DEFAULT_ROUTE[version] for version in sorted(written) or addressing.host_families]
    return (*(defaults if attachment.bgp.default_route else ()), *attachment.bgp.prefixes)
