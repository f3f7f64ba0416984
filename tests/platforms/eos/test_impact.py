"""What a change does to traffic, and which changes could lock us out."""

from __future__ import annotations

import re

import pytest

from fabric.configuration import compare
from fabric.planning import judging
from fabric.platforms.eos.dialect import DIALECT
from tests.platforms.cases import RESERVED, SHUT, addressing
from tests.platforms.eos.sites import plain, text_of
from tests.platforms.judging import Judged, impacts, judged, lockouts, lockouts_of_texts
from tests.platforms.sites import (
    HASH,
    attachments,
    inventory,
    klass,
    network,
    override,
    services,
    site,
    state,
)

HOSTS = ("Ethernet1/1", "Ethernet1/5", "Ethernet2/1", "Ethernet2/5")
FABRIC = ("Ethernet3/1", "Ethernet4/1")
ONE_SPINE = network("tiers: {spine: {installed: 1}}")
PASSWORD = network("routing: {bgp: {password: 'env:BGP'}}")
DRAINED = state(f"drained: [{{device: leaf-0-0, mode: shut, {SHUT}}}]")
STORAGE = attachments(
    "filer: {network: compute, kind: storage, links: 1, speed: 400G, cable: 5m, to: {unit: 0, rails: [0]}}"
)


def test_equal_switches_change_nothing():
    assert {} == judged(plain(), plain())


@pytest.mark.parametrize(
    ("old", "new", "ports", "impact"),
    [
        ((), (site('hosts: {gpu: {name: "node-{unit}-{index}"}}'),), HOSTS, "none"),
        ((), (network("ip_mtu: 4000"),), (*HOSTS, *FABRIC), "flap"),
        ((), (state(f"shut_ports: [{{device: leaf-0-0, port: Ethernet1/5, {SHUT}}}]"),), HOSTS[1:2], "flap"),
        ((), (addressing("host_even: host"),), HOSTS, "flap"),
        (
            (RESERVED, STORAGE),
            (RESERVED, STORAGE, attachments("filer: {lossless: false}")),
            ("Ethernet5/1",),
            "buffer",
        ),
    ],
)
def test_ports_that_change_concern_those_ports_alone(old, new, ports, impact):
    found = judged(plain(*old), plain(*new))

    assert {f"interface {port}" for port in ports} == set(found)
    for port in ports:
        verdict = found[f"interface {port}"]
        assert Judged(impact, () if impact == "none" else (port,), verdict.reason) == verdict
        assert verdict.reason


def test_a_port_that_goes_interrupts_it():
    whole, halves = (network(f"tiers: {{leaf: {{down: {{breakout: {n}}}}}}}") for n in (1, 2))
    found = judged(plain(halves), plain(whole))["interface Ethernet1/5"]

    assert Judged("flap", ("Ethernet1/5",), found.reason) == found


def test_new_thresholds_set_up_buffers():
    low, high = (plain(klass("roce", f"ecn: {{kmin: {n}KB, kmax: 900KB}}")) for n in (100, 200))

    assert {"qos profile lossless": "buffer"} == impacts(low, high)


@pytest.mark.parametrize("words", ["max_paths: 32", "advertise_host_links: specific"])
def test_what_is_told_changes_without_an_interruption(words):
    assert {"router bgp": "hitless"} == impacts(plain(), plain(network(f"routing: {{{words}}}")))


def test_a_new_session_disturbs_no_other():
    assert "hitless" == judged(plain(ONE_SPINE), plain())["router bgp"].impact


def test_another_as_number_of_a_neighbour_interrupts_its_port_only():
    found = judged(plain(), plain(override("[{device: spine-1, asn: 64999}]")))

    assert ("flap", FABRIC[1:]) == (found["router bgp"].impact, found["router bgp"].ports)


@pytest.mark.parametrize("family", ["ipv4", "unnumbered"])
def test_a_neighbour_that_goes_interrupts_its_port(family):
    words = addressing(f"family: {family}")
    found = judged(plain(words), plain(words, ONE_SPINE))

    assert ("flap", FABRIC[1:]) == (found["router bgp"].impact, found["router bgp"].ports)


@pytest.mark.parametrize("change", [DRAINED, PASSWORD])
def test_what_concerns_a_group_interrupts_all_its_ports(change):
    found = judged(plain(), plain(change))

    assert ("flap", FABRIC) == (found["router bgp"].impact, found["router bgp"].ports)


def test_our_own_as_number_interrupts_everything():
    found = judged(plain(), plain(override("[{device: leaf-0-0, asn: 64777}]")))

    assert ("flap", ()) == (found["router bgp"].impact, found["router bgp"].ports)


def of_texts(old, new):
    """What the change from one text to another does to a leaf."""
    return {
        one.what: (one.impact.value, one.scope.ports)
        for one in judging.judged(compare(DIALECT, "x", old, new).changes, plain())
    }


def test_a_neighbour_of_which_no_port_is_known_counts_for_the_whole_device():
    old = "router bgp 1\n   neighbor 192.0.2.1 peer group X\n   neighbor 192.0.2.1 remote-as 2\n"
    new = "router bgp 1\n   neighbor 192.0.2.1 peer group X\n   neighbor 192.0.2.1 remote-as 3\n"

    assert of_texts(old, new) == {"router bgp": ("flap", ())}


@pytest.mark.parametrize(
    ("line", "impact"),
    [
        ("route-map RM-TO-ABOVE permit 20\n   match ip address prefix-list PL-HOSTS", "hitless"),
        ("ip prefix-list PL-HOSTS\n   seq 10 permit 10.0.0.0/8", "hitless"),
        ("ip community-list GSHUT permit GSHUT", "hitless"),
        ("qos map dscp 26 to traffic-class 1", "buffer"),
        ("priority-flow-control pause watchdog default timeout 0.2", "buffer"),
        ("service routing protocols model multi-agent", "reload"),
        ("ip routing", "flap"),
        ("hostname x", "none"),
        ("ntp server 192.0.2.1", "none"),
        ("logging host 192.0.2.1", "none"),
        ("snmp-server contact noc", "none"),
        ("username netops privilege 15 role network-admin secret sha512 <masked>", "none"),
        ("management api http-commands\n   no shutdown", "none"),
        ("interface Management1\n   ip address 192.0.2.1/24", "none"),
        ("interface Vlan10\n   ip address 10.0.0.1/24", "flap"),
        ("something nobody knows", "flap"),
    ],
)
def test_sections_are_judged_by_what_they_are(line, impact):
    ((found, _),) = of_texts(f"{line}\n", "").values()

    assert found == impact


CERTIFICATE = services("certificate: {name: fabric}")


def test_management_that_has_nothing_to_do_with_us_locks_nobody_out():
    new = services(f"""
        ntp: {{servers: [192.0.2.99]}}
        syslog: {{servers: []}}
        gnmi: {{}}
        banner: Hello
        users: {{viewer: {{password_hash: {HASH}}}}}
        """)

    assert lockouts(plain(CERTIFICATE), plain(CERTIFICATE, new)) == ()
    assert lockouts(plain(), plain()) == ()


@pytest.mark.parametrize(
    ("new", "word"),
    [
        (inventory("devices: {leaf-0-0: {address: 198.51.100.12/24}}"), "Management1"),
        (services("management: {gateway: 198.51.100.2}"), "ip route"),
        (services("management: {vrf: OOB}"), "vrf MGMT"),
        (services("users: {netops: null}"), "username netops"),
        (services("users: {netops: {role: operator}}"), "username netops"),
        (services("ssh: {allow: [10.9.9.0/24]}"), "access-group"),
        (services("tacacs: {servers: [192.0.2.7], secret: 'env:T'}"), "aaa auth"),
    ],
)
def test_what_management_access_stands_on_is_a_reason(new, word):
    reasons = lockouts(plain(), plain(new))

    assert any(word in reason for reason in reasons), reasons


def test_losing_the_api_is_a_reason():
    old = text_of("leaf")
    new = re.sub(r"(?m)^management api http-commands\n(?: .*\n)+", "", old)

    assert new != old
    assert any("http-commands" in reason for reason in lockouts_of_texts(plain(), old, new))


def test_a_narrower_access_list_is_a_reason():
    old = text_of("all services")
    new = old.replace("   20 permit 10.9.0.0/16\n", "")

    assert any("SSH-ALLOW" in reason for reason in lockouts_of_texts(plain(), old, new))


def test_a_description_names_the_port_of_a_session():
    assert "neighbor 10.128.0.0 description spine-0 over Ethernet3/1\n" in text_of("leaf")
