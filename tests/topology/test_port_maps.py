"""From cages to ports: breakouts, order, fill, limits, explicit cages."""

from __future__ import annotations

from typing import Any

import pytest

from fabric.hardware import load_catalogue
from fabric.topology.port_maps import Demand, Panel, Shortage, allocate, describe, fits, port_map, room
from fabric.topology.roles import Facing
from tests.topology.builders import SPLIT, SWITCH, built, errors, hosts, neighbors, small

G = 1000


def panel(model: str) -> Panel:
    return Panel(load_catalogue().switches[model])


def made(model: str, *demands: Demand) -> str:
    found = allocate(panel(model), demands)
    assert isinstance(found, list)
    return describe(found)


def down(count: int, speed: int = 400, **more: Any) -> Demand:
    return Demand(Facing.DOWN, count, speed * G, **more)


def up(count: int, speed: int = 400, **more: Any) -> Demand:
    return Demand(Facing.UP, count, speed * G, **more)


@pytest.mark.parametrize(
    ("model", "demand", "expected"),
    [
        (SWITCH, down(4), "down 4 of 1x400G: 1-4"),
        (SWITCH, down(4, 200), "down 4 of 2x200G: 1-2"),
        (SPLIT, down(5), "down 5 of 2x400G: 1-3"),
        (SPLIT, down(8, 200), "down 8 of 4x200G: 1-2"),
        (SPLIT, down(8, 800), "down 8 of 1x800G: 1-8"),
        (SPLIT, down(3, breakout=2), "down 3 of 2x400G: 1-2"),
        ("juniper-qfx5230-64cd", down(2), "down 2 of 1x400G: 0-1"),
        ("arista-7808r4", down(40, 800), "down 36 of 1x800G: 3/1-36; down 4 of 1x800G: 4/1-4"),
        (SWITCH, down(4, cages="1-2,32-33"), "down 4 of 1x400G: 1-2,32-33"),
        (SPLIT, down(4, by_sub_port=True), "down 4 of 2x400G: 1-2 by sub-port"),
    ],
)
def test_ports_take_the_next_cages_with_the_best_breakout(model: str, demand: Demand, expected: str) -> None:
    assert expected == made(model, demand)


def test_ways_follow_each_other_and_share_no_cage() -> None:
    assert "down 3 of 2x400G: 1-2; up 2 of 1x800G: 3-4" == made(SPLIT, down(3), up(2, 800))


def test_explicit_cages_are_taken_out_first() -> None:
    assert "down 4 of 1x400G: 2-5; up 1 of 1x400G: 1" == made(SWITCH, down(4), up(1, cages="1"))


def test_a_mode_for_odd_cages_leaves_the_neighbours_empty() -> None:
    assert "down 16 of 8x100G: 1,3; up 1 of 1x800G: 5" == made(SPLIT, down(16, 100), up(1, 800))


def test_a_mode_for_odd_cages_gives_half_of_them() -> None:
    assert 256 == room(panel(SPLIT), (), down(0, 100))


def test_no_more_ports_than_the_switch_can_have() -> None:
    found = allocate(panel("dell-z9864f"), (down(64, 800), up(1)))
    limited = allocate(panel("nvidia-sn5600"), (down(256, 200), up(1)))

    assert isinstance(found, Shortage)
    assert isinstance(limited, Shortage)
    assert 256 == room(panel("nvidia-sn5600"), (), down(0, 200))


@pytest.mark.parametrize(
    ("demand", "kind"),
    [
        (down(1, 1600), "speed"),
        (down(1, 400, breakout=5), "breakout"),
        (down(129), "ports"),
        (down(1, cages="1,1"), "cages"),
        (down(1, cages="9-3"), "cages"),
        (down(1, cages="65"), "cages"),
        (down(9, cages="1-4"), "ports"),
    ],
)
def test_what_cannot_be_had_is_named(demand: Demand, kind: str) -> None:
    found = allocate(panel(SPLIT), (demand,))

    assert isinstance(found, Shortage)
    assert kind == found.kind
    assert not fits(panel(SPLIT), (demand,))


def test_a_shortage_says_what_would_fit() -> None:
    found = allocate(panel(SPLIT), (down(100), up(40)))

    assert isinstance(found, Shortage)
    assert 28 == found.fits


def test_sub_ports_take_equal_shares_of_the_lanes() -> None:
    runs = allocate(panel(SPLIT), (down(4, 200),))
    assert isinstance(runs, list)

    assert [(1, i, 4, 2 * i, 2, 8, 200 * G) for i in range(4)] == [
        (s.cage, s.sub_port, s.sub_ports, s.first_lane, s.lanes, s.cage_lanes, s.speed_mbps)
        for s in port_map(panel(SPLIT), runs).slots
    ]


def test_filling_by_sub_port_takes_the_first_of_each_cage_first() -> None:
    runs = allocate(panel(SPLIT), (down(4, by_sub_port=True),))
    assert isinstance(runs, list)

    assert [(1, 0), (2, 0), (1, 1), (2, 1)] == [
        (s.cage, s.sub_port) for s in port_map(panel(SPLIT), runs).slots
    ]


def test_each_way_is_one_block_in_the_order_of_ways() -> None:
    runs = allocate(panel(SPLIT), (up(2), Demand(Facing.SPARE, 2, 400 * G), down(2)))
    assert isinstance(runs, list)
    found = port_map(panel(SPLIT), runs)

    assert (range(2), range(2, 4), range(4, 6)) == tuple(
        found.range_of(way) for way in (Facing.DOWN, Facing.UP, Facing.SPARE)
    )


def test_hosts_of_two_speeds_share_a_leaf() -> None:
    value = small(gpu=hosts(2), leaf={"model": SPLIT, "max_oversubscription": "1:1"}, spine={"model": SPLIT})
    value["hosts"]["old"] = hosts(2, speed="200G")
    net = built(value)

    assert [400 * G, 400 * G, 200 * G, 200 * G] == [s.speed_mbps for s in net.port_maps[0].slots[:4]]
    assert ["gpu-0-0", "gpu-0-1", "old-0-0", "old-0-1"] == neighbors(net, "leaf-0-0")[:4]


def test_an_override_moves_the_cages_of_one_switch() -> None:
    net = built(small(site={"overrides": [{"device": "leaf-0-1", "up_cages": "61-64"}]}))
    maps = [net.port_maps[net.port_map[leaf]] for leaf in (0, 1)]

    assert [[5, 6, 7, 8], [61, 62, 63, 64]] == [
        [m.slots[i].cage for i in m.range_of(Facing.UP)] for m in maps
    ]
    assert neighbors(net, "leaf-0-0")[4:] == neighbors(net, "leaf-0-1")[4:]


def test_an_override_may_hold_for_a_role() -> None:
    net = built(small(site={"overrides": [{"role": "spine", "down_cages": "33-64"}]}))

    assert 33 == net.port_maps[net.port_map[net.names.index("spine-0")]].slots[0].cage


def test_an_override_with_too_few_cages_is_refused() -> None:
    found = errors(small(site={"overrides": [{"device": "leaf-0-1", "up_cages": "61-63"}]}))

    assert ("FAB201", "overrides[0].up_cages") == found[0][:2]
    assert "lacks 1 of the uplinks (in cages 61-63)" in found[0][2]


def test_juniper_ports_are_not_contiguous() -> None:
    # Published slice: spines 1-4 on leaf ports 0, 1, 32, 33 (Juniper/jvd, AI data centre configurations).
    model = "juniper-qfx5230-64cd"
    net = built(
        small(
            leaf={"model": model, "up": {"cages": "0,1,32,33"}}, spine={"model": model, "count": 4}, units=1
        )
    )
    made_map = net.port_maps[net.port_map[0]]

    assert {f"spine-{i}": c for i, c in enumerate((0, 1, 32, 33))} == dict(
        zip(
            neighbors(net, "leaf-0-0")[4:],
            (made_map.slots[i].cage for i in made_map.range_of(Facing.UP)),
            strict=True,
        )
    )
