"""Switches of one tier that are not all alike."""

from __future__ import annotations

import pytest

from fabric.devices.model import LinkRole
from fabric.platforms.registry import platform
from tests.devices.test_derive import devices, findings

OTHER_UNIT = "overrides: [{unit: 1, role: leaf, model: juniper-qfx5240-64od, reason: second source}]\n"


def test_a_unit_may_have_another_model_and_product():
    made = devices(rest=OTHER_UNIT)

    assert {name: (s.platform, s.hardware.id) for name, s in made.items() if s.role == "leaf"} == {
        "leaf-0-0": ("eos", "arista-7060x6-64pe"),
        "leaf-0-1": ("eos", "arista-7060x6-64pe"),
        "leaf-1-0": ("junos", "juniper-qfx5240-64od"),
        "leaf-1-1": ("junos", "juniper-qfx5240-64od"),
    }


def test_the_other_end_of_a_mixed_link_is_named_in_the_words_of_its_own_product():
    made = devices(rest=OTHER_UNIT)

    for switch in made.values():
        for port in switch.ports:
            if port.role in (LinkRole.UP, LinkRole.DOWN):
                other = next(p for p in made[port.peer].ports if p.name == port.peer_port)
                assert (switch.name, port.name) == (other.peer, other.peer_port)
                assert port.slot.speed_mbps == other.slot.speed_mbps
                assert port.name == platform(switch.platform).port_name(port.slot, switch.hardware)


def test_a_device_may_run_another_product_on_the_same_model():
    made = devices(rest="overrides: [{device: leaf-0-1, platform: sonic, release: '202511'}]\n")

    assert (made["leaf-0-0"].platform, made["leaf-0-1"].platform) == ("eos", "sonic")
    assert (made["leaf-0-0"].release, made["leaf-0-1"].release) == (None, "202511")
    assert made["leaf-0-0"].ports[0].name != made["leaf-0-1"].ports[0].name


def test_a_neighbour_of_a_switch_that_changes_its_product_is_another_device():
    """It describes its ports by the names of the other end."""
    before, after = devices(), devices(rest=OTHER_UNIT)

    assert before.fingerprint("spine-0") != after.fingerprint("spine-0")


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        (
            "overrides: [{device: leaf-0-1, platform: nxos}]\n",
            {("FAB412", "overrides[0].platform")},
        ),
        (
            "overrides: [{device: leaf-0-1, platform: ios}]\n",
            {("FAB401", "overrides[0].platform")},
        ),
        (
            "overrides: [{device: leaf-0-1, model: qm9700}]\n",
            {("FAB211", "overrides[0].model")},
        ),
        (
            "overrides: [{unit: 7, role: leaf, release: '4.30'}]\n",
            {("FAB403", "overrides[0].unit")},
        ),
    ],
)
def test_a_product_that_cannot_be_is_refused_where_it_is_asked_for(rest, expected):
    assert findings(rest=rest) == expected
