"""What a change does, and whether it locks us out."""

from __future__ import annotations

import json

import pytest

from fabric.configuration import compare
from fabric.planning import judging
from fabric.platforms.srlinux import PLATFORM
from tests.platforms.cases import SHUT, WITHOUT_POLICY
from tests.platforms.judging import changes, differing, judged, lockouts, lockouts_of_texts
from tests.platforms.sites import HASH, LEAF, network, printed, services, site, state
from tests.platforms.srlinux.devices import CASES, asked

UPLINKS = ("ethernet-1/3", "ethernet-1/4")
GUARDED = services("ssh: {allow: [192.0.2.0/24]}")
OTHERS = services(f"users: {{netops: null, other: {{role: admin, password_hash: {HASH}}}}}")


def after(*words, base="leaf"):
    """What a change of the intent does to the switch of a case."""
    return {
        what: (one.impact, one.ports) for what, one in judged(CASES[base](), asked(*words, base=base)).items()
    }


def edited(change):
    """What differs when the tree of the leaf is changed by hand."""
    text = printed(CASES["leaf"]())
    tree = json.loads(text)
    change(tree)
    return differing("srlinux", text, json.dumps(tree, indent=3))


def test_equal_switches_change_nothing():
    assert {} == after()


def test_the_order_of_keys_and_entries_does_not_count():
    def shuffled(tree):
        interfaces = tree.pop("srl_nokia-interfaces:interface")
        tree["srl_nokia-interfaces:interface"] = [dict(reversed(one.items())) for one in interfaces[::-1]]

    assert {} == edited(shuffled)


def test_the_order_of_statements_counts():
    def turned(tree):
        for policy in tree["srl_nokia-routing-policy:routing-policy"]["policy"]:
            policy["statement"].reverse()

    assert {"routing-policy policy to-above"} <= set(edited(turned))


def test_the_order_of_authentication_methods_counts():
    text = printed(CASES["tacacs"]())

    assert ["system aaa"] == list(
        differing("srlinux", text, text.replace('["tacacs","local"]', '["local","tacacs"]'))
    )


def test_a_module_that_is_named_where_it_need_not_be_changes_nothing():
    text = printed(CASES["leaf"]())
    spelled = text.replace("srl_nokia-system:system", "system").replace('"mtu"', '"srl_nokia-interfaces:mtu"')

    assert text != spelled
    assert {} == differing("srlinux", text, spelled)


def test_a_shut_port_touches_that_port_only():
    shut = state(f"shut_ports: [{{device: {LEAF}, port: ethernet-1/4, {SHUT}}}]")

    assert {"interface ethernet-1/4": ("flap", ("ethernet-1/4",))} == after(shut)


def test_another_name_at_the_far_end_touches_nothing():
    hosts = "{gpus: 2, per_unit: 4, nics: {compute: {count: 2, speed: 400G}}}"
    ports = ("ethernet-1/1/1", "ethernet-1/1/2", "ethernet-1/2/1", "ethernet-1/2/2")

    assert {f"interface {port}": ("none", ()) for port in ports} == after(
        site(f"hosts: {{gpu: null, tpu: {hosts}}}")
    )


def test_a_new_session_touches_its_port_and_no_other_session():
    found = after(network("tiers: {spine: {count: 3}}"))

    assert ("flap", ("ethernet-1/5",)) == found["interface ethernet-1/5"]
    assert ("flap", ("ethernet-1/5",)) == found["network-instance default interface ethernet-1/5.0"]
    assert ("hitless", ()) == found["network-instance default protocols bgp"]


def test_a_session_that_goes_touches_its_port():
    three = network("tiers: {spine: {count: 3}}")
    found = judged(asked(three), CASES["leaf"]())

    assert "flap" == found["network-instance default protocols bgp"].impact


@pytest.mark.parametrize(
    ("words", "key", "impact", "ports"),
    [
        ("routing: {max_paths: 8}", "network-instance default protocols bgp", "hitless", ()),
        ("routing: {bgp: {hold: 30s}}", "network-instance default protocols bgp", "flap", UPLINKS),
        ("routing: {bgp: {password: 'env:BGP'}}", "network-instance default protocols bgp", "flap", UPLINKS),
        ("addressing: {asn: {leaf: 4210000000}}", "network-instance default protocols bgp", "flap", ()),
        ("addressing: {asn: {spine: 4220000000}}", "network-instance default protocols bgp", "flap", UPLINKS),
        ("routing: {bfd: {interval: 100ms}}", "bfd subinterface ethernet-1/3.0", "hitless", UPLINKS[:1]),
        ("routing: {bfd: none}", "bfd subinterface ethernet-1/3.0", "flap", UPLINKS[:1]),
        ("addressing: {host_links: {prefix_length: 30}}", "network-instance default aggregate-routes", "hitless", ()),
        ("addressing: {loopback_pool: 10.254.0.0/16}", "routing-policy prefix-set loopbacks", "hitless", ()),
        ("addressing: {loopback_pool: 10.254.0.0/16}", "interface system0", "hitless", ()),
        ("routing: {hashing: {seed: per_tier}}", "system load-balancing", "flap", ()),
    ],
)  # fmt: skip
def test_routing_changes_interrupt_as_little_as_they_must(words, key, impact, ports):
    assert (impact, ports) == after(network(words))[key]


def test_a_session_without_addresses_is_that_of_its_port():
    found = after(network("routing: {bgp: {hold: 30s}}"), base="unnumbered")

    assert {"network-instance default protocols bgp": ("flap", UPLINKS)} == found


def test_another_queueing_sets_buffers_up_anew_port_by_port_and_for_all():
    found = after(WITHOUT_POLICY)

    assert ("buffer", ("ethernet-1/3",)) == found["qos interfaces interface ethernet-1/3"]
    assert ("buffer", ("ethernet-1/3",)) == found["qos interfaces interface ethernet-1/3.0"]
    assert ("buffer", ()) == found["qos linecard 1"]
    assert {"buffer"} == {impact for impact, _ in found.values()}


def test_splitting_a_cage_touches_all_its_parts():
    slow = network("tiers: {leaf: {max_oversubscription: '2:1'}}")
    whole = asked(slow, site("hosts: {gpu: {nics: {compute: {speed: 800G}}}}"))
    split = judged(whole, asked(slow))["interface ethernet-1/1"]

    assert "flap" == split.impact
    assert {"ethernet-1/1/1", "ethernet-1/1/2"} <= set(split.ports)
    assert "ethernet-1/1/3" not in split.ports
    assert ("ethernet-1/1",) == judged(asked(slow), whole)["interface ethernet-1/1"].ports


def test_a_smaller_packet_interrupts_and_another_relay_does_not():
    elsewhere = network("addressing: {host_links: {dhcp_servers: [10.9.9.77, 'fd00:9::9']}}")

    assert {"hitless"} == {impact for impact, _ in after(elsewhere, base="dhcp relay").values()}
    assert {"flap"} == {impact for impact, _ in after(network("ip_mtu: 1500"), base="dhcp relay").values()}


def test_hosts_of_a_vlan_lose_their_gateway_while_it_changes():
    found = after(network("ip_mtu: 1500"), base="vlan gateway")

    assert ("flap", ()) == found["interface irb0"]


def test_management_does_not_touch_traffic():
    found = after(
        services("syslog: {servers: [192.0.2.77]}"), services("management: {gateway: 198.51.100.2}")
    )

    assert {"system logging", "network-instance mgmt next-hop-groups"} == set(found)
    assert {("none", ())} == set(found.values())


def test_what_nobody_knows_counts_as_an_interruption():
    foreign = {"srl_nokia-tunnel-interfaces:tunnel-interface": [{"name": "vxlan1"}]}
    (change,) = judged_texts(foreign)

    assert ("tunnel-interface vxlan1", "flap") == (change.what, change.impact.value)


def judged_texts(foreign):
    """What the change from the leaf with something foreign in it to the leaf does."""
    device = CASES["leaf"]()
    dialect, text = PLATFORM.dialect(), printed(device)
    found = compare(dialect, "x", dialect.plain(text + json.dumps(foreign)), dialect.plain(text))
    return judging.judged(found.changes, device)


def test_what_management_access_stands_on_is_told_when_it_changes_goes_or_bars_us():
    device = CASES["leaf"]()
    text = printed(device)
    renumbered = text.replace("198.51.100.11", "198.51.100.12")

    assert () == lockouts(device, device)
    assert {"interface mgmt0"} == {
        reason.partition(":")[0] for reason in lockouts_of_texts(device, text, renumbered)
    }
    assert "acl interface mgmt0.0: `interface mgmt0.0` is added" in lockouts(device, asked(GUARDED))
    assert "system aaa: `authentication user netops` is removed" in lockouts(device, asked(OTHERS))


def test_the_gateway_of_the_management_network_is_told():
    moved = services("management: {gateway: 198.51.100.2}")

    (reason,) = lockouts(CASES["leaf"](), asked(moved))
    assert reason == (
        "network-instance mgmt next-hop-groups: `group gateway nexthop 1 ip-address 198.51.100.1` becomes "
        "`ip-address 198.51.100.2`"
    )


def test_a_server_that_others_come_in_by_is_told_when_it_goes_or_changes_and_not_when_it_comes():
    device, served = CASES["leaf"](), asked(services("gnmi: {}"))
    rpc = {"srl_nokia-system:system": {"srl_nokia-json-rpc:json-rpc-server": {"admin-state": "enable"}}}
    elsewhere = asked(services("gnmi: {port: 50051}"))

    assert () == lockouts(device, served)
    assert "system grpc-server mgmt: `grpc-server mgmt` is removed" in lockouts(served, device)
    assert ("system grpc-server mgmt: `port 6030` becomes `port 50051`",) == lockouts(served, elsewhere)
    assert (
        "system json-rpc-server: `json-rpc-server` is removed",
        "system json-rpc-server: `admin-state enable` is removed",
    ) == lockouts_of_texts(device, printed(device) + json.dumps(rpc), printed(device))


def test_a_text_that_is_no_setting_locks_nobody_out():
    def worded(tree):
        for one in tree["srl_nokia-interfaces:interface"]:
            one["description"] = "another text"

    device, text = CASES["leaf"](), printed(CASES["leaf"]())
    tree = json.loads(text)
    worded(tree)

    assert () == lockouts_of_texts(device, text, json.dumps(tree))


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


def test_a_diff_shows_a_setting_with_what_stands_around_it():
    (change,) = changes(CASES["leaf"](), asked(network("routing: {max_paths: 8}")))

    assert ("network-instance default protocols bgp", "~") == (change.what, change.action)
