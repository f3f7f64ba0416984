"""What a configuration means for links and sessions."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import IPv4Interface, IPv6Interface, ip_address, ip_interface

import msgspec

from fabric.configuration.tree import Node, every
from fabric.platforms.nxos.read import read
from fabric.platforms.nxos.state import USUAL_MTU_BYTES

USUAL_HOLD_S = 180.0
"""`timers bgp` without a word: 60 and 180 (Cisco Nexus 9000 unicast routing guide)."""
BFD_S = 0.9
FAMILIES = {"ipv4": 4, "ipv6": 6}
DRAINING = ("graceful-shutdown", "65535:0")


class Port(msgspec.Struct, kw_only=True):
    """An interface."""

    enabled: bool
    speed_mbps: int | None
    mtu_bytes: int
    addresses: tuple[IPv4Interface | IPv6Interface, ...]
    link_local: bool
    vrf: str
    has_pfc: bool


class Peer(msgspec.Struct, kw_only=True):
    """A configured neighbour: an address, or whoever is at a port."""

    name: str
    is_port: bool
    remote_asn: int
    families: frozenset[int]
    password: str | None
    shutdown: bool
    hold_s: float
    bfd_s: float | None


class View(msgspec.Struct, kw_only=True):
    """A configuration, understood."""

    hostname: str
    asn: int
    router_id: str
    ports: dict[str, Port]
    peers: tuple[Peer, ...]
    drained: bool
    prefixes: tuple[int, int]
    has_lldp: bool


def view(text: str, nodes: Mapping[str, Node]) -> View:
    """Of the running configuration."""
    facts = read(text).facts
    ports = {
        name: Port(
            enabled=port.enabled,
            speed_mbps=port.speed_mbps,
            mtu_bytes=port.ip_mtu_bytes or USUAL_MTU_BYTES,
            addresses=tuple(map(ip_interface, port.addresses)),
            link_local=port.link_local,
            vrf=port.vrf,
            has_pfc=_has_pfc(nodes, name),
        )
        for name, port in facts.interfaces.items()
    }
    versions = [
        address.version
        for name, port in ports.items()
        if name.startswith("loopback")
        for address in port.addresses
    ]
    bgp = next((node for node in nodes.values() if node.text.startswith("router bgp ")), None)
    return View(
        hostname=facts.hostname or "switch",
        asn=facts.asn or 0,
        router_id=facts.router_id or "0.0.0.0",  # noqa: S104  # BGP's word for none
        ports=ports,
        peers=tuple(_peers(bgp.below)) if bgp else (),
        drained=any(_drains(node) for node in every(nodes.values())),
        prefixes=(versions.count(4), versions.count(6)),
        has_lldp="feature lldp" in nodes,
    )


def _drains(node: Node) -> bool:
    words = node.text.split()
    return words[:2] == ["set", "community"] and any(word in words for word in DRAINING)


def _has_pfc(nodes: Mapping[str, Node], port: str) -> bool:
    """Whether the port says so itself; by `auto`, its default, the neighbour decides by DCBX, and none does here."""
    node = nodes.get(f"interface {port}")
    return node is not None and any(
        line.text == "priority-flow-control mode on" for line in node.below.values()
    )


def _peers(below: Mapping[str, Node]) -> list[Peer]:
    groups = {
        node.text.split()[2]: node.below for node in below.values() if node.text.startswith("template peer ")
    }
    rows = [node for node in below.values() if node.text.startswith("neighbor ")]
    return [_peer(node.text.split()[1], node.below, groups) for node in rows]


def _peer(name: str, own: Mapping[str, Node], groups: Mapping[str, Mapping[str, Node]]) -> Peer:
    group = next((node.text.split()[2] for node in own.values() if node.text.startswith("inherit peer ")), "")
    lines = [node.text.split() for node in (*groups.get(group, {}).values(), *own.values())]
    words = {line[0]: line[1:] for line in lines}
    asn = words.get("remote-as", ["0"])[0]
    return Peer(
        name=name,
        is_port=name.startswith("Ethernet"),
        remote_asn=int(asn) if asn.isdecimal() else 0,
        families=frozenset(FAMILIES[line[1]] for line in lines if line[0] == "address-family"),
        password=words["password"][-1] if "password" in words else None,  # behind the word for its form
        shutdown="shutdown" in words,
        hold_s=float(words["timers"][1]) if "timers" in words else USUAL_HOLD_S,
        bfd_s=BFD_S if "bfd" in words else None,
    )


def ports_towards(ports: Mapping[str, Port], address: str) -> tuple[str, ...]:
    """Ports on whose subnets an address is."""
    remote = ip_address(address)
    return tuple(n for n, port in ports.items() if any(remote in own.network for own in port.addresses))
