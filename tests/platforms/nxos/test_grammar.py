"""Every line that we print, against forms that published sources show; and what must hold between lines."""

from __future__ import annotations

import pytest

from tests.platforms.everywhere import devices, texts
from tests.platforms.nxos.devices import CASES
from tests.platforms.nxos.grammar import grammar
from tests.platforms.nxos.invariants import undefined, wrong_numbers
from tests.platforms.nxos.valleys import sessions_without_policy, valleys
from tests.platforms.sites import printed


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
    assert [] == list(wrong_numbers(printed(CASES[case]())))


@pytest.mark.parametrize("case", sorted(CASES))
def test_whatever_is_named_is_defined(case):
    assert [] == list(undefined(printed(CASES[case]())))


@pytest.mark.parametrize(
    ("fault", "put"),
    [
        ("remaining percent 95", "remaining percent 94"),
        ("  class type queuing c-out-8q-q5\n    bandwidth remaining percent 0\n", ""),
        ("pause pfc-cos 3", "pause pfc-cos 4"),
        ("c-8q-nq3", "c-8q-nq4"),
        ("set qos-group 3", "set qos-group 2"),
        ("c-out-8q-q7\n    priority level 1", "c-out-8q-q7\n    bandwidth remaining percent 0"),
    ],
)
def test_planted_faults_in_numbers_are_found(fault, put):
    text = printed(CASES["leaf"]())

    assert fault in text
    assert list(wrong_numbers(text.replace(fault, put)))


@pytest.mark.parametrize(
    ("fault", "put"),
    [
        ("queuing output lossless-400g-5m", "queuing output other"),
        ("\nclass-map type qos match-any ROCE", "\nclass-map type qos match-any OTHER"),
        ("inherit peer UP", "inherit peer DOWN"),
        ("match community FROM-ABOVE", "match community OTHER"),
        ("prefix-list PL-ACCEPTED\n", "prefix-list PL-OTHER\n"),
        ("route-map RM-TO-ABOVE out", "route-map RM-OTHER out"),
    ],
)
def test_planted_names_without_definition_are_found(fault, put):
    text = printed(CASES["leaf"]())

    assert fault in text
    assert list(undefined(text.replace(fault, put)))


@pytest.mark.parametrize("case", sorted(CASES))
def test_upward_nothing_from_above_is_told(case):
    text = printed(CASES[case]())

    assert [] == [*valleys(text), *sessions_without_policy(text)]


@pytest.mark.parametrize(
    ("fault", "put"),
    [
        ("  set community 64999:1 additive\n", ""),
        ("route-map RM-TO-ABOVE out", "route-map RM-FROM-ABOVE out"),
        ("route-map RM-TO-ABOVE deny 10", "route-map RM-TO-ABOVE permit 10"),
        ("permit 64999:1", "permit 64999:2"),
        ("      send-community\n", ""),
        ("      route-map RM-TO-ABOVE out\n", ""),
    ],
)
def test_planted_valleys_are_found(fault, put):
    text = printed(CASES["leaf"]())

    assert fault in text
    assert list(valleys(text.replace(fault, put)))


def test_the_queue_of_the_notifications_is_limited_as_hosts_choose_their_marks():
    """BGP has DSCP 48 too, but what the switch sends itself leaves by a queue beside the eight."""
    text = next(text for switch, text in texts(devices("nxos", "two tiers")) if switch.role == "leaf")

    assert "class-map type qos match-any CNP\n  match dscp 48\n" in text
    assert "  class CNP\n    set qos-group 7\n" in text
    assert (
        "  class type queuing c-out-8q-q7\n    priority level 1\n    shape min 0 mbps max 20000 mbps\n"
        in text
    )
