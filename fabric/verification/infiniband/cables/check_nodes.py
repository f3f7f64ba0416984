"""Nodes that are missing, unknown, or have another name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

import msgspec

from fabric.devices.infiniband.model import Subnet
from fabric.units import counted
from fabric.verification.finding import Finding, finding, some
from fabric.verification.infiniband.device_labels import Labels
from fabric.verification.infiniband.reading.discovery import Discovered, End

_MANAGED = re.compile(r"MF\d+;([^:]+):")
"""How managed switches describe themselves: `MF0;leaf-0-3:MQM9700/U1`."""
_MAKERS = re.compile(r"Mellanox|NVIDIA|ConnectX|Quantum|MT\d{4,}", re.IGNORECASE)
"""In descriptions that are not set: they name a product, not a device."""
_OF_HOST = re.compile(r"(\S+) (?:mlx\d+_\d+|HCA-\d+|ibp\w+)$")
Cables = Mapping[End, End]


class Dead(msgspec.Struct, frozen=True):
    """Nodes of the intent that were not found, and what that explains."""

    findings: tuple[Finding, ...]
    explained: frozenset[int]
    """Nodes whose dark cables are already reported."""


def dead_nodes(want: Cables, got: Cables, seen: Discovered, labels: Labels, replaced: frozenset[int]) -> Dead:
    """Switches and hosts that are missing. What is connected only to them is reported with them."""
    neighbors: dict[int, set[int]] = defaultdict(set)
    for end, peer in want.items():
        neighbors[end[0]].add(peer[0])
    gone = {guid for guid in neighbors if guid not in seen.nodes} - replaced
    switches = {guid for guid in gone if guid in labels.switches}
    edge = {guid for guid in switches if neighbors[guid] - gone} or switches
    behind = {guid for guid in gone - edge if neighbors[guid] <= gone}
    nodes_down = [_switch(guid, behind, want, neighbors, labels) for guid in edge]
    explained = set(edge) | behind
    for host, ends in labels.hosts.items():
        nodes = {end.node_guid for end in ends}
        places = [(end.node_guid, end.port) for end in ends]
        displaced = all(want[place] in got for place in places if place in want)
        if nodes <= gone and nodes - behind and not displaced:
            nodes_down.append(_host(host, places, want, labels))
            explained |= {end.node_guid for end in ends}
    return Dead(tuple(nodes_down), frozenset(explained))


def _switch(
    guid: int, behind: set[int], want: Cables, neighbors: Mapping[int, set[int]], labels: Labels
) -> Finding:
    dark = sum(end[0] == guid for end in want)
    hidden = neighbors[guid] & behind
    mine = sorted({labels.owner_of(node) for node in hidden})
    adapters = sum(node in labels.adapters for node in hidden)
    text = f"{labels.node(guid)} is dead: {counted(dark, 'cable')} dark"
    if mine:
        many = [f"{counted(adapters, 'adapter')}"] if adapters else []
        many += [f"{counted(len(hidden) - adapters, 'switch')}"] if len(hidden) > adapters else []
        text += f", and behind it {' and '.join(many)}: {some(mine)}"
    return finding("dead-switch", [labels.name(guid)], text, [labels.name(guid), *mine])


def _host(host: str, places: list[End], want: Cables, labels: Labels) -> Finding:
    at = [labels.end(want[place]) for place in places if place in want]
    what = "its adapter" if len(places) == 1 else f"all {len(places)} adapters"
    text = f"{labels.device(host)} is dead: {what} dark, expected at {some(at)}"
    return finding("dead-host", [host], text, [host])


def strangers(
    want: Cables, got: Cables, seen: Discovered, labels: Labels
) -> tuple[list[Finding], frozenset[int], frozenset[int]]:
    """Findings on nodes that are not in the intent, the nodes they replace, and the strangers themselves."""
    unknown = [guid for guid in seen.nodes if not labels.knows(guid)]
    instead: dict[int, int] = {}
    for guid in unknown:
        places = {end: peer for end, peer in got.items() if end[0] == guid}
        meant = {want[peer][0] for peer in places.values() if peer in want}
        if len(meant) == 1 and all(peer in want for peer in places.values()):
            (old,) = meant
            if old not in seen.nodes:
                instead[guid] = old
    groups: dict[tuple[str, str], list[int]] = defaultdict(list)
    for guid in unknown:
        if guid in instead:
            groups["replaced", labels.owner_of(instead[guid])].append(guid)
        else:
            groups["unknown-node", _stranger(guid, seen)].append(guid)
    findings = [_node_finding(kind, name, nodes, got, labels) for (kind, name), nodes in groups.items()]
    return findings, frozenset(instead.values()), frozenset(unknown)


def _stranger(guid: int, seen: Discovered) -> str:
    """The host that an unknown adapter reports, or its GUID."""
    host = _OF_HOST.match(seen.nodes[guid].name)
    return host[1] if host and not _MAKERS.search(host[1]) else f"{guid:#018x}"


def _node_finding(kind: str, name: str, nodes: list[int], got: Cables, labels: Labels) -> Finding:
    at = [labels.end(peer) for end, peer in sorted(got.items()) if end[0] in nodes]
    who = some([labels.name(guid) for guid in nodes])
    if kind == "replaced":
        text = f"in the place of {labels.device(name)} stands {who}, which the inventory does not know: at {some(at)}"
    else:
        text = f"{who} is connected to {some(at) or 'nothing'} and is not in the inventory"
    return finding(kind, [name], text, [name] if kind == "replaced" else [])


def names(subnet: Subnet, seen: Discovered, labels: Labels) -> Iterator[Finding]:
    """Nodes of the intent that are of another kind, or that call themselves something else."""
    for switch in subnet.switches:
        node = seen.nodes.get(switch.guid)
        if node is None:
            continue
        # With SHARP a switch counts its aggregation node's port.
        if node.kind != "Switch" or node.ports not in (switch.ports, switch.ports + 1):
            text = f"{labels.node(switch.guid)} is {_what(node.kind, node.ports)}, {switch.model} has {switch.ports}"
            yield finding("wrong-model", [switch.name], text, [switch.name])
        elif _called(node.name) not in ("", switch.name):
            text = f'{labels.node(switch.guid)} announces the name "{node.name}"'
            yield finding("wrong-name", [switch.name], text, [switch.name])
    yield from _hosts(seen, labels)


def _what(kind: str, ports: int) -> str:
    return f"a switch with {ports} ports" if kind == "Switch" else "no switch"


def _called(name: str) -> str:
    """The name in a description; empty where none is set."""
    managed = _MANAGED.match(name)
    if managed:
        return managed[1]
    return "" if _MAKERS.search(name) else name


def _hosts(seen: Discovered, labels: Labels) -> Iterator[Finding]:
    """Adapters that say they are in another host, host by host: their own numbers follow the PCI bus."""
    for host, ends in labels.hosts.items():
        name_counts: dict[str, int] = defaultdict(int)
        for guid in {end.node_guid for end in ends}:
            node = seen.nodes.get(guid)
            if node is None:
                continue
            if node.kind != "Ca":
                yield finding(
                    "wrong-model", [labels.name(guid)], f"{labels.node(guid)} is not an adapter", [host]
                )
            elif _called(node.name).partition(" ")[0] not in ("", host):
                name_counts[_called(node.name).partition(" ")[0]] += 1
        if name_counts:
            text = ", ".join(
                f'{count} announce that they are in "{name}"' for name, count in sorted(name_counts.items())
            )
            yield finding("wrong-name", [host], f"of the adapters of {labels.device(host)}, {text}", [host])
