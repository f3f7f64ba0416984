"""Torus, dragonfly and dragonfly+: exact counts by their formulas, and nothing that moves."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
import yaml

from fabric.exports.network_view import views
from fabric.intent.model.layouts import Torus
from fabric.topology.expand import expand
from fabric.topology.layout_graphs import Grid, Groups, SpineGroups, dealt
from fabric.topology.model import NetworkTopology
from fabric.topology.resize import differences, resize
from fabric.topology.roles import NONE, Facing, Role
from tests.topology.builders import built, errors, expanded, hosts, intent_of, owners, small
from tests.topology.symmetry import Graph, broken, generators
from tests.work import work

TORUS = {"kind": "torus", "dimensions": [4, 4, 4]}
DRAGONFLY = {"kind": "dragonfly", "units": 4, "global_links": 2}
PLUS = {"kind": "dragonfly+", "units": 4, "links_per_pair": 4}


def flat(layout: dict[str, Any], units: int, **more: Any) -> dict[str, Any]:
    """Racks of one leaf each, joined to each other."""
    given = {"gpu": hosts(2, 1), "rails": "none", "layout": layout, "spine": False, **more}
    return small(units=units, **given)


def plus(units: int = 20, layout: dict[str, Any] = PLUS, **spine: Any) -> dict[str, Any]:
    return flat(layout, units, gpu=hosts(4, 1), spine={"count": 4, **spine})


def joined(net: NetworkTopology, role: Role = Role.LEAF) -> Counter[tuple[int, int]]:
    """Links between switches of one role, by their nodes, the lower first."""
    owner = owners(net)
    found: Counter[tuple[int, int]] = Counter()
    for port, peer in enumerate(net.peer):
        if peer > port and net.role[owner[port]] == net.role[owner[peer]] == role:
            found[owner[port], owner[peer]] += 1
    return found


# --- torus


@pytest.mark.parametrize(
    ("layout", "links"),
    [
        ({"dimensions": [4, 4, 4]}, 3 * 64),
        ({"dimensions": [3, 5]}, 2 * 15),
        ({"dimensions": [7]}, 7),
        ({"dimensions": [3, 3, 3, 3]}, 4 * 81),
        ({"dimensions": [2, 3]}, 3 + 6),
        ({"dimensions": [2, 3], "doubled": True}, 2 * 6),
        ({"dimensions": [2, 2, 2]}, 12),
        ({"dimensions": [4, 4], "links": 3}, 3 * 2 * 16),
        ({"dimensions": [2, 4], "links": 2}, 2 * (4 + 8)),
    ],
)
def test_a_torus_has_n_links_a_leaf_and_one_where_an_axis_has_two(layout: dict[str, Any], links: int) -> None:
    leaves = Grid(tuple(layout["dimensions"])).switches

    net = built(flat({"kind": "torus", **layout}, leaves))

    assert (leaves, links) == (len(net.switches), joined(net).total())


def test_a_leaf_of_a_torus_is_joined_to_its_neighbours_and_to_nobody_else() -> None:
    grid = Grid((4, 4, 4))
    expected = Counter(
        tuple(sorted((here, grid.step(here, axis, 1)))) for here in range(64) for axis in grid.axes()
    )

    assert expected == joined(built(flat(TORUS, 64)))


def test_the_last_axis_is_filled_first() -> None:
    grid = Grid((2, 3, 4))

    assert [(0, 0, 0), (0, 0, 1), (0, 0, 2), (0, 0, 3), (0, 1, 0)] == [grid.place(i) for i in range(5)]
    assert (1, 2, 3) == grid.place(23)


def test_all_rails_of_a_unit_stand_beside_each_other_in_a_torus() -> None:
    net = built(small(units=4, gpu=hosts(2, 2), spine=False, layout={"kind": "torus", "dimensions": [4, 2]}))

    assert 4 * 1 + 8 == joined(net).total()
    assert all(joined(net)[2 * unit, 2 * unit + 1] == 1 for unit in range(4))


def test_each_plane_is_a_torus_of_its_own() -> None:
    net = built(flat({"kind": "torus", "dimensions": [3, 3]}, 9, gpu=hosts(2, 1, 2), planes={"count": 2}))

    assert 2 * 18 == joined(net).total()
    assert all(net.plane[one] == net.plane[other] for one, other in joined(net))


# --- dragonfly


@pytest.mark.parametrize(
    ("groups", "members", "global_links", "local_links"),
    [(9, 4, 2, 1), (5, 4, 2, 1), (4, 3, 2, 2), (3, 2, 1, 1), (7, 3, 4, 1), (2, 2, 3, 1), (33, 8, 4, 1)],
)
def test_a_dragonfly_has_the_links_of_its_formula(
    groups: int, members: int, global_links: int, local_links: int
) -> None:
    layout = {"kind": "dragonfly", "units": members, "global_links": global_links, "local_links": local_links}

    net = built(flat(layout, groups * members))

    between = Counter({k: n for k, n in joined(net).items() if net.pod[k[0]] != net.pod[k[1]]})
    pairs = Counter(dict.fromkeys(combinations(range(groups), 2), 0))
    for (one, other), links in between.items():
        pairs[net.pod[one], net.pod[other]] += links
    assert groups * members * (members - 1) // 2 * local_links == joined(net).total() - between.total()
    assert groups * members * global_links // 2 == between.total()
    assert max(pairs.values()) - min(pairs.values()) <= 1
    assert min(pairs.values()) >= 1


def test_a_dragonfly_of_all_groups_that_it_reaches_has_one_link_a_pair() -> None:
    net = built(flat(DRAGONFLY, 36))

    between = [links for (a, b), links in joined(net).items() if net.pod[a] != net.pod[b]]
    assert [1] * 36 == between


def test_an_odd_end_stays_free_in_every_group() -> None:
    # 3 groups of 3 ends: 9 ends make no whole number of links.
    net = built(flat({"kind": "dragonfly", "units": 1, "global_links": 3}, 3))

    assert (3 * 3 - 3) // 2 == joined(net).total()


# --- dragonfly+


@pytest.mark.parametrize(("links", "spines"), [(4, 4), (2, 4), (1, 4), (6, 4), (18, 6), (5, 3)])
def test_every_two_groups_of_a_dragonfly_plus_have_their_links_dealt_evenly(links: int, spines: int) -> None:
    value = plus(layout={**PLUS, "links_per_pair": links}, count=spines)
    value["networks"]["compute"]["tiers"]["leaf"] |= {"up": {"ports": spines}, "max_oversubscription": "9:1"}

    net = built(value)

    pairs: Counter[tuple[int, int]] = Counter()
    ends: Counter[int] = Counter(dict.fromkeys(net.role_start[Role.SPINE], 0))
    for (one, other), many in joined(net, Role.SPINE).items():
        pairs[net.pod[one], net.pod[other]] += many
        ends[one] += many
        ends[other] += many
    assert {links} == set(pairs.values())
    assert 5 * 4 // 2 == len(pairs)
    assert max(ends.values()) - min(ends.values()) <= 1


def test_the_fewest_spines_that_hold_leaves_and_links_are_chosen() -> None:
    # 64 ports: 150 x 4 links to other groups on 10 spines are 60 each, and 4 leaves.
    net = built(
        flat({**PLUS, "links_per_pair": 150}, 20, gpu=hosts(4, 1), spine={"max_oversubscription": "9:1"})
    )

    assert 10 * 5 == len(net.role_start[Role.SPINE])


def test_parallel_links_of_a_pair_are_at_different_spines() -> None:
    net = built(plus())

    assert {1} == set(joined(net, Role.SPINE).values())


# --- what holds for all of them

SHAPES = {
    "torus of whole planes": {**flat(TORUS, 32), "capacity": {"units": 64}},
    "torus": flat(TORUS, 64),
    "flat torus": flat({"kind": "torus", "dimensions": [5, 3], "links": 2}, 15),
    "torus of rails": small(
        units=9, gpu=hosts(2, 2), spine=False, layout={"kind": "torus", "dimensions": [3, 3, 2]}
    ),
    "torus of planes": flat(
        {"kind": "torus", "dimensions": [3, 3]}, 9, gpu=hosts(2, 1, 2), planes={"count": 2}
    ),
    "dragonfly": flat(DRAGONFLY, 36),
    "dragonfly of few groups": flat(DRAGONFLY, 20),
    "dragonfly of rails": small(units=10, gpu=hosts(2, 2), spine=False, layout={**DRAGONFLY, "units": 2}),
    "dragonfly+": plus(),
    "dragonfly+ with few links": plus(layout={**PLUS, "links_per_pair": 3}),
}


@pytest.mark.parametrize("value", SHAPES.values(), ids=SHAPES)
def test_the_stated_symmetries_hold(value: dict[str, Any]) -> None:
    net = built(value)

    assert () == broken(net)
    assert any(name.startswith(("shift", "rotate pods")) for name in (g.name for g in generators(net)))


@pytest.mark.parametrize("value", SHAPES.values(), ids=SHAPES)
def test_two_swapped_cables_break_a_symmetry(value: dict[str, Any]) -> None:
    net = built(value)
    owner = owners(net)
    role = Role.SPINE if net.role_start[Role.SPINE] else Role.LEAF
    found = [
        (a, b) for a, b in enumerate(net.peer) if b > a and net.role[owner[a]] == net.role[owner[b]] == role
    ]
    first = found[0]
    other = next(link for link in found if {owner[p] for p in link}.isdisjoint(owner[p] for p in first))
    net.peer[first[0]], net.peer[other[0]] = other[1], first[1]
    net.peer[other[1]], net.peer[first[1]] = first[0], other[0]

    assert broken(net)
    assert Graph(net).vertices


def test_a_torus_can_be_shifted_along_the_axes_that_are_complete() -> None:
    found = {g.name for g in generators(built(SHAPES["torus of whole planes"]))}

    assert {"shift along axis 1", "shift along axis 2"} == {name for name in found if "shift" in name}


GROWING = {
    "torus": (flat(TORUS, 40), 64),
    "dragonfly": (flat(DRAGONFLY, 20), 36),
    "dragonfly+": (plus(12), 20),
}


@pytest.mark.parametrize(("value", "capacity"), GROWING.values(), ids=GROWING)
def test_growth_within_the_capacity_moves_nothing(value: dict[str, Any], capacity: int) -> None:
    before = expanded({**value, "capacity": {"units": capacity}})
    after = expanded({**value, "units": capacity, "capacity": {"units": capacity}}, before.lock)

    assert () == differences(before, after)
    assert len(after.networks["compute"].switches) > len(before.networks["compute"].switches)


@pytest.mark.parametrize(("value", "capacity"), GROWING.values(), ids=GROWING)
def test_the_lock_holds_the_layout(value: dict[str, Any], capacity: int) -> None:
    written = {**value, "capacity": {"units": capacity}}
    lock = expanded(written).lock

    assert lock == expanded(written, lock).lock
    assert lock.networks["compute"].layout is not None


def test_another_layout_is_refused_under_the_lock_and_shown_as_moves() -> None:
    lock = expanded(flat(TORUS, 64)).lock
    other = flat({"kind": "torus", "dimensions": [8, 8]}, 64)

    found = errors(other, lock)

    assert [("FAB214", "networks.compute.layout")] == [
        (code, at) for code, at, *_ in found if at.endswith("layout")
    ]
    assert "torus 4x4x4 in fabric.lock, torus 8x8 here" in found[0][2] + found[-1][2]
    moves = resize(intent_of(other, lock))
    assert moves.count("cable") > 100
    assert 0 == moves.count("name")
    layout = moves.lock.networks["compute"].layout
    assert isinstance(layout, Torus)
    assert (8, 8) == layout.dimensions


def test_installed_switches_that_nothing_joins_are_refused() -> None:
    value = {**flat({**DRAGONFLY, "global_links": 1}, 6), "capacity": {"units": 20}}

    ((code, at, rule, hint),) = errors(value)

    assert ("FAB229", "networks.compute.layout") == (code, at)
    assert "no links join leaf-04 to leaf-00" in rule
    assert "install the rest" in hint


def test_a_missing_place_of_a_torus_leaves_the_ports_of_its_neighbours_free() -> None:
    whole, part = (
        built({**flat({"kind": "torus", "dimensions": [3, 3]}, units), "capacity": {"units": 9}})
        for units in (9, 8)
    )

    assert 18 - 4 == joined(part).total()
    assert whole.cable[: part.port_base[8]].count(NONE) == 0
    free = [p for p in range(part.port_base[8]) if part.peer[p] == NONE]
    assert 4 == len(free)


def test_across_ports_come_from_the_cages_that_an_override_names() -> None:
    value = flat({"kind": "torus", "dimensions": [3]}, 3)
    value["overrides"] = [{"device": "leaf-1", "up_cages": "31-32"}]

    net = built(value)

    made = net.port_maps[net.port_map[1]]
    ports = made.range_of(Facing.ACROSS)
    assert [31, 32] == [made.slots[i].cage for i in ports]


@pytest.mark.parametrize("groups", range(1, 12))
@pytest.mark.parametrize("members", [1, 2, 5])
@pytest.mark.parametrize("ends", range(1, 14))
def test_dealt_ends_meet_each_other(groups: int, members: int, ends: int) -> None:
    deal = dealt(groups, members, ends)

    for end, (turn, mate) in enumerate(zip(deal.turns, deal.mates, strict=True)):
        assert end == deal.mates[mate]
        assert (groups - turn) % groups == deal.turns[mate]
        assert 0 < turn < groups
    if groups > 1:
        assert 2 * (groups * ends // 2) - groups * len(deal.turns) in (0, groups - 1)


@pytest.mark.parametrize("made", [Grid((4, 4, 4)), Grid((2, 5), 2), Groups(9, 4, 2), SpineGroups(23, 18, 18)])
def test_the_far_end_of_the_far_end_is_the_port(made: Grid | Groups | SpineGroups) -> None:
    ends = [(switch, port) for switch in range(made.switches) for port in range(made.ports)]

    for end in ends:
        far = made.far(*end)
        assert far is None or made.far(*far) == end


def test_the_ports_of_a_spine_are_those_of_the_one_with_most_ends() -> None:
    for made in (SpineGroups(5, 4, 4), SpineGroups(5, 3, 5), SpineGroups(2, 4, 1), SpineGroups(1, 4, 9)):
        ends = [sum(made.far(s, p) is not None for p in range(100)) for s in range(made.switches)]
        assert max(ends) == made.ports


def test_absurd_numbers_are_refused_without_being_built() -> None:
    many = 1_000_000
    ratio = {"max_oversubscription": "9:1"}
    absurd = [
        plus(layout={**PLUS, "links_per_pair": many}),
        flat({**PLUS, "links_per_pair": many}, 20, gpu=hosts(4, 1), spine=ratio),
        flat({**DRAGONFLY, "global_links": many}, 36),
        flat({**DRAGONFLY, "local_links": many}, 36),
        flat({**TORUS, "links": many}, 64),
        flat({"kind": "torus", "dimensions": [4096] * 6}, 64),
    ]
    found = []

    for site in absurd:
        work(lambda site=site: found.append(errors(site)), at_most=many // 2)

    assert all(found)
    assert {"FAB201", "FAB228"} >= {code for one in found for code, *_ in one}


PAGE = Path(__file__).parents[2] / "docs" / "layouts.md"
EXAMPLES = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(), re.DOTALL)


@pytest.mark.parametrize(
    ("example", "switches", "across"),
    list(zip(EXAMPLES, (64, 36, 40), (192, 54 + 36, 10 * 4), strict=True)),
)
def test_the_examples_of_the_page_have_the_numbers_that_it_tells(
    example: str, switches: int, across: int
) -> None:
    net = built(yaml.safe_load(example))

    assert (switches, across) == (
        len(net.switches),
        (joined(net) + joined(net, Role.SPINE)).total(),
    )


@pytest.mark.parametrize(
    ("value", "lengths"),
    [
        (flat(TORUS, 64), {3: 192}),
        (flat(DRAGONFLY, 36), {3: 54, 70: 36}),
        (plus(), {70: 40, 30: 80}),
    ],
    ids=["torus", "dragonfly", "dragonfly+"],
)
def test_cables_within_a_group_and_between_groups_have_lengths_of_their_own(
    value: dict[str, Any], lengths: dict[int, int]
) -> None:
    value["networks"]["compute"]["cables"] = {
        "local": {"length": "3m"},
        "zone": {"length": "70m"},
        "leaf_spine": {"length": "30m"},
    }
    intent = intent_of(value)
    (view,) = views(intent, expand(intent))

    ends = [(node, other) for node, _, other, _ in view.links() if node in view.topology.switches]
    assert lengths == Counter(view.cable_m(node, other) for node, other in ends)
