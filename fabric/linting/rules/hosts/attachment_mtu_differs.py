"""What hosts send fits the links of storage."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.diagnostics import Origin
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted

STORAGE = """
networks: {compute: {tiers: {leaf: {reserved_ports: 1, max_oversubscription: "2:1"}}}}
attachments:
  store: {network: compute, kind: other, links: 4, speed: 400G, ip_mtu: MTU, lossless: true, to: {tier: leaf}}
"""


@rule(
    "FAB1705",
    "attachment-mtu-differs",
    "Packets of hosts do not fit the links of an attachment",
    why="RDMA is never fragmented: a packet that is too large for a link on its way is dropped at every try. Both ends "
    "take their own link for the path, and small messages pass, so that it looks like a fault of the storage.",
    fix="Remove `ip_mtu` from the attachment, or set up its clients for the smaller packets.",
    source="InfiniBand Architecture, annex A17 (RoCEv2): path MTU; RFC 4821, section 1: black holes",
    fails=Example("two-tier", STORAGE.replace("MTU", "4000")),
    passes=Example("two-tier", STORAGE.replace("MTU", "9000")),
)
def attachment_mtu_differs(site: Linted) -> Iterator[Found]:
    """An attachment whose ports carry the classes has an `ip_mtu` below that of its Ethernet network."""
    for name, attachment in site.intent.site.attachments.items():
        network, own = site.networks[attachment.network], attachment.ip_mtu_bytes
        if own is None or not attachment.is_queued or not network.is_ethernet:
            continue
        if own < network.intent.ip_mtu_bytes:
            yield Found(
                Origin(("attachments", name, "ip_mtu")),
                f"hosts send up to {network.intent.ip_mtu_bytes} bytes, and links of {name} take {own}",
                value=own,
            )
