"""Where the links of an attachment land: over groups of superspines first, and then for good."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, product
from typing import Any

import msgspec
import pytest

from fabric.intent.model.lock import Lock
from fabric.topology.expand import expand
from fabric.topology.model import NetworkTopology
from fabric.topology.roles import Role
from tests.topology.builders import hosts, intent_of, links, owners, small

SHAPES = [
    {"superspine": {"count": each, "groups": groups}, "planes": {"count": planes}}
    for groups, each, planes in product((1, 2, 4), (1, 2, 3), (1, 2))
]


def site(shape: dict[str, Any], wanted: dict[str, int], *, units: int = 2) -> dict[str, Any]:
    """Four spines a pod below superspines, with routers of so many links."""
    attachments = {
        name: {
            "network": "compute",
            "kind": "router",
            "links": count,
            "speed": "400G",
            "to": {"tier": "superspine"},
        }
        for name, count in wanted.items()
    }
    planes = shape["planes"]["count"]
    return small(
        units=units,
        gpu=hosts(per_unit=2, nics=2, ports=planes),
        spine={"count": 4},
        superspine={**shape["superspine"], "reserved_ports": 8},
        leaf={"max_oversubscription": "1000:1"},
        pods={"units": 1},
        planes=shape["planes"],
        site={"attachments": attachments, "capacity": {"units": 4}},
    )


def landed(net: NetworkTopology) -> dict[str, list[str]]:
    """Attachment to the switches of its links, in their order."""
    owner = owners(net)
    found: dict[str, list[str]] = {}
    for port, peer in links(net, Role.ATTACHMENT, Role.SUPERSPINE):
        found.setdefault(net.names[owner[port]], []).append(net.names[owner[peer]])
    return found


def groups_of(net: NetworkTopology) -> dict[str, int]:
    """Name of each superspine to its group, of those that stand in for each other."""
    return {net.names[node]: net.group[node] for node in net.role_start[Role.SUPERSPINE]}


def made(value: dict[str, Any], lock: Lock | None = None) -> tuple[NetworkTopology, Lock]:
    """The network, and the lock after it."""
    topology = expand(intent_of(value, lock))
    return topology.networks["compute"], topology.lock


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("count", [1, 2, 3, 5, 8])
def test_links_touch_as_many_groups_as_there_are_links_or_groups(shape, count):
    net, _ = made(site(shape, {"border": count}))
    groups, switches = groups_of(net), landed(net)["border"]
    by_group = Counter(groups[name] for name in switches)
    by_switch = Counter(switches)

    assert len(switches) == count
    assert len(by_group) == min(count, len(set(groups.values())))
    assert max(by_group.values()) - min(by_group.values()) <= 1
    assert max(by_switch.values()) <= -(-count // len(groups))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_second_router_is_spread_as_the_first(shape):
    net, _ = made(site(shape, {"east": 2, "west": 2}))
    groups = groups_of(net)
    for switches in landed(net).values():
        assert len({groups[name] for name in switches}) == min(2, len(set(groups.values())))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_growth_moves_no_link_and_new_ones_go_where_groups_have_none(shape):
    stages = [
        site(shape, {"border": 1}),
        site(shape, {"border": 2}),
        site(shape, {"border": 2, "a-first": 3}),
        site(shape, {"border": 4, "a-first": 3}, units=4),
    ]
    lock, seen = None, []
    for stage in stages:
        net, lock = made(stage, lock)
        seen.append(landed(net))
        groups = groups_of(net)
        for switches in seen[-1].values():
            assert len({groups[name] for name in switches}) == min(len(switches), len(set(groups.values())))
    for before, after in pairwise(seen):
        assert all(after[name][: len(switches)] == switches for name, switches in before.items())


def test_links_that_an_older_program_put_into_one_group_stay_and_a_new_one_goes_to_another():
    shape = {"superspine": {"count": 2, "groups": 2}, "planes": {"count": 1}}
    net, lock = made(site(shape, {"border": 2}))
    first, second = lock.attachments["border"].links
    old = msgspec.structs.replace(
        lock.attachments["border"], links=(first, msgspec.structs.replace(second, group=first.group, index=1))
    )
    before, kept = made(
        site(shape, {"border": 2}),
        msgspec.structs.replace(lock, attachments={"border": old}, digest=None),
    )
    after, _ = made(site(shape, {"border": 3}), kept)

    assert landed(before) == {"border": ["superspine-0-0", "superspine-0-1"]} != landed(net)
    assert landed(after)["border"][:2] == landed(before)["border"]
    assert groups_of(after)[landed(after)["border"][2]] != groups_of(after)["superspine-0-0"]


@pytest.mark.parametrize("count", [1, 2, 3, 4, 6])
@pytest.mark.parametrize(
    "more", [{"planes": {"count": 2}}, {"spine": {"group_by": "rail"}}, {"planes": {"count": 2}, "units": 4}]
)
def test_links_to_spines_touch_every_plane_and_rail_that_they_can(more, count):
    """Planes do not meet, nor do rails of their own: each one needs a link."""
    router = {
        "network": "compute",
        "kind": "router",
        "links": count,
        "speed": "400G",
        "to": {"tier": "spine"},
    }
    net, _ = made(
        small(
            units=more.get("units", 2),
            gpu=hosts(per_unit=2, nics=2, ports=more.get("planes", {}).get("count", 1)),
            spine={"count": 3, "reserved_ports": 8, **more.get("spine", {})},
            leaf={"max_oversubscription": "1000:1"},
            site={"attachments": {"border": router}},
            **{key: value for key, value in more.items() if key == "planes"},
        )
    )
    owner = owners(net)
    parts = {net.names[node]: (net.plane[node], net.rail[node]) for node in net.role_start[Role.SPINE]}
    touched = [parts[net.names[owner[peer]]] for _, peer in links(net, Role.ATTACHMENT, Role.SPINE)]

    assert len(set(parts.values())) == 2
    assert len(touched) == count
    assert len(set(touched)) == min(count, 2)
