"""Growth within capacity moves nothing; anything else is refused, and `resize` lists every move."""

from __future__ import annotations

import re
from copy import deepcopy
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from fabric.diagnostics import Invalid
from fabric.intent.model.lock import Lock, LockedLink
from fabric.topology.expand import expand
from fabric.topology.model import Topology
from fabric.topology.resize import Moves, differences, resize
from fabric.topology.roles import Facing, Role
from tests.topology.builders import SPLIT, built, count, errors, expanded, hosts, intent_of, neighbors, small


def h100(units: int, *, capacity: int | None = 4, last: int | None = None) -> dict[str, Any]:
    """DGX SuperPOD H100 over routed links, so that addresses and AS numbers are looked at too."""
    value = small(
        units=units,
        gpu=hosts(32, 8, **({"last_unit": last} if last else {})),
        leaf={"model": SPLIT, "down": {"breakout": 2}, "up": {"breakout": 2, "ports": 32}},
        spine={"model": SPLIT, "down": {"ports": 64}} if capacity else {"model": SPLIT},
        site={"capacity": {"units": capacity}} if capacity else {},
    )
    value["attachments"] = {
        "ufm": {
            "network": "compute",
            "kind": "subnet_manager",
            "links": 2,
            "speed": "400G",
            "to": {"unit": 0, "rails": [0, 1]},
        }
    }
    value["networks"]["compute"]["tiers"]["leaf"]["reserved_ports"] = 2
    return value


def grown(*values: dict[str, Any]) -> list[tuple[Any, ...]]:
    """What moves from each step to the next; each step is held to the first one's lock."""
    first = expanded(values[0])
    steps = [first, *(expanded(value, first.lock) for value in values[1:])]
    return [differences(old, new) for old, new in pairwise(steps)]


def test_one_scalable_unit_grows_to_two_and_four_and_nothing_moves() -> None:
    assert [(), ()] == grown(h100(1), h100(2), h100(4))


def test_a_partial_unit_is_filled_and_nothing_moves() -> None:
    assert [(), ()] == grown(h100(1, last=20), h100(1, last=31), h100(2, last=5))


def test_without_declared_capacity_the_second_unit_would_move_cables() -> None:
    one, two = expanded(h100(1, capacity=None)), expanded(h100(2, capacity=None))
    kinds = {move.kind for move in differences(one, two)}

    assert "cable" in kinds
    assert "address" in kinds


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"planes": {"count": 2}, "gpu": hosts(4, 4, 2)},
        {"planes": {"count": 2, "meet_at": "spine"}, "gpu": hosts(4, 2, 2)},
        {"rails": {"leaves": 2}},
        {"rails": "none"},
        {"addressing": {"family": "dual"}},
        {"addressing": {"order": ["rail", "plane", "unit", "host"]}},
        {"zones": {"units": 2}, "spine": {"count": 2}},
        {"pods": {"units": 3}, "superspine": {"count": 2}, "spine": {"count": 2, "group_by": "pod+rail"}},
        {"spine": {"group_by": "rail"}},
    ],
    ids=str,
)
def test_units_grow_in_every_shape_and_nothing_moves(more: dict[str, Any]) -> None:
    values = [
        small(**{"units": units, "site": {"capacity": {"units": 12}}, **more}) for units in (1, 2, 5, 12)
    ]

    assert [(), (), ()] == grown(*values)


def test_hosts_of_a_unit_grow_into_declared_positions_and_nothing_moves() -> None:
    values = [small(gpu=hosts(n), site={"capacity": {"hosts_per_unit": 12}}) for n in (4, 9, 12)]

    assert [(), ()] == grown(*values)


def test_spines_are_added_and_nothing_moves() -> None:
    values = [small(spine={"count": 4, "installed": n}) for n in (1, 2, 4)]

    assert [(), ()] == grown(*values)


def test_a_third_tier_is_added_and_nothing_moves() -> None:
    values = [
        small(units=4, pods={"units": 2}, spine={"count": 4}, superspine={"count": 2, "installed": n})
        for n in (0, 1, 2)
    ]
    tops = [count(expanded(value).networks["compute"], Role.SUPERSPINE) for value in values]

    assert [0, 4, 8] == tops
    assert [(), ()] == grown(*values)


def test_pods_are_added_under_a_third_tier_and_nothing_moves() -> None:
    values = [
        small(
            units=units,
            pods={"units": 2},
            spine={"count": 4},
            superspine={"count": 2},
            site={"capacity": {"units": 8}},
        )
        for units in (2, 3, 8)
    ]

    assert [(), ()] == grown(*values)


def test_a_second_host_group_takes_the_positions_after_the_first() -> None:
    one = small(gpu=hosts(4), site={"capacity": {"hosts_per_unit": 8}})
    two = small(gpu=hosts(4), site={"capacity": {"hosts_per_unit": 8}})
    two["hosts"]["abacus"] = hosts(3)  # by name it would come first
    first = expanded(one)

    with pytest.raises(Invalid):
        # The first group's room ended at the last position: the second one has none to grow into.
        expanded(two, msgspec.structs.replace(first.lock, networks={
            "compute": msgspec.structs.replace(first.lock.networks["compute"], host_slots=6)
        }))  # fmt: skip
    assert () == differences(first, expanded(two, first.lock))


# --- the lock


def lock_of(value: dict[str, Any]) -> Lock:
    return expanded(value).lock


def test_locked_sizes_win_over_auto() -> None:
    held = lock_of(small(units=2, site={"capacity": {"units": 8}}))

    net = expanded(small(units=2), held).networks["compute"]

    assert 8 == net.sizes.units
    assert held.networks["compute"] == net.sizes


def test_an_expanded_intent_fits_its_own_lock() -> None:
    value = small()

    assert lock_of(value) == lock_of(value) == expanded(value, lock_of(value)).lock


def test_units_beyond_the_lock_are_refused_with_the_way_out() -> None:
    found = errors(small(units=3), lock_of(small(units=2)))

    assert [("FAB213", "units")] == [e[:2] for e in found]
    assert "fabric resize" in found[0][3]


@pytest.mark.parametrize(
    ("change", "place", "words"),
    [
        ({"site": {"capacity": {"units": 5}}}, "capacity.units", "units: 2 in fabric.lock, 5 here"),
        ({"spine": {"count": 4}}, "networks.compute.tiers.spine.count", "spines: 2 in fabric.lock, 4 here"),
        (
            {"leaf": {"up": {"ports": 6}}},
            "networks.compute.tiers.leaf.up.ports",
            "leaf uplinks: 4 in fabric.lock, 6 here",
        ),
        ({"leaf": {"model": SPLIT}}, "networks.compute.tiers.leaf", "port map of leaf"),
        (
            {"addressing": {"asn": {"leaf": 65000}}},
            "networks.compute.addressing.asn.leaf",
            "asn base of leaf: 4200000000 in fabric.lock, 65000 here",
        ),
    ],
    ids=lambda v: str(v)[:30],
)
def test_another_size_than_the_locked_one_is_refused_where_it_stands(
    change: dict[str, Any], place: str, words: str
) -> None:
    found = [e for e in errors(small(**change), lock_of(small())) if e[:2] == ("FAB214", place)]

    assert found
    assert words in found[0][2]
    assert "fabric resize" in found[0][3]


def test_an_auto_total_grows_by_units_of_the_locked_size() -> None:
    def total(hosts_in_all: int) -> dict[str, Any]:
        value = small(units="auto", gpu=hosts("auto", 8, total=hosts_in_all))
        value["capacity"] = {"units": 6}
        return value

    first = expanded(total(64))
    second = expanded(total(100), first.lock)

    assert () == differences(first, second)
    assert 100 == count(second.networks["compute"], Role.HOST)


# --- attachments


def thing(links: int = 4, **to: Any) -> dict[str, Any]:
    return {"network": "compute", "kind": "other", "links": links, "speed": "400G", "to": to}


def fleet(units: int, reserved: int = 2, **attachments: Any) -> dict[str, Any]:
    more = {"capacity": {"units": 4}, "attachments": attachments}
    return small(units=units, rails="none", leaf={"reserved_ports": reserved}, gpu=hosts(2, 1), site=more)


def landed(topology: Topology, name: str) -> list[tuple[int | None, str]]:
    """Unit and cage of every link of an attachment."""
    return [(link.unit, link.cage) for link in topology.lock.attachments[name].links]


def test_an_attachment_stays_when_units_are_added() -> None:
    values = [fleet(units, filer=thing()) for units in (2, 3, 4)]

    assert [(), ()] == grown(*values)
    assert [(0, "5"), (1, "5"), (0, "6"), (1, "6")] == landed(expanded(values[0]), "filer")


def test_an_attachment_of_the_last_unit_stays_in_the_unit_that_was_last_when_it_was_locked() -> None:
    assert [()] == grown(fleet(2, wan=thing(2, unit="last")), fleet(4, wan=thing(2, unit="last")))


def test_a_new_attachment_takes_the_ports_that_others_leave() -> None:
    first = expanded(fleet(1, filer=thing(1)))
    second = expanded(fleet(2, archive=thing(2), filer=thing(1)), first.lock)

    assert () == differences(first, second)
    assert [(0, "6"), (1, "5")] == landed(second, "archive")


def test_new_links_go_where_an_attachment_has_fewest() -> None:
    first = expanded(fleet(1, filer=thing(2)))
    second = expanded(fleet(3, filer=thing(4)), first.lock)

    assert () == differences(first, second)
    assert [(0, "5"), (0, "6"), (1, "5"), (2, "5")] == landed(second, "filer")


def test_what_is_detached_leaves_the_others_where_they_are() -> None:
    first = expanded(fleet(1, archive=thing(1), filer=thing(1)))
    second = expanded(fleet(1, filer=thing(1)), first.lock)

    assert [(0, "6")] == landed(first, "filer") == landed(second, "filer")
    net = second.networks["compute"]
    assert ["", "filer"] == [
        neighbors(net, "leaf-0")[i] for i in net.port_maps[net.port_map[0]].range_of(Facing.OUT)
    ]
    assert {"archive"} == {move.device for move in differences(first, second) if move.kind == "device"}


def test_attachments_spread_over_switches_that_have_a_reserved_port_left() -> None:
    found = expanded(fleet(2, reserved=1, archive=thing(1), filer=thing(1)))

    assert [(0, "5")] == landed(found, "archive")
    assert [(1, "5")] == landed(found, "filer")


def test_an_attachment_that_is_sent_elsewhere_is_refused_and_resize_lists_it() -> None:
    old, new = fleet(2, filer=thing(2)), fleet(2, filer=thing(2, unit=1))
    found, moves = errors(new, lock_of(old)), moved(old, new)

    assert [("FAB214", "attachments.filer.to")] == [e[:2] for e in found]
    assert "link 0: leaf of unit 0, plane 0, index 0, cage 5 in fabric.lock, leaf of unit 1" in found[0][2]
    assert ["leaf-0 cage 5 - filer port 0"] == [m.old for m in moves.moves if m.kind == "cable"]


def test_an_attachment_that_must_make_room_is_moved_by_resize() -> None:
    first = fleet(2, reserved=1, zoo=thing(1))
    second = fleet(2, reserved=1, zoo=thing(1), archive=thing(1, unit=0))
    found = moved(first, second)

    assert "FAB214" in {code for code, *_ in errors(second, lock_of(first))}
    assert [(0, "5")] == landed(expanded(first), "zoo")
    assert [LockedLink(tier="leaf", unit=1, plane=0, index=0, cage="5")] == list(
        found.lock.attachments["zoo"].links
    )


def test_an_attachment_in_other_cages_is_listed_beside_the_cables_that_can_be_rebuilt() -> None:
    there, here = (fleet(2, filer={**thing(1), "to": {"cages": cage}}) for cage in ("60", "61"))
    here["capacity"] = {"units": 12}
    found = moved(there, here)

    assert ["FAB231"] == [finding.code for finding in found.diagnostics]
    assert [("cage 60", "cage 61")] == [
        (m.old[-7:], m.new[-7:]) for m in found.moves if m.kind == "cable" and m.device == "filer"
    ]
    assert ("leaf-0", "leaf-00") in {(move.old, move.new) for move in found.moves if move.kind == "name"}


def test_a_lock_without_attachments_is_upgraded_and_says_so() -> None:
    value = fleet(2, filer=thing())
    old = msgspec.structs.replace(lock_of(value), format=1, attachments={})
    found = expanded(value, old)

    assert ["FAB230"] == [finding.code for finding in found.diagnostics]
    assert lock_of(value) == found.lock
    assert () == expanded(value, found.lock).diagnostics


# --- resize


def moved(old: dict[str, Any], new: dict[str, Any]) -> Moves:
    return resize(intent_of(new, lock_of(old)))


def test_resize_within_capacity_moves_nothing() -> None:
    value = small(site={"capacity": {"units": 8}})

    assert () == moved(value, value).moves


def test_without_a_lock_everything_is_new() -> None:
    assert () == resize(intent_of(small())).moves


def test_resize_lists_what_another_capacity_moves() -> None:
    rules = {"order": ["rail", "plane", "unit", "host"]}
    old, new = (small(units=units, gpu=hosts(8), addressing=rules) for units in (4, 16))
    found = moved(old, new)

    names = {(m.old, m.new) for m in found.moves if m.kind == "name"}
    assert ("leaf-1-0", "leaf-01-0") in names
    assert found.count("cable") > 0
    assert found.count("address") > 0
    assert 16 == found.lock.networks["compute"].units


def test_resize_shows_both_plugs_of_a_cable() -> None:
    found = moved(small(), small(site={"capacity": {"units": 16}}))
    cables = [m for m in found.moves if m.kind == "cable"]

    # With 64 leaves a spine has one port for each: four spines in place of one.
    assert any(m.old == "leaf-0-0 cage 6 - spine-0 cage 2" and m.new == "" for m in cables)


def test_resize_compares_with_the_intent_of_before_where_the_lock_cannot_tell() -> None:
    old, new = small(), small(leaf={"model": SPLIT}, spine={"model": SPLIT})

    found = resize(intent_of(new), before=intent_of(old))

    assert {"cable"} == {m.kind for m in found.moves}


def test_moves_are_sorted_and_repeatable() -> None:
    one, two = (moved(small(units=9), small(units=16)).moves for _ in range(2))

    assert one == two == tuple(sorted(one))


def test_a_network_that_goes_is_told_device_by_device() -> None:
    one = expanded(small())
    nothing = Topology(one.site, {}, one.lock)

    assert {"device"} == {m.kind for m in differences(one, nothing)}
    assert len(one.networks["compute"].names) == len(differences(one, nothing))


def test_every_size_of_the_lock_says_where_the_intent_decides_it() -> None:
    from fabric.intent.model.lock import NetworkLock
    from fabric.topology.compute_lock import NOT_COMPARED, PLACES

    assert set(NetworkLock.__struct_fields__) == set(PLACES) | NOT_COMPARED


def test_expanding_twice_gives_the_same() -> None:
    assert () == differences(expand(intent_of(small())), expand(intent_of(small())))


def test_resize_tells_what_a_larger_total_moves() -> None:
    def total(hosts_in_all: int) -> dict[str, Any]:
        return small(units="auto", gpu=hosts("auto", 8, total=hosts_in_all))

    found = moved(total(64), total(200))

    assert found.count("cable") > 0
    assert found.lock.networks["compute"].units > 2


def test_resize_tells_what_more_hosts_in_a_unit_move() -> None:
    found = moved(small(gpu=hosts(4)), small(gpu=hosts(9)))

    assert found.count("cable") > 0
    assert 9 == found.lock.networks["compute"].host_slots


def test_spines_and_units_grow_together_and_nothing_moves() -> None:
    values = []
    for units, spines in ((1, 4), (2, 8), (4, 16)):
        value = small(
            units=units,
            gpu=hosts(32, 8),
            leaf={"model": "qm9700"},
            spine={"model": "qm9700", "installed": spines},
            technology="infiniband",
            site={"capacity": {"units": 4}},
        )
        values.append(value)

    assert [(), ()] == grown(*values)
    assert 16 == count(expanded(values[2]).networks["compute"], Role.SPINE)


def test_auto_gives_every_leaf_two_spines_where_its_uplinks_allow() -> None:
    assert 2 == len(built(small()).role_start[Role.SPINE])


def test_a_tier_that_is_added_is_resized_cable_by_cable() -> None:
    flat = small(units=4, spine={"count": 2})
    tall = small(units=4, spine={"count": 2}, pods={"units": 2}, superspine={"count": 2})
    found = moved(flat, tall)

    assert () == found.diagnostics
    assert found.count("size") == 0 < found.count("cable")
    assert {"spine-0", "spine-1"} == {move.old for move in found.moves if move.kind == "device"}


def test_spines_over_leaves_that_stood_alone_move_nothing_but_what_they_need() -> None:
    alone, joined = small(spine=False), small()

    found = moved(alone, joined)

    assert () == found.moves == found.diagnostics
    assert "FAB214" in {code for code, *_ in errors(joined, lock_of(alone))}


def test_what_the_lock_cannot_tell_is_listed_by_size_with_the_reason() -> None:
    found = moved(small(), small(leaf={"model": SPLIT}, spine={"model": SPLIT}))

    assert ["FAB231"] == [finding.code for finding in found.diagnostics]
    assert {"port map of leaf", "port map of spine"} <= {m.device for m in found.moves if m.kind == "size"}


def test_a_network_that_goes_is_listed() -> None:
    old = small(units=1)
    both = {**old, "networks": {**old["networks"], "storage": {"tiers": {"leaf": {"model": SPLIT}}}}}
    both["hosts"] = {"gpu": hosts()}
    both["hosts"]["gpu"]["nics"] = {**both["hosts"]["gpu"]["nics"], "storage": {"count": 1, "speed": "200G"}}
    both["networks"]["storage"]["addressing"] = {
        "host_pool": "172.16.0.0/16",
        "fabric_pool": "172.17.0.0/16",
        "loopback_pool": "172.18.0.0/16",
    }

    assert [("storage", "size", "")] == [(m.network, m.kind, m.new) for m in moved(both, old).moves]


def test_a_group_of_another_name_is_refused_in_words_and_resize_lists_every_host() -> None:
    old, new = small(), small()
    new["hosts"]["bot"] = new["hosts"].pop("gpu")

    assert "group slot of gpu: 0 in fabric.lock, none here" in errors(new, lock_of(old))[0][2]
    assert {(f"gpu-{u}-{i}", f"bot-{u}-{i}") for u in range(2) for i in range(4)} == {
        (move.old, move.new) for move in moved(old, new).moves
    }


@pytest.mark.parametrize("change", ["renamed", "without a layout", "another layout"])
def test_no_value_of_python_is_in_what_the_lock_is_held_against(change: str) -> None:
    torus = {
        "technology": "infiniband",
        "rails": "none",
        "units": 9,
        "gpu": hosts(2, 1),
        "leaf": {"model": "qm9700"},
        "spine": False,
    }
    old = small(**{**torus, "layout": {"kind": "torus", "dimensions": [3, 3]}})
    new = small(**torus) if change == "without a layout" else deepcopy(old)
    if change == "renamed":
        new["hosts"]["bot"] = new["hosts"].pop("gpu")
    if change == "another layout":
        new["networks"]["compute"]["layout"]["links"] = 2
    said = [f"{rule} {hint}" for _, _, rule, hint in errors(new, lock_of(old))]
    said += [f"{move.old} {move.new}" for move in moved(old, new).moves]

    assert said
    assert not [text for text in said if re.search(r"None|True|False|\(|\[", text)]
