"""What is printed for UFM: read back as it was meant, refused where no source shows it, compared by meaning."""

from __future__ import annotations

import json
import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.devices.subnet import Keys, Lane, SubnetLink, cabling_digest
from fabric.diagnostics import Report, Severity
from fabric.platforms.base import split_parts
from fabric.platforms.ufm import PLATFORM
from fabric.platforms.ufm.lower import lower
from fabric.platforms.ufm.names import FILES, RATES_GBPS
from fabric.platforms.ufm.parse import parse
from tests.platforms.ufm.partitions import pkey, text
from tests.platforms.ufm.subnets import end, manager, managers, partition, printed, subnet


def files(made) -> dict[str, str]:
    return split_parts(printed(lower(manager(made), Report())))


def findings(made) -> list:
    report = Report()
    lower(manager(made), report)
    return [found for found in report if found.severity is not Severity.INFO]


@given(managers())
@settings(max_examples=150, deadline=None)
def test_what_is_printed_is_read_back(one):
    report = Report()
    config = lower(one, report)
    found = parse(printed(config))

    assert not report.has_errors
    assert () == found.unread
    assert config == found.config
    assert PLATFORM.project(one) == PLATFORM.read(printed(config)).facts


@given(managers(), st.randoms())
@settings(max_examples=100, deadline=None)
def test_the_canonical_form_knows_no_order_and_is_its_own(one, rng):
    config = lower(one, Report())
    shuffled = list(config.pkeys)
    rng.shuffle(shuffled)
    canonical = PLATFORM.canonical(printed(config))

    assert canonical == PLATFORM.canonical(printed(msgspec.structs.replace(config, pkeys=tuple(shuffled))))
    assert canonical == PLATFORM.canonical(canonical)
    assert canonical == "".join(block.text for block in PLATFORM.blocks(canonical))
    assert [f"partition {one.pkey:#x}" for one in one.subnet.partitions] == [
        block.key for block in PLATFORM.blocks(canonical)
    ]


@given(managers(), st.randoms())
@settings(max_examples=150, deadline=None)
def test_a_damaged_line_is_never_read_as_something_else(one, rng: random.Random):
    """One letter is lost, doubled or changed: the line is unread, or it says what it says now, and not what it said."""
    lines = printed(lower(one, Report())).splitlines()
    places = [n for n, line in enumerate(lines) if line.startswith("{")]
    if not places:
        return
    at = rng.choice(places)
    line = lines[at]
    where = rng.randrange(len(line))
    lines[at] = line[:where] + rng.choice(["", line[where] * 2, rng.choice('0f"x}')]) + line[where + 1 :]
    if lines[at] == line or json_of(lines[at]) == json_of(line):
        return
    found = parse("\n".join(lines))
    meant = lower(one, Report()).pkeys

    assert found.unread or found.config.pkeys != meant


def json_of(line: str):
    try:
        return json.loads(line)
    except ValueError:
        return None


@pytest.mark.parametrize(
    "line",
    [
        '{"index0": false, "ip_over_ib": true, "mtu_limit": 4, "pkey": "0x7fff", "rate_limit": 10, "service_level": 0}',
        '{"index0": false, "ip_over_ib": true, "mtu_limit": 4, "pkey": "0x9001", "rate_limit": 10, "service_level": 0}',
        '{"index0": false, "ip_over_ib": true, "mtu_limit": 4, "pkey": "0x0", "rate_limit": 10, "service_level": 0}',
        '{"index0": false, "ip_over_ib": true, "mtu_limit": 4, "pkey": "0x01", "rate_limit": 10, "service_level": 0}',
        '{"index0": 0, "ip_over_ib": true, "mtu_limit": 4, "pkey": "0x1", "rate_limit": 10, "service_level": 0}',
        '{"index0": false, "ip_over_ib": true, "mtu_limit": 9, "pkey": "0x1", "rate_limit": 10, "service_level": 0}',
        '{"index0": false, "ip_over_ib": true, "mtu_limit": 4, "pkey": "0x1", "rate_limit": 0, "service_level": 0}',
        '{"index0": false, "ip_over_ib": true, "mtu_limit": 4, "pkey": "0x1", "rate_limit": 200, "service_level": 16}',
        '{"index0": false, "ip_over_ib": true, "mtu_limit": true, "pkey": "0x1", "rate_limit": 10, "service_level": 0}',
        '{"ip_over_ib": true, "mtu_limit": 4, "pkey": "0x1", "rate_limit": 10, "service_level": 0}',
        '{"guids": ["0002c90300000001"], "index0": false, "ip_over_ib": true, "membership": "full", "pkey": "0x2"}',
        '{"guids": ["0002c90300000001"], "index0": false, "ip_over_ib": true, "pkey": "0x1001"}',
        '{"guids": ["0002c90300000001"], "index0": false, "ip_over_ib": true, "membership": "both", "pkey": "0x1001"}',
        '{"guids": ["0002C90300000009"], "index0": false, "ip_over_ib": true, "membership": "full", "pkey": "0x1001"}',
        '{"guids": ["2c90300000009"], "index0": false, "ip_over_ib": true, "membership": "full", "pkey": "0x1001"}',
        '{"guids": [], "index0": false, "ip_over_ib": true, "membership": "full", "pkey": "0x1001"}',
        '{"guids": ["0002c90300000001"], "index0": false, "ip_over_ib": false, "membership": "full", "pkey": "0x1001"}',
        '{"guids": [9], "index0": false, "ip_over_ib": true, "membership": "full", "pkey": "0x1001"}',
        "[]",
        "{}",
        "null",
        "{",
        "red=0x1001 : ALL=full;",
    ],
)
def test_a_line_that_we_do_not_write_is_unread(line):
    found = parse(text(pkey(0x1001, "2f")) + line + "\n")

    assert [line] == [unread for _, unread in found.unread]


def test_a_partition_or_member_said_twice_is_no_partition():
    twice = text(pkey(0x1001, "2f"))

    assert () == parse(twice + twice).config.pkeys
    assert () == parse(twice + twice.splitlines()[1]).config.pkeys


def test_an_unknown_file_or_line_is_unread():
    assert [(2, "x")] == list(parse("#!part other.conf\nx\n").unread)
    assert parse('#!part ib-node-name-map\n0x0002c90300a00000 "a"b"\n').unread
    assert parse("#!part topoconfig.conf\n0x0002c90300a00000,1,0x0002c90300a00001,1,Any,Activ\n").unread
    assert parse("#!part qos-policy.conf\nqos-levels\nend-qos-levels\n").unread


def test_memberships_are_always_said_and_guids_are_those_of_ports():
    made = files(subnet(partitions=(partition(0x1001, (0,), (1,)),)))
    opened, *joins = map(json.loads, made["pkeys.jsonl"].splitlines())

    assert {"pkey": "0x1001", "partition_name": "tenant-1001", "rate_limit": 200, "mtu_limit": 4} == {
        key: opened[key] for key in ("pkey", "partition_name", "rate_limit", "mtu_limit")
    }
    assert {f"{end(0).port_guid:016x}": "full", f"{end(1).port_guid:016x}": "limited"} == {
        join["guids"][0]: join["membership"] for join in joins
    }


def test_with_tenants_the_default_partition_joins_nobody():
    assert "default_membership = limited\n" in files(subnet(partitions=(partition(0x1001, (0,)),)))["gv.cfg"]
    assert "default_membership" not in files(subnet())["gv.cfg"]


def test_keys_are_references_and_only_our_managers_may_manage():
    made = files(subnet(keys=Keys("env:M", 2, 60, "env:S")))

    assert (
        "m_key <secret:env:M>\nm_key_protection_level 2\nm_key_lease_period 60\nsa_key <secret:env:S>\n"
        in made["opensm.conf"]
    )
    assert f"allowed_sm_guids {end(900).port_guid:#018x},{end(901).port_guid:#018x}\n" in made["opensm.conf"]
    assert "m_key_per_port = true\n" in made["gv.cfg"]


@pytest.mark.parametrize(
    ("engine", "adaptive", "layout", "expected"),
    [
        ("ftree", False, "fat_tree", "ftree"),
        ("ftree", True, "fat_tree", "ar_ftree"),
        ("updn", True, "fat_tree", "ar_updn"),
        ("updn", True, "dragonfly_plus", "dfp"),
        ("torus-2qos", True, "torus", "ar_torus"),
        ("torus-2qos", False, "torus", "torus-2QoS"),
    ],
)
def test_engines_are_called_as_ufm_calls_them(engine, adaptive, layout, expected):
    made = files(subnet(engine=engine, adaptive_routing=adaptive, layout=layout))

    assert f"routing_engine {expected}\n" in made["opensm.conf"]


@pytest.mark.parametrize(
    ("engine", "adaptive"), [("nue", False), ("dfsssp", False), ("minhop", True), ("lash", True)]
)
def test_an_engine_that_no_source_shows_is_refused(engine, adaptive):
    (found,) = findings(subnet(engine=engine, adaptive_routing=adaptive))

    assert ("FAB586", "networks.compute.infiniband.engine") == (found.code, str(found.origin))
    assert engine in found.rule
    assert "ftree" in found.hint


def test_ports_of_800g_are_routed_adaptively_or_not_at_all():
    links = tuple(SubnetLink(0xA, n, 0xB, n, 800_000) for n in (1, 2))
    (found,) = findings(subnet(links=links, planarized=True))

    assert "FAB586" == found.code
    made = subnet(links=links, planarized=True, engine="updn", adaptive_routing=True)
    assert [] == findings(made)
    assert "root_guid_file" not in files(made)["opensm.conf"]
    assert "leaf-0" not in files(made)["ib-node-name-map"]


def test_the_cabling_is_enforced_from_both_ends_of_every_link():
    made = subnet()
    made = msgspec.structs.replace(made, enforce_cabling=cabling_digest(made))
    lines = files(made)["topoconfig.conf"].splitlines()
    there = {tuple(line.split(",")[:4]) for line in lines}

    assert 2 * len(made.links) == len(lines) == len(there)
    assert there == {(c, d, a, b) for a, b, c, d in there}
    assert "[SubnetManager]\ntopoconfig_enabled = true\n" in files(made)["gv.cfg"]


def test_without_the_wish_no_cabling_is_enforced():
    made = files(subnet())

    assert ["# The cabling is not enforced: leave the server's own file as it is."] == made[
        "topoconfig.conf"
    ].splitlines()
    assert "topoconfig_enabled" not in made["gv.cfg"]


def test_a_cabling_that_was_not_verified_is_not_enforced():
    made = subnet()
    wanted = cabling_digest(made)
    moved = msgspec.structs.replace(made, enforce_cabling=wanted, links=made.links[1:])
    (found,) = findings(moved)

    assert ("FAB587", wanted) == (found.code, found.value)
    assert cabling_digest(moved) in found.hint
    assert [] == findings(msgspec.structs.replace(made, enforce_cabling=wanted))


def test_invented_guids_are_never_enforced():
    made = subnet(placeholders=True)
    (found,) = findings(msgspec.structs.replace(made, enforce_cabling=cabling_digest(made)))

    assert "FAB587" == found.code
    assert "invented" in found.rule


def test_a_rate_beyond_ufms_list_is_the_largest_below_and_told():
    report = Report()
    config = lower(manager(subnet(partitions=(partition(0x1, (0,), rate_mbps=400_000),))), report)

    assert 300 == config.pkeys[0].rate_limit == max(RATES_GBPS)
    assert ["tenants.t.partition.rate_limit_gbps"] == [
        str(found.origin) for found in report if found.code == "FAB589"
    ]


def test_service_levels_go_to_their_lanes():
    lanes = (Lane("default", 0, 0, 64, 0), Lane("storage", 3, 1, 32, 64))
    made = files(subnet(lanes=lanes, partitions=(partition(0x2001, (0,), service_level=3),)))

    assert "qos_vlarb_high 0:0,1:64\nqos_vlarb_low 0:64,1:32\n" in made["opensm.conf"]
    assert "qos_sl2vl 0,15,15,1,15" in made["opensm.conf"]
    assert "pkey: 0x2001\n        qos-level-name: storage" in made["qos-policy.conf"]


def test_the_files_of_the_disk_are_not_compared():
    assert "" == PLATFORM.canonical(printed(lower(manager(subnet()), Report())))
    assert list(FILES[1:]) == [part.name for part in PLATFORM.parts if part.by_hand]


@pytest.mark.parametrize(
    ("old", "new", "impact", "words"),
    [
        (None, "1f 2l", "hitless", "2 join, 0 leave"),
        ("1f 2l", None, "flap", "0 join, 2 leave"),
        ("1f 2l", "1f 3f", "flap", "1 join, 1 leave"),
        ("1f 2l", "1f 2f", "flap", "0 join, 0 leave, 1 change membership"),
        ("1f", "1f 2f", "hitless", "1 join, 0 leave"),
    ],
)
def test_a_change_tells_who_joins_and_who_leaves(old, new, impact, words):
    before, after = (
        PLATFORM.blocks(PLATFORM.canonical(text(pkey(0x1001, one))))[0] if one else None for one in (old, new)
    )
    found = PLATFORM.block_impact("partition 0x1001", before, after)

    assert (impact, f"0x1001: {words}") == (found.impact, found.reason)


def test_what_needs_a_restart_is_told():
    before, after = (
        PLATFORM.blocks(PLATFORM.canonical(text(pkey(0x1001, "1f", rate=rate))))[0] for rate in (100, 200)
    )

    assert "after a restart of UFM" in PLATFORM.block_impact("partition 0x1001", before, after).reason


def test_members_of_changed_flags_leave_and_join_again():
    before, after = (
        PLATFORM.blocks(PLATFORM.canonical(text(pkey(0x1001, "1f 2f", ipoib=ipoib))))[0]
        for ipoib in (True, False)
    )
    found = PLATFORM.block_impact("partition 0x1001", before, after)

    assert "flap" == found.impact
    assert "2 leave and join again" in found.reason
