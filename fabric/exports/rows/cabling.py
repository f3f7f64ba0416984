"""Ports and cables of a site as rows: every cable once, whatever it breaks out to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from fabric.exports.network_view import View
from fabric.hardware import cage_numbers
from fabric.topology.roles import NONE

End = tuple[str, str]
"""A device, and one of its ports."""


class PortRow(msgspec.Struct, frozen=True):
    """One port that is cabled."""

    device: str
    port: str
    peer: str
    peer_port: str
    speed_mbps: int | None
    form: str
    """Of its cage, as the catalogue has it; empty where it is not known."""
    lane_mbps: int | None
    """Of an electrical lane of the switch port."""
    is_infiniband: bool
    is_enabled: bool
    ip_mtu_bytes: int
    network: str


class CableRow(msgspec.Struct, frozen=True):
    """One cable with all links in it: link i goes from `a[i]` to `b[i]`."""

    number: str
    """Unique in the site."""
    a: tuple[End, ...]
    """Nearer to the hosts."""
    b: tuple[End, ...]
    kind: str
    """`dac`, `acc`, `aec`, `aoc`, `mmf` or `smf`."""
    length_m: int
    speed_mbps: int | None
    """Of one link."""
    network: str


def port_rows(views: Iterable[View]) -> Iterator[PortRow]:
    """Every cabled port, by network, node and port."""
    for view in views:
        topology = view.topology
        forms = _Forms(view)
        for node in range(len(topology.names)):
            for port in range(topology.port_base[node], topology.port_base[node + 1]):
                if topology.peer[port] != NONE:
                    yield _port(view, forms, node, port)


class _Forms:
    """The form of each port's cage, found once for each port map."""

    def __init__(self, view: View) -> None:
        self.view = view
        self._by_map: dict[int, list[str]] = {}

    def of(self, node: int, port: int) -> str:
        """The form of a port's cage; empty for hosts."""
        chosen = self.view.topology.port_map[node]
        if chosen == NONE:
            return ""
        if chosen not in self._by_map:
            self._by_map[chosen] = self._forms(chosen)
        return self._by_map[chosen][port - self.view.topology.port_base[node]]

    def _forms(self, chosen: int) -> list[str]:
        port_map = self.view.topology.port_maps[chosen]
        cages = cage_forms(self.view, port_map.model)
        return [cages.get((slot.slot, slot.cage), "") for slot in port_map.slots]


def cage_forms(view: View, model: str) -> dict[tuple[int, int], str]:
    """Form by slot and cage."""
    return {
        cage: group.form
        for group in view.intent.hardware.switches[model].cages
        for cage in cage_numbers(group.cages)
    }


def _port(view: View, forms: _Forms, node: int, port: int) -> PortRow:
    topology = view.topology
    peer = topology.peer[port]
    other = view.owner(peer)
    shut = view.context.shut if view.context else frozenset()
    return PortRow(
        topology.names[node],
        view.port(port, node),
        topology.names[other],
        view.port(peer, other),
        view.speed_mbps(port, peer),
        forms.of(node, port),
        _lane_mbps(view, (port, node), (peer, other)),
        topology.technology == "infiniband",
        port not in shut,
        int(view.network.ip_mtu_bytes),
        topology.name,
    )


def _lane_mbps(view: View, *ends: tuple[int, int]) -> int | None:
    slots = (view.slot(port, node) for port, node in ends)
    return next((slot.speed_mbps // slot.lanes for slot in slots if slot is not None), None)


def cable_rows(views: Iterable[View]) -> Iterator[CableRow]:
    """Every cable once, by network and number."""
    for view in views:
        cables: dict[int, list[tuple[int, int, int, int]]] = {}
        for link in view.links():
            cables.setdefault(view.topology.cable[link[1]], []).append(link)
        for number in sorted(cables):
            yield _cable(view, number, cables[number])


def _cable(view: View, number: int, links: list[tuple[int, int, int, int]]) -> CableRow:
    topology = view.topology
    low, port, high, peer = links[0]
    return CableRow(
        topology.cable_label(number),
        tuple((topology.names[node], view.port(p, node)) for node, p, _, _ in links),
        tuple((topology.names[node], view.port(p, node)) for _, _, node, p in links),
        view.cable_kind(low, high),
        view.cable_m(low, high),
        view.speed_mbps(port, peer),
        topology.name,
    )
