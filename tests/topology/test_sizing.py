"""How sizes are found: exhaustive search, divisors, ceilings, and what is said when nothing fits."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from fabric.topology.resize import differences
from fabric.topology.roles import Facing, Role
from fabric.topology.sizing.search_smallest import largest, unit_choices, uplink_choices
from tests.topology.builders import SPLIT, SWITCH, built, count, errors, expanded, hosts, small

H100 = ("qm9700", "dgx-h100", 64, 1, 32)
B200 = ("qm9700", "dgx-b200", 64, 1, 32)
SPECTRUM = (SPLIT, None, 128, 2, 64)
XDR = ("q3400-ra", "dgx-b300", 144, 1, 72)
NVIDIA = [
    (H100, 1, 8, 4),
    (H100, 2, 16, 8),
    (H100, 3, 24, 16),
    (H100, 4, 32, 16),
    (B200, 2, 16, 8),
    (B200, 4, 32, 16),
    (B200, 8, 64, 32),
    (SPECTRUM, 1, 16, 8),
    (SPECTRUM, 2, 32, 16),
    (SPECTRUM, 4, 64, 32),
    (SPECTRUM, 8, 128, 64),
    (SPECTRUM, 16, 256, 128),
    (XDR, 1, 8, 4),
    (XDR, 2, 16, 8),
    (XDR, 4, 32, 18),
    (XDR, 8, 64, 36),
    (XDR, 18, 144, 72),
]
"""Two-tier rows of the DGX SuperPOD architectures H100, B200, B300 Spectrum-X and B300 XDR (docs.nvidia.com):
family, scalable units, leaves, spines. Units of 32, 64 and 72 hosts follow from the models."""


def auto(family: tuple[str, str | None, int, int, int], units: int) -> dict[str, Any]:
    """All hosts of so many units, without saying how many make a unit."""
    model, host, _radix, planes, per_unit = family
    group: dict[str, Any] = {"per_unit": "auto", "total": units * per_unit}
    if host is None:
        group["nics"] = {"compute": {"count": 8, "ports": planes, "speed": "400G"}}
    else:
        group["model"] = host
    technology = "ethernet" if model == SPLIT else "infiniband"
    return small(
        units="auto",
        gpu=group,
        leaf={"model": model},
        spine={"model": model},
        planes={"count": planes},
        technology=technology,
    )


@pytest.mark.parametrize(("family", "units", "leaves", "spines"), NVIDIA)
def test_the_search_gives_the_published_counts(family: Any, units: int, leaves: int, spines: int) -> None:
    net = built(auto(family, units))

    assert (leaves, spines) == (count(net, Role.LEAF), count(net, Role.SPINE))
    assert {units} == {len({net.unit[i] for i in net.role_start[Role.HOST]})}


@pytest.mark.parametrize(("family", "units", "leaves", "spines"), NVIDIA)
def test_the_search_alone_gives_the_published_counts(
    family: Any, units: int, leaves: int, spines: int
) -> None:
    _model, _host, radix, planes, per_unit = family
    rails = 8

    def spread(hosts_per_unit: int, count: int) -> int | None:
        found = uplink_choices(range(hosts_per_unit, radix - hosts_per_unit + 1), count * rails, radix)
        return count * rails + found[0].above if found else None

    best = unit_choices(units * per_unit, spread, radix)[0]

    assert (units, per_unit) == (best.units, best.per_unit)
    assert leaves + spines == best.switches * planes


def test_the_choice_and_its_runner_up_are_told() -> None:
    net = built(auto(H100, 4))

    told = {sizing.what: (sizing.chosen, sizing.runner_up) for sizing in net.sizing}

    assert "4 units of 32 gpu, 48 switches" == told["hosts.gpu.per_unit"][0]
    assert told["hosts.gpu.per_unit"][1] is not None
    assert told["networks.compute.tiers.spine.count"][0].startswith("16 spines, 32 uplinks a leaf, 2 a pair")
    assert told["networks.compute.tiers.spine.count"][1].startswith("32 spines")


def test_a_total_that_fills_no_whole_unit_leaves_the_last_one_partial() -> None:
    net = built(small(units="auto", gpu=hosts("auto", 8, total=70)))
    per_unit = [sum(net.unit[h] == u for h in net.role_start[Role.HOST]) for u in range(3)]
    # Units of 32 would need 16 spines, units of 24 need 12.

    assert [24, 24, 22] == per_unit


def test_uplinks_default_to_full_bisection() -> None:
    net = built(small())

    assert 4 == net.sizes.leaf_uplinks
    assert {Role.LEAF: Fraction(1)} == net.oversubscription


def test_a_ceiling_lets_uplinks_be_fewer() -> None:
    net = built(small(gpu=hosts(24), leaf={"max_oversubscription": "3:1"}))

    assert 8 == net.sizes.leaf_uplinks


def test_uplinks_of_another_speed_are_counted_by_bandwidth() -> None:
    net = built(small(gpu=hosts(16, speed="200G"), leaf={"up": {"speed": "400G"}}))

    assert 8 == net.sizes.leaf_uplinks


def test_a_written_number_of_spines_decides_the_links_of_a_pair() -> None:
    net = built(small(gpu=hosts(8), spine={"count": 2}))

    assert (8, 2, 4) == (net.sizes.leaf_uplinks, net.sizes.spines, net.sizes.links_per_leaf_spine)


def test_uplinks_grow_to_a_multiple_of_the_spines() -> None:
    net = built(small(gpu=hosts(7), spine={"count": 4}))

    assert (8, 2) == (net.sizes.leaf_uplinks, net.sizes.links_per_leaf_spine)


def spared(hosts_of_unit: int, spares: int) -> dict[str, Any]:
    """Eight units of 16 positions."""
    return small(units=8, gpu=hosts(hosts_of_unit, spare_per_unit=spares))


def test_spare_hosts_have_uplinks_as_all_others() -> None:
    net = built(spared(14, 2))

    assert (16, 16) == (net.sizes.leaf_uplinks, net.sizes.leaf_downlinks)
    assert 1 == net.oversubscription[Role.LEAF]


@pytest.mark.parametrize("spares", [1, 0])
def test_a_spare_that_becomes_a_host_moves_nothing(spares: int) -> None:
    before = expanded(spared(14, 2))

    assert () == differences(before, expanded(spared(16 - spares, spares), before.lock))


def test_a_lock_that_left_the_spares_out_still_holds_with_a_warning() -> None:
    generous = spared(14, 2)
    generous["networks"]["compute"]["tiers"]["leaf"]["up"] = {"ports": 14}
    generous["networks"]["compute"]["tiers"]["leaf"]["max_oversubscription"] = "2:1"
    made = expanded(generous).lock  # 14 up, as sizing chose when spares did not count
    sizes = msgspec.structs.replace(made.networks["compute"], spares_have_uplinks=False)
    lock = msgspec.structs.replace(made, networks={"compute": sizes})
    found = expanded(spared(14, 2), lock)

    assert ["FAB232"] == [finding.code for finding in found.diagnostics]
    assert () == differences(expanded(generous), found)
    assert [("FAB205", "networks.compute.tiers.leaf.max_oversubscription")] == [
        e[:2] for e in errors(spared(16, 0), lock)
    ]


def stored(links: int, **leaf: Any) -> dict[str, Any]:
    """Storage on the leaves of two units of four hosts, with reserved ports enough."""
    storage = {"network": "compute", "kind": "storage", "links": links, "speed": "400G"}
    return small(leaf={"reserved_ports": 40, **leaf}, site={"attachments": {"store": storage}})


@pytest.mark.parametrize(("links", "uplinks"), [(0, 4), (1, 6), (8, 6), (24, 8), (80, 14)])
def test_uplinks_are_sized_for_storage_too(links: int, uplinks: int) -> None:
    net = built(stored(links) if links else small(leaf={"reserved_ports": 40}))

    assert uplinks == net.sizes.leaf_uplinks
    assert 1 >= net.oversubscription[Role.LEAF]


def test_spines_have_uplinks_for_their_storage() -> None:
    def spine_uplinks(links: int) -> int:
        storage = {
            "network": "compute",
            "kind": "storage",
            "links": links,
            "speed": "400G",
            "to": {"tier": "spine"},
        }
        attached = {"attachments": {"store": storage}} if links else {}
        shape = small(
            units=4, pods={"units": 2}, spine={"count": 2, "reserved_ports": 9}, superspine={}, site=attached
        )
        return built(shape).sizes.spine_uplinks

    assert (16, 18) == (spine_uplinks(0), spine_uplinks(8))


def test_storage_beyond_all_ports_is_refused_and_the_hint_is_accepted() -> None:
    value = stored(8 * 40, up={"ports": 8})
    found = errors(value)

    assert [("FAB205", "networks.compute.tiers.leaf.max_oversubscription")] == [e[:2] for e in found]
    ratio = re.search(r"set `max_oversubscription: ([0-9.:]+)`", found[0][3])
    assert ratio
    value["networks"]["compute"]["tiers"]["leaf"]["max_oversubscription"] = ratio[1]
    assert [] == errors(value)


def test_three_tiers_of_radix_64_need_five_quarters_of_its_square() -> None:
    value = small(
        units=256,
        gpu=hosts(32, 8),
        superspine={},
        pods={"units": 4},
    )
    net = built(value)

    assert 5 * 64 * 64 // 4 == len(net.switches)
    assert 65536 == 8 * count(net, Role.HOST)


def test_a_spine_keeps_ports_for_its_uplinks() -> None:
    net = built(small(units=16, gpu=hosts(32, 8), superspine={}, pods={"units": 4}))
    made = net.port_maps[net.port_map[net.role_start[Role.SPINE].start]]

    assert (32, 32) == (len(made.range_of(Facing.DOWN)), len(made.range_of(Facing.UP)))


def test_the_largest_number_that_holds_is_found() -> None:
    assert [0, 5, 9] == [largest(9, lambda n, top=top: n <= top) for top in (0, 5, 20)]


ERRORS: dict[str, tuple[dict[str, Any], str, str, str]] = {
    "too many hosts on a leaf": (
        small(gpu=hosts(70)),
        "FAB201",
        "networks.compute.tiers.leaf.down",
        "lacks 6 of the downlinks",
    ),
    "hosts leave no room for uplinks": (
        small(gpu=hosts(40)),
        "FAB205",
        "networks.compute.tiers.leaf.max_oversubscription",
        "the ceiling is 1:1",
    ),
    "more leaves than a spine has ports": (
        small(units=20, gpu=hosts(4, 8)),
        "FAB201",
        "networks.compute.tiers.spine",
        "160 leaves with 1 link each need 160 ports of a spine, Arista 7060DX5-64S gives 64",
    ),
    "uplinks that do not divide": (
        small(leaf={"up": {"ports": 6}}, spine={"count": 4}),
        "FAB204",
        "networks.compute.tiers.spine.count",
        "6 uplinks of a leaf cannot spread evenly over 4 spines",
    ),
    "links that do not multiply up": (
        small(leaf={"up": {"ports": 8}}, spine={"count": 2, "links_per_pair": 2}),
        "FAB204",
        "networks.compute.tiers.spine.links_per_pair",
        "8 uplinks of a leaf are not 2 links to each of 2 spines",
    ),
    "a speed that no port has": (
        small(gpu=hosts(speed="800G")),
        "FAB202",
        "networks.compute.tiers.leaf.down.speed",
        "it offers 400G, 200G, 100G, 50G",
    ),
    "a breakout that no cage has": (
        small(leaf={"down": {"breakout": 3}}),
        "FAB203",
        "networks.compute.tiers.leaf.down.breakout",
        "it offers 1x400G",
    ),
    "leaf ports unlike the NICs": (
        small(leaf={"down": {"speed": "200G"}}),
        "FAB208",
        "networks.compute.tiers.leaf.down.speed",
        "leaf ports of 200G cannot join NICs of 400G",
    ),
    "spine ports unlike the uplinks": (
        small(spine={"down": {"speed": "200G"}}),
        "FAB208",
        "networks.compute.tiers.spine.down.speed",
        "spine ports of 200G cannot join uplinks of 400G",
    ),
    "superspine ports unlike the uplinks": (
        small(superspine={"down": {"speed": "200G"}}, pods={"units": 1}),
        "FAB208",
        "networks.compute.tiers.superspine.down.speed",
        "superspine ports of 200G cannot join uplinks of 400G",
    ),
    "more NICs than rails": (
        small(rails={"count": 2}),
        "FAB206",
        "hosts.gpu",
        "for 4 NICs a host needs 4 rails, the network has 2",
    ),
    "rails that do not fold": (
        small(rails={"leaves": 3}),
        "FAB206",
        "networks.compute.rails.leaves",
        "4 rails do not fold evenly on 3 leaves",
    ),
    "hosts that do not take turns evenly": (
        small(gpu={**hosts(3), "nics": {"compute": {"count": 2, "speed": "400G", "first_rail": "alternate"}}},
              rails={"count": 4}),
        "FAB206",
        "hosts.gpu.per_unit",
        "3 hosts of 2 NICs cannot fill 4 rails evenly",
    ),
    "NIC ports unlike the planes": (
        small(planes={"count": 2}),
        "FAB207",
        "hosts.gpu.nics.compute.ports",
        "NICs of 1 port do not match 2 planes",
    ),
    "superspines without spines": (
        small(spine=False, superspine={}),
        "FAB212",
        "networks.compute.tiers.superspine",
        "superspines need spines",
    ),
    "pods and zones": (
        small(pods={"units": 1}, zones={"units": 1}),
        "FAB212",
        "networks.compute.zones",
        "zones and pods exclude each other",
    ),
    "spines by pod without pods": (
        small(spine={"group_by": "pod"}),
        "FAB212",
        "networks.compute.tiers.spine.group_by",
        "there are no pods",
    ),
    "an unknown model": (
        small(leaf={"model": "no-such-switch"}),
        "FAB210",
        "networks.compute.tiers.leaf.model",
        "no switch model `no-such-switch`",
    ),
    "another technology": (
        small(spine={"model": "qm9700"}),
        "FAB211",
        "networks.compute.tiers.spine.model",
        "is infiniband, the network ethernet",
    ),
    "no host in the network": (
        small(gpu={"per_unit": 4, "nics": {"storage": {"count": 1, "speed": "400G"}}}),
        "FAB209",
        "networks.compute",
        "no host group has NICs",
    ),
    "more units than the capacity": (
        small(units=3, site={"capacity": {"units": 2}}),
        "FAB213",
        "units",
        "3 units are installed, the capacity is 2",
    ),
    "more hosts than the capacity": (
        small(site={"capacity": {"hosts_per_unit": 3}}),
        "FAB213",
        "capacity.hosts_per_unit",
        "fill 4 host positions of a unit, the capacity is 3",
    ),
    "more spines than the capacity": (
        small(spine={"count": 2, "installed": 3}),
        "FAB213",
        "networks.compute.tiers.spine.installed",
        "3 are installed, the capacity is 2",
    ),
    "units that cannot be searched": (
        small(units="auto"),
        "FAB222",
        "units",
        "needs a host group with `per_unit: auto`",
    ),
    "superspine groups that do not divide": (
        small(spine={"count": 4}, superspine={"groups": 3}, pods={"units": 1}),
        "FAB204",
        "networks.compute.tiers.superspine.groups",
        "4 spines of a pod do not divide into 3 groups",
    ),
    "cages named twice": (
        small(leaf={"up": {"cages": "1-4,4"}}),
        "FAB223",
        "networks.compute.tiers.leaf.up.cages",
        "duplicate cage",
    ),
    "cages that are not there": (
        small(leaf={"up": {"cages": "62-66"}}),
        "FAB223",
        "networks.compute.tiers.leaf.up.cages",
        "cage 65 is taken or does not exist",
    ),
    "too few downlinks by hand": (
        small(leaf={"down": {"ports": 2}}),
        "FAB201",
        "networks.compute.tiers.leaf.down.ports",
        "4 host positions need 4 downlinks of each leaf, 2 are given",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("value", "code", "place", "words"), ERRORS.values(), ids=ERRORS)
def test_what_does_not_fit_is_refused_where_it_stands(
    value: dict[str, Any], code: str, place: str, words: str
) -> None:
    found = errors(value)

    assert (code, place) in [error[:2] for error in found]
    rule, hint = next(error[2:] for error in found if error[:2] == (code, place))
    assert words in rule
    assert hint


def test_all_mistakes_of_all_networks_come_together() -> None:
    value = small(leaf={"model": "nothing"})
    value["networks"]["storage"] = {"tiers": {"leaf": {"model": "nobody"}}}
    value["hosts"]["gpu"]["nics"]["storage"] = {"count": 1, "speed": "400G"}

    assert {"networks.compute.tiers.leaf.model", "networks.storage.tiers.leaf.model"} == {
        place for _, place, _, _ in errors(value)
    }


def test_a_small_switch_with_rails_but_one_spine_group_is_told_what_fits() -> None:
    found = errors(small(units=20, gpu=hosts(4, 8)))

    assert "96 are missing, 64 leaves would fit" in found[0][3]


def test_a_model_is_named_by_its_own_name() -> None:
    assert SWITCH not in errors(small(gpu=hosts(70)))[0][2]


def test_a_total_that_no_units_hold_says_what_stands_in_the_way() -> None:
    found = errors(small(units="auto", gpu=hosts("auto", 8, total=640)))

    assert ["FAB222", "FAB201"] == [code for code, *_ in found]
    assert "160 leaves with 1 link each need 160 ports of a spine" in found[1][2]
    assert "96 are missing, 64 leaves would fit" in found[1][3]
