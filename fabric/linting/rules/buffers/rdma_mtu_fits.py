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
    why="NICs take the largest RDMA MTU that fits the port with all headers: 256, 512, 1024, 2048 or 4096 bytes. With "
    "a smaller one they send twice the packets, headers and completions for the same data.",
    fix="Write `ip_mtu: 9000`, the default, or at least 4192.",
    source="Linux, include/rdma/ib_addr.h, iboe_get_mtu",
    fails=Example("two-tier", "networks: {compute: {ip_mtu: 1500}}"),
    passes=Example("two-tier", "networks: {compute: {ip_mtu: 4200}}"),
)
def rdma_mtu_fits(site: Linted) -> Iterator[Found]:
    """`ip_mtu` of an Ethernet network with a policy is below 4192: 4096 bytes of data and 96 of headers."""
    least = least_ip_mtu_bytes()
    for network in site.ethernet:
        mtu = network.intent.ip_mtu_bytes
        if network.policy is not None and mtu < least:
            yield Found(
                network.at.child("ip_mtu"),
                f"IP packets of network {network.name} have at most {mtu} B, and 4096 B of RDMA data need {least}",
                value=mtu,
                fix=9000,
            )
