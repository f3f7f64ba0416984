"""RDMA data of 4096 bytes fits the links."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted
from fabric.qos.rdma_frames import least_ip_mtu_bytes


@rule(
    "FAB1109",
    "rdma-mtu-fits",
    "The largest RDMA packets do not fit the links",
    why="NICs take the largest RDMA MTU that fits the port: 256, 512, 1024, 2048 or 4096 bytes. With a smaller one, a "
    "NIC has to send twice the packets for the same data; one that is set to 4096 by hand loses them.",
    fix="Write `ip_mtu: 9000`, the default, or at least 4156 (4176 with IPv6).",
    source="InfiniBand specification, annex A17 (RoCEv2): IP 20 or 40, UDP 8, base header 12, extended header 16, "
    "ICRC 4 bytes around the data",
    fails=Example("two-tier", "networks: {compute: {ip_mtu: 1500}}"),
    passes=Example("two-tier", "networks: {compute: {ip_mtu: 4200}}"),
)
def rdma_mtu_fits(site: Linted) -> Iterator[Found]:
    """`ip_mtu` of a network with a policy is below 4156; below 4176 where hosts have IPv6."""
    for network in site.ethernet:
        mtu = network.intent.ip_mtu_bytes
        addressing = network.intent.addressing
        with_ipv6 = (addressing.host_family or addressing.family) in {"ipv6", "dual"}
        least = least_ip_mtu_bytes(6 if with_ipv6 else 4)
        if network.policy is not None and mtu < least:
            yield Found(
                network.at.child("ip_mtu"),
                f"IP packets of network {network.name} have at most {mtu} B, and 4096 B of RDMA data need {least}",
                value=mtu,
                fix=9000,
            )
