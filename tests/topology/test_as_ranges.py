"""No switch has an AS number with which no session comes up, today and after growth, whoever chose the range."""

from __future__ import annotations

import re
from contextlib import suppress
from copy import deepcopy
from typing import Any

import msgspec
import pytest

from fabric.diagnostics import Invalid
from fabric.intent.as_number_ranges import BLOCKS, RESERVED_ASN
from fabric.intent.model.lock import Lock
from fabric.topology.expand import expand_held
from fabric.topology.roles import Role
from tests.topology.builders import built, errors, expanded, intent_of, small

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


NETWORKS = ("compute", "storage", "backup")
WRITTEN = {
    "nothing": {},
    "one range of 16 bits": {"leaf": 65000},
    "all of 16 bits": {"leaf": 64600, "spine": 64700, "superspine": 64800},
    "far away": {"leaf": 4_200_200_000},
    "the last of them far away": {"superspine": 4_200_100_000},
    "where the next network begins": {"leaf": 4_200_003_000},
    "where nobody is": {"leaf": 4_200_009_000, "spine": 4_200_010_000},
    "another policy": {"policy": "shared-spine"},
}
"""What the intent may say of a network's AS numbers."""


def several(**asn: dict[str, Any]) -> dict[str, Any]:
    """A site of several networks with AS numbers of their own; each host has a NIC in each of them."""
    value = small(units=2)
    nics, network = value["hosts"]["gpu"]["nics"]["compute"], value["networks"]["compute"]
    value["hosts"]["gpu"]["nics"] = {name: deepcopy(nics) for name in asn}
    value["networks"] = {
        name: {
            **deepcopy(network),
            "addressing": {
                "host_pool": f"10.{NETWORKS.index(name)}.0.0/16",
                "fabric_pool": f"10.{100 + NETWORKS.index(name)}.0.0/16",
                "loopback_pool": f"10.{200 + NETWORKS.index(name)}.0.0/16",
                "asn": written,
            },
        }
        for name, written in asn.items()
    }
    return value


def bases(lock: Lock) -> dict[str, dict[str, int]]:
    return {name: dict(network.asn_bases) for name, network in lock.networks.items()}


def locks() -> dict[str, Lock | None]:
    """None; of networks that came together; of one to which others were added, against the order of names."""
    grown = expanded(several(storage={})).lock
    return {
        "no lock": None,
        "one day": expanded(several(compute={}, storage={})).lock,
        "one after the other": expanded(several(compute={}, storage={}), grown).lock,
    }


@pytest.mark.parametrize("written", WRITTEN.values(), ids=WRITTEN)
@pytest.mark.parametrize("locked", locks().values(), ids=locks())
@pytest.mark.parametrize(("changed", "other"), [("compute", "storage"), ("storage", "compute")])
def test_who_moves_the_numbers_of_one_network_moves_those_of_no_other(
    changed: str, other: str, locked: Lock | None, written: dict[str, Any]
) -> None:
    """Neither at once nor by a resize; what cannot stand together is refused at what is written."""
    before = bases(expanded(several(compute={}, storage={}), locked).lock)
    site = several(**{changed: written, other: {}})
    places = {place.split(".")[1] for _code, place, _rule, _hint in errors(site, locked)}

    assert places <= {changed}
    with suppress(Invalid):
        assert before[other] == bases(expand_held(intent_of(site, locked)).lock)[other]


@pytest.mark.parametrize("written", WRITTEN.values(), ids=WRITTEN)
def test_a_network_that_is_added_moves_nobody_s_numbers(written: dict[str, Any]) -> None:
    lock = expanded(several(storage={})).lock
    before = bases(lock)["storage"]

    for added in ("backup", "compute"):
        with suppress(Invalid):
            assert before == bases(expanded(several(storage={}, **{added: written}), lock).lock)["storage"]
    with suppress(Invalid):
        found = bases(expanded(several(storage={}, backup={}, compute=written), lock).lock)
        assert (
            bases(expanded(several(storage={}, backup={}, compute={}), lock).lock)["backup"]
            == found["backup"]
        )
