"""How many prefixes a neighbour may send: above all that there is, and the same on every day of growth."""

from __future__ import annotations

import pytest

from fabric.analysis.routes.originated_prefixes import originated
from fabric.devices.model import Relation
from tests.analysis.sites import SHAPES, intent, made


def limits(site):
    """The limits of all sessions between switches."""
    return {
        one.max_prefixes
        for switch in site.devices.values()
        for one in switch.routing.neighbors
        if one.relation is not Relation.EXTERNAL
    }


def heard(site, version):
    """Prefixes of one family that all switches together bring in; and ports of hosts before they are summed up."""
    switches = list(site.devices.values())
    single = {
        str(a.network) for s in switches for port in s.ports for a in port.addresses if a.version == version
    }
    told = {str(prefix) for s in switches for prefix in originated(s) if prefix.version == version}
    fabric = {
        str(a.network) for s in switches for p in s.ports if p.peer in site.devices for a in p.addresses
    }
    return len((single | told) - fabric)


@pytest.mark.parametrize("advertise", ["aggregate", "specific"])
@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape != "rail-only"])
def test_the_limit_is_at_least_twice_what_a_switch_can_learn(shape, advertise):
    value = intent(shape, family="dual", units=4)
    value["hosts"]["gpu"]["per_unit"] = 16
    value["networks"]["compute"]["routing"] = {"advertise_host_links": advertise}
    site = made(value)

    (limit,) = limits(site)
    assert limit >= 2 * max(heard(site, 4), heard(site, 6))
    assert limit & (limit - 1) == 0


def test_growth_within_capacity_moves_no_limit():
    def at(units, attachments):
        capacity = {"units": 12}
        value = intent("two tiers", units=units, capacity=capacity, attachments=attachments)
        value["hosts"]["gpu"]["per_unit"] = 16
        for tier in value["networks"]["compute"]["tiers"].values():
            tier["reserved_ports"] = 2
        return limits(made(value))

    filer = {"kind": "storage", "network": "compute", "links": 2, "speed": "400G", "to": {"tier": "leaf"}}

    assert at(2, {}) == at(12, {}) == at(12, {"filer": filer})
    assert at(2, {}) != {128}


@pytest.mark.parametrize(("written", "found"), [("none", None), (77, 77), ("auto", 128)])
def test_a_written_limit_is_the_limit(written, found):
    value = intent("two tiers")
    value["networks"]["compute"]["routing"] = {"bgp": {"max_prefixes": written}}

    assert {found} == limits(made(value))


def test_what_the_product_does_not_support_is_left_out_unless_it_was_asked_for():
    """SONiC's bgpcfgd has no limit in its model."""
    value = intent("two tiers", platform="sonic", model="arista-7060x6-64pe")
    mixed = {"overrides": [{"device": "leaf-0-0", "release": "202511-bgpcfgd"}]}

    assert {128} == limits(made(value))
    assert {128, None} == limits(made({**value, **mixed}))
