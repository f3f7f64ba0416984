"""Canonical form, blocks, and what a change does."""

from __future__ import annotations

import json

import pytest

from fabric.platforms.srlinux import PLATFORM
from tests.platforms.eos.devices import change, change_routing
from tests.platforms.srlinux.devices import CASES, printed


@pytest.mark.parametrize("case", sorted(CASES))
def test_the_canonical_form_is_a_fixed_point_and_its_blocks_have_names_of_their_own(case):
    text = PLATFORM.canonical(printed(CASES[case]()))
    parts = PLATFORM.blocks(text)

    assert text == PLATFORM.canonical(text)
    assert text == "".join(block.text for block in parts)
    assert len(parts) == len({block.key for block in parts})


def test_the_order_of_keys_and_entries_does_not_count():
    tree = json.loads(printed(CASES["leaf"]()))
    interfaces = tree["srl_nokia-interfaces:interface"]
    shuffled = dict(reversed(tree.items())) | {"srl_nokia-interfaces:interface": interfaces[::-1]}

    assert PLATFORM.canonical(json.dumps(tree)) == PLATFORM.canonical(json.dumps(shuffled, indent=3))


def test_the_order_of_statements_counts():
    tree = json.loads(printed(CASES["leaf"]()))
    before = PLATFORM.canonical(json.dumps(tree))
    for policy in tree["srl_nokia-routing-policy:routing-policy"]["policy"]:
        policy["statement"].reverse()

    assert before != PLATFORM.canonical(json.dumps(tree))


def test_secrets_are_masked_and_placeholders_stay():
    device = change_routing(CASES["leaf"](), password="env:BGP")
    text = PLATFORM.canonical(printed(device))

    assert "<secret:env:BGP>" in text
    assert "$6$salt$hash" not in text
    assert '"password": "<masked>"' in text


def changed(before, after):
    old, new = ({b.key: b for b in PLATFORM.blocks(PLATFORM.canonical(printed(d)))} for d in (before, after))
    keys = [key for key in old | new if old.get(key) != new.get(key)]
    return {key: PLATFORM.block_impact(key, old.get(key), new.get(key)) for key in keys}


def test_a_shut_port_touches_that_port_only():
    device = CASES["leaf"]()
    shut = change(device, ports=(*device.ports[:-1], msgspec_shut(device.ports[-1])))
    found = changed(device, shut)

    assert {"interface ethernet-1/34"} == set(found)
    assert ("flap", ("ethernet-1/34",)) == (
        found["interface ethernet-1/34"].impact,
        found["interface ethernet-1/34"].ports,
    )


def msgspec_shut(port):
    import msgspec

    return msgspec.structs.replace(port, enabled=False)


def test_a_new_session_touches_its_port():
    device = CASES["leaf"]()
    fewer = change_routing(device, neighbors=device.routing.neighbors[:1])
    found = changed(fewer, device)
    key = "network-instance default bgp neighbor 10.128.0.2"

    assert ("flap", ("ethernet-1/34",)) == (found[key].impact, found[key].ports)


def test_log_servers_do_not_touch_traffic_and_users_are_our_way_in():
    device = CASES["leaf"]()
    text = PLATFORM.canonical(printed(device))

    assert "none" == PLATFORM.block_impact("system logging", None, None).impact
    assert "buffer" == PLATFORM.block_impact("qos buffer-management", None, None).impact
    assert () == PLATFORM.owns_way_in(text, text)
    assert ("`interface mgmt0` changes",) == PLATFORM.owns_way_in(
        text, text.replace("198.51.100.11", "198.51.100.12")
    )
