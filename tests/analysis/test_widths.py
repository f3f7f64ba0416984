"""`max_paths: auto` is enough for every equal path, to border routers too; less is a finding where it is written."""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import Any

import pytest

from fabric import api
from fabric.analysis import check_routes, codes
from fabric.diagnostics import Invalid
from tests.analysis.oracle import graph, ways
from tests.analysis.sites import SHAPES, Site, intent, made
from tests.hypothesis_profiles import drawn
from tests.platforms.everywhere import MODELS


def bordered(shape: str, draw: random.Random, routers: int) -> dict[str, Any]:
    """The intent of a shape with routers of many links at any tier."""
    value = intent(shape, spines=draw.choice([2, 4]))
    network = value["networks"]["compute"]
    if "zones" in network:
        network["zones"] = {**network["zones"], "links": draw.choice([1, 2, 9])}
    for tier in network["tiers"].values():
        tier["reserved_ports"] = 16
    value["attachments"] = {
        f"wan{number}": {
            "network": "compute",
            "kind": "router",
            "links": draw.randint(1, 14),
            "speed": "400G",
            "to": {"tier": draw.choice(list(network["tiers"])), **draw.choice([{}, {"index": [0]}])},
            "bgp": {"asn": 65010 + number, "default_route": True},
        }
        for number in range(routers)
    }
    return value


def widest(site: Site) -> int:
    """The most equal paths of a switch to a leaf or to the nearest border routers, by a search of the cables."""
    net = site.topology.networks["compute"]
    links = graph(net)
    outside = Counter(s.name for s in site.devices.values() for p in s.ports if p.peer.startswith("wan"))
    goals = [[node] for node in net.role_start[0]]
    if outside:
        goals.append([net.node(name).id for name in outside])
    inside = [sum(way.next_hops.values()) for goal in goals for way in ways(net, links, goal).values()]
    return max(*inside, *outside.values(), 1)


def told(site: Site) -> dict[str, str]:
    """Hints by place."""
    findings = [one for one in check_routes(site.devices) if one.code == codes.FEWER_PATHS.code]
    return {str(one.origin): one.hint or "" for one in findings}


@pytest.mark.covering
@pytest.mark.parametrize("shape", SHAPES)
def test_auto_is_enough_for_all_equal_paths(shape):
    draw, tried = random.Random(shape), 0  # noqa: S311  # cases, no secrets
    for _ in range(16):
        if tried == len(drawn(16)):
            break
        try:
            site = made(bordered(shape, draw, draw.randint(0, 3)))
        except Invalid:
            continue  # too few ports
        tried += 1

        assert {} == told(site)
        assert widest(site) <= min(switch.routing.max_paths for switch in site.devices.values())
    assert tried >= 4


@pytest.mark.covering
@pytest.mark.parametrize("shape", SHAPES)
def test_one_path_less_is_found_and_the_hint_ends_it(shape):
    draw, tried = random.Random(shape), 0  # noqa: S311  # cases, no secrets
    for _ in range(8):
        if tried == len(drawn(8)):
            break
        value = bordered(shape, draw, 1)
        try:
            most = widest(made(value))
        except Invalid:
            continue
        if most == 1:
            continue
        tried += 1
        network, overrides = value["networks"]["compute"], [{"role": "leaf", "max_paths": most}]
        network["routing"] = {"max_paths": most - 1}
        overrides += [{"role": role, "max_paths": most - 1} for role in ("spine", "superspine")]
        hints = told(made(value))

        assert ["networks.compute.routing.max_paths"] == list(hints)
        assert f"write `auto`, or {most} or more" == hints["networks.compute.routing.max_paths"]
        del network["routing"]
        tiers = [one for one in overrides if one["role"] in network["tiers"]]
        tiers[0]["max_paths"] = most - 1
        hints = told(made({**value, "overrides": tiers}))
        assert hints
        for place, hint in hints.items():
            number = int(re.findall(r"overrides\[(\d+)\]\.max_paths", place)[0])
            tiers[number]["max_paths"] = int(re.findall(r"write (\d+) or more", hint)[0])
        assert {} == told(made({**value, "overrides": tiers}))
    assert tried


@pytest.mark.parametrize("platform", MODELS)
def test_a_width_that_a_product_has_not_is_refused_where_it_is_written(platform):
    value = intent("two tiers", platform=platform, model=MODELS[platform])
    written = {
        "networks.compute.routing.max_paths": {"max_paths": 1024},
        "overrides[1].max_paths": {},
    }
    value["overrides"] = [{"role": "spine", "max_paths": 8}]
    for place, routing in written.items():
        network = {**value["networks"]["compute"], "routing": routing}
        wide = [] if routing else [{"device": "leaf-0-0", "max_paths": 1024}]
        site = {**value, "networks": {"compute": network}, "overrides": [*value["overrides"], *wide]}
        try:
            api.render(made(site).devices).check()
        except Invalid as error:
            places = {str(one.origin) for one in error.diagnostics if "1024" in one.rule}
            assert {place} == places
        else:
            pytest.fail(f"{platform} supports 1024 paths")
