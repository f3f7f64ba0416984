"""What the command line refuses: lines that it does not know, whose feature is off, or whose subnet is taken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from ipaddress import IPv4Network, IPv6Network, ip_interface

from fabric.configuration.tree import Node
from fabric.platforms.nxos.checkpoint import KEPT
from fabric.platforms.nxos.dialect import DIALECT
from fabric.platforms.nxos.read import read

FEATURES = {
    "router bgp ": "bgp",
    "bfd ": "bfd",
    "grpc ": "grpc",
    "interface Vlan": "interface-vlan",
    "tacacs-server ": "tacacs+",
    "aaa group server tacacs+ ": "tacacs+",
    "ip dhcp relay": "dhcp",
    "service dhcp": "dhcp",
}
"""First words of lines that exist only while a feature is on (Cisco Nexus 9000 guides of each feature)."""
COLUMN = "% Invalid command"


def refused(nodes: Mapping[str, Node]) -> list[str]:
    """Lines that are not taken."""
    features = {text.split()[1] for text in nodes if text.startswith("feature ")}
    lines = []
    for node in nodes.values():
        if node.text.startswith(KEPT):
            continue
        needed = next((name for start, name in FEATURES.items() if node.text.startswith(start)), None)
        if needed is not None and needed not in features:
            lines.append(node.text)
            continue
        lines += _unknown(node)
    return [*lines, *_overlapping(nodes)]


def _overlapping(nodes: Mapping[str, Node]) -> Iterator[str]:
    """Addresses on a subnet that another interface of the VRF has already."""
    taken: dict[str, list[IPv4Network | IPv6Network]] = {}
    for name, port in read(DIALECT.written(nodes.values())).facts.interfaces.items():
        networks = {ip_interface(address).network for address in port.addresses}
        known = taken.setdefault(port.vrf, [])
        if any(
            each.version == other.version and each.overlaps(other) for each in networks for other in known
        ):
            yield f"interface {name}"
        known += networks


def _unknown(node: Node) -> Iterator[str]:
    if node.statement is None:
        yield node.text
    elif not node.statement.is_free:
        for below in node.below.values():
            yield from _unknown(below)


def patch(old: Mapping[str, Node], new: Mapping[str, Node]) -> list[str]:
    """The commands that lead from one configuration to another: first what goes, then what comes."""
    gone = [_no(node.text) for key, node in old.items() if key not in new]
    return [*gone, *_added(old, new)]


def _added(old: Mapping[str, Node], new: Mapping[str, Node]) -> Iterator[str]:
    for key, node in new.items():
        known = old.get(key)
        if known is not None and known.is_same(node):
            continue
        below = patch(known.below if known else {}, node.below)
        if below or known is None or known.text != node.text:
            yield node.text
            yield from below
        if below:
            yield "exit"


def _no(text: str) -> str:
    return text.removeprefix("no ") if text.startswith("no ") else f"no {text}"


def typed(nodes: dict[str, Node], lines: Mapping[str, Node]) -> None:
    """Somebody types lines: each takes the place of what sets the same, `no` removes."""
    for key, line in lines.items():
        gone = next((k for k, node in nodes.items() if line.text == f"no {node.text}"), None)
        if gone is not None:
            del nodes[gone]
        elif key in nodes and line.below:
            typed(nodes[key].below, line.below)
        else:
            nodes[key] = line
