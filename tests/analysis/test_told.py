"""A border router that is told nothing is named, whatever the shape, and so is a prefix that tells it nothing."""

from __future__ import annotations

import random
import re
from copy import deepcopy
from ipaddress import ip_network
from typing import Any

import pytest
import yaml

from fabric.analysis import check_routes, codes
from fabric.analysis.routes.build_speakers import build
from fabric.devices.model import Prefix
from tests.analysis.sites import FAMILIES, SHAPES, Site, intent, made

OUTSIDE = {4: ["198.51.100.0/24", "172.31.0.0/16"], 6: ["2001:db8:7::/48"]}
LEARNED = {4: ["203.0.113.0/24"], 6: ["2001:db8:9::/48"]}
ALL = {4: "0.0.0.0/0", 6: "::/0"}
TOLD = (codes.NOTHING_TOLD.code, codes.EMPTY_PREFIX.code)


def bordered(shape: str, family: str, draw: random.Random) -> dict[str, Any]:
    """The intent of a shape with two border routers, the second of which brings something in."""
    value = intent(shape, family=family)
    network = value["networks"]["compute"]
    network["routing"] = {"advertise_host_links": draw.choice(["aggregate", "aggregate", "specific", "none"])}
    for tier in network["tiers"].values():
        tier["reserved_ports"] = 4
    versions = {"ipv6": [6], "dual": [4, 6]}.get(family, [4])
    brought = [prefix for version in versions for prefix in LEARNED[version]]
    router = {"network": "compute", "kind": "router", "links": 2, "speed": "400G", "to": {"tier": "leaf"}}
    value["attachments"] = {
        "wan": {**router, "bgp": {"asn": 65010, "default_route": True}},
        "lan": {
            **router,
            "bgp": {"asn": 65020, "prefixes": brought, "advertise": [ALL[v] for v in versions]},
        },
    }
    candidates = [*(str(route) for route in routes(made(value), "lan")), *brought]
    candidates += [str(next(ip_network(one).subnets(new_prefix=ip_network(one).max_prefixlen)))
                   for one in draw.sample(candidates, 2)]  # fmt: skip
    candidates += [prefix for version in versions for prefix in (*OUTSIDE[version], ALL[version])]
    value["attachments"]["wan"]["bgp"]["advertise"] = draw.sample(candidates, draw.choice([0, 2, 4]))
    return value


def routes(site: Site, border: str) -> set[Prefix]:
    """What switches, and other routers, bring into the network: each switch by itself."""
    built = build(site.devices.contexts[0], site.devices, every=True)
    found = {prefix for prefixes in built.prefixes.values() for prefix in prefixes}
    others = [one.bgp for name, one in site.intent.site.attachments.items() if name != border and one.bgp]
    return found.union(*(one.prefixes for one in others))


def is_of_a_host(prefix: Prefix, switch: Any) -> bool:
    """Whether a leaf may tell of a host in there by itself, as it does for bonds over two leaves."""
    return any(
        one.prefix.version == prefix.version and prefix.subnet_of(one.prefix)
        for one in switch.routing.host_prefixes
        if one.longest == prefix.max_prefixlen != one.prefix.prefixlen
    )


def findings(site: Site) -> list[Any]:
    """What is found of what routers are told."""
    return [one for one in check_routes(site.devices) if one.code in TOLD]


def followed(value: dict[str, Any], finding: Any) -> dict[str, Any]:
    """The intent after somebody did what the hint says."""
    mended = deepcopy(value)
    bgp = mended["attachments"][finding.origin.path[1]]["bgp"]
    (written, *_) = [*re.findall(r"`([^`]+)`", finding.hint), ""]
    if finding.code == codes.NOTHING_TOLD.code:
        bgp |= yaml.safe_load(written)
    elif written:
        bgp["advertise"][finding.origin.path[-1]] = written
    else:
        assert finding.hint == "take it out"
        del bgp["advertise"][finding.origin.path[-1]]
    return mended


@pytest.mark.covering
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("shape", SHAPES)
def test_what_tells_a_router_nothing_is_named_and_its_hint_mends_it(shape: str, family: str) -> None:
    draw = random.Random(f"{shape} {family}")  # noqa: S311  # cases, no secrets
    for _ in range(3):
        value = bordered(shape, family, draw)
        site = made(value)
        known, told = routes(site, "wan"), findings(site)
        written = site.intent.site.attachments["wan"].bgp.advertise
        empty = {written[one.origin.path[-1]] for one in told if one.code == codes.EMPTY_PREFIX.code}

        for prefix in written:
            holds = any(route.version == prefix.version and route.subnet_of(prefix) for route in known)
            holds |= any(is_of_a_host(prefix, one) for one in site.devices.values())
            assert holds == (prefix not in empty), (prefix, sorted(known, key=str))
        hosts = value["networks"]["compute"]["routing"]["advertise_host_links"] != "none"
        assert (hosts and not written) == any(one.code == codes.NOTHING_TOLD.code for one in told)
        for one in told:
            assert len(findings(made(followed(value, one)))) <= len(told)
            assert (one.code, one.value) not in [
                (o.code, o.value) for o in findings(made(followed(value, one)))
            ]
