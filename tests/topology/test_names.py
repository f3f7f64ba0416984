"""Names: defaults by shape, templates, widths by capacity, no name twice."""

from __future__ import annotations

from typing import Any

import pytest

from fabric.topology import assign_names
from fabric.topology.roles import Role
from tests.topology.builders import built, errors, expanded, hosts, names, small


@pytest.mark.parametrize(
    ("more", "leaf", "spine", "superspine"),
    [
        ({}, "leaf-0-0", "spine-0", None),
        ({"rails": "none"}, "leaf-0", "spine-0", None),
        ({"gpu": hosts(4, 2, 2), "planes": {"count": 2}}, "leaf-0-0-0", "spine-0-0", None),
        (
            {"gpu": hosts(4, 2, 2), "planes": {"count": 2, "meet_at": "spine"}},
            "leaf-0-0-0",
            "spine-0",
            None,
        ),
        (
            {"pods": {"units": 1}, "superspine": {}, "spine": {"count": 2}},
            "leaf-0-0",
            "spine-0-0",
            "superspine-0-0",
        ),
        ({"spine": {"group_by": "rail"}}, "leaf-0-0", "spine-0-0", None),
        ({"zones": {"units": 1}}, "leaf-0-0", "spine-0-0", None),
        (
            {"pods": {"units": 1}, "superspine": {}, "spine": {"group_by": "pod+rail", "count": 1}},
            "leaf-0-0",
            "spine-0-0-0",
            "superspine-0",
        ),
    ],
)
def test_default_names_have_every_number_that_tells_devices_apart(
    more: dict[str, Any], leaf: str, spine: str, superspine: str | None
) -> None:
    net = built(small(**more))

    assert [leaf, spine] == [names(net, role)[0] for role in (Role.LEAF, Role.SPINE)]
    assert superspine in [*names(net, Role.SUPERSPINE)[:1], None]


def test_numbers_are_as_wide_as_the_capacity_needs() -> None:
    net = built(small(units=2, site={"capacity": {"units": 11, "hosts_per_unit": 11}}))

    assert "leaf-00-0" == net.names[0]
    assert "gpu-01-03" == net.names[-1]


def test_templates_name_everything() -> None:
    value = small(
        pods={"units": 1},
        leaf={"name": "{site}-{network}-p{pod}u{unit}r{rail}"},
        spine={"name": "agg{index}-pod{pod}", "count": 2},
        superspine={"name": "core-{group}-{index}"},
        gpu=hosts(4, name="{group}{unit}x{index}"),
    )
    net = built(value)

    assert "test-compute-p1u1r2" == net.names[6]
    assert "agg1-pod0" == names(net, Role.SPINE)[1]
    assert "core-1-0" == names(net, Role.SUPERSPINE)[1]
    assert "gpu1x3" == net.names[-1]


def test_other_networks_than_compute_are_prefixed() -> None:
    value = small()
    value["networks"] = {"storage": value["networks"]["compute"], "front": {**value["networks"]["compute"]}}
    value["networks"]["storage"] = {
        **value["networks"]["storage"],
        "addressing": {
            "fabric_pool": "10.4.0.0/16",
            "host_pool": "10.5.0.0/16",
            "loopback_pool": "10.6.0.0/24",
        },
    }
    value["networks"]["front"] |= {
        "prefix": "fe-",
        "addressing": {
            "fabric_pool": "10.1.0.0/16",
            "host_pool": "10.2.0.0/16",
            "loopback_pool": "10.3.0.0/24",
        },
    }
    value["hosts"]["gpu"]["nics"] = {n: {"count": 4, "speed": "400G"} for n in ("storage", "front")}
    made = expanded(value).networks

    assert ("storage-leaf-0-0", "fe-leaf-0-0") == (made["storage"].names[0], made["front"].names[0])


def test_a_template_that_gives_one_name_twice_is_refused() -> None:
    found = errors(small(leaf={"name": "leaf-{unit}"}))

    assert ("FAB215", "networks.compute.tiers.leaf.name") == found[0][:2]
    assert "'leaf-0' stands for compute leaf and for compute leaf" in found[0][2]


def test_a_switch_must_not_be_called_as_a_host() -> None:
    found = errors(small(spine={"name": "gpu-0-{index}"}))

    assert {"FAB215"} == {code for code, *_ in found}


def test_an_attachment_must_not_be_called_as_a_switch() -> None:
    thing = {"network": "compute", "kind": "other", "links": 1, "speed": "400G"}
    found = errors(small(leaf={"reserved_ports": 1}, site={"attachments": {"spine-0": thing}}))

    assert [("FAB215", "attachments")] == [e[:2] for e in found]


@pytest.mark.parametrize("template", ["-{unit}-{rail}", "x" * 62 + "-{unit}-{rail}", "{unit}-{rail}"])
def test_a_name_that_is_no_dns_label_is_refused(template: str) -> None:
    found = errors(small(leaf={"name": template}))

    assert {("FAB227", "networks.compute.tiers.leaf.name")} == {e[:2] for e in found}


@pytest.mark.parametrize(("capacity", "digits"), [(1, 1), (9, 1), (10, 1), (11, 2), (100, 2), (101, 3)])
def test_numbers_are_as_wide_as_the_largest_one_and_no_wider(capacity: int, digits: int) -> None:
    """They start at 0: ten units end at 9, a hundred at 99."""
    assert digits == assign_names.digits(capacity)


@pytest.mark.parametrize(("capacity", "digits"), [(9, 1), (10, 1), (11, 2)])
def test_units_are_named_as_wide_as_the_capacity_needs(capacity: int, digits: int) -> None:
    net = built(small(units=1, site={"capacity": {"units": capacity}}))
    (first,) = {name.split("-")[1] for name in names(net, Role.LEAF)}

    assert "0" * digits == first
