"""Findings that guard against defects of the derivation: no intent brings them about, a broken derivation does."""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec.structs import replace

from fabric.analysis import check_routes, codes
from fabric.diagnostics import Invalid
from tests.analysis.sites import FAMILIES, POLICIES, SHAPES, Site, intent, made
from tests.analysis.test_controls import Changed, found, neighbors, routing

GUARDS = {
    codes.SESSION_DOWN: lambda switch: neighbors(switch, lambda one: replace(one, remote_asn=1)),
    codes.UNWANTED_ROUTE: lambda switch: neighbors(switch, lambda one: replace(one, relation=turned(one))),
    codes.NOT_ACCEPTED: lambda switch: routing(switch, accepted=()),
    codes.NOT_ADVERTISED: lambda switch: routing(switch, host_prefixes=(), aggregates=()),
    codes.NOT_HELD: lambda switch: routing(switch, discards=()),
    codes.DROPPED: lambda switch: routing(
        switch, discards=tuple(half(one) for one in switch.routing.discards)
    ),
}
"""The guards, and for each a defect that it must see."""
WHY = {"reason": "test", "owner": "noc", "expires": "2999-01-01"}


def half(pool):
    """A route that drops a part of a block, as no pool is."""
    return next(pool.subnets(new_prefix=pool.max_prefixlen))


def turned(one):
    """What a leaf would take its spines for, were its policies the wrong way round."""
    return {"up": type(one.relation).DOWN}.get(one.relation, one.relation)


def overridden(site: Site, draw: random.Random) -> list[dict[str, Any]]:
    """AS numbers, ECMP widths and dead ports of some switches."""
    found: list[dict[str, Any]] = []
    for switch in draw.sample(list(site.devices.values()), 2):
        ports = [port.name for port in switch.ports if port.peer]
        change = draw.choice(
            [
                {"asn": draw.choice([65001, 65002])},
                {"max_paths": 1},
                {"shutdown_ports": draw.sample(ports, 1)},
            ]
        )
        found.append({"device": switch.name, **change})
    return found


def at_night(site: Site, draw: random.Random) -> dict[str, Any]:
    """A drained switch, and a link taken out."""
    switches = [
        switch for switch in site.devices.values() if any(p.peer in site.devices for p in switch.ports)
    ]
    if not switches:
        return {}
    chosen = draw.choice(switches)
    port = draw.choice([port for port in chosen.ports if port.peer in site.devices])
    link = {"device": chosen.name, "port": port.name, "peer": port.peer, **WHY}
    return draw.choice([{}, {"drained": [{"device": chosen.name, **WHY}]}, {"excluded_links": [link]}])


def attached(draw: random.Random) -> dict[str, Any]:
    """Storage, and a border router whose AS number may be that of a switch."""
    tier = {"tier": draw.choice(["leaf", "spine"])}
    common = {"network": "compute", "links": 2, "speed": "400G"}
    bgp = {"asn": draw.choice([65001, 65010]), "default_route": True}
    return draw.choice(
        [
            {"filer": {**common, "kind": "storage", "to": {"tier": "leaf"}}},
            {"border": {**common, "kind": "router", "to": tier, "bgp": bgp}},
        ]
    )


def at_random(seed: int) -> Site:
    """A site of any shape, policy and family, with attachments, overrides and what operators do at night."""
    draw = random.Random(seed)  # noqa: S311  # cases, no secrets
    shape = draw.choice(list(SHAPES))
    asn = {"leaf_numbers": draw.choice(["unique", "per_pod"])}
    value = intent(shape, policy=draw.choice(POLICIES), family=draw.choice(FAMILIES), asn=asn)
    network = value["networks"]["compute"]
    network["routing"] = {"advertise_host_links": draw.choice(["aggregate", "specific", "none"])}
    if SHAPES[shape].get("spine", {}) is not None:
        value["attachments"] = attached(draw)
        for tier in network["tiers"].values():
            tier["reserved_ports"] = 2
    site = made(value)
    return made({**value, "overrides": overridden(site, draw)}, at_night(site, draw))


@pytest.mark.parametrize("part", range(6))
def test_no_intent_brings_a_guard_about(part):
    tried = 0
    for seed in range(part * 15, part * 15 + 15):
        try:
            site = at_random(seed)
        except Invalid:
            continue  # refused with its fix
        tried += 1
        assert {code.code for code in GUARDS}.isdisjoint(one.code for one in check_routes(site.devices)), seed

    assert tried >= 5


@pytest.mark.parametrize("guard", GUARDS, ids=lambda code: code.code)
def test_each_guard_sees_its_defect(guard):
    router = {"kind": "router", "network": "compute", "links": 2, "speed": "400G", "to": {"tier": "leaf"}}
    border = {"border": {**router, "bgp": {"asn": 65010, "default_route": True}}}
    value = intent("two tiers", attachments=border)
    value["networks"]["compute"]["tiers"]["leaf"]["reserved_ports"] = 1
    site = made(value)
    broken = Changed(site, lambda switch: GUARDS[guard](switch) if switch.role == "leaf" else switch)

    assert guard.code not in found(site.devices)
    assert guard.code in found(broken)
