"""Loopback addresses of emulated devices."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.diagnostics import Refused
from fabric.sandbox.loopback_addresses import MOST, allocate

LOOPBACK = IPv4Network("127.0.0.0/8")


def test_the_first_device_is_far_from_where_other_programs_listen():
    assert ("127.16.0.1", "127.16.0.2") == allocate(2)


@given(st.integers(0, 3000), st.integers(0, 200))
def test_every_device_has_its_own_address_inside_the_loopback_network(count, block):
    addresses = allocate(count, block=block)

    assert count == len(set(addresses))
    assert all(IPv4Address(address) in LOOPBACK for address in addresses)


def test_blocks_do_not_overlap():
    assert not set(allocate(65536)) & set(allocate(65536, block=1))


def test_more_devices_than_addresses_are_refused_with_the_most_that_fit():
    with pytest.raises(Refused, match=f"{MOST + 1} devices") as refused:
        allocate(MOST + 1)

    assert str(MOST) in str(refused.value.hint)


@pytest.mark.parametrize("block", [-1, 240])
def test_a_block_outside_the_loopback_network_is_refused(block):
    with pytest.raises(Refused):
        allocate(1, block=block)
