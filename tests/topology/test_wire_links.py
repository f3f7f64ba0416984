"""Who is cabled to whom: rails, folds, planes, groups of spines, pods, zones, port order."""

from __future__ import annotations

from typing import Any

import pytest

from fabric.topology.roles import NONE, Facing, Role
from tests.topology.builders import SPLIT, built, count, hosts, links, names, neighbors, owners, pairs, small


def test_nic_k_lands_on_the_leaf_of_rail_k() -> None:
    assert ["leaf-1-0", "leaf-1-1", "leaf-1-2", "leaf-1-3"] == neighbors(built(small()), "gpu-1-2")


def test_hosts_take_the_same_downlink_on_every_leaf() -> None:
    net = built(small())

    assert ["gpu-0-0", "gpu-0-1", "gpu-0-2", "gpu-0-3"] == neighbors(net, "leaf-0-3")[:4]


def test_rails_fold_in_blocks() -> None:
    net = built(small(rails={"leaves": 2}))

    assert ["leaf-0-0", "leaf-0-0", "leaf-0-2", "leaf-0-2"] == neighbors(net, "gpu-0-1")


def test_rails_fold_interleaved() -> None:
    net = built(small(rails={"leaves": 2, "fold": "interleaved"}))

    assert ["leaf-0-0", "leaf-0-1", "leaf-0-0", "leaf-0-1"] == neighbors(net, "gpu-0-1")


def test_without_rails_all_nics_land_on_the_rack_switch() -> None:
    net = built(small(rails="none"))

    assert ["leaf-1"] * 4 == neighbors(net, "gpu-1-3")
    assert NONE == net.rail[0]


def test_smaller_hosts_start_on_rail_0() -> None:
    value = small(gpu=hosts(2, 4))
    value["hosts"]["tray"] = hosts(2, 2)
    net = built(value)

    assert ["leaf-0-0", "leaf-0-1"] == neighbors(net, "tray-0-1")


def test_smaller_hosts_may_take_turns() -> None:
    value = small(gpu=hosts(2, 4))
    value["hosts"]["tray"] = {
        "per_unit": 4,
        "nics": {"compute": {"count": 2, "speed": "400G", "first_rail": "alternate"}},
    }
    net = built(value)

    assert ["leaf-0-0", "leaf-0-1"] == neighbors(net, "tray-0-2")
    assert ["leaf-0-2", "leaf-0-3"] == neighbors(net, "tray-0-3")
    assert 2 == net.rail_of(net.names.index("tray-0-3"), 0)


def test_port_p_lands_on_plane_p() -> None:
    net = built(small(gpu=hosts(4, 2, 2), planes={"count": 2}))

    assert ["leaf-0-0-0", "leaf-1-0-0", "leaf-0-0-1", "leaf-1-0-1"] == neighbors(net, "gpu-0-0")


@pytest.mark.parametrize(
    ("meet_at", "spines", "superspines"),
    [("none", {0, 1}, {0, 1}), ("spine", {NONE}, {NONE}), ("superspine", {0, 1}, {NONE})],
)
def test_planes_meet_at_the_named_tier_and_not_below(
    meet_at: str, spines: set[int], superspines: set[int]
) -> None:
    net = built(
        small(
            gpu=hosts(4, 2, 2),
            planes={"count": 2, "meet_at": meet_at},
            pods={"units": 1},
            superspine={},
        )
    )

    assert spines == {net.plane[i] for i in net.role_start[Role.SPINE]}
    assert superspines == {net.plane[i] for i in net.role_start[Role.SUPERSPINE]}


def test_sixteen_planes_are_sixteen_fabrics() -> None:
    net = built(small(gpu=hosts(4, 1, 16, "100G"), planes={"count": 16}))

    assert 16 == len({net.plane[i] for i in net.role_start[Role.SPINE]})
    assert {f"leaf-{plane:02d}-0-0" for plane in range(16)} == set(neighbors(net, "gpu-0-0"))


def test_every_leaf_reaches_every_spine_with_equal_links() -> None:
    net = built(small(gpu=hosts(8), spine={"count": 4}))

    assert {2} == set(pairs(net, Role.LEAF, Role.SPINE).values())
    assert count(net, Role.LEAF) * 4 == len(pairs(net, Role.LEAF, Role.SPINE))


def test_uplinks_go_spine_by_spine() -> None:
    net = built(small(spine={"count": 2}))

    assert ["spine-0", "spine-0", "spine-1", "spine-1"] == neighbors(net, "leaf-0-0")[4:]


def test_uplinks_may_go_link_by_link() -> None:
    net = built(small(spine={"count": 2, "order": "link"}))

    assert ["spine-0", "spine-1", "spine-0", "spine-1"] == neighbors(net, "leaf-0-0")[4:]


def test_the_port_of_a_spine_depends_on_the_leaf_alone() -> None:
    net = built(small(spine={"count": 4}))

    assert neighbors(net, "spine-0") == neighbors(net, "spine-3")
    assert names(net, Role.LEAF) == neighbors(net, "spine-0")


def groups(by: str, **more: Any) -> dict[str, set[str]]:
    """Leaves below each spine."""
    net = built(small(units=4, pods={"units": 2}, spine={"group_by": by, "count": 2}, **more))
    found: dict[str, set[str]] = {}
    for leaf, spine in pairs(net, Role.LEAF, Role.SPINE):
        found.setdefault(spine, set()).add(leaf)
    return found


def test_spines_of_no_group_see_all_leaves() -> None:
    found = groups("none")

    assert {"spine-0", "spine-1"} == set(found)
    assert 16 == len(found["spine-0"])


def test_spines_shared_by_all_pods_belong_to_none() -> None:
    net = built(small(units=4, pods={"units": 2}, spine={"group_by": "none", "count": 2}))

    assert {NONE} == {net.pod[i] for i in net.role_start[Role.SPINE]}
    assert {0, 1} == {net.pod[i] for i in net.role_start[Role.LEAF]}


def test_spines_of_a_pod_see_its_leaves() -> None:
    found = groups("pod")

    assert {"spine-0-0", "spine-0-1", "spine-1-0", "spine-1-1"} == set(found)
    assert {f"leaf-{u}-{r}" for u in (2, 3) for r in range(4)} == found["spine-1-0"]


def test_spines_of_a_rail_see_its_leaves_in_all_units() -> None:
    found = groups("rail")

    assert {f"leaf-{u}-3" for u in range(4)} == found["spine-3-1"]


def test_spines_of_a_rail_of_a_pod_see_only_that() -> None:
    assert {"leaf-2-3", "leaf-3-3"} == groups("pod+rail")["spine-1-3-1"]


def test_spine_j_of_every_pod_joins_superspine_group_j() -> None:
    net = built(small(units=4, pods={"units": 2}, spine={"count": 2}, superspine={"count": 2}))

    assert {
        (f"spine-{pod}-{j}", f"superspine-{j}-{i}") for pod in (0, 1) for j in (0, 1) for i in (0, 1)
    } == set(pairs(net, Role.SPINE, Role.SUPERSPINE))


def test_superspine_groups_can_be_fewer_than_spines() -> None:
    net = built(small(units=4, pods={"units": 2}, spine={"count": 4}, superspine={"groups": 2, "count": 2}))
    found = pairs(net, Role.SPINE, Role.SUPERSPINE)

    assert {"spine-0-1", "spine-0-3", "spine-1-1", "spine-1-3"} == {
        spine for spine, above in found if above == "superspine-1-0"
    }


def test_spines_of_rails_meet_in_the_superspines() -> None:
    net = built(
        small(units=4, pods={"units": 2}, spine={"count": 2, "group_by": "pod+rail"}, superspine={"count": 2})
    )
    found = pairs(net, Role.SPINE, Role.SUPERSPINE)

    assert 8 == len({spine for spine, above in found if above == "superspine-0-0"})


def test_spine_j_of_each_zone_joins_spine_j_of_the_others() -> None:
    net = built(small(units=6, zones={"units": 2, "links": 2}, spine={"count": 2}))

    assert {
        (f"spine-{a}-{j}", f"spine-{b}-{j}"): 2 for j in (0, 1) for a in range(3) for b in range(3) if a != b
    } == pairs(net, Role.SPINE, Role.SPINE)


def test_the_parts_of_a_split_cage_may_go_to_two_spines() -> None:
    net = built(small(gpu=hosts(4), leaf={"model": SPLIT}, spine={"model": SPLIT, "count": 4}))
    made = net.port_maps[net.port_map[0]]
    first = [made.slots[i].cage for i in made.range_of(Facing.UP)][:2]

    assert first[0] == first[1]
    assert ["spine-0", "spine-1"] == neighbors(net, "leaf-0-0")[4:6]


def test_a_partial_last_unit_has_all_its_leaves_and_uplinks() -> None:
    net = built(small(gpu=hosts(4, last_unit=1)))

    assert ["gpu-1-0", "", "", ""] == neighbors(net, "leaf-1-0")[:4]
    assert "" not in neighbors(net, "leaf-1-0")[4:]
    assert 5 == count(net, Role.HOST)


def test_spare_hosts_are_cabled() -> None:
    net = built(small(gpu=hosts(4, spare_per_unit=2)))

    assert ["gpu-0-4", "gpu-0-5"] == neighbors(net, "leaf-0-0")[4:6]


def test_spines_that_are_not_installed_leave_their_ports_free() -> None:
    net = built(small(spine={"count": 4, "installed": 3}))

    assert ["spine-0", "spine-1", "spine-2", ""] == neighbors(net, "leaf-0-0")[4:]


def test_a_network_without_spines_is_its_leaves() -> None:
    net = built(small(spine=False))

    assert 8 == len(net.switches)
    assert not links(net, Role.LEAF, Role.LEAF)


def test_links_are_seen_once_the_lower_end_first() -> None:
    net = built(small())
    owner = owners(net)

    seen = [(link.ends[0].node.role, link.ends[1].node.role) for link in net.links()]

    assert 64 == len(seen)
    assert {(Role.HOST, Role.LEAF), (Role.LEAF, Role.SPINE)} == set(seen)
    assert owner[next(net.links()).first] == next(net.links()).ends[1].node.id


def test_two_networks_share_their_hosts() -> None:
    from fabric.topology.expand import expand
    from tests.topology.builders import intent_of

    value = small()
    value["hosts"]["gpu"]["nics"]["storage"] = {"count": 2, "speed": "200G"}
    value["networks"]["storage"] = {
        "tiers": {"leaf": {"model": SPLIT}, "spine": {"model": SPLIT}},
        "addressing": {
            "fabric_pool": "10.64.0.0/16",
            "host_pool": "10.65.0.0/16",
            "loopback_pool": "10.66.0.0/24",
        },
    }
    made = expand(intent_of(value)).networks

    assert names(made["compute"], Role.HOST) == names(made["storage"], Role.HOST)
    assert ["storage-leaf-0-0", "storage-leaf-0-1"] == neighbors(made["storage"], "gpu-0-0")
    assert not set(made["compute"].asn) & set(made["storage"].asn) - {0}
