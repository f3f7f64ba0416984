"""What SONiC does not support is an error that names the platform, the feature and the way out."""

from __future__ import annotations

import pytest

from fabric.diagnostics import Severity
from fabric.platforms.sonic import PLATFORM
from tests.platforms.cases import CASES, SERVICES, of
from tests.platforms.sites import klass, leaf, network, own_model, policy, refusals, services
from tests.platforms.sonic.devices import SPECTRUM

POOLS_BORROWED = "arista-7060dx5-64s"
SLOW = network("tiers: {leaf: {up: {speed: 400G}}}")
"""Cages of that model have 400G."""
ME = 'snmp: {users: {me: {auth_secret: "env:A", privacy_secret: "env:P"}}}'


def errors(device):
    """The errors of a switch, by place."""
    return {str(found.origin): found for found in refusals(device)}


def codes(device, severity=Severity.ERROR):
    return {found.code for found in refusals(device, severity)}


def asked(*words):
    """The first leaf, with what is asked of it."""
    return leaf("sonic", *words)


def third_lossless(number):
    """Two more classes that are paused, one of them with this number."""
    words = "{{dscp: [{0}], traffic_class: {0}, queue: {0}, priority: {0}, share: 1, ecn: auto}}"
    return policy(f"classes: {{c2: {words.format(2)}, other: {words.format(number)}, rest: {{share: 3}}}}")


REFUSED = {
    "networks.compute.routing.load_balancing": lambda: asked(network("routing: {load_balancing: flowlet}")),
    "networks.compute.routing.hashing.seed": lambda: asked(network("routing: {hashing: {seed: per_tier}}")),
    "networks.compute.routing.max_paths": lambda: asked(network("routing: {max_paths: 600}")),
    "networks.compute.addressing.host_links.mode": lambda: of("sonic", CASES["dual ToR"]),
    "networks.compute.addressing.host_links.assignment": lambda: of("sonic", CASES["slaac"]),
    "services.snmp.trap_servers": lambda: asked(SERVICES),
    "services.snmp.users.watcher.auth": lambda: asked(SERVICES),
    "services.snmp.users.watcher.privacy": lambda: asked(SERVICES),
    "services.ssh.allow": lambda: asked(SERVICES),
    "services.snmp.users.me": lambda: asked(services(ME)),
    "services.management.domain": lambda: asked(services("management: {dns: [], domain: example.net}")),
    "services.ssh.idle_timeout": lambda: asked(services("ssh: {idle_timeout: 90s}")),
    "services.management.gateway": lambda: asked(services("management: {gateway: '2001:db8::1'}")),
    "networks.compute.ip_mtu": lambda: asked(network("ip_mtu: 1280")),
    "networks.compute.routing.hashing.fields": lambda: asked(
        network("routing: {hashing: {fields: [src_ip, roce_qp]}}")
    ),
    "classes": lambda: asked(third_lossless(4)),
    "watchdog.detect": lambda: asked(policy("watchdog: {detect: 6s, restore: 6s, poll: 100ms}")),
    "watchdog.poll": lambda: asked(policy("watchdog: {poll: 50ms}")),
}


@pytest.mark.parametrize("place", sorted(REFUSED))
def test_what_cannot_be_said_is_refused_with_a_way_out(place):
    found = errors(REFUSED[place]())[place]

    assert "SONiC" in found.rule
    assert found.hint


def test_a_relay_on_routed_ports_is_refused():
    found = errors(of("sonic", CASES["dhcp relay"]))

    assert "DHCP relay works on VLANs only" in found["networks.compute.addressing.host_links.assignment"].rule


def test_the_priority_that_lossy_traffic_has_cannot_be_paused():
    first = klass("roce", "{traffic_class: 0, queue: 0, priority: 0}")

    assert "priority 0 would share its priority group" in errors(asked(first))["classes"].rule


def own_sonic(name, change):
    """A leaf of a site's own model: that of the catalogue, with its record of SONiC changed."""
    [known] = own_model(name).values()
    kept = [one for one in known["software"] if one["name"] != "sonic"]
    found = [one for one in known["software"] if one["name"] == "sonic"]
    software = [*kept, change(*found)]
    return leaf("sonic", SLOW, own_model(name, software=software), model="mine")


def without(facts):
    """A change that takes these facts away."""
    return lambda one: {
        **one,
        "facts": {key: value for key, value in one["facts"].items() if key not in facts},
    }


def test_a_model_without_published_pools_cannot_be_lossless():
    assert "FAB532" not in codes(own_sonic(POOLS_BORROWED, without([])))
    assert "FAB532" in codes(own_sonic(POOLS_BORROWED, without(["borrowed_pools"])))


def test_virtual_output_queues_are_refused():
    found = errors(own_sonic("arista-7280r4-32qf-32df", lambda: {"name": "sonic", "source": "test"}))

    assert "virtual output queues" in found["networks.compute.tiers.leaf.model"].rule


def test_a_model_without_facts_is_refused():
    assert "FAB531" in codes(own_sonic(POOLS_BORROWED, lambda _one: {"name": "sonic", "source": "test"}))


def test_pools_of_the_same_asic_are_used_and_told():
    found = refusals(leaf("sonic", SLOW, model=POOLS_BORROWED), Severity.WARNING)
    [told] = [one for one in found if one.code == "FAB534"]

    assert "dell-z9664f" in told.rule


@pytest.mark.parametrize(
    ("place", "word"),
    [
        ("services.users", "local users"),
        ("services.ntp.servers", "prefers none"),
        ("networks.compute.routing.bfd", "drops BFD"),
    ],
)
def test_what_does_not_work_out_of_the_box_is_told(place, word):
    remarks = [*refusals(asked(), Severity.WARNING), *refusals(asked(), Severity.INFO)]
    (found,) = [one for one in remarks if str(one.origin) == place]

    assert word in found.rule


def test_unnumbered_sessions_have_no_filter_in_the_way():
    unnumbered = leaf("sonic", network("addressing: {family: unnumbered}"), model=SPECTRUM)

    assert "FAB538" in codes(asked(), Severity.WARNING) | codes(asked(), Severity.INFO)
    assert "FAB538" not in codes(unnumbered, Severity.WARNING) | codes(unnumbered, Severity.INFO)


def test_another_release_is_refused():
    found = errors(asked(network('tiers: {leaf: {release: "202311"}, spine: {release: "202311"}}')))

    assert "202511" in found["networks.compute.tiers.leaf.release"].hint


def test_headroom_is_told_as_the_products_own():
    by_table, computed = (PLATFORM.derived(leaf("sonic", model=model)) for model in (None, SPECTRUM))

    assert all("pg_profile_lookup.ini of Arista-7060X6-64PE" in text for text in by_table.values())
    assert all("computed by buffermgrd" in text for text in computed.values())
    assert by_table.keys() == computed.keys()
    assert {"headroom", "pause threshold", "resume threshold"} == {name.split(" ", 1)[1] for name in by_table}
