"""What a change does to traffic, and which changes could lock us out."""

from __future__ import annotations

import pytest

from fabric.configuration import compare, rank
from fabric.planning import judging
from fabric.platforms.junos.dialect import DIALECT
from tests.platforms.cases import TACACS, addressing
from tests.platforms.judging import judged, lockouts, lockouts_of_texts
from tests.platforms.junos.devices import INTENTS, PASSWORD, device_of
from tests.platforms.sites import (
    HASH,
    LEAF,
    inventory,
    leaf,
    network,
    override,
    printed,
    services,
    site,
)

HOSTS = {"et-0/0/0:0", "et-0/0/0:1", "et-0/0/1:0", "et-0/0/1:1"}
SPINES = {"et-0/0/2", "et-0/0/3"}
NAMED = site("hosts: {gpu: null, node: {gpus: 2, per_unit: 4, nics: {compute: {count: 2, speed: 400G}}}}")
RENUMBERED = override(f"[{{device: {LEAF}, asn: 4200009999}}]")
CERTIFIED = services("{gnmi: {}, certificate: {name: fabric}}")


def switch(*words):
    """The first leaf, with these changes."""
    return leaf("junos", *words)


def changed(*words):
    """Each thing that these words change, with what its change does."""
    return judged(switch(), switch(*words))


def worst(*words):
    """The gravest impact of a change, with all its ports."""
    found = changed(*words).values()
    assert found
    return max((one.impact for one in found), key=rank), {port for one in found for port in one.ports}


def of_texts(old, new):
    """What the change from one text to another does to a leaf."""
    return {
        change.what: (change.impact.value, change.scope.ports)
        for change in judging.judged(compare(DIALECT, "x", old, new).changes, switch())
    }


def spines(count):
    """So many spines."""
    return network(f"tiers: {{spine: {{count: {count}}}}}")


@pytest.mark.parametrize("case", sorted(INTENTS))
def test_equal_switches_change_nothing_and_every_change_has_a_reason(case):
    device = device_of(case)
    text = DIALECT.plain(printed(device))

    assert {} == judged(device, device)
    assert all(one.reason for one in judging.judged(compare(DIALECT, "x", "", text).changes, device))


@pytest.mark.parametrize(
    ("words", "impact", "ports"),
    [
        (NAMED, "none", HOSTS),
        (override(f"[{{device: {LEAF}, shutdown_ports: ['et-0/0/0:0']}}]"), "flap", {"et-0/0/0:0"}),
        (network("ip_mtu: 1500"), "flap", HOSTS | SPINES),
        (addressing("host_even: host"), "flap", HOSTS),
    ],
)
def test_a_change_of_a_port_concerns_that_port(words, impact, ports):
    found = changed(words)

    assert {f"interfaces {port}" for port in ports} == set(found)
    for key, one in found.items():
        own = () if impact == "none" else (key.removeprefix("interfaces "),)
        assert (impact, own) == (one.impact, one.ports)


def test_another_queueing_profile_sets_up_the_queues_of_its_port_anew():
    found = changed(network("cables: {leaf_spine: {length: 60m}}"))
    found = {key: one for key, one in found.items() if key.startswith("class-of-service interfaces")}

    assert {f"class-of-service interfaces {port}" for port in SPINES} == set(found)
    assert {("buffer", (key.rpartition(" ")[2],)) for key in found} == {
        (one.impact, one.ports) for one in found.values()
    }


@pytest.mark.parametrize("before", [1, 4])
def test_splitting_a_cage_concerns_all_its_parts_that_are_there(before):
    old, new = (f"interfaces {{ et-0/0/1 {{ number-of-sub-ports {count}; }} }}" for count in (before, 2))

    assert {"interfaces et-0/0/1": ("flap", ("et-0/0/1:0", "et-0/0/1:1"))} == of_texts(old, new)


def test_dividing_the_buffer_stops_all_ports():
    found = changed(network("cables: {leaf_spine: {length: 2000m}}"))
    buffer = found["class-of-service shared-buffer"]

    assert ("flap", ()) == (buffer.impact, buffer.ports)
    assert "flap" == found["class-of-service congestion-notification-profile"].impact


def test_a_new_session_leaves_the_others_up():
    found = changed(spines(3))["protocols bgp group UP"]

    assert ("hitless", ("et-0/0/4",)) == (found.impact, found.ports)


@pytest.mark.parametrize(
    ("words", "port"),
    [(spines(1), "et-0/0/3"), (override("[{device: spine-0, asn: 4200009999}]"), "et-0/0/2")],
)
def test_a_session_that_goes_or_changes_its_number_concerns_its_port(words, port):
    assert ("flap", {port}) == worst(words)


@pytest.mark.parametrize("words", [PASSWORD, network("routing: {bgp: {keepalive: 10s, hold: 30s}}")])
def test_what_all_sessions_share_concerns_all_their_ports(words):
    found = changed(words)["protocols bgp group UP"]

    assert ("flap", SPINES) == (found.impact, set(found.ports))


@pytest.mark.parametrize("words", ["bfd: {interval: 900ms}", "advertise_host_links: none"])
def test_bfd_timers_and_policies_change_while_sessions_stay(words):
    assert ("hitless", set()) == worst(network(f"routing: {{{words}}}"))


def test_another_as_number_concerns_the_whole_switch():
    assert ("flap", set()) == worst(RENUMBERED)


@pytest.mark.parametrize(
    "words",
    [
        services("ntp: {servers: [192.0.2.99]}"),
        services("syslog: {servers: []}"),
        CERTIFIED,
        services("lldp: false"),
        services("ssh: {allow: [198.51.100.0/24]}"),
    ],
)
def test_services_touch_no_traffic(words):
    assert worst(words)[0] in ("none", "hitless")


@pytest.mark.parametrize(
    ("text", "what", "impact"),
    [
        ("protocols { isis { x; } }", "protocols isis", "flap"),
        ("something { x; }", "something", "flap"),
        ("interfaces { ae0 { mtu 9216; } }", "interfaces ae0", "flap"),
        ("interfaces { et-0/0/2 { gigether-options; } }", "interfaces et-0/0/2", "flap"),
        ("system { processes { x; } }", "system processes", "none"),
        ("security { pki { x; } }", "security pki", "none"),
    ],
)
def test_what_is_not_known_counts_as_what_it_stands_in_or_as_an_interruption(text, what, impact):
    assert {what: impact} == {key: found for key, (found, _) in of_texts("", text).items()}


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (
            "policy-options { policy-statement x { then { accept; } } }",
            "policy-options { policy-statement x { then accept; } }",
        ),
        (
            "protocols { bgp { group x { multipath { multiple-as; } } } }",
            "protocols { bgp { group x { multipath multiple-as; } } }",
        ),
        (
            "system { ntp { server 192.0.2.1; } } system { ntp { server 192.0.2.2; } }",
            "system { ntp { server 192.0.2.2; server 192.0.2.1; } }",
        ),
    ],
)
def test_what_junos_shows_in_another_form_is_no_difference(ours, theirs):
    assert {} == of_texts(ours, theirs)


def test_the_order_of_terms_is_a_difference_and_that_of_what_they_say_is_none():
    first, second = ("term a { from { x; y; } then { accept; } }", "term b { then { reject; } }")
    old = f"policy-options {{ policy-statement p {{ {first} {second} }} }}"

    assert {"policy-options policy-statement p": ("hitless", ())} == of_texts(
        old, f"policy-options {{ policy-statement p {{ {second} {first} }} }}"
    )
    assert {} == of_texts(old, old.replace("x; y;", "y; x;"))


@pytest.mark.parametrize(
    ("words", "word"),
    [
        (inventory(f"devices: {{{LEAF}: {{address: 198.51.100.12/24}}}}"), "mgmt-0"),
        (services("management: {gateway: 198.51.100.2}"), "next-hop"),
        (services("management: {vrf: default}"), "management-instance"),
        (services("users: null"), "netops"),
        (services("users: {netops: {role: operator}}"), "FABRIC-ADMIN"),
        (TACACS, "authentication-order"),
        (services("ssh: {allow: [10.0.0.0/8]}"), "filter"),
    ],
)
def test_what_management_access_stands_on_is_told(words, word):
    assert any(word in reason for reason in lockouts(switch(), switch(words)))


def test_ssh_that_goes_is_told():
    text = printed(switch())

    assert lockouts_of_texts(switch(), text, text.replace("ssh;", "tls;"))


@pytest.mark.parametrize(
    "words",
    [
        (CERTIFIED, services("ntp: {servers: []}")),
        (site("hosts: {gpu: {per_unit: 2}}"),),
        (RENUMBERED,),
        (services(f"users: {{new: {{password_hash: {HASH}}}}}"),),
    ],
)
def test_other_changes_leave_management_access_alone(words):
    assert changed(*words)
    assert () == tuple(lockouts(switch(), switch(*words)))


def test_a_route_that_leads_nowhere_may_go():
    text = "routing-options { static { route 10.0.0.0/8 { discard; preference 250; } } }"

    assert () == tuple(lockouts_of_texts(switch(), text, ""))
