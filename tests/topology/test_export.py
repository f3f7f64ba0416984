"""Rows that belong to no single device."""

from __future__ import annotations

from fabric.hardware import PortSlot, SwitchModel, load_catalogue
from fabric.topology.export import cable_rows, link_rows, netlist
from fabric.topology.model import Role
from tests.topology.builders import SPLIT, built, hosts, links, small

MODELS = load_catalogue().switches


def port_name(slot: PortSlot, _model: SwitchModel) -> str:
    return f"p{slot.cage}.{slot.sub_port}"


def test_a_link_row_tells_both_ends_speed_rail_and_plane() -> None:
    net = built(small())
    rows = list(link_rows(net, MODELS, port_name))

    assert len(links(net, Role.HOST, Role.LEAF)) + len(links(net, Role.LEAF, Role.SPINE)) == len(rows)
    first = next(row for row in rows if row.lower == "gpu-0-1" and row.rail == 2)
    assert ("nic2", "leaf-0-2", "p2.0", 400_000, 0) == (
        first.lower_port,
        first.upper,
        first.upper_port,
        first.speed_mbps,
        first.plane,
    )


def test_nics_with_several_ports_are_named_by_port() -> None:
    net = built(small(gpu=hosts(4, 2, 2), planes={"count": 2}))

    assert ("nic1-port1", 1) in {(row.lower_port, row.plane) for row in link_rows(net, MODELS, port_name)}


def test_a_cable_of_two_links_is_one_row_with_all_its_plugs() -> None:
    cables = {"leaf_spine": {"length": "40m", "links": 2, "split_at": "lower"}}
    net = built(small(leaf={"model": SPLIT}, spine={"model": SPLIT, "count": 4}, cables=cables))
    row = next(row for row in cable_rows(net, MODELS, port_name) if row.lower[0][0] == "leaf-0-1")

    assert (("leaf-0-1", "p3.0"), ("leaf-0-1", "p3.1")) == row.lower
    assert (("spine-0", "p1.1"), ("spine-1", "p1.1")) == row.upper


def test_the_netlist_has_every_cabled_switch_port_once() -> None:
    net = built(small(gpu=hosts(4, last_unit=1)))
    rows = list(netlist(net, MODELS, port_name))
    switch_ports = sum(peer >= 0 for peer in net.peer[: net.port_base[net.switches.stop]])

    assert switch_ports == len(rows) == len({(row.device, row.port) for row in rows})
    assert ("spine-0", "p8.0") in {(row.peer, row.peer_port) for row in rows if row.device == "leaf-1-3"} | {
        (row.peer, "p8.0") for row in rows if row.device == "leaf-1-3"
    }


def test_attachments_have_numbered_ports() -> None:
    thing = {"network": "compute", "kind": "other", "links": 2, "speed": "400G"}
    net = built(small(leaf={"reserved_ports": 1}, site={"attachments": {"x": thing}}))

    assert {"port0", "port1"} == {
        row.lower_port for row in link_rows(net, MODELS, port_name) if row.lower == "x"
    }
