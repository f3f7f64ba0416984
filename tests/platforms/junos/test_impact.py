"""What a change does to traffic, and which changes could lock us out."""

from __future__ import annotations

import pytest

from fabric.platforms.base import Block
from fabric.platforms.junos import PLATFORM
from tests.platforms.cases import TACACS, addressing
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


def canonical(*words):
    """The canonical text of the first leaf, with these changes."""
    return PLATFORM.canonical(printed(leaf("junos", *words)))


def judged_texts(old, new):
    """Each changed piece of two canonical texts with what its change does."""
    before, after = ({b.key: b for b in PLATFORM.blocks(text)} for text in (old, new))
    return {
        key: PLATFORM.block_impact(key, before.get(key), after.get(key))
        for key in sorted(before | after)
        if before.get(key) != after.get(key)
    }


def judged(*words):
    """Each piece that these words change, with what its change does."""
    return judged_texts(canonical(), canonical(*words))


def worst(*words):
    """The gravest impact of a change, with all its ports."""
    ranks = ("none", "hitless", "buffer", "flap", "reload", "isolating")
    found = judged(*words).values()
    assert found
    ports = {port for one in found for port in one.ports}
    return max((one.impact for one in found), key=ranks.index), ports


def spines(count):
    """So many spines."""
    return network(f"tiers: {{spine: {{count: {count}}}}}")


@pytest.mark.parametrize("case", sorted(INTENTS))
def test_equal_switches_change_nothing_and_every_piece_is_judged(case):
    text = PLATFORM.canonical(printed(device_of(case)))

    assert {} == judged_texts(text, text)
    assert all(one.reason for one in judged_texts("", text).values())


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
    found = judged(words)

    assert {f"interfaces {port}" for port in ports} == set(found)
    for key, one in found.items():
        own = () if impact == "none" else (key.removeprefix("interfaces "),)
        assert (impact, own) == (one.impact, one.ports)


def test_another_queueing_profile_sets_up_the_queues_of_its_port_anew():
    changed = judged(network("cables: {leaf_spine: {length: 60m}}"))
    found = {key: one for key, one in changed.items() if key.startswith("class-of-service interfaces")}

    assert {f"class-of-service interfaces {port}" for port in SPINES} == set(found)
    assert {("buffer", (key.rpartition(" ")[2],)) for key in found} == {
        (one.impact, one.ports) for one in found.values()
    }


def test_splitting_a_cage_concerns_all_its_parts():
    key = "interfaces et-0/0/1"
    old, new = (
        Block(key, f"interfaces {{\n    et-0/0/1 {{\n        number-of-sub-ports {n};\n    }}\n}}\n")
        for n in (2, 4)
    )

    assert ("et-0/0/1", *(f"et-0/0/1:{i}" for i in range(4))) == PLATFORM.block_impact(key, old, new).ports


def test_dividing_the_buffer_stops_all_ports():
    changed = judged(network("cables: {leaf_spine: {length: 2000m}}"))
    found = changed["class-of-service shared-buffer"]

    assert ("flap", ()) == (found.impact, found.ports)
    assert "flap" == changed["class-of-service congestion-notification-profile"].impact


def test_a_new_session_leaves_the_others_up():
    found = judged(spines(3))["protocols bgp group UP"]

    assert ("hitless", ()) == (found.impact, found.ports)


@pytest.mark.parametrize(
    ("words", "port"),
    [(spines(1), "et-0/0/3"), (override("[{device: spine-0, asn: 4200009999}]"), "et-0/0/2")],
)
def test_a_session_that_goes_or_changes_its_number_concerns_its_port(words, port):
    assert ("flap", {port}) == worst(words)


@pytest.mark.parametrize("words", [PASSWORD, network("routing: {bgp: {keepalive: 10s, hold: 30s}}")])
def test_what_all_sessions_share_concerns_all_their_ports(words):
    found = judged(words)["protocols bgp group UP"]

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


def test_what_is_not_known_counts_as_an_interruption():
    block = Block("protocols isis", "protocols {\n    isis {\n        x;\n    }\n}\n")

    assert "flap" == PLATFORM.block_impact("protocols isis", None, block).impact


@pytest.mark.parametrize(
    ("words", "word"),
    [
        (inventory(f"devices: {{{LEAF}: {{address: 198.51.100.12/24}}}}"), "mgmt-0"),
        (services("management: {gateway: 198.51.100.2}"), "static"),
        (services("management: {vrf: default}"), "management-instance"),
        (services("users: null"), "netops"),
        (services("users: {netops: {role: operator}}"), "FABRIC-ADMIN"),
        (TACACS, "authentication-order"),
        (services("ssh: {allow: [10.0.0.0/8]}"), "filter"),
    ],
)
def test_what_our_way_in_stands_on_is_told(words, word):
    assert any(word in reason for reason in PLATFORM.owns_way_in(canonical(), canonical(words)))


def test_ssh_that_goes_is_told():
    text = canonical()

    assert PLATFORM.owns_way_in(text, text.replace("ssh;", "tls;"))


@pytest.mark.parametrize(
    "words",
    [
        (CERTIFIED, services("ntp: {servers: []}")),
        (site("hosts: {gpu: {per_unit: 2}}"),),
        (RENUMBERED,),
        (services(f"users: {{new: {{password_hash: {HASH}}}}}"),),
    ],
)
def test_other_changes_leave_our_way_in_alone(words):
    old, new = canonical(), canonical(*words)

    assert old != new
    assert () == PLATFORM.owns_way_in(old, new)
