"""Small intents for tests, and what tests count in a topology."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from fabric.diagnostics import Invalid
from fabric.documents import Sources
from fabric.documents.schema.scalar_types import decode
from fabric.hardware import load_catalogue
from fabric.intent.inventory import Inventory
from fabric.intent.model import Intent, Site
from fabric.intent.model.lock import Lock
from fabric.intent.state import State
from fabric.resources import resource
from fabric.topology.expand import expand
from fabric.topology.model import NetworkTopology, Topology
from fabric.topology.roles import NONE, Role

REFERENCE = resource("inventories") / "reference"
SWITCH = "arista-7060dx5-64s"
"""64 ports of 400G."""
SPLIT = "nvidia-sn5600"
"""64 cages of 800G: 128 ports of 400G, 256 of 200G."""


def intent_of(value: Mapping[str, Any], lock: Lock | None = None) -> Intent:
    """An intent from plain values, as the loader would make it."""
    site = msgspec.convert({"site": "test", **value}, Site, dec_hook=decode)
    return Intent(
        site=site,
        policies={},
        inventory=Inventory(),
        state=State(),
        lock=lock,
        hardware=load_catalogue(),
        sources=Sources(),
    )


def hosts(
    per_unit: int | str = 4, nics: int = 4, ports: int = 1, speed: str = "400G", **more: Any
) -> dict[str, Any]:
    """One host group with NICs in the network `compute`."""
    return {
        "per_unit": per_unit,
        "nics": {"compute": {"count": nics, "ports": ports, "speed": speed}},
        **more,
    }


def small(
    *,
    units: int | str = 2,
    gpu: Mapping[str, Any] | None = None,
    leaf: Mapping[str, Any] | None = None,
    spine: Mapping[str, Any] | bool = True,
    superspine: Mapping[str, Any] | None = None,
    site: Mapping[str, Any] | None = None,
    **network: Any,
) -> dict[str, Any]:
    """Two units of four hosts with four rails; every part can be changed."""
    tiers: dict[str, Any] = {"leaf": {"model": SWITCH, **(leaf or {})}}
    if spine:
        tiers["spine"] = {"model": SWITCH, **(spine if isinstance(spine, Mapping) else {})}
    if superspine is not None:
        tiers["superspine"] = {"model": SWITCH, **superspine}
    return {
        "units": units,
        "hosts": {"gpu": gpu or hosts()},
        "networks": {"compute": {"tiers": tiers, **network}},
        **(site or {}),
    }


def built(value: Mapping[str, Any], lock: Lock | None = None) -> NetworkTopology:
    """The network `compute` of an intent."""
    return expand(intent_of(value, lock)).networks["compute"]


def expanded(value: Mapping[str, Any], lock: Lock | None = None) -> Topology:
    """The topology of an intent."""
    return expand(intent_of(value, lock))


def errors(value: Mapping[str, Any], lock: Lock | None = None) -> list[tuple[str, str, str, str]]:
    """Code, place, rule and hint of every error of an intent that cannot be expanded."""
    try:
        expand(intent_of(value, lock))
    except Invalid as invalid:
        return [(d.code, str(d.origin), d.rule, d.hint or "") for d in invalid.diagnostics if d.is_error]
    return []


def owners(net: NetworkTopology) -> list[int]:
    """The node of every port."""
    found: list[int] = []
    for node in range(len(net.role)):
        found += [node] * (net.port_base[node + 1] - net.port_base[node])
    return found


def links(net: NetworkTopology, one: Role, other: Role) -> list[tuple[int, int]]:
    """Every link between two roles, as ports, the first role's first."""
    owner = owners(net)
    return [
        (port, peer)
        for port, peer in enumerate(net.peer)
        if peer != NONE and net.role[owner[port]] == one and net.role[owner[peer]] == other
    ]


def pairs(net: NetworkTopology, one: Role, other: Role) -> dict[tuple[str, str], int]:
    """Links between the devices of two roles, by their names."""
    owner = owners(net)
    found: dict[tuple[str, str], int] = {}
    for port, peer in links(net, one, other):
        key = (net.names[owner[port]], net.names[owner[peer]])
        found[key] = found.get(key, 0) + 1
    return found


def cables(net: NetworkTopology, ends: Iterable[tuple[int, int]]) -> int:
    """Cables that carry some links."""
    return len({net.cable[port] for port, _ in ends})


def count(net: NetworkTopology, role: Role) -> int:
    """Nodes of a role."""
    return len(net.role_start[role])


def names(net: NetworkTopology, role: Role) -> list[str]:
    """Names of a role's nodes."""
    return [net.names[node] for node in net.role_start[role]]


def neighbors(net: NetworkTopology, name: str) -> list[str]:
    """Names at the other ends of a node's ports, in port order; empty text where nothing is plugged."""
    owner, node = owners(net), net.names.index(name)
    ports = range(net.port_base[node], net.port_base[node + 1])
    return ["" if net.peer[p] == NONE else net.names[owner[net.peer[p]]] for p in ports]
