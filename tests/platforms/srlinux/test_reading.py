"""The reader against our own output, and against configurations that we did not write."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings

from fabric.platforms.srlinux import PLATFORM
from tests.platforms.eos.strategies import switches
from tests.platforms.srlinux.devices import CASES, printed, sayable


@pytest.mark.parametrize("case", sorted(CASES))
def test_what_is_printed_reads_back_as_the_same_device(case):
    device = CASES[case]()
    text = printed(device)
    reading = PLATFORM.read(text)

    assert isinstance(json.loads(text), dict)
    assert () == reading.unread
    assert PLATFORM.project(device) == reading.facts


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(switches().map(sayable))
def test_any_switch_reads_back_as_itself(device):
    text = printed(device)
    reading = PLATFORM.read(text)
    again = PLATFORM.read(PLATFORM.canonical(text))

    assert () == reading.unread == again.unread
    assert PLATFORM.project(device) == reading.facts
    assert reading.facts.interfaces == again.facts.interfaces
    assert reading.facts.neighbors == again.facts.neighbors
    assert reading.facts.profiles == again.facts.profiles


def test_every_unread_leaf_comes_with_its_line():
    text = (
        '{\n "srl_nokia-interfaces:interface": [\n  {"name": "e1",\n   "vlan-tagging": true}],\n "x": {}\n}\n'
    )

    assert ((4, "/interface/vlan-tagging true"), (5, "/x {}")) == PLATFORM.read(text).unread


def test_what_is_no_json_is_unread_from_there_on():
    assert ((2, "interface x {"), (3, "}")) == PLATFORM.read("{}\ninterface x {\n}\n").unread


def test_a_tree_of_other_people_is_understood():
    text = json.dumps(
        {
            "interface": [
                {
                    "name": "ethernet-1/7",
                    "admin-state": "disable",
                    "subinterface": [{"index": 0, "ip-mtu": 1500}],
                }
            ],
            "network-instance": [
                {
                    "name": "default",
                    "protocols": {"bgp": {"autonomous-system": 65001, "router-id": "10.0.0.1"}},
                }
            ],
        }
    )
    facts = PLATFORM.read(text).facts

    assert (65001, "10.0.0.1") == (facts.asn, facts.router_id)
    assert (False, 1500) == (
        facts.interfaces["ethernet-1/7"].enabled,
        facts.interfaces["ethernet-1/7"].ip_mtu_bytes,
    )
