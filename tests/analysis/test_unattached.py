"""An attachment that a part of the network has no cable to is named, and its hint gives it one."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
import yaml

from fabric.analysis import check_routes, codes
from fabric.diagnostics import Invalid
from tests.analysis.oracle import graph, ways
from tests.analysis.sites import SHAPES, Site, intent, made


def attached(shape: str, draw: random.Random) -> dict[str, Any]:
    """The intent of a shape with storage and a router, whose `to` is narrow now and then."""
    value = intent(shape)
    tiers = value["networks"]["compute"]["tiers"]
    to: dict[str, Any] = {"tier": draw.choice(list(tiers))}
    if to["tier"] == "leaf":
        to |= draw.choice([{}, {"rails": [draw.randint(0, 1)]}, {"unit": 1}, {"unit": "last"}])
    common = {"network": "compute", "links": draw.randint(1, 3), "speed": "400G"}
    bgp = {"asn": 65010, "default_route": True}
    value["attachments"] = {
        "nas": {**common, "kind": "storage", "to": {"tier": "leaf"}, "lacp": draw.random() < 0.2},
        "wan": {**common, "kind": "router", "to": to, "bgp": bgp},
    }
    if value["attachments"]["nas"]["lacp"]:
        value["attachments"]["nas"]["vlan"] = 300
    for tier in tiers.values():
        tier["reserved_ports"] = 6
    return value


def unreached(site: Site) -> set[str]:
    """Attachments that a leaf has no way to, by a search of the cables."""
    net = site.topology.networks["compute"]
    links = graph(net)
    found = set()
    for name in site.intent.site.attachments:
        at = {s.name for s in site.devices.values() for port in s.ports if port.peer == name}
        near = set(ways(net, links, [net.node(one).id for one in at]))
        if any(leaf.name not in near for leaf in site.devices.values() if leaf.role == "leaf"):
            found.add(name)
    return found


def told(site: Site) -> dict[str, str]:
    """Hints by attachment."""
    findings = [one for one in check_routes(site.devices) if one.code == codes.UNATTACHED.code]
    assert all(one.origin.path[0] == "attachments" and one.hint for one in findings)
    return {str(one.origin.path[1]): one.hint or "" for one in findings}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_finding_stands_exactly_where_a_leaf_has_no_way_and_its_hint_gives_it_one(shape):
    draw = random.Random(shape)  # noqa: S311  # cases, no secrets
    for _ in range(6):
        value = attached(shape, draw)
        try:
            site = made(value)
        except Invalid:
            continue  # no such leaf, or too few ports
        hints = told(site)

        assert unreached(site) == set(hints)
        for name, hint in hints.items():
            edits = [yaml.safe_load(part) for part in re.findall(r"`([^`]+)`", hint)]
            if not edits:
                assert value["attachments"][name]["lacp"]
            else:
                changed = {key: text for edit in edits for key, text in edit.items()}
                one = {**value["attachments"][name], **changed}
                mended = {**value, "attachments": {**value["attachments"], name: one}}
                assert name not in told(made(mended)), hint


@pytest.mark.parametrize("shape", ["planes", "rail-only", "a rail group each"])
def test_one_link_leaves_a_part_out_and_one_in_each_does_not(shape):
    value = intent(shape)
    tiers = value["networks"]["compute"]["tiers"]
    tiers["leaf"]["reserved_ports"] = 1
    leaves = len([one for one in made(value).devices.values() if one.role == "leaf"])
    nas = {"network": "compute", "kind": "storage", "speed": "400G", "to": {"tier": "leaf"}}

    assert ["nas"] == list(told(made({**value, "attachments": {"nas": {**nas, "links": 1}}})))
    assert {} == told(made({**value, "attachments": {"nas": {**nas, "links": leaves}}}))
