"""No switch has an AS number with which no session comes up, today and after growth, whoever chose the range."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from fabric.intent.as_number_ranges import BLOCKS, RESERVED_ASN
from fabric.intent.model.lock import Lock
from fabric.topology.roles import Role
from tests.topology.builders import built, errors, expanded, small

CAPACITY = 8
"""Leaves at full capacity: two units of four rails."""
STARTS = sorted({edge + near for block in BLOCKS for edge in block[:2] for near in (-9, -8, -7, -1, 0, 1)})
"""First numbers around the ends of every block."""


def site(first: int | None = None) -> dict[str, Any]:
    asn = {"addressing": {"asn": {"leaf": first}}} if first is not None else {}
    return small(units=1, site={"capacity": {"units": 2}}, **asn)


def of(number: int) -> str:
    return next((block.use for block in BLOCKS if block.first <= number <= block.last), "reserved")


@pytest.mark.parametrize("first", [start for start in STARTS if 0 < start < 2**32 - 1])
def test_a_range_holds_no_reserved_number_and_keeps_to_one_use_or_is_refused(first: int) -> None:
    numbers = range(first, first + CAPACITY)
    is_right = len({of(number) for number in numbers}) == 1 and not set(numbers) & set(RESERVED_ASN)

    found = [e for e in errors(site(first)) if e[0] == "FAB130"]

    assert is_right == (found == [])
    assert is_right or found[0][1] == "networks.compute.addressing.asn.leaf"


@pytest.mark.parametrize("first", [23450, 23456, 64490, 65530, 65535, 4_199_999_999, 4_294_967_290])
def test_the_hint_of_a_range_removes_its_finding(first: int) -> None:
    [(_, _, _, hint)] = [e for e in errors(site(first)) if e[0] == "FAB130"]
    [number] = re.findall(r"start at (\d+)", hint)

    assert "FAB130" not in {e[0] for e in errors(site(int(number)))}


@pytest.mark.parametrize("first", [0, -1, 23450, 65530, 4_294_967_290, 10**12])
def test_a_range_of_the_lock_is_held_to_the_same(first: int) -> None:
    lock = expanded(site()).lock
    network = lock.networks["compute"]
    bases = {**network.asn_bases, "leaf": first}
    changed: Lock = msgspec.structs.replace(
        lock, networks={"compute": msgspec.structs.replace(network, asn_bases=bases)}
    )

    assert ("FAB130", "networks.compute.asn_bases.leaf") in [e[:2] for e in errors(site(), changed)]


def test_a_range_of_the_right_size_is_numbered_to_its_end() -> None:
    net = built(small(units=2, addressing={"asn": {"leaf": 65527}}))

    assert list(range(65527, 65535)) == [net.asn[i] for i in net.role_start[Role.LEAF]]
