"""What a configuration makes of the switch: ports, VRFs, BGP neighbours with what their groups say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from ipaddress import IPv4Interface, IPv6Interface, ip_address, ip_interface
from typing import Any

from fabric.platforms.cumulus.session_documents import below
from fabric.platforms.cumulus.session_state import MBPS, SPEED, number
from fabric.platforms.cumulus.state import OFF

Tree = dict[str, Any]
DEFAULT_MTU = 9216
DEFAULT_HOLD_S = 9
"""Cumulus Linux user guide, "Optional BGP Configuration": 9 s."""
GRACEFUL_SHUTDOWN = "65535:0"
FAMILIES = {"ipv4-unicast": 4, "ipv6-unicast": 6}
MILLISECONDS = 1000
EVERY_ASN = (1, 2**32 - 1)


@dataclass(slots=True)
class Port:
    """An interface."""

    name: str
    enabled: bool
    speed_mbps: int | None = None
    fec: str | None = None
    mtu_bytes: int = DEFAULT_MTU
    addresses: tuple[IPv4Interface | IPv6Interface, ...] = ()
    ipv6: bool = False
    vrf: str = "default"


@dataclass(slots=True)
class Peer:
    """A BGP neighbour."""

    vrf: str
    name: str
    address: str = ""
    port: str = ""
    remote_asn: tuple[tuple[int, int], ...] = ()
    families: frozenset[int] = frozenset({4})
    password: str | None = None
    shutdown: bool = False
    hold_s: int = DEFAULT_HOLD_S
    bfd_s: float | None = None
    """Detection time; None: no BFD."""
    description: str = ""

    @property
    def key(self) -> str:
        """What it is known by on its switch."""
        return f"{self.vrf} {self.name}"


@dataclass(slots=True)
class Instance:
    """BGP in one VRF."""

    name: str
    asn: int
    router_id: str
    drained: bool
    peers: list[Peer] = field(default_factory=list)
    originated: tuple[int, int] = (0, 0)


@dataclass(slots=True)
class View:
    """A configuration, understood."""

    hostname: str
    lldp: bool
    ports: dict[str, Port]
    instances: dict[str, Instance]


def is_on(tree: object, *, otherwise: bool) -> bool:
    """Whether `state`, or `enable` before 5.15, says yes."""
    word = below(tree, "state") or below(tree, "enable")
    return str(word) not in OFF if isinstance(word, str) else otherwise


def view(tree: Tree) -> View:
    """What a running configuration says."""
    rows = below(tree, "interface").items()
    ports = {name: _port(name, row) for name, row in rows if "breakout" not in below(row, "link")}
    bgp = below(tree, "router", "bgp")
    instances = {
        name: _instance(name, below(vrf, "router", "bgp"), tree, ports)
        for name, vrf in below(tree, "vrf").items()
        if is_on(below(vrf, "router", "bgp"), otherwise=False) and is_on(bgp, otherwise=True)
    }
    lldp = below(tree, "system", "lldp") or below(tree, "service", "lldp")
    return View(
        str(below(tree, "system", "hostname") or "cumulus"), is_on(lldp, otherwise=True), ports, instances
    )


def _port(name: str, row: Tree) -> Port:
    link, speed = below(row, "link"), SPEED.fullmatch(str(below(row, "link", "speed")))
    addresses = [a for family in ("ip", "ipv4", "ipv6") for a in below(row, family, "address") if "/" in a]
    vrf = below(row, "vrf") or below(row, "ip", "vrf") or "default"
    return Port(
        name=name,
        enabled="down" not in below(link, "state"),
        speed_mbps=int(speed[1]) * MBPS[speed[2]] if speed else None,
        fec=str(link["fec"]) if "fec" in link and link["fec"] != "auto" else None,
        mtu_bytes=number(below(link, "mtu")) or DEFAULT_MTU,
        addresses=tuple(map(ip_interface, addresses)),
        ipv6=True,
        vrf=str(vrf),
    )


def ports_towards(ports: dict[str, Port], address: str) -> tuple[str, ...]:
    """Ports on whose subnets an address is."""
    remote = ip_address(address)
    return tuple(n for n, port in ports.items() if any(remote in own.network for own in port.addresses))


def _instance(name: str, bgp: Tree, tree: Tree, ports: dict[str, Port]) -> Instance:
    common = below(tree, "router", "bgp")
    instance = Instance(
        name,
        number(below(bgp, "autonomous-system")) or number(below(common, "autonomous-system")) or 0,
        str(below(bgp, "router-id") or below(common, "router-id") or ""),
        drained=str(below(common, "graceful-shutdown") or "off") not in OFF,
    )
    instance.peers = [_peer(instance, peer, row, bgp, tree) for peer, row in below(bgp, "neighbor").items()]
    instance.originated = _originated(bgp, ports)
    return instance


def _peer(instance: Instance, name: str, row: Tree, bgp: Tree, tree: Tree) -> Peer:
    group = below(bgp, "peer-group", str(below(row, "peer-group") or ""))
    is_unnumbered = below(row, "type") == "unnumbered"
    peer = Peer(
        instance.name, name, address="" if is_unnumbered else name, port=name if is_unnumbered else ""
    )
    families = {4: True, 6: False}
    for level in (group, row):
        for family, version in FAMILIES.items():
            if family in below(level, "address-family"):
                families[version] = is_on(below(level, "address-family", family), otherwise=True)
        asn = below(level, "remote-as")
        peer.remote_asn = _asns(asn, instance.asn) if asn else peer.remote_asn
        peer.password = below(level, "password") or peer.password
        peer.hold_s = number(below(level, "timers", "hold")) or peer.hold_s
        peer.shutdown = peer.shutdown or str(below(level, "shutdown") or "off") not in OFF
        bfd = below(level, "bfd")
        if bfd and is_on(bfd, otherwise=True):
            peer.bfd_s = _detection_s(
                {**bfd, **below(tree, "router", "bfd", "profile", str(below(bfd, "profile")))}
            )
    peer.families = frozenset(version for version, on in families.items() if on)
    peer.description = str(below(row, "description") or "")
    return peer


def _detection_s(bfd: Tree) -> float:
    interval = number(bfd.get("min-rx-interval")) or 300
    return interval * (number(bfd.get("detect-multiplier")) or 3) / MILLISECONDS


def _asns(word: object, own: int) -> tuple[tuple[int, int], ...]:
    if word == "external":
        return ((EVERY_ASN[0], own - 1), (own + 1, EVERY_ASN[1]))
    asn = own if word == "internal" else number(word) or 0
    return ((asn, asn),)


def _originated(bgp: Tree, ports: dict[str, Port]) -> tuple[int, int]:
    return tuple(_count(bgp, family, version, ports) for family, version in FAMILIES.items())  # type: ignore[return-value]


def _count(bgp: Tree, family: str, version: int, ports: dict[str, Port]) -> int:
    row = below(bgp, "address-family", family)
    return (
        len(below(row, "aggregate-route"))
        + len(below(row, "network"))
        + sum(1 for _ in _loopbacks(version, ports))
    )


def _loopbacks(version: int, ports: dict[str, Port]) -> Iterator[str]:
    for name, port in ports.items():
        yield from (str(own) for own in port.addresses if name == "lo" and own.version == version)
