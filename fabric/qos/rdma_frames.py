"""Sizes of RoCEv2 packets, as NICs choose them by the MTU of their port.

Source: Linux, include/rdma/ib_addr.h, iboe_get_mtu: it leaves room for every header that a packet may
have.
"""

from __future__ import annotations

RDMA_MTUS = (256, 512, 1024, 2048, 4096)
"""What an RDMA packet may carry, in bytes."""

HEADERS_BYTES = 40 + 8 + 12 + 4 + 28 + 4
"""Global route header (or IP), UDP, base transport, XRC, atomic operation, ICRC."""


def least_ip_mtu_bytes(data_bytes: int = RDMA_MTUS[-1]) -> int:
    """The IP MTU from which on NICs send RDMA packets with so much data."""
    return HEADERS_BYTES + data_bytes


def rdma_mtu_bytes(ip_mtu_bytes: int) -> int:
    """The largest RDMA MTU that an IP MTU holds; 0: none."""
    return max((mtu for mtu in RDMA_MTUS if least_ip_mtu_bytes(mtu) <= ip_mtu_bytes), default=0)
