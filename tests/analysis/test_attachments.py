"""What is attached is reached from wherever the cables lead, and what a border brings in goes no further."""

from __future__ import annotations

import pytest

from fabric.analysis.routes.build_speakers import build
from fabric.analysis.routes.evaluate import evaluate
from fabric.topology.roles import Role
from tests.analysis.oracle import graph, ways
from tests.analysis.sites import FAMILIES, POLICIES, SHAPES, intent, made
from tests.analysis.test_law import lawful, of_routes

STORAGE = {"network": "compute", "kind": "storage", "links": 2, "speed": "400G", "to": {"tier": "leaf"}}
BORDER = {"network": "compute", "kind": "router", "links": 2, "speed": "400G"}
PREFIXES = {"ipv4": ["198.18.0.0/15"], "ipv6": ["2001:db8:9::/48"]}
PREFIXES |= {"dual": PREFIXES["ipv4"] + PREFIXES["ipv6"], "unnumbered": PREFIXES["ipv4"]}
POOLS = {"ipv4": ["10.0.0.0/10"], "ipv6": ["fd00::/32"], "dual": ["10.0.0.0/10", "fd00::/32"]}
POOLS |= {"unnumbered": POOLS["ipv4"]}
CASES = [(shape, policy, family) for shape in SHAPES for policy in POLICIES for family in FAMILIES[:1]]
CASES += [(shape, "rfc7938", family) for shape in SHAPES for family in FAMILIES[1:]]


def attached(shape, policy, family, tier="leaf"):
    """A site with storage at leaves, and a border router with a default route at leaves or spines."""
    bgp = {"asn": 65010, "default_route": True, "prefixes": PREFIXES[family], "advertise": POOLS[family]}
    border = {**BORDER, "to": {"tier": tier}, "bgp": bgp}
    value = intent(shape, policy=policy, family=family, attachments={"nas": STORAGE, "wan": border})
    tiers = value["networks"]["compute"]["tiers"]
    for name in {"leaf", tier}:
        tiers[name]["reserved_ports"] = 2
    return made(value)


@pytest.mark.covering
@pytest.mark.parametrize(("shape", "policy", "family"), CASES)
def test_storage_is_reached_from_everywhere_by_a_route_of_its_own(shape, policy, family):
    site = attached(shape, policy, family)
    net = site.topology.networks["compute"]
    built = build(site.devices.contexts[0], site.devices, every=True)
    nas = next(node for node in net.role_start[Role.ATTACHMENT] if net.names[node] == "nas")
    ports = range(net.port_base[nas], net.port_base[nas + 1])

    lawful(site)
    assert 2 == len(ports)
    for port in ports:
        switch = site.devices.contexts[0].node_of(net.peer[port])
        for address in site_addresses(net, port):
            assert any(
                int(p.network_address) <= address <= int(p.broadcast_address) for p in built.prefixes[switch]
            )


@pytest.mark.covering
@pytest.mark.parametrize("lacp", [False, True])
@pytest.mark.parametrize(("shape", "policy", "family"), CASES)
def test_storage_in_a_vlan_is_reached_from_everywhere_by_a_route_of_its_own(shape, policy, family, lacp):
    value = intent(
        shape, policy=policy, family=family, attachments={"nas": STORAGE | {"vlan": 120, "lacp": lacp}}
    )
    value["networks"]["compute"]["tiers"]["leaf"]["reserved_ports"] = 2
    site = made(value)
    net = site.topology.networks["compute"]
    built = build(site.devices.contexts[0], site.devices, every=True)

    lawful(site)
    assert (1 if lacp else 2) == len(net.attached_vlans)
    for one in net.attached_vlans:
        assert one.gateway
        for _, address, _ in one.gateway:
            assert any(
                int(p.network_address) <= address <= int(p.broadcast_address)
                for p in built.prefixes[one.leaf]
            )


def site_addresses(net, port):
    """The addresses of a port as numbers."""
    columns = (net.address, net.address6)
    found = [column[port] for column in columns if column and column[port] >= 0]
    assert found
    return found


@pytest.mark.covering
@pytest.mark.parametrize("tier", ["leaf", "spine"])
@pytest.mark.parametrize(("shape", "policy", "family"), CASES)
def test_what_a_border_brings_in_goes_where_the_cables_lead_and_no_further(shape, policy, family, tier):
    if shape == "rail-only" and tier == "spine":
        tier = "leaf"
    site = attached(shape, policy, family, tier)
    net = site.topology.networks["compute"]
    built = build(site.devices.contexts[0], site.devices)
    wan = next(node for node in net.role_start[Role.ATTACHMENT] if net.names[node] == "wan")
    ports = range(net.port_base[wan], net.port_base[wan + 1])
    where = {site.devices.contexts[0].node_of(net.peer[port]) for port in ports}
    expected = {name: (way.hops + 1, way.next_hops) for name, way in ways(net, graph(net), where).items()}

    assert [] == of_routes(site)
    for version, entries in built.speakers.common.items():
        outside = [i for i, entry in enumerate(entries) if entry.outside == "wan"]
        routes = evaluate(built.speakers, version)
        assert (version == 4 and family != "ipv6") or (version == 6 and family in {"ipv6", "dual"})
        assert 2 == len(outside)
        for number in outside:
            found = {
                name: routes.best(node, built.speakers.count + number)
                for node, name in enumerate(names(built))
            }
            assert expected == {
                name: (route.length, {names(built)[peer]: n for peer, n in route.next_hops.items()})
                for name, route in found.items()
                if route is not None
            }


def names(built):
    """Names of the switches."""
    return built.speakers.names
