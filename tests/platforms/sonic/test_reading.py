"""The reader against our own output."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.platforms.sonic import PLATFORM
from tests.platforms.sites import printed
from tests.platforms.sonic.devices import CASES

PUBLISHED = Path(__file__).parent / "published"


@pytest.mark.parametrize("case", sorted(CASES))
def test_what_is_printed_reads_back_as_the_same_device(case):
    device = CASES[case]()
    reading = PLATFORM.read(printed(device))

    assert () == reading.unread
    assert PLATFORM.project(device) == reading.facts


@pytest.mark.parametrize("case", sorted(CASES))
def test_the_canonical_form_says_the_same_and_stays_as_it_is(case):
    text = printed(CASES[case]())
    once = PLATFORM.canonical(text)

    assert PLATFORM.read(text).facts == PLATFORM.read(once).facts
    assert once == PLATFORM.canonical(once)
    assert PLATFORM.blocks(once)


def test_a_table_a_field_and_a_line_that_nobody_knows_are_reported():
    text = (
        '#!part config_db.json\n{"FANCY": {"a": {}},\n"PORT": {"Ethernet0": {"colour": "red"}, "Ethernet8": 7}}\n'
        "#!part frr.conf\nrouter bgp 1\n strange thing\n"
    )

    assert (
        (2, "FANCY"),
        (3, "PORT|Ethernet0|colour"),
        (3, "PORT|Ethernet8"),
        (6, "strange thing"),
    ) == PLATFORM.read(text).unread


def published():
    """Examples of SONiC's own manual, and a bgpd.conf that its own templates made."""
    tables, routing = (PUBLISHED / "manual.json").read_text(), (PUBLISHED / "switch-t0.conf").read_text()
    return PLATFORM.read(f"#!part config_db.json\n{tables}#!part frr.conf\n{routing}")


def test_a_published_configuration_is_understood():
    facts = published().facts

    assert (65100, "10.1.0.32", 512) == (facts.asn, facts.router_id, facts.max_paths)
    assert 64600 == facts.neighbors["10.0.0.63"].remote_asn
    assert "permit 192.168.0.0/27; permit 192.168.200.0/27" == facts.policies["LOCAL_VLAN_IPV4_PREFIX"]
    assert "network 192.168.0.1/27" in facts.policies["bgp"]
    ((_, queues),) = facts.profiles.items()
    assert {4: False, 5: True, 6: True} == {number: one.strict for number, one in queues.items()}
    assert "Ethernet8 5m" in facts.services["cable length"]


def test_what_is_not_understood_of_a_published_configuration_is_told_line_by_line():
    assert [
        "BGP_BBR",
        "BGP_DEVICE_GLOBAL",
        "BGP_NEIGHBOR|10.0.0.61|asn",  # a number, where CONFIG_DB has texts only
        "COPP_TABLE",
        "SCHEDULER|scheduler.1|pbs",
        "SCHEDULER|scheduler.port|pbs",
        "PORT_QOS_MAP|Ethernet50,Ethernet52,Ethernet54,Ethernet56|dscp_to_fc_map",
        "PORT_QOS_MAP|Ethernet50,Ethernet52,Ethernet54,Ethernet56|exp_to_fc_map",
        "PORT_QOS_MAP|Ethernet50,Ethernet52,Ethernet54,Ethernet56|scheduler",
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
    "router bgp 65000",
    " neighbor",
    " address-family ipv4",
    "route-map A permit 10",
    "neighbor A password ",
]


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=30), max_size=12).map("\n".join))
def test_any_text_is_read_without_a_crash(text):
    PLATFORM.read(text)
    once = PLATFORM.canonical(text)

    assert once == PLATFORM.canonical(once)
    for block in PLATFORM.blocks(once):
        PLATFORM.block_impact(block.key, None, block)
    PLATFORM.owns_way_in(once, text)
