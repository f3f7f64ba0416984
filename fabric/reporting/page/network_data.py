"""One network as the page's script reads it: names, places, ports and links as short columns of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fabric.exports.network_view import View
from fabric.intent.inventory import DeviceFacts
from fabric.reporting.drawing.scopes import Fabric
from fabric.topology.model import Node
from fabric.topology.roles import NONE, Facing, Role
from fabric.units import Speed

FACINGS = {
    Facing.DOWN: "down",
    Facing.UP: "up",
    Facing.ACROSS: "across",
    Facing.OUT: "out",
    Facing.SPARE: "reserved",
}


PLACES = ("pod", "unit", "plane", "rail")
"""Columns that say where a node stands."""


def runs(values: Iterable[int]) -> list[int]:
    """Value and how often it follows itself, in turn."""
    found: list[int] = []
    for value in values:
        if found and found[-2] == value:
            found[-1] += 1
        else:
            found += [value, 1]
    return found


def steps(values: Iterable[int]) -> list[int]:
    """The runs of the differences from one value to the next: short where ports are counted through."""
    before, found = 0, list[int]()
    for value in values:
        found.append(value - before)
        before = value
    return runs(found)


def network_data(fabric: Fabric, loads: Mapping[int, int]) -> dict[str, Any]:
    """Everything of one network; `loads` is the load of a link in percent by its lower port."""
    net, view = fabric.net, fabric.view
    links = sorted(view.links(), key=lambda link: link[1])
    kinds, kind_of = _kinds(view)
    classes: dict[tuple[str, int, str], int] = {}
    class_of = [classes.setdefault(_cable_class(fabric, *link), len(classes)) for link in links]
    return {
        "name": net.name,
        "names": net.names,
        "roles": [
            [role.name.lower(), net.role_start[role].start, net.role_start[role].stop] for role in Role
        ],
        **{column: runs(getattr(net, column)) for column in PLACES},
        "several": [
            column for column in PLACES if len({value for value in getattr(net, column) if value != NONE}) > 1
        ],
        "kinds": kinds,
        "kind": runs(kind_of),
        "base": steps(net.port_base),
        "asn": steps(net.asn),
        "loopback": [str(Node(net, node).loopback or "") for node in net.switches],
        "low": steps(port for _low, port, _high, _peer in links),
        "high": steps(peer for _low, _port, _high, peer in links),
        "cable": steps(net.cable[port] for _low, port, _high, _peer in links),
        "cables": [list(each) for each in classes],
        "class": runs(class_of),
        "load": runs(loads.get(port, 0) for _low, port, _high, _peer in links) if loads else [],
        "out": [i for i, link in enumerate(links) if fabric.is_out(*link)],
        "drained": sorted(fabric.drained),
        "places": _places(view),
        "prefix": "" if net.cable_label(0) == "0" else net.cable_label(0)[:-1],
    }


def _cable_class(fabric: Fabric, low: int, port: int, high: int, peer: int) -> tuple[str, int, str]:
    """Cable, length and speed."""
    mbps = fabric.speeds[port] or fabric.speeds[peer]
    return fabric.view.cable_kind(low, high), fabric.view.cable_m(low, high), str(Speed(mbps)) if mbps else ""


def _kinds(view: View) -> tuple[list[dict[str, Any]], list[int]]:
    """Nodes that have the same ports with the same names, and the kind of each node."""
    net = view.topology
    found: dict[tuple[str, int, tuple[str, ...]], int] = {}
    kinds: list[dict[str, Any]] = []
    known: dict[tuple[int, int, int], int] = {}
    kind_of = []
    for node in range(len(net.names)):
        ports = net.port_base[node + 1] - net.port_base[node]
        key = (net.role[node], net.port_map[node], ports)
        if key not in known:
            base = net.port_base[node]
            names = tuple(view.port(base + i, node) for i in range(ports))
            name = (view.model(node) or "", net.port_map[node], names)
            if name not in found:
                found[name] = len(kinds)
                kinds.append(_kind(view, node, names))
            known[key] = found[name]
        kind_of.append(known[key])
    return kinds, kind_of


def _kind(view: View, node: int, names: Sequence[str]) -> dict[str, Any]:
    chosen = view.topology.port_map[node]
    facing = view.topology.port_maps[chosen].facing if chosen != NONE else ()
    return {
        "model": view.model(node) or "",
        "platform": view.platform(node) or "",
        "ports": list(names),
        "facing": runs(facing),
    }


def _places(view: View) -> dict[str, list[Any]]:
    """Rack, rack unit and management address of what the inventory knows."""
    found: dict[str, list[Any]] = {}
    for node in range(len(view.topology.names)):
        facts = view.facts(node)
        if facts is None:
            continue
        address = str(facts.address or "") if isinstance(facts, DeviceFacts) else ""
        if facts.rack or address:
            found[str(node)] = [facts.rack or "", facts.position or 0, address]
    return found
