"""Whose path goes with a P_Key or a LID is told as `isolating`, whatever took it: of all that manage subnets."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.configuration import compare
from fabric.devices.model import SubnetManager
from fabric.planning import Impact, Observation
from fabric.planning.both_ends.coupled import Site
from fabric.planning.cut_off.isolation import isolated
from fabric.planning.cut_off.partitions import Members, Partitions, cut_off
from fabric.planning.judging import judged
from fabric.planning.texts import digest, masked
from fabric.planning.ways import Ways
from fabric.platforms.base import Artifact
from fabric.platforms.registry import platform
from tests.planning.toy import NOW, options
from tests.platforms.sites import Words, merged
from tests.platforms.subnets import KEYS, STORAGE, infiniband, known, manager, printed, tenants

MANAGERS = ("opensm", "ufm")
RED = "red: {hosts: [h-0-1, h-1-1], partition: {pkey: '0x1001'}}"
BLUE = "blue: {hosts: [h-0-2, h-1-2], partition: {pkey: '0x1002'}}"
FILES = "files: {attachments: [nas], partition: {pkey: '0x2001', limited: {hosts: [h-0-1]}}}"
SMALL = merged(KEYS, STORAGE)


def of(*lines: str) -> Words:
    return merged(SMALL, tenants("\n".join(lines)))


def cut(name: str, old: Words, new: Words) -> list[str]:
    """Why a plan says `isolating`, from one intent to another."""
    return cut_from(printed(manager(name, old)), manager(name, new))


def cut_from(running: str, will: SubnetManager) -> list[str]:
    """The same, from what a manager runs."""
    dialect = platform(will.platform).dialect()
    before, after = (masked(dialect.plain(text)) for text in (running, printed(will)))
    changes = judged(compare(dialect, will.name, before, after).changes, will)
    seen = Observation(device=will.name, source="device", when=NOW, text=before, digest=digest(before))
    whole = Artifact(name=will.name, path="", media_type="", text=printed(will), digest="")
    site = Site({will.name: whole}, {will.name: seen}, {will.name: will}, options())
    found = isolated({will.name: changes}, site, lambda: Ways.of(site.switches))
    own = found[will.name].changes if will.name in found else ()
    return [c.reason for c in own if c.impact is Impact.ISOLATING]


GONE = {
    "tenant": (of(RED, BLUE), of(RED), "hosts are gone: h-0-2 mlx5_0, h-1-2 mlx5_0"),
    "key": (
        of(RED, BLUE),
        of(RED, BLUE.replace("1002", "1003")),
        "hosts are gone: h-0-2 mlx5_0, h-1-2 mlx5_0",
    ),
    "tenant of a host": (
        of(RED, BLUE),
        of(RED.replace("h-1-1]", "h-1-1, h-1-2]"), BLUE.replace(", h-1-2", "")),
        "hosts are gone: h-0-2 mlx5_0, h-1-2 mlx5_0",
    ),
    "storage": (of(RED, FILES), of(RED, FILES.replace("h-0-1", "h-1-1")), "storage are gone: h-0-1 mlx5_0"),
    "one host of three": (
        of(RED.replace("h-1-1", "h-1-1, h-1-3")),
        of(RED),
        "hosts are gone: h-1-3 mlx5_0",
    ),
    "membership": (
        of("red: {hosts: [h-0-1], partition: {pkey: '0x1001', limited: {hosts: [h-1-1]}}}"),
        of("red: {hosts: [h-0-2], partition: {pkey: '0x1001', limited: {hosts: [h-0-1, h-1-1]}}}"),
        "hosts are gone: h-0-1 mlx5_0, h-1-1 mlx5_0",
    ),
}


@pytest.mark.parametrize("what", GONE)
@pytest.mark.parametrize("name", MANAGERS)
def test_whoever_reaches_nobody_any_more_by_his_keys_is_cut_off(name, what):
    old, new, words = GONE[what]

    assert any(words in reason for reason in cut(name, old, new))


UNIT = of("red: {units: [0], partition: {pkey: '0x1001'}}")
FEWER: Words = {
    "site.yaml": {"hosts": {"h": {"per_unit": 3}}},
    "inventory.yaml": {"hosts": {"h-0-3": None, "h-1-3": None}},
}


@pytest.mark.parametrize("name", MANAGERS)
def test_whoever_the_site_has_no_longer_is_cut_off_all_the_same(name):
    old, new = merged(UNIT, known()), merged(UNIT, known(), FEWER)
    gone = {"opensm": "hosts are gone: h-0-3 mlx5_0", "ufm": "hosts are gone: 0x0002c903"}

    assert any(gone[name] in reason for reason in cut(name, old, new))


def test_an_adapter_that_takes_the_place_of_another_cuts_nobody_off():
    """The port that leaves is in no host any more. OpenSM's file says whose it was; UFM does not."""
    spare = known(first=0x0002_C903_0080_0000)

    assert [] == cut("opensm", merged(UNIT, known()), merged(UNIT, spare))


KEPT = {
    "one more host": (of(RED, BLUE), of(RED, BLUE.replace("h-1-2", "h-1-2, h-1-3"))),
    "another name": (of(RED, BLUE), of(RED, BLUE.replace("blue", "navy"))),
    "another tenant": (of(RED), of(RED, BLUE)),
    "one more limited member": (of(RED, FILES), of(RED, FILES.replace("h-0-1", "h-0-1, h-0-2"))),
    "a second key beside the first": (of(RED), of(RED, RED.replace("red", "team").replace("1001", "1004"))),
}


@pytest.mark.parametrize("what", KEPT)
@pytest.mark.parametrize("name", MANAGERS)
def test_whoever_keeps_a_peer_by_one_of_his_keys_is_not(name, what):
    assert [] == cut(name, *KEPT[what])


def test_the_first_tenants_of_an_open_subnet_end_what_runs_there():
    """All were full members of the default partition, and become limited ones."""
    assert any("reach hosts are gone: h-0-0" in reason for reason in cut("opensm", SMALL, of(RED, BLUE)))


def test_a_port_that_gets_another_lid_loses_what_runs_over_it():
    now, later = merged(SMALL, known()), merged(SMALL, known(), infiniband("{first_lid: 2}"))
    (reason,) = cut("opensm", now, later)

    assert "get another LID are lost: h-0-0 mlx5_0, h-0-1 mlx5_0, h-0-2 mlx5_0 and 8 more" in reason


def test_a_port_that_gets_its_first_lid_loses_nothing():
    will = manager("opensm", merged(SMALL, known()))
    port = next(end for end in will.subnet.ends if end.name == "h-0-0 mlx5_0")
    lines = printed(will).splitlines(keepends=True)
    fewer = [line for line in lines if not line.startswith(f"{port.port_guid:#018x} 0x")]

    assert len(fewer) == len(lines) - 1
    assert [] == cut_from("".join(fewer), will)


PORTS = range(1, 7)
members = st.dictionaries(st.sampled_from(PORTS), st.booleans()).map(
    lambda how: Members(frozenset(p for p in how if how[p]), frozenset(how))
)
partitions = st.dictionaries(st.integers(1, 3), members)


@given(partitions, partitions, st.frozensets(st.sampled_from(PORTS)))
def test_who_is_cut_off_is_who_has_talked_and_talks_to_none_of_them_by_the_same_key(old, new, peers):
    def pairs(side: Partitions) -> set[tuple[int, int, int]]:
        return {
            (key, one, other)
            for key, one, other in product(side, PORTS, peers)
            if one != other and {one, other} <= side[key].every and {one, other} & side[key].full
        }

    talked, kept = ({one for _, one, _ in found} for found in (pairs(old), pairs(old) & pairs(new)))

    assert cut_off(old, new, peers) == talked - kept
