"""Canonical form, blocks, what a change does, and whether it locks us out."""

from __future__ import annotations

import json

import pytest

from fabric.platforms.srlinux import PLATFORM
from tests.platforms.cases import SHUT, WITHOUT_POLICY
from tests.platforms.sites import HASH, LEAF, network, printed, services, site, state
from tests.platforms.srlinux.devices import CASES, asked


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
    protected = network("routing: {bgp: {password: 'env:BGP'}}")
    text = PLATFORM.canonical(printed(asked(protected, base="tacacs")))

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


def after(*words, base="leaf"):
    """What a change of the intent does to the switch of a case."""
    return changed(CASES[base](), asked(*words, base=base))


def test_a_shut_port_touches_that_port_only():
    shut = state(f"shut_ports: [{{device: {LEAF}, port: ethernet-1/4, {SHUT}}}]")

    assert {"interface ethernet-1/4": ("flap", ("ethernet-1/4",))} == after(shut)


def test_another_name_at_the_far_end_touches_nothing():
    hosts = "{gpus: 2, per_unit: 4, nics: {compute: {count: 2, speed: 400G}}}"
    ports = ("ethernet-1/1/1", "ethernet-1/1/2", "ethernet-1/2/1", "ethernet-1/2/2")

    assert {f"interface {port}": ("none", ()) for port in ports} == after(
        site(f"hosts: {{gpu: null, tpu: {hosts}}}")
    )


def test_a_new_session_touches_its_port():
    found = after(network("tiers: {spine: {count: 3}}"))

    assert ("flap", ("ethernet-1/5",)) == found["network-instance default bgp neighbor 10.128.0.4"]


@pytest.mark.parametrize(
    ("words", "key", "impact"),
    [
        ("routing: {max_paths: 8}", "network-instance default bgp", "hitless"),
        ("routing: {bgp: {hold: 30s}}", "network-instance default bgp", "flap"),
        ("addressing: {asn: {leaf: 4210000000}}", "network-instance default bgp", "flap"),
        ("routing: {bfd: {interval: 100ms}}", "bfd subinterface ethernet-1/3.0", "hitless"),
        ("routing: {bfd: none}", "bfd subinterface ethernet-1/3.0", "flap"),
        ("addressing: {host_links: {prefix_length: 30}}", "network-instance default", "hitless"),
        ("addressing: {loopback_pool: 10.254.0.0/16}", "routing-policy prefix-set loopbacks", "hitless"),
        ("routing: {hashing: {seed: per_tier}}", "system load-balancing", "flap"),
    ],
)
def test_routing_changes_interrupt_as_little_as_they_must(words, key, impact):
    assert impact == after(network(words))[key][0]


def test_another_queueing_sets_buffers_up_anew_port_by_port_and_for_all():
    found = after(WITHOUT_POLICY)

    assert ("buffer", ("ethernet-1/3",)) == found["qos interface ethernet-1/3"]
    assert ("buffer", ("ethernet-1/3",)) == found["qos interface ethernet-1/3.0"]
    assert ("buffer", ()) == found["qos linecard"]
    assert {"buffer"} == {impact for impact, _ in found.values()}


def test_splitting_a_cage_touches_all_its_parts():
    slow = network("tiers: {leaf: {max_oversubscription: '2:1'}}")
    whole = asked(slow, site("hosts: {gpu: {nics: {compute: {speed: 800G}}}}"))
    found = changed(whole, asked(slow))

    assert ("flap", ("ethernet-1/1/1", "ethernet-1/1/2")) == found["interface ethernet-1/1"]


def test_a_smaller_packet_interrupts_and_another_relay_does_not():
    elsewhere = network("addressing: {host_links: {dhcp_servers: [10.9.9.77, 'fd00:9::9']}}")

    assert {"hitless"} == {impact for impact, _ in after(elsewhere, base="dhcp relay").values()}
    assert {"flap"} == {impact for impact, _ in after(network("ip_mtu: 1500"), base="dhcp relay").values()}


def test_log_servers_do_not_touch_traffic():
    assert "none" == PLATFORM.block_impact("system logging", None, None).impact
    assert "none" == PLATFORM.block_impact("interface mgmt0", None, None).impact
    assert "flap" == PLATFORM.block_impact("tunnel-interface vxlan1", None, None).impact


def way_in(before, after):
    return PLATFORM.owns_way_in(PLATFORM.canonical(before), PLATFORM.canonical(after))


def test_what_our_way_in_stands_on_is_told_when_it_changes_goes_or_bars_it():
    text = printed(CASES["leaf"]())
    renumbered = text.replace("198.51.100.11", "198.51.100.12")
    guarded = printed(asked(services("ssh: {allow: [192.0.2.0/24]}")))
    others = f"users: {{netops: null, other: {{role: admin, password_hash: {HASH}}}}}"

    assert () == way_in(text, text)
    assert () == way_in("", text)
    assert ("`interface mgmt0` changes",) == way_in(text, renumbered)
    assert "`acl acl-filter` comes" in way_in(text, guarded)
    assert ("`system aaa` changes",) == way_in(text, printed(asked(services(others))))


def test_a_server_that_others_come_in_by_is_told_when_it_goes_and_not_when_it_comes():
    device = CASES["leaf"]()
    served = printed(asked(services("gnmi: {}")))
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
