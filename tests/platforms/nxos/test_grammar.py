"""Every line that we print, against forms that published sources show; and what must hold between lines."""

from __future__ import annotations

import re

import pytest

from tests.platforms.nxos.devices import CASES
from tests.platforms.nxos.grammar import grammar
from tests.platforms.nxos.printing import printed


@pytest.mark.parametrize("case", sorted(CASES))
def test_every_printed_line_has_a_published_form(case):
    assert [] == grammar(printed(CASES[case]()))


@pytest.mark.parametrize(
    "line",
    [
        "priority-flow-control watch-dog-interval 100",
        "class-map type queuing RDMA",
        "interface Ethernet1/1\n  priority-flow-control watch-dog-interval 100",
        "policy-map type queuing Q\n  class type queuing c-out-q3",
        "policy-map type queuing Q\n  class type queuing c-out-8q-q3\n    bandwidth remaining percent 101",
        "policy-map type network-qos N\n  class type network-qos c-8q-nq3\n    pause no-drop",
        "router bgp 1\n  neighbor 10.0.0.1\n    remote-as external",
        "interface breakout module 1 port 1 map 400g-8x",
        "username a password 0 secret role network-admin",
        "ip prefix-list P permit 10.0.0.0/8",
    ],
)
def test_what_no_source_shows_is_refused(line):
    assert [line.rsplit("\n", 1)[-1].strip()] == grammar(line)


@pytest.mark.parametrize("case", sorted(CASES))
def test_group_queue_and_pause_have_one_number_and_sums_are_whole(case):
    text = printed(CASES[case]())
    for policy in re.findall(r"(?m)^policy-map type queuing .*\n((?: .*\n)+)", text):
        queues = re.findall(r"class type queuing c-out-8q-q(\S+)", policy)
        assert ["7", "6", "5", "4", "3", "2", "1", "-default"] == queues
        assert 100 == sum(map(int, re.findall(r"remaining percent (\d+)", policy)))
    for number, paused in re.findall(r"c-8q-nq(\d)\n    mtu 9216\n    pause pfc-cos (\d)", text):
        assert number == paused
        assert f"set qos-group {number}" in text


@pytest.mark.parametrize("case", sorted(CASES))
def test_whatever_is_named_is_defined(case):
    text = printed(CASES[case]())
    pairs = (
        (r"service-policy type network-qos (\S+)", r"policy-map type network-qos (\S+)"),
        (r"service-policy type qos input (\S+)", r"policy-map type qos (\S+)"),
        (r"service-policy type queuing output (\S+)", r"policy-map type queuing (\S+)"),
        (r"route-map (\S+)(?: in| out)?$", r"^route-map (\S+) (?:permit|deny)"),
        (r"match (?:ip|ipv6) address prefix-list (\S+)", r"^(?:ip|ipv6) prefix-list (\S+)"),
        (r"match community (\S+)", r"community-list standard (\S+)"),
        (r"inherit peer (\S+)", r"template peer (\S+)"),
        (r"access-class (\S+) in", r"^(?:ip|ipv6) access-list (\S+)"),
        (r"switchport access vlan (\d+)", r"^vlan (\d+)"),
        (r"group (TACACS)$", r"group server tacacs\+ (\S+)"),
    )
    for used, defined in pairs:
        assert set(re.findall(f"(?m){used}", text)) <= set(re.findall(f"(?m){defined}", text))
    classes = set(re.findall(r"(?m)^  class (\S+)$", text)) - {"class-default"}
    assert classes == set(re.findall(r"(?m)^class-map type qos match-any (\S+)", text))


def test_upward_nothing_from_above_is_told():
    text = printed(CASES["spine"]())

    assert "route-map RM-TO-ABOVE deny 10\n  match community FROM-ABOVE\n" in text
    up = text[text.index("template peer UP\n") :]
    assert "route-map RM-FROM-ABOVE in\n      route-map RM-TO-ABOVE out\n" in up[: up.index("neighbor")]
    down = text[text.index("template peer DOWN\n") : text.index("template peer UP\n")]
    assert " out" not in down
