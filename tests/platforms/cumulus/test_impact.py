"""What a change does to traffic, and which changes could lock us out."""

from __future__ import annotations

import re

import pytest

from fabric.configuration import compare
from fabric.planning.judging import judged as judged_changes
from fabric.platforms.cumulus.dialect import DIALECT
from tests.platforms import judging
from tests.platforms.cases import CASES, LOSSY, SHUT, TACACS, WITHOUT_POLICY, addressing, case
from tests.platforms.cumulus.devices import ADAPTIVE, FACTORY, INTENTS, NO_ADDRESS, SLOW, changed, device
from tests.platforms.sites import (
    HASH,
    LEAF,
    inventory,
    klass,
    network,
    override,
    services,
    site,
    state,
)

SPINES = ("swp3", "swp4")
"""Ports of the leaf towards its spines."""
UNNUMBERED = addressing("family: unnumbered, host_family: dual")


def switch(*words):
    """The first leaf, with these changes."""
    return changed(case(*words))


def judged(*words, before=()):
    """Each object that these words change, beside those that stood before, with what its change does."""
    return judging.judged(switch(*before), switch(*before, *words))


def impacts(*words, before=()):
    """Changed objects and the class of their change."""
    return {key: found.impact for key, found in judged(*words, before=before).items()}


def lockouts(*words, before=()):
    """Why these words could lock us out."""
    return judging.lockouts(switch(*before), switch(*before, *words))


def of_ports(found):
    """What was said of ports, by port."""
    return {
        key.removeprefix("interface "): one for key, one in found.items() if key.startswith("interface swp")
    }


def spines(count):
    """So many spines."""
    return network(f"tiers: {{spine: {{count: {count}}}}}")


def drained(mode):
    """The leaf out of service."""
    return state(f"drained: [{{device: {LEAF}, mode: {mode}, {SHUT}}}]")


HOSTS = ("swp1s0", "swp1s1", "swp2s0", "swp2s1")
NAMED = site("hosts: {gpu: null, node: {gpus: 2, per_unit: 4, nics: {compute: {count: 2, speed: 400G}}}}")
SHUT_PORT = override(f"[{{device: {LEAF}, shutdown_ports: [swp1s1]}}]")


def test_equal_switches_change_nothing():
    assert {} == judged()


@pytest.mark.parametrize(
    ("words", "ports", "impact"),
    [
        (NAMED, HOSTS, "none"),
        (network("ip_mtu: 4000"), (*HOSTS, *SPINES), "flap"),
        (SHUT_PORT, ("swp1s1",), "flap"),
        (addressing("host_even: host"), HOSTS, "flap"),
        (WITHOUT_POLICY, (*HOSTS, *SPINES), "reload"),
    ],
)
def test_a_port_that_changes_is_judged_by_its_worst_setting(words, ports, impact):
    found = of_ports(judged(words))

    assert set(ports) == set(found)
    for port, verdict in found.items():
        assert impact == verdict.impact
        assert (() if impact in ("none", "reload") else (port,)) == verdict.ports
        assert verdict.reason


def test_a_lossy_port_that_loses_its_queues_concerns_that_port_alone():
    found = of_ports(judged(WITHOUT_POLICY, before=LOSSY))

    assert {port: ("buffer", (port,)) for port in (*HOSTS, *SPINES)} == {
        port: (one.impact, one.ports) for port, one in found.items()
    }


def test_a_new_curve_sets_up_queues_and_leaves_pfc_alone():
    found = impacts(klass("roce", "ecn: {kmin: 7KB, kmax: 70KB, pmax: 100}"))

    assert {"buffer"} == set(found.values())
    assert {"congestion-control"} <= {key.split()[1] for key in found}
    assert "pfc" not in {key.split()[1] for key in found if key.startswith("qos")}


def test_a_longer_cable_reloads_switchd():
    found = impacts(network("cables: {leaf_spine: {length: 50m}}"))

    assert "reload" == found["qos pfc lossless-800g-50m"]
    assert {"reload"} == {found[f"interface {port}"] for port in SPINES}


@pytest.mark.parametrize("words", ["max_paths: 1", "advertise_host_links: none"])
def test_what_is_told_changes_without_an_interruption(words):
    assert {"hitless"} == set(impacts(network(f"routing: {{{words}}}")).values())


def test_hash_fields_move_flows_and_a_seed_interrupts():
    fields = network("routing: {hashing: {fields: [src_ip, dst_ip]}}")
    seed = network("routing: {hashing: {seed: per_tier}}")

    assert {"system forwarding": "hitless"} == impacts(fields)
    assert {"system forwarding": "flap"} == impacts(seed)


def test_a_new_session_disturbs_no_other():
    found = {key: one for key, one in judged(spines(3)).items() if " neighbor " in key}

    assert [("hitless", ("swp5",))] == [(one.impact, one.ports) for one in found.values()]


def test_a_session_that_goes_interrupts_the_port_that_it_went_over():
    found = judged(spines(1))

    assert ("flap", ("swp4",)) == found["vrf default router bgp neighbor 10.128.0.2"][:2]


def test_another_as_number_of_a_neighbour_interrupts_its_port_only():
    found = judged(override("[{device: spine-1, asn: 4200009999}]"))

    assert [("flap", ("swp4",))] == [(one.impact, one.ports) for one in found.values()]


def test_an_unnumbered_neighbour_that_goes_interrupts_its_port():
    found = judged(spines(1), before=(UNNUMBERED,))["vrf default router bgp neighbor swp4"]

    assert ("flap", ("swp4",)) == (found.impact, found.ports)


def test_what_concerns_a_group_interrupts_the_sessions():
    password = network("routing: {bgp: {password: 'env:BGP'}}")

    assert {"vrf default router bgp peer-group UP": "flap"} == impacts(password)


def test_a_drain_moves_traffic_before_it_shuts_sessions():
    assert {"router bgp": "hitless"} == impacts(drained("graceful"))
    assert {"vrf default router bgp peer-group UP": "flap"} == impacts(
        drained("shut"), before=(drained("graceful"),)
    )


def test_adaptive_routing_reloads_switchd():
    ports = [f"interface swp{cage}s{part}" for cage in (3, 4) for part in (0, 1)]

    assert dict.fromkeys(["router adaptive-routing", *ports], "reload") == impacts(*ADAPTIVE, before=(SLOW,))


def test_advertisements_to_hosts_are_hitless():
    words = CASES["slaac"].words
    found = impacts(addressing("host_links: {assignment: static}"), before=words)

    assert {"hitless"} == set(found.values())


OBJECTS = [
    ("qos: {mapping: {x: {}}}", "qos mapping", "buffer"),
    ("qos: {pfc-watchdog: {x: y}}", "qos pfc-watchdog", "buffer"),
    ("qos: {pfc: {x: {}}}", "qos pfc x", "reload"),
    ("qos: {traffic-pool: {x: {}}}", "qos traffic-pool", "reload"),
    ("qos: {roce: {}}", "qos roce", "reload"),
    ("qos: {something: {}}", "qos something", "buffer"),
    ("router: {bgp: {x: y}}", "router bgp", "flap"),
    ("router: {bfd: {x: y}}", "router bfd", "hitless"),
    ("router: {policy: {prefix-list: {PL: {x: y}}}}", "router policy prefix-list PL", "hitless"),
    ("router: {vrr: {}}", "router vrr", "flap"),
    ("bridge: {domain: {x: {}}}", "bridge", "flap"),
    ("interface: {vlan10: {x: y}}", "interface vlan10", "flap"),
    ("interface: {lo: {x: y}}", "interface lo", "hitless"),
    ("interface: {eth0: {x: y}}", "interface eth0", "none"),
    ("interface: {bond1: {type: bond}}", "interface bond1", "flap"),
    ("service: {dhcp-relay: {x: {}}}", "service dhcp-relay", "hitless"),
    ("service: {ntp: {x: {}}}", "service ntp", "none"),
    ("system: {hostname: x}", "system hostname", "none"),
    ("system: {reboot: {}}", "system reboot", "none"),
    (
        "vrf: {default: {router: {static: {10.0.0.0/8: {}}}}}",
        "vrf default router static 10.0.0.0/8",
        "hitless",
    ),
    (
        "vrf: {default: {router: {bgp: {path-selection: {}}}}}",
        "vrf default router bgp path-selection",
        "flap",
    ),
    ("evpn: {x: y}", "evpn", "flap"),
    ("vrf: {red: {x: y}}", "vrf red", "flap"),
]


@pytest.mark.parametrize(("text", "key", "impact"), OBJECTS)
def test_objects_are_judged_by_what_they_are(text, key, impact):
    changes = compare(DIALECT, "x", "", DIALECT.plain(f"- set: {{{text}}}\n")).changes
    (verdict,) = judged_changes(changes, switch())

    assert (key, impact) == (verdict.what, verdict.impact)
    assert verdict.reason


@pytest.mark.parametrize("name", sorted(INTENTS))
def test_every_object_that_we_print_is_known_and_has_a_reason(name):
    made = device(name)
    for change in judged_changes(compare(DIALECT, "x", "", judging.plain(made)).changes, made):
        assert change.reason
        assert "not known" not in change.reason


def test_management_that_has_nothing_to_do_with_us_locks_nobody_out():
    words = services(f"""
    ntp: {{servers: [192.0.2.99]}}
    ssh: {{idle_timeout: 10min}}
    banner: Hello
    users: {{viewer: {{password_hash: {HASH}}}}}
    """)
    old, new = switch(), switch(words)

    assert judging.plain(old) != judging.plain(new)
    assert () == judging.lockouts(old, new)
    assert () == judging.lockouts(new, old)
    assert () == judging.lockouts(old, old)


OTHER = services(f"users: {{other: {{role: admin, password_hash: {HASH}}}}}")


@pytest.mark.parametrize(
    ("words", "word"),
    [
        ((inventory(f"devices: {{{LEAF}: {{address: 198.51.100.12/24}}}}"),), "eth0"),
        ((services("management: {gateway: 198.51.100.2}"),), "gateway"),
        ((services("management: {vrf: default}"),), "vrf mgmt"),
        ((NO_ADDRESS,), "198.51.100.11/24"),
        ((OTHER, services("users: {netops: null}")), "user netops"),
        ((OTHER, services("users: {netops: {role: operator}}")), "role system-admin"),
        ((TACACS,), "authentication-order"),
    ],
)
def test_what_management_access_stands_on_is_a_reason(words, word):
    reasons = lockouts(*words)

    assert any(word in reason for reason in reasons), reasons


def test_losing_the_factory_account_is_a_reason():
    reasons = judging.lockouts(switch(FACTORY), switch())

    assert "system aaa user cumulus: `role system-admin` is removed" in reasons


WAYS = ["api", "ssh-server", "control-plane"]


@pytest.mark.parametrize("key", ["eth0", *WAYS])
def test_losing_an_object_that_management_access_stands_on_is_a_reason(key):
    made = switch()
    old = judging.plain(made)
    new = re.sub(rf"(?m)^      {key}:\n(?:       +.*\n)+", "", old)

    assert old != new
    assert judging.lockouts_of_texts(made, old, new)


def test_another_control_plane_list_is_a_reason():
    old = judging.plain(switch())
    new = old.replace("acl-default-dos:", "mine: {}\n          acl-default-dos:")

    assert ("system control-plane: `acl mine` is added",) == judging.lockouts_of_texts(switch(), old, new)
