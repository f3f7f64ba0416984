"""Canonical form, blocks, what a change does, and whether it locks us out."""

from __future__ import annotations

import json
from ipaddress import ip_network

import msgspec
import pytest

from fabric.intent.model import Gnmi, Ssh, User
from fabric.platforms.srlinux import PLATFORM
from tests.platforms.eos.devices import HASH, change, change_routing, host
from tests.platforms.srlinux.devices import CASES, printed

replace = msgspec.structs.replace


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


def test_the_order_of_authentication_methods_counts():
    text = PLATFORM.canonical(printed(CASES["tacacs"]()))
    turned = text.replace('"tacacs",\n     "local"', '"local",\n     "tacacs"')

    assert text != turned == PLATFORM.canonical(turned)


def test_secrets_are_masked_and_placeholders_stay():
    text = PLATFORM.canonical(printed(change_routing(CASES["tacacs"](), password="env:BGP")))

    assert "<secret:env:BGP>" in text
    assert HASH not in text
    assert '"password": "<masked>"' in text


def test_a_device_that_says_its_password_in_a_form_of_its_own_equals_our_placeholder_only_masked():
    ours = PLATFORM.canonical('{"system": {"aaa": {"password": "$6$a$b"}}}')

    assert ours == PLATFORM.canonical('{"system": {"aaa": {"password": "$y$other"}}}')


def changed(before, after):
    old, new = ({b.key: b for b in PLATFORM.blocks(PLATFORM.canonical(printed(d)))} for d in (before, after))
    keys = [key for key in old | new if old.get(key) != new.get(key)]
    found = {key: PLATFORM.block_impact(key, old.get(key), new.get(key)) for key in keys}
    return {key: (impact.impact, impact.ports) for key, impact in found.items()}


def with_port(device, **changes):
    return change(device, ports=(*device.ports[:-1], replace(device.ports[-1], **changes)))


def with_services(device, **changes):
    return change(device, services=replace(device.services, **changes))


def test_a_shut_port_touches_that_port_only():
    device = CASES["leaf"]()

    assert {"interface ethernet-1/34": ("flap", ("ethernet-1/34",))} == changed(
        device, with_port(device, enabled=False)
    )


def test_another_name_at_the_far_end_touches_nothing():
    device = CASES["leaf"]()

    assert ("none", ()) == changed(device, with_port(device, peer="spine-9"))["interface ethernet-1/34"]


def test_a_new_session_touches_its_port():
    device = CASES["leaf"]()
    fewer = change_routing(device, neighbors=device.routing.neighbors[:1])
    found = changed(fewer, device)

    assert ("flap", ("ethernet-1/34",)) == found["network-instance default bgp neighbor 10.128.0.2"]


@pytest.mark.parametrize(
    ("changes", "key", "impact"),
    [
        ({"max_paths": 8}, "network-instance default bgp", "hitless"),
        ({"hold_ms": 30_000}, "network-instance default bgp", "flap"),
        ({"asn": 64_999}, "network-instance default bgp", "flap"),
        ({"bfd_interval_ms": 100}, "bfd subinterface ethernet-1/33.0", "hitless"),
        ({"bfd_interval_ms": None}, "bfd subinterface ethernet-1/33.0", "flap"),
        ({"aggregates": (ip_network("10.9.0.0/24"),)}, "network-instance default", "hitless"),
        ({"loopbacks": ()}, "routing-policy prefix-set loopbacks", "hitless"),
        ({"hash_seed": 5}, "system load-balancing", "flap"),
    ],
)
def test_routing_changes_interrupt_as_little_as_they_must(changes, key, impact):
    device = CASES["leaf"]()

    assert impact == changed(device, change_routing(device, **changes))[key][0]


def test_another_queueing_sets_buffers_up_anew_port_by_port_and_for_all():
    device = CASES["leaf"]()
    bare = change(
        device,
        queueing=None,
        ports=tuple(replace(port, queueing=None) for port in device.ports),
    )
    found = changed(device, bare)

    assert ("buffer", ("ethernet-1/33",)) == found["qos interface ethernet-1/33"]
    assert ("buffer", ("ethernet-1/33",)) == found["qos interface ethernet-1/33.0"]
    assert ("buffer", ()) == found["qos linecard"]
    assert {"buffer"} == {impact for impact, _ in found.values()}


def test_splitting_a_cage_touches_all_its_parts():
    device = CASES["leaf"]()
    found = changed(change(device, ports=device.ports[-2:]), device)

    assert ("flap", ("ethernet-1/1/1", "ethernet-1/1/2")) == found["interface ethernet-1/1"]


def test_a_smaller_packet_interrupts_and_another_relay_does_not():
    device = CASES["relayed"]()
    servers = (host("192.0.2.77"), host("2001:db8::5"))
    elsewhere = change(device, host_addressing=replace(device.host_addressing, dhcp_servers=servers))

    assert {"hitless"} == {impact for impact, _ in changed(device, elsewhere).values()}
    assert {"flap"} == {
        impact for impact, _ in changed(device, with_port(device, ip_mtu_bytes=1500)).values()
    }


def test_log_servers_do_not_touch_traffic():
    assert "none" == PLATFORM.block_impact("system logging", None, None).impact
    assert "none" == PLATFORM.block_impact("interface mgmt0", None, None).impact
    assert "flap" == PLATFORM.block_impact("tunnel-interface vxlan1", None, None).impact


def way_in(before, after):
    return PLATFORM.owns_way_in(PLATFORM.canonical(before), PLATFORM.canonical(after))


def test_what_our_way_in_stands_on_is_told_when_it_changes_goes_or_bars_it():
    device = CASES["leaf"]()
    text = printed(device)
    renumbered = text.replace("198.51.100.11", "198.51.100.12")
    guarded = printed(with_services(device, ssh=Ssh(allow=(ip_network("192.0.2.0/24"),))))
    fewer = printed(with_services(device, users={"other": User(password_hash=HASH, role="admin")}))

    assert () == way_in(text, text)
    assert () == way_in("", text)
    assert ("`interface mgmt0` changes",) == way_in(text, renumbered)
    assert "`acl acl-filter` comes" in way_in(text, guarded)
    assert ("`system aaa` changes",) == way_in(text, fewer)


def test_a_server_that_others_come_in_by_is_told_when_it_goes_and_not_when_it_comes():
    device = CASES["leaf"]()
    served = printed(with_services(device, gnmi=Gnmi()))
    rpc = {"srl_nokia-system:system": {"srl_nokia-json-rpc:json-rpc-server": {"admin-state": "enable"}}}

    assert () == way_in(printed(device), served)
    assert ("`system grpc-server` goes",) == way_in(served, printed(device))
    assert ("`system json-rpc-server` goes",) == way_in(printed(device) + json.dumps(rpc), printed(device))


def test_a_leaf_always_holds_what_lets_us_in():
    tree = json.loads(printed(CASES["leaf"]()))
    system, instances = tree["srl_nokia-system:system"], tree["srl_nokia-network-instance:network-instance"]
    management = next(one for one in instances if one["name"] == "mgmt")
    access = system["srl_nokia-aaa:aaa"]

    assert [{"name": "local", "type": "srl_nokia-aaa-types:local"}] == access["server-group"]
    assert ["local"] == access["authentication"]["authentication-method"]
    assert ["mgmt"] == [server["network-instance"] for server in system["srl_nokia-ssh:ssh-server"]]
    assert management["protocols"]["srl_nokia-linux:linux"]["export-routes"] is True
    assert {"mgmt0.0"} == {one["name"] for one in management["interface"]}
