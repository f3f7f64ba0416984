"""Sizes of RDMA packets, and what is left of cut ones."""

from __future__ import annotations

import pytest

from fabric.qos.rdma_frames import least_ip_mtu_bytes, rdma_mtu_bytes
from fabric.qos.trimming import trimmed_percent


def test_the_largest_rdma_data_needs_this_ip_mtu() -> None:
    assert least_ip_mtu_bytes() == 4192
    assert rdma_mtu_bytes(4192) == 4096
    assert rdma_mtu_bytes(4191) == 2048


def test_a_port_of_1500_bytes_carries_rdma_data_of_1024() -> None:
    assert rdma_mtu_bytes(1500) == 1024


@pytest.mark.parametrize(("senders", "percent"), [(1, 0), (2, 7), (8, 44), (17, 99)])
def test_cut_packets_need_the_part_that_is_left_of_all_senders_but_one(senders: int, percent: int) -> None:
    assert trimmed_percent(senders, 256, 4158) == percent
