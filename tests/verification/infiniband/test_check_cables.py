"""Each physical fault of a SuperPOD is told exactly once, in the operator's names."""

from __future__ import annotations

import msgspec
import pytest

from fabric.verification.infiniband.cables.check_cables import cabling_findings
from fabric.verification.infiniband.reading.discovery import Discovered, SeenLink, SeenNode
from tests.infiniband.sites import LARGE, compiled
from tests.verification.infiniband.planting import (
    cabled,
    found,
    link_of,
    nic,
    superpod,
    swapped,
    switch,
    uplinks,
    without,
)


@pytest.fixture(scope="module")
def subnet():
    return superpod()


def told(subnet, planted):
    return [(one.kind, one.id, one.text) for one in cabling_findings(subnet, found(planted))]


def test_what_is_as_planned_is_not_told(subnet):
    assert told(subnet, subnet) == []


def test_two_hosts_on_each_others_port_are_one_swap(subnet):
    planted = swapped(subnet, link_of(subnet, "dgx-0-03", 2), link_of(subnet, "dgx-0-05", 2))

    assert told(subnet, planted) == [
        (
            "swapped",
            "swapped:dgx-0-03.mlx5_2+dgx-0-05.mlx5_2",
            (
                "two cables are swapped: dgx-0-03 mlx5_2 reaches leaf-0-2 port 6 and should reach leaf-0-2 port 4; "
                "dgx-0-05 mlx5_2 reaches leaf-0-2 port 4 and should reach leaf-0-2 port 6"
            ),
        )
    ]


def test_two_hosts_that_have_changed_places_are_one_finding(subnet):
    planted = subnet
    for number in range(8):
        planted = swapped(planted, link_of(planted, "dgx-0-03", number), link_of(planted, "dgx-0-05", number))

    assert told(subnet, planted) == [
        (
            "swapped",
            "swapped:dgx-0-03+dgx-0-05",
            "dgx-0-03 and dgx-0-05 have changed places: all 8 cables of each",
        )
    ]


def test_two_leaves_that_have_changed_places_are_one_finding(subnet):
    one, other = switch(subnet, "leaf-0-2").guid, switch(subnet, "leaf-0-3").guid
    turned = {one: other, other: one}
    planted = msgspec.structs.replace(
        subnet,
        links=tuple(
            msgspec.structs.replace(
                link, lower=turned.get(link.lower, link.lower), upper=turned.get(link.upper, link.upper)
            )
            for link in subnet.links
        ),
    )

    (finding,) = cabling_findings(subnet, found(planted))

    assert finding.id == "swapped:leaf-0-2+leaf-0-3"


def test_a_nic_on_another_rails_leaf_is_called_so(subnet):
    planted = swapped(subnet, link_of(subnet, "dgx-0-03", 2), link_of(subnet, "dgx-0-03", 5))

    assert told(subnet, planted) == [
        (
            "wrong-rail",
            "wrong-rail:dgx-0-03.mlx5_2+dgx-0-03.mlx5_5",
            (
                "NIC 2 of dgx-0-03 has landed on rail 5's leaf, it is rail 2's; "
                "NIC 5 of dgx-0-03 has landed on rail 2's leaf, it is rail 5's: "
                "dgx-0-03 mlx5_2 reaches leaf-0-5 port 4 and should reach leaf-0-2 port 4; "
                "dgx-0-03 mlx5_5 reaches leaf-0-2 port 4 and should reach leaf-0-5 port 4"
            ),
        )
    ]


def test_crossed_uplinks_are_one_swap(subnet):
    planted = swapped(
        subnet, uplinks(subnet, "leaf-0-0", "spine-0")[0], uplinks(subnet, "leaf-0-1", "spine-1")[0]
    )

    ((kind, id_, text),) = told(subnet, planted)

    assert (kind, id_) == ("swapped", "swapped:leaf-0-0:33+leaf-0-1:41")
    assert text.startswith(
        "two cables are swapped: leaf-0-0 port 33 reaches spine-1 port 9 and should reach spine-0"
    )


def test_a_cable_between_two_leaves_is_one_finding(subnet):
    one, other = uplinks(subnet, "leaf-0-0", "spine-0")[0], uplinks(subnet, "leaf-0-1", "spine-0")[0]
    wrong = msgspec.structs.replace(one, upper=other.lower, upper_port=other.lower_port)
    planted = cabled(subnet, (one, other), (wrong,))

    assert told(subnet, planted) == [
        (
            "moved",
            "moved:leaf-0-0:33+leaf-0-1:33",
            (
                "a cable is at the wrong place: leaf-0-0 port 33 reaches leaf-0-1 port 33 and should reach spine-0 "
                "port 1; dark: spine-0 port 1, spine-0 port 9"
            ),
        )
    ]


def test_a_missing_cable_between_switches(subnet):
    planted = cabled(subnet, (uplinks(subnet, "leaf-0-0", "spine-0")[0],))

    assert told(subnet, planted) == [
        ("missing", "missing:leaf-0-0:33", "leaf-0-0 port 33 to spine-0 port 1: no link")
    ]


def test_a_missing_cable_of_a_nic_may_be_the_adapter(subnet):
    planted = cabled(subnet, (link_of(subnet, "dgx-0-03", 2),))

    assert told(subnet, planted) == [
        (
            "missing",
            "missing:dgx-0-03.mlx5_2",
            "dgx-0-03 mlx5_2 to leaf-0-2 port 4: no link: the cable is out, or the adapter is dead",
        )
    ]


def test_a_dead_leaf_explains_its_cables_and_the_ends_behind_it(subnet):
    ((kind, id_, text),) = told(subnet, without(subnet, "leaf-0-4"))

    assert (kind, id_) == ("dead-switch", "dead-switch:leaf-0-4")
    assert text == (
        "leaf-0-4 is dead: 63 cables dark, and behind it 31 adapters: dgx-0-00, dgx-0-01 and 29 more"
    )


def test_a_dead_spine_is_one_finding(subnet):
    assert told(subnet, without(subnet, "spine-2")) == [
        ("dead-switch", "dead-switch:spine-2", "spine-2 is dead: 64 cables dark")
    ]


def test_all_spines_dead_hide_the_leaves_behind_them(subnet):
    kinds = [id_ for _, id_, _ in told(subnet, without(subnet, "spine-0", "spine-1", "spine-2", "spine-3"))]

    assert kinds == [f"dead-switch:spine-{i}" for i in range(4)]


def test_a_dead_host_is_one_finding(subnet):
    ((kind, id_, text),) = told(subnet, without(subnet, "dgx-0-07"))

    assert (kind, id_) == ("dead-host", "dead-host:dgx-0-07")
    assert text.startswith(
        "dgx-0-07 is dead: all 8 adapters dark, expected at leaf-0-0 port 8, leaf-0-1 port 8 and"
    )


def test_a_dead_host_beside_a_dead_leaf_is_told_too(subnet):
    ids = [id_ for _, id_, _ in told(subnet, without(subnet, "leaf-0-4", "dgx-0-07"))]

    assert ids == ["dead-switch:leaf-0-4", "dead-host:dgx-0-07"]


def test_a_host_in_the_port_of_another_is_one_finding(subnet):
    mine, theirs = link_of(subnet, "dgx-0-03", 2), link_of(subnet, "dgx-0-05", 2)
    moved = msgspec.structs.replace(mine, upper=theirs.upper, upper_port=theirs.upper_port)
    planted = cabled(subnet, (mine, theirs), (moved,))

    assert told(subnet, planted) == [
        (
            "moved",
            "moved:dgx-0-03.mlx5_2+dgx-0-05.mlx5_2",
            (
                "a cable is at the wrong place: dgx-0-03 mlx5_2 reaches leaf-0-2 port 6 and should reach "
                "leaf-0-2 port 4; dark: leaf-0-2 port 4, dgx-0-05 mlx5_2"
            ),
        )
    ]


def test_a_cable_too_many_is_unexpected(subnet):
    spine, other = switch(subnet, "spine-0").guid, switch(subnet, "spine-1").guid
    ports = [max(link.upper_port for link in subnet.links if link.upper == guid) for guid in (spine, other)]
    one = next(link for link in subnet.links if (link.upper, link.upper_port) == (spine, ports[0]))
    extra = msgspec.structs.replace(one, lower=spine, lower_port=62, upper=other, upper_port=62)
    bare = msgspec.structs.replace(
        subnet, links=tuple(link for link in subnet.links if 62 not in (link.upper_port, link.lower_port))
    )

    assert [(kind, text) for kind, _, text in told(bare, cabled(bare, (), (extra,)))] == [
        ("unexpected", "spine-0 port 62 reaches spine-1 port 62: the intent has no such cable")
    ]


def renamed(subnet, old, new):
    """The adapter `old` with another GUID."""
    links = tuple(
        msgspec.structs.replace(link, lower=new) if link.lower == old else link for link in subnet.links
    )
    ends = tuple(
        msgspec.structs.replace(end, node_guid=new, name="dgx-0-03 mlx5_2") if end.node_guid == old else end
        for end in subnet.ends
    )
    return msgspec.structs.replace(subnet, links=links, ends=ends)


def test_a_replaced_adapter_is_told_at_its_place(subnet):
    planted = renamed(subnet, nic(subnet, "dgx-0-03", 2).node_guid, 0xA1)

    assert told(subnet, planted) == [
        (
            "replaced",
            "replaced:dgx-0-03",
            (
                'in the place of dgx-0-03 stands 0x00000000000000a1 "dgx-0-03 mlx5_2", which the inventory does not '
                "know: at leaf-0-2 port 4"
            ),
        )
    ]


def with_stranger(seen, leaf, port, name):
    """One more adapter."""
    return Discovered(
        {**seen.nodes, 0xA1: SeenNode("Ca", 1, name)},
        {
            **seen.links,
            (0xA1, 1): SeenLink((leaf, port), 4, "NDR"),
            (leaf, port): SeenLink((0xA1, 1), 4, "NDR"),
        },
        seen.lids,
    )


def test_a_stranger_is_told_with_what_it_calls_itself(subnet):
    bare = cabled(subnet, (link_of(subnet, "dgx-0-03", 2),))
    seen = with_stranger(found(bare), switch(bare, "leaf-0-2").guid, 4, "laptop mlx5_0")

    assert [(one.id, one.text) for one in cabling_findings(bare, seen)] == [
        (
            "unknown-node:laptop",
            '0x00000000000000a1 "laptop mlx5_0" is connected to leaf-0-2 port 4 and is not in the inventory',
        )
    ]


def test_aggregation_nodes_of_sharp_are_no_strangers(subnet):
    leaf = switch(subnet, "leaf-0-2")
    for name in ("Mellanox Technologies Aggregation Node", "something else"):
        seen = with_stranger(found(subnet), leaf.guid, leaf.ports + 1, name)
        seen.nodes[leaf.guid] = SeenNode("Switch", leaf.ports + 1, leaf.name)

        assert cabling_findings(subnet, seen) == ()


def described(subnet, **names):
    seen = found(subnet)
    nodes = {
        guid: msgspec.structs.replace(
            node, name=names.get(node.name.replace("-", "_").replace(" ", "__"), node.name)
        )
        for guid, node in seen.nodes.items()
    }
    return Discovered(nodes, seen.links, seen.lids)


@pytest.mark.parametrize(
    "said",
    ["MF0;leaf-0-2:MQM9700/U1", "Quantum Mellanox Technologies", "MT4129 ConnectX7 Mellanox Technologies"],
)
def test_a_name_that_fits_or_that_nobody_has_set_is_not_told(subnet, said):
    assert cabling_findings(subnet, described(subnet, leaf_0_2=said)) == ()


def test_a_switch_with_another_name(subnet):
    (one,) = cabling_findings(subnet, described(subnet, leaf_0_2="MF0;leaf-0-7:MQM9700/U1"))

    assert (one.id, one.text) == (
        "wrong-name:leaf-0-2",
        'leaf-0-2 announces the name "MF0;leaf-0-7:MQM9700/U1"',
    )


def test_a_host_with_another_name_is_told_once(subnet):
    names = {f"dgx_0_03__mlx5_{i}": f"dgx-0-09 mlx5_{i}" for i in range(8)}

    (one,) = cabling_findings(subnet, described(subnet, **names))

    assert one.text == 'of the adapters of dgx-0-03, 8 announce that they are in "dgx-0-09"'


def test_adapters_number_themselves_by_their_bus_and_are_not_told(subnet):
    assert cabling_findings(subnet, described(subnet, dgx_0_03__mlx5_2="dgx-0-03 mlx5_7")) == ()


def test_another_model_is_told(subnet):
    leaf = switch(subnet, "leaf-0-2")
    seen = found(subnet)
    seen.nodes[leaf.guid] = SeenNode("Switch", 40, "leaf-0-2")

    (one,) = cabling_findings(subnet, seen)

    assert (one.kind, one.text) == ("wrong-model", "leaf-0-2 is a switch with 40 ports, qm9700 has 64")


def slower(subnet, seen, width, speed, links=1):
    changed = dict(seen.links)
    for link in subnet.links[:links]:
        for end in ((link.lower, link.lower_port), (link.upper, link.upper_port)):
            changed[end] = SeenLink(changed[end].peer, width, speed)
    return Discovered(seen.nodes, changed, seen.lids)


@pytest.mark.parametrize(
    ("width", "speed", "kind", "said"),
    [(1, "NDR", "width", "1x NDR (100G)"), (4, "HDR", "speed", "4x HDR (200G)")],
)
def test_a_slow_link_is_told_with_what_is_planned(subnet, width, speed, kind, said):
    (one,) = cabling_findings(subnet, slower(subnet, found(subnet), width, speed))

    assert one.kind == kind
    assert one.text.endswith(f"runs at {said}, planned is 400G")


def test_a_fabric_that_is_slow_everywhere_is_one_finding(subnet):
    (one,) = cabling_findings(subnet, slower(subnet, found(subnet), 4, "HDR", links=len(subnet.links)))

    assert (one.id, one.text) == ("speed:all", "all 506 links run at 4x HDR (200G), planned are 400G")


def test_faults_beside_each_other_keep_their_ids(subnet):
    swap = swapped(subnet, link_of(subnet, "dgx-0-03", 2), link_of(subnet, "dgx-0-05", 2))
    both = without(swap, "spine-2")

    alone = {id_ for _, id_, _ in told(subnet, swap)} | {
        id_ for _, id_, _ in told(subnet, without(subnet, "spine-2"))
    }

    assert {id_ for _, id_, _ in told(subnet, both)} == alone


def test_a_host_in_the_place_of_another_is_one_finding(subnet):
    planted = subnet
    for number in range(8):
        mine, theirs = link_of(planted, "dgx-0-03", number), link_of(planted, "dgx-0-05", number)
        moved = msgspec.structs.replace(mine, upper=theirs.upper, upper_port=theirs.upper_port)
        planted = cabled(planted, (mine, theirs), (moved,))

    ((kind, id_, text),) = told(subnet, planted)

    assert (kind, id_) == ("moved", "moved:dgx-0-03")
    assert text.startswith(
        "dgx-0-03 is plugged in elsewhere with all its 8 cables, among them dgx-0-03 mlx5_0 reaches leaf-0-0 port 6 "
        "and should reach leaf-0-0 port 4; dark: "
    )


def test_a_host_whose_cables_are_all_one_rail_off_is_one_finding(subnet):
    links = [link_of(subnet, "dgx-0-03", number) for number in range(8)]
    turned = tuple(
        msgspec.structs.replace(link, upper=other.upper, upper_port=other.upper_port)
        for link, other in zip(links, [*links[1:], links[0]], strict=True)
    )

    ((kind, id_, text),) = told(subnet, cabled(subnet, tuple(links), turned))

    assert kind == "wrong-rail"
    assert id_.count("+") == 7
    assert text.endswith("; 4 more")


def planes(subnet):
    """The subnet with its rails as two planes."""
    switches = tuple(
        msgspec.structs.replace(one, plane=one.rail % 2 if one.rail >= 0 else -1, rail=-1)
        for one in subnet.switches
    )
    ends = tuple(msgspec.structs.replace(one, plane=max(one.rail, 0) % 2, rail=-1) for one in subnet.ends)
    return msgspec.structs.replace(subnet, switches=switches, ends=ends)


def test_a_cable_on_another_plane_is_called_so(subnet):
    two = planes(subnet)
    planted = swapped(two, link_of(two, "dgx-0-03", 2), link_of(two, "dgx-0-03", 5))

    ((kind, _, text),) = told(two, planted)

    assert kind == "wrong-plane"
    assert text.startswith(
        "dgx-0-03 mlx5_2 of plane 0 has landed on plane 1; dgx-0-03 mlx5_5 of plane 1 has landed"
    )


@pytest.fixture(scope="module")
def large():
    """Sixteen units in pods of four: 320 switches in three tiers."""
    return compiled(LARGE)["sm-1"][0].subnet


@pytest.mark.parametrize("role", ["leaf", "spine", "superspine"])
def test_a_dead_switch_of_three_tiers_is_one_finding(large, role):
    name = next(switch.name for switch in large.switches if switch.role == role)

    assert [id_ for _, id_, _ in told(large, without(large, name))] == [f"dead-switch:{name}"]


def test_a_pod_that_lost_all_its_spines_is_told_by_them(large):
    spines = sorted(switch.name for switch in large.switches if switch.role == "spine" and switch.pod == 0)

    findings = cabling_findings(large, found(without(large, *spines)))

    assert [one.id for one in findings] == [f"dead-switch:{name}" for name in spines]
    # From the manager's pod the whole first pod is out of sight: its leaves stand behind its spines.
    assert "32 switches" in findings[0].text
