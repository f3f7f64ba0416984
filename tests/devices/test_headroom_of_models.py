"""Every model of the catalogue gets at least the headroom that its vendor, or its ASIC's family, publishes."""

from __future__ import annotations

import msgspec
import pytest

from fabric.devices.tier_queueing import _table, _timing
from fabric.diagnostics import Origin, Report
from fabric.hardware import load_catalogue
from fabric.qos.derive_queueing import plan_queueing
from fabric.qos.model import PortKind
from fabric.qos.policy import HeadroomRule
from fabric.units import Bytes
from tests.qos.policies import policy

CATALOGUE = load_catalogue()
ETHERNET = sorted(name for name, model in CATALOGUE.switches.items() if model.technology == "ethernet")
SPEEDS = (100_000, 200_000, 400_000, 800_000)
LENGTHS = (1, 3, 5, 30, 40, 41, 60, 150, 300, 500)


def headrooms(name, **changes):
    """Headroom in bytes by speed and length, by the policy of the catalogue with some changes."""
    model = CATALOGUE.switches[name]
    made = plan_queueing(
        "test",
        msgspec.structs.replace(policy(), **changes),
        [PortKind(speed_mbps, cable_m, 1) for speed_mbps in SPEEDS for cable_m in LENGTHS],
        timing=_timing(CATALOGUE.asics.get(model.asic)),
        table=_table(CATALOGUE, model),
        buffer_bytes=None,
        max_frame_bytes=9236,
        round_trip_ns=10_000,
        origin=Origin(()),
        report=Report(),
    )
    return {(one.speed_mbps, one.cable_m): one.headroom for one in made.profiles}


@pytest.mark.parametrize("name", ETHERNET)
def test_no_port_gets_less_than_is_published_for_it(name):
    model, ours = CATALOGUE.switches[name], headrooms(name)
    own, family = CATALOGUE.own_tables(model), CATALOGUE.family_tables(model)
    for speed_mbps, cable_m in ours:
        mine = [row for rows in own for row in rows if row.speed_mbps == speed_mbps]
        known = any(row.cable_m >= cable_m for row in mine)
        rows = mine if known else [row for rows in family for row in rows if row.speed_mbps == speed_mbps]
        published = max((row.headroom_bytes for row in rows if row.cable_m <= cable_m), default=0)

        assert (speed_mbps, cable_m, ours[speed_mbps, cable_m].headroom_bytes >= published) == (
            speed_mbps, cable_m, True,
        )  # fmt: skip


def test_a_box_gets_what_its_own_table_says():
    ours = headrooms("nexthop-4010")

    assert ours[400_000, 5].headroom_bytes == ours[400_000, 40].headroom_bytes == 612_140
    assert headrooms("dell-z9864f")[400_000, 40].headroom_bytes == 446_024


def test_a_box_without_a_table_gets_the_largest_of_its_family():
    """At 800G and 5 m the formula alone gives 300,032 bytes."""
    assert headrooms("juniper-qfx5240-64od")[800_000, 5].headroom_bytes == 729_488


@pytest.mark.parametrize("name", ETHERNET)
def test_larger_frames_need_less_and_both_figures_are_told(name):
    safe = headrooms(name)
    rule = HeadroomRule(smallest_frame_bytes=Bytes(1086), mode="formula")
    for key, headroom in headrooms(name, headroom=rule).items():
        assert headroom.headroom_bytes < safe[key].headroom_bytes
        assert headroom.safe_bytes == safe[key].headroom_bytes
        assert str(headroom.safe_bytes) in headroom.reason


@pytest.mark.parametrize("name", ETHERNET)
def test_where_a_table_row_holds_larger_frames_have_no_effect_and_it_is_told(name):
    """The rule of `smallest_frame` alone: the formula shrinks, the row of the table does not."""
    rule = HeadroomRule(smallest_frame_bytes=Bytes(1086))
    for headroom in headrooms(name, headroom=rule).values():
        by_row = headroom.headroom_bytes != headroom.formula_bytes
        told = f"`mode: formula` gives {headroom.formula_bytes}" in headroom.reason

        assert by_row == told, headroom.reason
