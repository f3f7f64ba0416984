"""What a configuration makes of the device: ports, network instances, BGP neighbours with what their groups say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Interface, IPv6Interface, ip_address, ip_interface
from typing import Any

from fabric.platforms.srlinux.names import IRB, LOOPBACK, SPEEDS_MBPS, bare
from fabric.platforms.srlinux.session_state import below, number, plain, rows

Tree = dict[str, Any]
DEFAULT_MTU, DEFAULT_IP_MTU = 9232, 1500
DEFAULT_HOLD_S = 90
"""Nokia's default (`srl_nokia-bgp`, `timers hold-time`)."""
GRACEFUL_SHUTDOWN = "65535:0"
"""RFC 8326, section 5."""
EVERY_FAMILY = frozenset({4, 6})
FAMILIES = {"ipv4-unicast": 4, "ipv6-unicast": 6}


@dataclass(slots=True)
class Port:
    """An interface, and its subinterface 0."""

    name: str
    enabled: bool
    speed_mbps: int | None = None
    mtu_bytes: int = DEFAULT_MTU
    ip_mtu_bytes: int = DEFAULT_IP_MTU
    addresses: tuple[IPv4Interface | IPv6Interface, ...] = ()
    ipv6: bool = False
    instance: str = ""


@dataclass(slots=True)
class Peer:
    """A BGP neighbour, or an interface behind which there may be one."""

    instance: str
    address: str = ""
    port: str = ""
    remote_asn: tuple[tuple[int, int], ...] = ()
    families: frozenset[int] = EVERY_FAMILY
    password: str | None = None
    shutdown: bool = False
    hold_s: int = DEFAULT_HOLD_S
    bfd_s: float | None = None
    """Detection time; None: no BFD."""
    exports: Sequence[str] = ()
    """Names of policies."""
    drained: bool = False
    """It asks its neighbour to send traffic elsewhere (RFC 8326)."""
    description: str = ""

    @property
    def key(self) -> str:
        """What it is known by on its switch."""
        return f"{self.instance} {self.address or self.port}"


@dataclass(slots=True)
class Instance:
    """BGP in one network instance."""

    name: str
    asn: int
    router_id: str
    peers: list[Peer] = field(default_factory=list)
    originated: tuple[int, int] = (0, 0)
    """Loopbacks and aggregates of its own, IPv4 and IPv6."""


@dataclass(slots=True)
class View:
    """A configuration, understood."""

    hostname: str
    lldp: bool
    ports: dict[str, Port]
    instances: dict[str, Instance]

    def ports_towards(self, address: str) -> tuple[str, ...]:
        """Ports on whose subnets an address is."""
        return ports_towards(self.ports, address)


def view(tree: Tree) -> View:
    """What a running configuration says."""
    known = plain(tree)
    system = below(known, "system")
    ports = _ports(known)
    for instance in rows(known, "network-instance"):
        for member in rows(instance, "interface"):
            name, _, index = str(member.get("name", "")).rpartition(".")
            if (
                index == "0"
                and name in ports
                and instance.get("type") != "srl_nokia-network-instance:mac-vrf"
            ):
                ports[name].instance = str(instance.get("name"))
    bfd, drains = _bfd(known), frozenset(_drains(below(known, "routing-policy")))
    instances = (_instance(row, ports, bfd) for row in rows(known, "network-instance") if is_on(row))
    found = {instance.name: instance for instance in instances if instance is not None}
    for peer in (peer for instance in found.values() for peer in instance.peers):
        peer.drained = bool(drains.intersection(peer.exports))
    return View(
        hostname=str(below(system, "name").get("host-name", "")),
        lldp=is_on(below(system, "lldp"), default="enable"),
        ports=ports,
        instances=found,
    )


def is_on(tree: Tree, *, default: str = "enable") -> bool:
    """Whether its `admin-state` is enable."""
    return bool(tree.get("admin-state", default) == "enable")


def _ports(tree: Tree) -> dict[str, Port]:
    split = {
        str(row["name"]): str(row["breakout-mode"].get("breakout-port-speed", ""))
        for row in rows(tree, "interface")
        if "breakout-mode" in row
    }
    return {
        str(row["name"]): _port(row, split.get(str(row["name"]).rpartition("/")[0], ""))
        for row in rows(tree, "interface")
        if str(row["name"]) not in split
    }


def _port(row: Tree, part_speed: str) -> Port:
    inner = next((sub for sub in rows(row, "subinterface") if sub.get("index") == 0), {})
    ip4, ip6 = below(inner, "ipv4"), below(inner, "ipv6")
    served = [family for family in (ip4, ip6) if family.get("admin-state") == "enable"]
    return Port(
        name=str(row["name"]),
        enabled=is_on(row) and is_on(inner),
        speed_mbps=SPEEDS_MBPS.get(str(below(row, "ethernet").get("port-speed", part_speed))),
        mtu_bytes=number(row.get("mtu")) or DEFAULT_MTU,
        ip_mtu_bytes=number(inner.get("ip-mtu")) or DEFAULT_IP_MTU,
        addresses=tuple(
            ip_interface(str(entry["ip-prefix"])) for family in served for entry in rows(family, "address")
        ),
        ipv6=ip6.get("admin-state") == "enable",
    )


def _drains(policies: Tree) -> Iterator[str]:
    """Policies that add the community of graceful shutdown to a route."""
    sets = {
        str(row["name"])
        for row in rows(policies, "community-set")
        if GRACEFUL_SHUTDOWN in row.get("member", ())
    }
    for policy in rows(policies, "policy"):
        actions = (below(row, "action", "bgp", "communities") for row in rows(policy, "statement"))
        if any(action.get("add") in sets for action in actions):
            yield str(policy["name"])


def _bfd(tree: Tree) -> dict[str, float]:
    """Detection time of each port with BFD, in seconds; intervals are microseconds (`srl_nokia-bfd`)."""
    return {
        str(row["id"]).rpartition(".")[0]: (number(row.get("required-minimum-receive")) or 1_000_000)
        * (number(row.get("detection-multiplier")) or 3)
        / 1_000_000
        for row in rows(tree, "bfd", "subinterface")
        if is_on(row, default="disable")
    }


def ports_towards(ports: dict[str, Port], address: str) -> tuple[str, ...]:
    """Ports on whose subnets an address is."""
    remote = ip_address(address)
    return tuple(n for n, port in ports.items() if any(remote in own.network for own in port.addresses))


def _instance(row: Tree, ports: dict[str, Port], bfd: dict[str, float]) -> Instance | None:
    bgp = below(row, "protocols", "bgp")
    if not bgp or not is_on(bgp):
        return None
    name = str(row["name"])
    instance = Instance(name, number(bgp.get("autonomous-system")) or 0, str(bgp.get("router-id", "")))
    groups = {str(group["group-name"]): group for group in rows(bgp, "group")}
    for neighbor in rows(bgp, "neighbor"):
        group = groups.get(str(neighbor.get("peer-group")), {})
        peer, has_bfd = _peer(name, str(neighbor["peer-address"]), "", (bgp, group, neighbor))
        ports_there = ports_towards(ports, peer.address)
        peer.bfd_s = (
            min((bfd[port] for port in ports_there if port in bfd), default=None) if has_bfd else None
        )
        instance.peers.append(peer)
    for entry in rows(bgp, "dynamic-neighbors", "interface"):
        group = groups.get(str(entry.get("peer-group")), {})
        port = str(entry["interface-name"]).rpartition(".")[0]
        peer, has_bfd = _peer(name, "", port, (bgp, group))
        peer.bfd_s = bfd.get(port) if has_bfd else None
        peer.remote_asn = tuple(_span(str(word)) for word in entry.get("allowed-peer-as", ()))
        instance.peers.append(peer)
    instance.originated = _originated(row, ports)
    return instance


def _peer(instance: str, address: str, port: str, levels: tuple[Tree, ...]) -> tuple[Peer, bool]:
    """A neighbour (what it says itself, else its group, else the instance), and whether it asks for BFD."""
    peer = Peer(instance, address, port)
    families, has_bfd = dict.fromkeys((4, 6), False), False
    for level in levels:
        for family in rows(level, "afi-safi"):
            if (word := bare(str(family.get("afi-safi-name")))) in FAMILIES:
                families[FAMILIES[word]] = is_on(family)
        asn = number(level.get("peer-as"))
        peer.remote_asn = ((asn, asn),) if asn else peer.remote_asn
        peer.password = below(level, "authentication").get("password", peer.password)
        peer.hold_s = number(below(level, "timers").get("hold-time")) or peer.hold_s
        has_bfd = bool(below(level, "failure-detection").get("enable-bfd", has_bfd))
        peer.exports = level.get("export-policy", peer.exports)
        peer.description = str(level.get("description", peer.description))
    peer.shutdown = not all(is_on(level) for level in levels)
    peer.families = frozenset(family for family, on in families.items() if on)
    return peer, has_bfd


def _span(word: str) -> tuple[int, int]:
    first, _, last = word.partition("..")
    return int(first), int(last or first)


def _originated(row: Tree, ports: dict[str, Port]) -> tuple[int, int]:
    own = [port for port in ports.values() if port.name.startswith((LOOPBACK, IRB.rstrip("0")))]
    versions = [address.version for port in own for address in port.addresses]
    versions += [6 if ":" in str(r["prefix"]) else 4 for r in rows(row, "aggregate-routes", "route")]
    return versions.count(4), versions.count(6)
