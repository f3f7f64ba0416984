"""RDMA packets of 4096 bytes fit the MTU."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted

LARGEST_BYTES = 4096
HEADERS_BYTES = 96
"""What Linux takes off: GRH 40, UDP 8, BTH 12, XRC 4, atomic 28, ICRC 4."""


def _mtu(mtu: int) -> Example:
    return Example("two-tier", f"networks: {{compute: {{ip_mtu: {mtu}}}}}")


@rule(
    "FAB1704",
    "rdma-packets-halved",
    "RDMA packets of 4096 bytes do not fit the MTU",
    why="RDMA knows packets of 256, 512, 1024, 2048 and 4096 bytes. Where the largest does not fit with its headers "
    "NICs take the next smaller one: twice as many packets, headers and completions for the same data.",
    fix="Write an `ip_mtu` of at least 4192, or leave it out: 9000.",
    source="Linux, include/rdma/ib_addr.h, iboe_get_mtu",
    fails=_mtu(4000),
    passes=_mtu(4200),
)
def rdma_packets_halved(site: Linted) -> Iterator[Found]:
    """`ip_mtu` of an Ethernet network with a policy is below 4192: 4096 bytes and 96 of headers."""
    for network in site.ethernet:
        mtu = network.intent.ip_mtu_bytes
        if network.policy is not None and mtu < LARGEST_BYTES + HEADERS_BYTES:
            yield Found(
                network.at.child("ip_mtu"),
                f"{mtu} bytes are {LARGEST_BYTES + HEADERS_BYTES - mtu} too few for RDMA packets of {LARGEST_BYTES}",
                value=mtu,
                fix=9000,
            )
