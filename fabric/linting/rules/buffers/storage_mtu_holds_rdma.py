"""Storage takes the packets that hosts send."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.diagnostics import Origin
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted
from fabric.qos.rdma_frames import rdma_mtu_bytes

STORE = """
attachments:
  store: {network: compute, kind: storage, links: 4, speed: 400G, lossless: false, ip_mtu: MTU}
networks: {compute: {tiers: {leaf: {reserved_ports: 4, max_oversubscription: "2:1"}}}}
"""


@rule(
    "FAB1110",
    "storage-mtu-holds-rdma",
    "Storage has a smaller RDMA MTU than the hosts",
    why="RDMA packets are not fragmented, and no path MTU is discovered for a queue pair: what a host sends with its "
    "own RDMA MTU is dropped at the port of the storage, and the connection ends after its retries.",
    fix="Remove `ip_mtu` of the attachment, or set the RDMA MTU of all queue pairs to storage.",
    source="InfiniBand specification: the path MTU of a queue pair is fixed when it is connected; annex A17: RoCEv2 "
    "packets are not fragmented",
    fails=Example("two-tier", STORE.replace("MTU", "1500")),
    passes=Example("two-tier", STORE.replace("MTU", "9000")),
)
def storage_mtu_holds_rdma(site: Linted) -> Iterator[Found]:
    """`ip_mtu` of an attachment that is not a router holds a smaller RDMA MTU (256 to 4096) than its network's."""
    for name, attachment in site.intent.site.attachments.items():
        network = site.networks.get(attachment.network)
        if network is None or not network.is_ethernet or attachment.kind == "router":
            continue
        if attachment.ip_mtu_bytes is None:
            continue
        theirs = rdma_mtu_bytes(attachment.ip_mtu_bytes)
        hosts = rdma_mtu_bytes(network.intent.ip_mtu_bytes)
        if theirs < hosts:
            yield Found(
                Origin(("attachments", name, "ip_mtu")),
                f"{attachment.ip_mtu_bytes} B hold RDMA packets of {theirs} B, and hosts of network {network.name} "
                f"send {hosts} B",
                value=attachment.ip_mtu_bytes,
                fix=network.intent.ip_mtu_bytes,
            )
