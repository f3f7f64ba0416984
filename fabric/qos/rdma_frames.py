"""Sizes of RoCEv2 packets (InfiniBand specification, annex A17)."""

from __future__ import annotations

RDMA_MTUS = (256, 512, 1024, 2048, 4096)
"""What an RDMA packet may carry, in bytes."""

AROUND_BYTES = 8 + 12 + 16 + 4
"""UDP, base transport header, the extended header of an RDMA write, ICRC."""

IP_BYTES = {4: 20, 6: 40}


def least_ip_mtu_bytes(family: int, data_bytes: int = RDMA_MTUS[-1]) -> int:
    """The IP MTU that RDMA packets with so much data need."""
    return IP_BYTES[family] + AROUND_BYTES + data_bytes


def rdma_mtu_bytes(ip_mtu_bytes: int, family: int) -> int:
    """The largest RDMA MTU that an IP MTU holds; 0: none."""
    return max((mtu for mtu in RDMA_MTUS if least_ip_mtu_bytes(family, mtu) <= ip_mtu_bytes), default=0)
