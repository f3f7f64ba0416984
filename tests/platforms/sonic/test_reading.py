"""The reader against our own output."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.configuration import Unreadable, compare
from fabric.planning.judging import judged, lockouts
from fabric.platforms.sonic import PLATFORM
from fabric.platforms.sonic.dialect import DIALECT
from tests.configuration.dialects import twice
from tests.platforms.judging import differing
from tests.platforms.sites import printed
from tests.platforms.sonic.devices import CASES

PUBLISHED = Path(__file__).parent / "published"


@pytest.mark.parametrize("case", sorted(CASES))
def test_the_plain_form_says_the_same_and_its_lines_set_different_things(case):
    text = printed(CASES[case]())
    plain = PLATFORM.dialect().plain(text)
    lines = [line for piece in DIALECT.pieces(text).values() for line in DIALECT.lines(piece)]

    assert PLATFORM.read(text) == PLATFORM.read(plain)
    assert plain == PLATFORM.dialect().plain(plain)
    assert [] == list(twice(lines, DIALECT.top))


def test_a_table_a_field_and_a_line_that_nobody_knows_are_reported():
    text = (
        '#!part config_db.json\n{"FANCY": {"a": {}},\n"PORT": {"Ethernet0": {"colour": "red"}, "Ethernet8": 7}}\n'
        "#!part frr.conf\nrouter bgp 1\n strange thing\n"
    )

    assert [
        "FANCY a",
        "PORT Ethernet0 colour red",
        "PORT Ethernet8 7",
        "strange thing",
    ] == sorted(line for _, line in PLATFORM.read(text).unread)


def test_numbers_of_lines_are_those_of_the_plain_form():
    text = (
        '#!part config_db.json\n{"FANCY": {"a": {}}, "PORT": {"Ethernet0": {"fec": "rs", "colour": "red"}}}\n'
    )
    found = PLATFORM.read(text).unread
    lines = DIALECT.plain(text).splitlines()

    assert ["a", "colour"] == [lines[number - 1].split('"')[1] for number, _ in found]


def test_a_number_is_the_text_of_its_digits():
    """SONiC stores it so; some of its manuals write it."""
    numbers, texts = '{"PORT": {"Ethernet0": {"mtu": 9000}}}', '{"PORT": {"Ethernet0": {"mtu": "9000"}}}'

    assert (
        9000
        == PLATFORM.read(f"#!part config_db.json\n{numbers}\n").facts.interfaces["Ethernet0"].ip_mtu_bytes
    )
    assert {} == differing("sonic", *(f"#!part config_db.json\n{one}\n" for one in (numbers, texts)))


@pytest.mark.parametrize("text", ["not json", "[]", '{"PORT": {}', '{"PORT": {"a": {"b": nothing}}}'])
def test_what_is_no_table_is_unreadable(text):
    with pytest.raises(Unreadable):
        PLATFORM.read(f"#!part config_db.json\n{text}\n#!part frr.conf\n")


def published():
    """Examples of SONiC's own manual, and a bgpd.conf that its own templates made."""
    tables, routing = (PUBLISHED / "manual.json").read_text(), (PUBLISHED / "switch-t0.conf").read_text()
    return PLATFORM.read(f"#!part config_db.json\n{tables}#!part frr.conf\n{routing}")


def test_a_published_configuration_is_understood():
    facts = published().facts

    assert (65100, "10.1.0.32", 512) == (facts.asn, facts.router_id, facts.max_paths)
    assert 64600 == facts.neighbors["10.0.0.63"].remote_asn
    assert 64015 == facts.neighbors["10.0.0.61"].remote_asn  # written as a number
    assert "permit 192.168.0.0/27; permit 192.168.200.0/27" == facts.policies["LOCAL_VLAN_IPV4_PREFIX"]
    assert "network 192.168.0.1/27" in facts.policies["bgp"]
    ((_, queues),) = facts.profiles.items()
    assert {4: False, 5: True, 6: True} == {number: one.strict for number, one in queues.items()}
    assert "Ethernet8 5m" in facts.services["cable length"]


def test_what_is_not_understood_of_a_published_configuration_is_told_line_by_line():
    mapped = "PORT_QOS_MAP Ethernet50,Ethernet52,Ethernet54,Ethernet56"

    assert [
        "BGP_BBR all status enabled",
        "BGP_DEVICE_GLOBAL STATE tsa_enabled true",
        "COPP_TABLE trap.group.bgp.lacp queue 4",
        "COPP_TABLE trap.group.bgp.lacp trap_action trap",
        "COPP_TABLE trap.group.bgp.lacp trap_ids bgp,bgpv6,lacp",
        "COPP_TABLE trap.group.bgp.lacp trap_priority 4",
        "SCHEDULER scheduler.1 pbs 8192",
        "SCHEDULER scheduler.port pbs 8192",
        f"{mapped} dscp_to_fc_map AZURE",
        f"{mapped} exp_to_fc_map AZURE",
        f"{mapped} scheduler scheduler.port",
        "password zebra",
        "enable password zebra",
        "log syslog informational",
        "log facility local4",
        "agentx",
    ] == [line for _, line in published().unread]


PIECES = [
    "#!part config_db.json",
    "#!part frr.conf",
    '{"PORT": {"Ethernet0": {"speed": "x", "mtu": [], "lanes": {}}}}',
    '{"QUEUE": {"Ethernet0|3-9999999": {"scheduler": "[SCHEDULER|a]"}, "|": {}, "a|b|c": 1}}',
    '{"BGP_NEIGHBOR": {"": {"asn": "1"}, "default|": {"asn": "-1"}}, "PREFIX": {"a|b|c|d": {}, "a|1|2|3..": {}}}',
    '{"VLAN_MEMBER": {"Vlan|": {}}, "WRED_PROFILE": [], "PFC_WD": {"GLOBAL": null}, "BGP_GLOBALS": {"default": {}}}',
    '{"DEVICE_METADATA": {"localhost": {"hostname": ["a"], "bgp_asn": ["1"]}}}',
    '{"PREFIX": {"a|b|c|d|e|1": {}}, "ROUTE_REDISTRIBUTE": {"a|b|bgp|c|d": {}}, "PORT": [{"name": "a"}, {}]}',
    "router bgp 65000",
    " neighbor",
    " address-family ipv4",
    "route-map A permit 10",
    "neighbor A password ",
    "exit",
    "end",
]
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=30), max_size=12).map("\n".join)


@settings(max_examples=300, deadline=None)
@given(TEXTS, TEXTS)
def test_any_text_is_read_or_refused_as_unreadable(old, new):
    try:
        plain, other = DIALECT.plain(old), DIALECT.plain(new)
        PLATFORM.read(old)
    except Unreadable:
        return
    found = compare(DIALECT, "x", plain, other)

    assert plain == DIALECT.plain(plain)
    judged(found.changes, CASES["leaf"]())
    lockouts(found.changes, CASES["leaf"]())
