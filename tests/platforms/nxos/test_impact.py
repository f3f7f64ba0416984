"""What a change does to traffic, and what would lock us out."""

from __future__ import annotations

import pytest

from fabric.configuration import compare
from fabric.planning import judging
from fabric.platforms.nxos.dialect import DIALECT
from tests.platforms.cases import RESERVED, SHUT, addressing
from tests.platforms.judging import Judged, impacts, judged, lockouts, lockouts_of_texts
from tests.platforms.nxos.devices import CASES
from tests.platforms.sites import (
    HASH,
    HASH256,
    attachments,
    inventory,
    klass,
    leaf,
    network,
    override,
    policy,
    printed,
    services,
    site,
    state,
)

HOSTS = ("Ethernet1/1/1", "Ethernet1/1/2", "Ethernet1/2/1", "Ethernet1/2/2")
FABRIC = ("Ethernet1/3", "Ethernet1/4")
ONE_SPINE = network("tiers: {spine: {installed: 1}}")
STORAGE = attachments(
    "filer: {network: compute, kind: storage, links: 1, speed: 400G, cable: 5m, to: {unit: 0, rails: [0]}}"
)
PROFILES = {f"policy-map type queuing lossless-{kind}" for kind in ("400g-5m", "800g-40m")}


def plain(*changes):
    """The first leaf of the small site, with these changes."""
    return leaf("nxos", *changes)


def of_texts(old, new):
    """What the change from one text to another does to a leaf."""
    return {
        one.what: (one.impact.value, one.scope.ports)
        for one in judging.judged(compare(DIALECT, "x", old, new).changes, plain())
    }


def test_equal_switches_change_nothing():
    assert {} == judged(plain(), plain())


@pytest.mark.parametrize(
    ("words", "ports", "impact"),
    [
        (site('hosts: {gpu: {name: "node-{unit}-{index}"}}'), HOSTS, "none"),
        (network("ip_mtu: 4000"), (*HOSTS, *FABRIC), "flap"),
        (state(f"shut_ports: [{{device: leaf-0-0, port: Ethernet1/1/2, {SHUT}}}]"), HOSTS[1:2], "flap"),
        (addressing("host_even: host"), HOSTS, "flap"),
    ],
)
def test_ports_that_change_concern_those_ports_alone(words, ports, impact):
    found = judged(plain(), plain(words))

    assert {f"interface {port}" for port in ports} == set(found)
    for port in ports:
        verdict = found[f"interface {port}"]
        assert Judged(impact, () if impact == "none" else (port,), verdict.reason) == verdict
        assert verdict.reason


def test_without_its_watchdog_a_port_has_its_buffers_set_up_anew():
    found = impacts(plain(), plain(policy("watchdog: none")))

    assert {"priority-flow-control", *(f"interface {port}" for port in (*HOSTS, *FABRIC))} == set(found)
    assert {"buffer"} == set(found.values())


@pytest.mark.parametrize(
    ("words", "impact"),
    [
        ("host_links: {assignment: dhcp_relay, dhcp_servers: [192.0.2.67]}", "hitless"),
        ("family: dual", "flap"),
    ],
)
def test_what_hosts_are_told_of_addresses_interrupts_no_port(words, impact):
    found = impacts(plain(), plain(addressing(words)))

    assert impact == found["interface Ethernet1/1/1"]


def test_a_split_touches_all_parts_of_its_cage():
    found = judged(plain(), plain(RESERVED, STORAGE))["interface breakout module 1 port 5"]

    assert "flap" == found.impact
    assert ("Ethernet1/5/1", "Ethernet1/5/2") == found.ports


def test_new_thresholds_set_up_queues():
    low, high = (plain(klass("roce", f"ecn: {{kmin: {n}KB, kmax: 900KB}}")) for n in (100, 200))

    assert dict.fromkeys(PROFILES, "buffer") == impacts(low, high)


def test_other_code_points_class_packets_anew():
    assert {"class-map type qos match-any ROCE": "buffer"} == impacts(
        plain(), plain(klass("roce", "dscp: [24]"))
    )


def test_a_new_class_does_nothing_until_a_policy_has_it():
    more = klass("extra", "{dscp: [10], traffic_class: 2, queue: 2, share: 5}"), klass("roce", "share: 90")
    found = impacts(plain(), plain(*more))

    assert {
        "class-map type qos match-any EXTRA": "none",
        **dict.fromkeys((one for one in found if one.startswith("policy-map")), "buffer"),
    } == found
    assert "flap" == impacts(plain(*more), plain())["class-map type qos match-any EXTRA"]


def test_the_order_of_classes_in_a_policy_counts():
    old = "policy-map type qos P\n  class A\n    set qos-group 1\n  class B\n    set qos-group 2\n"
    new = "policy-map type qos P\n  class B\n    set qos-group 2\n  class A\n    set qos-group 1\n"

    assert {"policy-map type qos P": ("buffer", ())} == of_texts(old, new)
    assert {} == of_texts(*(text.replace("class B", "class class-default") for text in (old, new)))


def test_a_new_vlan_has_no_hosts_yet_and_one_that_goes_has():
    vlans = addressing("host_links: {mode: vlan}")
    comes, goes = impacts(plain(), plain(vlans)), impacts(plain(vlans), plain())

    assert ("none", "none", "flap") == tuple(
        comes[one] for one in ("vlan 10", "feature interface-vlan", "interface Vlan10")
    )
    assert ("flap", "flap", "flap") == tuple(
        goes[one] for one in ("vlan 10", "feature interface-vlan", "interface Vlan10")
    )


@pytest.mark.parametrize("words", ["max_paths: 32", "advertise_host_links: specific"])
def test_what_is_told_changes_without_an_interruption(words):
    assert "hitless" == impacts(plain(), plain(network(f"routing: {{{words}}}")))["router bgp"]


def test_a_drained_switch_keeps_its_sessions():
    drained = state(f"drained: [{{device: leaf-0-0, mode: graceful, {SHUT}}}]")

    assert {"route-map RM-TO-ABOVE 20": "hitless"} == impacts(plain(), plain(drained))


def test_a_new_session_disturbs_no_other():
    assert "hitless" == judged(plain(ONE_SPINE), plain())["router bgp"].impact


def test_another_as_number_of_a_neighbour_interrupts_its_port_only():
    found = judged(plain(), plain(override("[{device: spine-1, asn: 64999}]")))["router bgp"]

    assert ("flap", FABRIC[1:]) == (found.impact, found.ports)


@pytest.mark.parametrize("family", ["ipv4", "unnumbered"])
def test_a_neighbour_that_goes_interrupts_its_port(family):
    words = addressing(f"family: {family}")
    found = judged(plain(words), plain(words, ONE_SPINE))["router bgp"]

    assert ("flap", FABRIC[1:]) == (found.impact, found.ports)


@pytest.mark.parametrize(
    "words",
    [
        network("routing: {bgp: {password: 'env:BGP'}}"),
        network("routing: {bfd: none}"),
        state(f"drained: [{{device: leaf-0-0, mode: shut, {SHUT}}}]"),
    ],
)
def test_what_concerns_a_template_interrupts_the_ports_of_its_sessions(words):
    found = judged(plain(), plain(words))["router bgp"]

    assert ("flap", FABRIC) == (found.impact, found.ports)


def test_our_own_as_number_interrupts_everything():
    found = judged(plain(), plain(override("[{device: leaf-0-0, asn: 64777}]")))["router bgp"]

    assert ("flap", ()) == (found.impact, found.ports)


def test_a_neighbour_of_which_no_port_is_known_counts_for_the_whole_device():
    old = "router bgp 1\n  neighbor 192.0.2.1\n    remote-as 2\n"

    assert {"router bgp": ("flap", ())} == of_texts(old, old.replace("as 2", "as 3"))


@pytest.mark.parametrize(
    ("old", "new", "impact"),
    [
        ("", "feature bfd", "none"),
        ("feature bgp", "", "flap"),
        ("feature lldp", "", "none"),
        ("hardware profile dlb", "hardware profile dlb\n  mode per-packet", "reload"),
        ("", "hardware profile portmode 48x25g", "reload"),
        ("", "ip load-sharing address source-destination universal-id 1", "hitless"),
        ("", "system qos\n  service-policy type network-qos N", "buffer"),
        ("", "bfd interval 300 min_rx 300 multiplier 3", "hitless"),
        ("", "ip route 10.0.0.0/8 Null0 250", "hitless"),
        ("", "ipv6 prefix-list P seq 10 permit fd00::/8", "hitless"),
        ("", "ip community-list standard C seq 10 permit 1:1", "hitless"),
        ("route-map RM permit 10", "route-map RM permit 10\n  match community C", "hitless"),
        ("", "username a password <masked> role network-admin", "none"),
        ("snmp-server community <masked> ro", "", "none"),
        ("", "vrf context management\n  ip name-server 192.0.2.1", "none"),
        ("interface loopback0", "interface loopback0\n  ip address 192.0.2.1/32", "hitless"),
        ("interface Vlan10\n  description a", "interface Vlan10\n  description b", "none"),
        ("interface Vlan10\n  mtu 9000", "interface Vlan10\n  mtu 1500", "flap"),
        ("", "router bgp 1\n  router-id 10.0.0.1", "hitless"),
        ("router bgp 1\n  router-id 10.0.0.1", "router bgp 1\n  router-id 10.0.0.2", "flap"),
        ("router bgp 1\n  router-id 10.0.0.1", "", "flap"),
        ("", "something nobody knows", "flap"),
    ],
)
def test_sections_are_judged_by_what_they_are(old, new, impact):
    ((found, _),) = of_texts(f"{old}\n", f"{new}\n").values()

    assert impact == found


@pytest.mark.parametrize("case", sorted(CASES))
def test_every_line_that_is_printed_is_judged_by_a_row_of_its_own(case):
    text = DIALECT.plain(printed(CASES[case]()))

    for one in judging.judged(compare(DIALECT, "x", text, "").changes, CASES[case]()):
        assert "is not known" not in one.reason


def test_management_that_has_nothing_to_do_with_us_locks_nobody_out():
    new = services(f"""
        management: {{dns: [192.0.2.54]}}
        ntp: {{servers: [192.0.2.99]}}
        syslog: {{servers: []}}
        ssh: {{idle_timeout: 20min}}
        gnmi: {{}}
        banner: Hello
        users: {{viewer: {{password_hash: {HASH}, password_hash_sha256: {HASH256}}}}}
        """)

    assert () == lockouts(plain(), plain(new)) == lockouts(plain(), plain(network("ip_mtu: 4000")))


@pytest.mark.parametrize(
    ("new", "word"),
    [
        (inventory("devices: {leaf-0-0: {address: 198.51.100.12/24}}"), "interface mgmt0: `ip address"),
        (services("management: {gateway: 198.51.100.2}"), "vrf context management: `ip route"),
        (services("users: {netops: null}"), "username netops"),
        (services("users: {netops: {role: operator}}"), "username netops"),
        (services("ssh: {allow: [10.9.9.0/24]}"), "access-class SSH-ALLOW in` is added"),
        (services("tacacs: {servers: [192.0.2.7], secret: 'env:T'}"), "aaa authentication"),
    ],
)
def test_what_management_access_stands_on_is_a_reason(new, word):
    reasons = lockouts(plain(), plain(new))

    assert any(word in reason for reason in reasons), reasons


@pytest.mark.parametrize("mode", ["MGMT", "management"])
def test_the_vrf_of_management_is_known_whatever_the_intent_calls_it(mode):
    named = services(f"management: {{vrf: {mode}}}")

    assert lockouts(plain(named), plain(named, services("management: {gateway: 198.51.100.2}")))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("feature scp-server", "", "feature scp-server"),
        ("feature nxapi", "", "feature nxapi"),
        ("feature tacacs+", "", "feature tacacs+"),
        ("", "no feature ssh", "no feature ssh"),
        ("interface mgmt0\n  ip address 192.0.2.1/24", "", "ip address 192.0.2.1/24"),
        (
            "interface mgmt0\n  vrf member management",
            "interface mgmt0\n  vrf member management\n  shutdown",
            "shutdown` is added",
        ),
        (
            "ip access-list SSH-ALLOW\n  10 permit tcp 192.0.2.0/24 any eq 22",
            "ip access-list SSH-ALLOW",
            "10 permit tcp 192.0.2.0/24 any eq 22",
        ),
        ("tacacs-server host 192.0.2.7 key <masked>", "", "tacacs-server host 192.0.2.7"),
        ("aaa group server tacacs+ T\n  server 192.0.2.7", "aaa group server tacacs+ T", "server 192.0.2.7"),
    ],
)
def test_a_line_that_we_are_reached_by_is_a_reason(old, new, reason):
    (*_, last) = lockouts_of_texts(plain(), f"{old}\n", f"{new}\n")

    assert reason in last


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("interface mgmt0\n  description a", "interface mgmt0\n  description b"),
        ("line vty\n  exec-timeout 10", "line vty\n  exec-timeout 20"),
        (
            "vrf context management\n  ip name-server 192.0.2.1\n  ip route 0.0.0.0/0 192.0.2.9",
            "vrf context management\n  ip route 0.0.0.0/0 192.0.2.9",
        ),
        ("vrf context storage\n  ip route 0.0.0.0/0 192.0.2.9", ""),
        ("interface Ethernet1/1\n  ip address 10.0.0.0/31", ""),
        ("", "username b password <masked> role network-operator"),
    ],
)
def test_what_does_not_concern_management_access_is_let_be(old, new):
    assert () == lockouts_of_texts(plain(), f"{old}\n", f"{new}\n")
