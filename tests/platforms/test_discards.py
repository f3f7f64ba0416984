"""What is for the network's own prefixes never leaves by a router outside: the border switch drops it."""

from __future__ import annotations

import re
from ipaddress import ip_network

import pytest
from msgspec.structs import replace

from fabric.analysis.routes.originated_prefixes import inside, originated
from fabric.devices.model import DISCARD_DISTANCE, Relation
from fabric.platforms.needs.table import unmet
from tests.platforms.everywhere import ANY, EXPECTATIONS, MODELS, capabilities, devices, product, texts
from tests.platforms.expected_facts import expected_facts

DUAL = "border router of a dual fabric that sends defaults"
POOLS = (
    "10.0.0.0/10",
    "10.128.0.0/10",
    "10.255.0.0/16",
    "fd00::/32",
    "fd00:128::/48",
    "fd00:255::/64",
)


@pytest.mark.parametrize("name", sorted(MODELS))
def test_a_border_switch_drops_what_is_for_every_pool_and_no_other_switch_does(name):
    assert DISCARD_DISTANCE == 250
    for switch, text in texts(devices(name, DUAL)):
        borders = any(one.relation is Relation.EXTERNAL for one in switch.routing.neighbors)
        found = {
            pool for pool in POOLS if re.search(EXPECTATIONS[name].dropped.format(re.escape(pool)), text)
        }

        assert found == (set(POOLS) if borders else set())
        assert {str(prefix) for prefix in switch.routing.discards} == found


@pytest.mark.parametrize("name", sorted(MODELS))
def test_a_route_that_drops_is_read_back_each_by_itself(name):
    """Taking one away is seen in what the reader finds: a plan and a drift would show it."""
    for switch, text in texts(devices(name, DUAL)):
        for prefix in switch.routing.discards:
            others = tuple(one for one in switch.routing.discards if one != prefix)
            without = replace(switch, routing=replace(switch.routing, discards=others))

            assert product(name).read(text).facts != expected_facts(without)


@pytest.mark.parametrize("name", sorted(MODELS))
def test_routes_that_drop_are_told_to_nobody(name):
    """No product redistributes static routes; what the evaluation has a switch originate holds none of them."""
    for switch, text in texts(devices(name, DUAL)):
        told = set(originated(switch))

        assert not told & set(switch.routing.discards)
        assert not re.search(r"redistribute static|protocol static|\"static\"|redistribute:\s+static", text)


@pytest.mark.parametrize("name", sorted(MODELS))
def test_every_prefix_of_the_network_is_longer_than_what_drops_it_or_wins_by_distance(name):
    made = devices(name, DUAL)
    told = {prefix for switch in made.values() for prefix in originated(switch)}
    for switch in made.values():
        if switch.routing.discards:
            assert all(any(inside(one, pool) for pool in switch.routing.discards) for one in told)


def test_a_border_that_sends_prefixes_elsewhere_alone_drops_nothing():
    made = devices(ANY, "border router", changes=("0.0.0.0/0", "203.0.113.0/24"))

    assert all(not switch.routing.discards for switch in made.values())


@pytest.mark.parametrize("prefixes", ["10.0.0.0/8", "10.0.0.0/9", "0.0.0.0/1"])
def test_any_prefix_around_a_pool_counts_as_a_default(prefixes):
    made = devices(ANY, "border router", changes=("0.0.0.0/0", prefixes))
    outside = ip_network(prefixes)

    assert {prefix for switch in made.values() for prefix in switch.routing.discards} == {
        ip_network(pool)
        for pool in ("10.0.0.0/10", "10.128.0.0/10", "10.255.0.0/16")
        if ip_network(pool).subnet_of(outside)
    }


def test_a_product_that_cannot_drop_is_refused_at_the_border_that_needs_it():
    switch = next(one for one in devices(ANY, DUAL).values() if one.routing.discards)
    can = capabilities(ANY)
    missing = unmet(switch, "EOS", replace(can, discard_routes=False))

    assert [("attachments", "border", "bgp")] == [one.origin.path for one in missing]
    assert [] == list(unmet(switch, "EOS", can))
