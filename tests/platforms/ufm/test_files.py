"""What is printed for UFM: read back as it was meant, refused where no source shows it, compared by meaning."""

from __future__ import annotations

import json
import random
import re
from itertools import groupby

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabric.configuration import compare, merge
from fabric.devices.infiniband.model import cabling_digest
from fabric.diagnostics import Diagnostic, Report, Severity
from fabric.planning import judging
from fabric.platforms.base import split_parts
from fabric.platforms.ufm import PLATFORM
from fabric.platforms.ufm.dialect import DIALECT
from fabric.platforms.ufm.lower import lower
from fabric.platforms.ufm.names import FILES, RATES_GBPS
from fabric.platforms.ufm.read import parse
from tests.platforms import subnets
from tests.platforms.expected_facts import expected_facts
from tests.platforms.sites import Words, merged
from tests.platforms.subnet_strategies import managers
from tests.platforms.subnets import (
    DRAGONFLY,
    KEYS,
    PLUS,
    SINGLE,
    TENANTED,
    TORUS,
    XDR,
    guids,
    infiniband,
    known,
    layout,
    manager,
    printed,
    tenants,
)
from tests.platforms.ufm.partitions import pkey, text

PARTITIONS = "#!part pkeys.jsonl\n"
KNOWN = known(port=1)
"""The node GUID and the port GUID of an adapter are different things."""
EXAMPLES = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def files(*changes: Words) -> dict[str, str]:
    return split_parts(printed(manager("ufm", *changes)))


def findings(*changes: Words) -> list[Diagnostic]:
    """What is more than a remark."""
    found = subnets.findings(manager("ufm", *changes))
    return [one for one in found if one.severity is not Severity.INFO]


@given(managers("ufm"))
@EXAMPLES
def test_what_is_printed_is_read_back(one):
    report = Report()
    config = lower(one, report)
    found = parse(printed(one))

    assert not report.has_errors
    assert () == found.unread
    assert config == found.config
    assert expected_facts(one) == PLATFORM.read(printed(one)).facts


@given(managers("ufm"), st.randoms())
@EXAMPLES
def test_partitions_are_compared_in_any_order_and_without_the_files_of_the_disk(one, rng):
    whole = printed(one)
    said = split_parts(whole)["pkeys.jsonl"]
    groups = [
        list(lines)
        for _, lines in groupby(said.splitlines(keepends=True), lambda line: json.loads(line)["pkey"])
    ]
    rng.shuffle(groups)
    shuffled = "".join(line for lines in groups for line in lines)
    plain = DIALECT.plain(whole)

    assert said in whole
    assert plain == f"{PARTITIONS}{said}"
    assert () == compare(DIALECT, "x", plain, DIALECT.plain(whole.replace(said, shuffled, 1))).changes
    assert [f"pkeys.jsonl partition {one.pkey:#x}" for one in one.subnet.partitions] == [
        change.what for change in compare(DIALECT, "x", "", plain).changes
    ]


@given(managers("ufm"), st.randoms())
@EXAMPLES
def test_a_damaged_line_is_never_read_as_something_else(one, rng: random.Random):
    """One letter is lost, doubled or changed: the line is unread, or it says what it says now, and not what it said."""
    lines = printed(one).splitlines()
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
    found = parse(PARTITIONS + text(pkey(0x1001, "2f")) + line + "\n")
    is_about_it = line.startswith("{") and '"0x1001"' in line

    assert ({2, 3, 4} if is_about_it else {4}) == {number for number, _ in found.unread}
    assert ([] if is_about_it else ["0x1001"]) == [one.pkey for one in found.config.pkeys]


def test_a_partition_or_member_said_twice_is_no_partition():
    twice = text(pkey(0x1001, "2f"))

    assert () == parse(PARTITIONS + twice + twice).config.pkeys
    assert () == parse(PARTITIONS + twice + twice.splitlines()[1]).config.pkeys


def test_an_unknown_file_or_line_is_unread():
    assert [(1, "other.conf"), (2, "x")] == list(parse("#!part other.conf\nx\n").unread)
    assert parse('#!part ib-node-name-map\n0x0002c90300a00000 "a"b"\n').unread
    assert parse("#!part topoconfig.conf\n0x0002c90300a00000,1,0x0002c90300a00001,1,Any,Activ\n").unread
    assert parse("#!part qos-policy.conf\nqos-levels\nend-qos-levels\n").unread


def test_memberships_are_always_said_and_guids_are_those_of_ports():
    made = files(TENANTED, KNOWN)
    said = [line for line in map(json.loads, made["pkeys.jsonl"].splitlines()) if line["pkey"] == "0x2001"]
    opened, *joins = said
    there = guids(manager("ufm", TENANTED, KNOWN).subnet)

    assert {"pkey": "0x2001", "partition_name": "files", "rate_limit": 300, "mtu_limit": 4} == {
        key: opened[key] for key in ("pkey", "partition_name", "rate_limit", "mtu_limit")
    }
    assert {
        f"{there['nas']:016x}": "full",
        f"{there['h-0-1']:016x}": "limited",
        f"{there['h-0-2']:016x}": "limited",
    } == {join["guids"][0]: join["membership"] for join in joins}


def test_with_tenants_the_default_partition_joins_nobody():
    assert "default_membership = limited\n" in files(TENANTED)["gv.cfg"]
    assert "default_membership" not in files()["gv.cfg"]


def test_keys_are_references_and_only_our_managers_may_manage():
    made = files(KEYS, KNOWN, infiniband("{keys: {lease_s: 60}}"))
    there = guids(manager("ufm", KNOWN).subnet)

    assert (
        "m_key <secret:env:MKEY>\nm_key_protection_level 2\nm_key_lease_period 60\nsa_key <secret:env:SAKEY>\n"
        in made["opensm.conf"]
    )
    assert f"allowed_sm_guids {there['sm-1']:#018x},{there['sm-2']:#018x}\n" in made["opensm.conf"]
    assert "m_key_per_port = true\n" in made["gv.cfg"]


def test_the_key_of_managers_among_each_other_cannot_be_set():
    (found,) = findings(KEYS, infiniband('{keys: {manager_key: "env:SMKEY"}}'))

    assert ("FAB586", "networks.compute.infiniband.keys.manager_key") == (found.code, str(found.origin))
    assert "leave out `manager_key`" in found.hint
    assert [] == findings(KEYS)


def asked(engine: str, *, adaptive: bool) -> Words:
    return infiniband(f"{{engine: {engine}, adaptive_routing: {json.dumps(adaptive)}}}")


@pytest.mark.parametrize(
    ("engine", "adaptive", "shape", "expected"),
    [
        ("ftree", False, {}, "ftree"),
        ("ftree", True, {}, "ar_ftree"),
        ("updn", True, {}, "ar_updn"),
        ("updn", True, PLUS, "dfp"),
        ("nue", True, DRAGONFLY, "dfp"),
        ("torus-2qos", True, TORUS, "ar_torus"),
        ("torus-2qos", False, TORUS, "torus-2QoS"),
    ],
)
def test_engines_are_called_as_ufm_calls_them(engine, adaptive, shape, expected):
    made = files(shape, asked(engine, adaptive=adaptive))

    assert f"routing_engine {expected}\n" in made["opensm.conf"]


RING = layout("{kind: torus, dimensions: [6]}", 6)
HALF = merged(layout("{kind: torus, dimensions: [4, 4, 4]}", 32), {"site.yaml": {"capacity": {"units": 64}}})
UNKNOWN = [
    ({}, "nue", False),
    ({}, "dfsssp", False),
    ({}, "minhop", True),
    (SINGLE, "lash", False),
    (PLUS, "nue", False),
    (TORUS, "lash", True),
    (TORUS, "nue", False),
    (DRAGONFLY, "auto", False),
    (DRAGONFLY, "dfsssp", False),
    (RING, "auto", False),
    (RING, "auto", True),
    (HALF, "auto", False),
]


@pytest.mark.parametrize(("shape", "engine", "adaptive"), UNKNOWN, ids=range(len(UNKNOWN)))
def test_an_engine_that_no_source_shows_is_refused_and_each_way_out_is_one(shape, engine, adaptive):
    (found,) = findings(shape, asked(engine, adaptive=adaptive))
    ways = ways_out(found.hint)

    assert ("FAB586", "networks.compute.infiniband.engine") == (found.code, str(found.origin))
    assert engine in (found.value, "auto")
    assert ways
    for platform, way in ways:
        made = manager(platform, shape, asked(engine, adaptive=adaptive), infiniband(way))
        assert not [one for one in subnets.findings(made) if one.severity is Severity.ERROR], way


def ways_out(hint: str) -> list[tuple[str, str]]:
    """What a hint says: the product, and words of the subnet."""
    listed = re.search(r"one of ([a-z0-9-]+(?:, [a-z0-9-]+)*)(?:, or|$)", hint)
    found = [("ufm", f"{{engine: {name}}}") for name in listed[1].split(", ")] if listed else []
    if "leave out `adaptive_routing`" in hint:
        found.append(("ufm", "{adaptive_routing: null}"))
    if "`adaptive_routing: true`" in hint:
        found.append(("ufm", "{adaptive_routing: true}"))
    if "OpenSM" in hint:
        found.append(("opensm", "{platform: opensm, adaptive_routing: false}"))
    return found


def test_ports_of_800g_are_routed_adaptively_or_not_at_all():
    (found,) = findings(XDR, asked("ftree", adaptive=False))

    assert "FAB586" == found.code
    assert "`engine: updn` and `adaptive_routing: true`" in found.hint
    made = XDR, asked("updn", adaptive=True)
    assert [] == findings(*made)
    assert "root_guid_file" not in files(*made)["opensm.conf"]
    assert "leaf-0" not in files(*made)["ib-node-name-map"]


def enforced(*changes: Words) -> Words:
    """The cabling of the site, as it is with these changes, and no other."""
    digest = cabling_digest(manager("ufm", *changes).subnet)
    return infiniband(f"{{enforce_cabling: '{digest}'}}")


def test_the_cabling_is_enforced_from_both_ends_of_every_link():
    made = KNOWN, enforced(KNOWN)
    lines = files(*made)["topoconfig.conf"].splitlines()
    there = {tuple(line.split(",")[:4]) for line in lines}

    assert 2 * len(manager("ufm", KNOWN).subnet.links) == len(lines) == len(there)
    assert there == {(c, d, a, b) for a, b, c, d in there}
    assert "[SubnetManager]\ntopoconfig_enabled = true\n" in files(*made)["gv.cfg"]


def test_without_the_wish_no_cabling_is_enforced():
    made = files(KNOWN)

    assert ["# The cabling is not enforced: leave the server's own file as it is."] == made[
        "topoconfig.conf"
    ].splitlines()
    assert "topoconfig_enabled" not in made["gv.cfg"]


def test_a_cabling_that_was_not_verified_is_not_enforced():
    verified = enforced(KNOWN)
    other = known(port=1, first=0x0002_C903_0050_0000)
    (found,) = findings(other, verified)

    assert "FAB587" == found.code
    digest = re.search(r"`enforce_cabling: (\S+)`", found.hint)[1]
    assert [] == findings(other, infiniband(f"{{enforce_cabling: '{digest}'}}"))
    assert [] == findings(KNOWN, verified)


def test_invented_guids_are_never_enforced():
    (found,) = findings(enforced())

    assert "FAB587" == found.code
    assert "invented" in found.rule


def test_a_rate_beyond_ufms_list_is_the_largest_below_and_told():
    report = Report()
    config = lower(manager("ufm", TENANTED, tenants("red: {partition: {rate_limit_gbps: 200}}")), report)

    assert [200, 300, 300] == [one.rate_limit for one in config.pkeys]
    assert 300 == max(RATES_GBPS)
    assert [f"tenants.{name}.partition.rate_limit_gbps" for name in ("blue", "files")] == [
        str(found.origin) for found in report if found.code == "FAB589"
    ]


def test_service_levels_go_to_their_lanes():
    made = files(TENANTED, infiniband("{service_levels: {storage: {high_weight: 64}}}"))

    assert "qos_vlarb_high 0:0,1:64\nqos_vlarb_low 0:64,1:32\n" in made["opensm.conf"]
    assert "qos_sl2vl 0,15,15,1,15" in made["opensm.conf"]
    assert "pkey: 0x2001\n        qos-level-name: storage" in made["qos-policy.conf"]


@pytest.mark.parametrize(("lane", "said"), [(0, False), (1, True)])
def test_a_single_class_on_another_lane_is_sent_there(lane, said):
    made = files(infiniband(f"{{service_levels: {{default: {{service_level: 0, virtual_lane: {lane}}}}}}}"))

    assert ("qos_sl2vl 1,15,15" in made["opensm.conf"]) is said


def test_queries_have_a_lane():
    (found,) = findings(infiniband("{service_levels: {default: {service_level: 2, virtual_lane: 0}}}"))

    assert ("FAB586", "networks.compute.infiniband.service_levels") == (found.code, str(found.origin))
    assert "`service_level: 0`" in found.hint
    assert [] == findings(infiniband("{service_levels: {default: {service_level: 0, virtual_lane: 0}}}"))


def test_the_files_of_the_disk_are_not_compared():
    assert PARTITIONS == DIALECT.plain(printed(manager("ufm")))
    assert () == compare(DIALECT, "x", "", PARTITIONS).changes
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
    before, after = (pkey(0x1001, one) if one else "" for one in (old, new))

    assert (impact, f"0x1001: {words}") == judged(before, after)


def test_what_needs_a_restart_is_told():
    before, after = (pkey(0x1001, "1f", rate=rate) for rate in (100, 200))

    assert ("hitless", "0x1001: 0 join, 0 leave, limits change, after a restart of UFM") == judged(
        before, after
    )


def test_members_of_changed_flags_leave_and_join_again():
    before, after = (pkey(0x1001, "1f 2f", ipoib=ipoib) for ipoib in (True, False))

    assert ("flap", "0x1001: 0 join, 0 leave, 2 leave and join again") == judged(before, after)


def test_a_key_that_becomes_the_first_of_a_port_makes_it_join_again():
    before, after = pkey(0x1001, "1f 2l"), pkey(0x1001, "1f0 2l")

    assert ("flap", "0x1001: 0 join, 0 leave, 1 leave and join again") == judged(before, after)


def test_the_name_of_a_partition_is_no_difference():
    before, after = (pkey(0x1001, "1f", name=name) for name in ("red", "api_pkey_0x1001"))

    assert () == compare(DIALECT, "x", PARTITIONS + before, PARTITIONS + after).changes


def judged(old: str, new: str) -> tuple[str, str]:
    """Impact and reason of the only change."""
    found = compare(DIALECT, "x", PARTITIONS + old, PARTITIONS + new).changes
    (change,) = judging.judged(found, manager("ufm"))
    assert "pkeys.jsonl partition 0x1001" == change.what
    assert change.scope.whole_device
    return change.impact.value, change.reason


def test_a_foreign_partition_is_kept_and_a_foreign_member_of_ours_is_not():
    ours = PARTITIONS + pkey(0x1001, "1f")
    theirs = PARTITIONS + pkey(0x1001, "1f 2f") + pkey(0x1002, "3l")
    merged = merge(DIALECT, ours, theirs, None)

    assert ours + pkey(0x1002, "3l") == merged.text
    assert "partition 0x1002" == merged.kept[0]
