"""What a configuration means for neighbours: ports, addresses, BGP sessions. Computed once per configuration."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from ipaddress import IPv4Interface, IPv6Interface, ip_address, ip_interface, ip_network

from fabric.platforms.emulation import LinkEnd
from fabric.platforms.eos.emulator.secrets import decrypt_cbc
from fabric.platforms.eos.emulator.tree import EMPTY, Block, Item, Section
from fabric.platforms.eos.names import SPEEDS_MBPS

Address = IPv4Interface | IPv6Interface
EVERY_AS = ((1, 4294967295),)
HOLD_S, LLDP_TTL_S = 180.0, 120.0
"""Defaults of `timers bgp` and `lldp hold-time`: Arista EOS user manual, "BGP commands" and "LLDP"."""
GRACEFUL_SHUTDOWN = {"GSHUT", "65535:0"}
BFD_S = 0.9
"""Detection time by itself: 300 ms times 3 (the manual's `bfd interval`)."""


@dataclass(slots=True)
class Port:
    """An interface."""

    name: str
    enabled: bool = True
    description: str = ""
    speed_mbps: int | None = None
    fec: str | None = None
    mtu_bytes: int = 1500
    vrf: str = "default"
    addresses: tuple[Address, ...] = ()
    ipv6: bool = False
    lldp_transmit: bool = True
    lldp_receive: bool = True


@dataclass(slots=True)
class Peer:
    """A BGP neighbour, with what it inherits from its group."""

    address: str
    """Empty for one that is known by its port."""
    port: str = ""
    vrf: str = "default"
    remote_asn: tuple[tuple[int, int], ...] = ()
    shutdown: bool = False
    password: str | None = None
    description: str = ""
    families: frozenset[int] = frozenset()
    hold_s: float = HOLD_S
    bfd_s: float | None = None
    maps_out: frozenset[str] = frozenset()
    """Route-maps for what it is told."""
    drained: bool = False


@dataclass(slots=True)
class Instance:
    """BGP in one VRF."""

    asn: int
    router_id: str
    vrf: str = "default"
    peers: list[Peer] = field(default_factory=list)
    ranges: list[tuple[str, Peer]] = field(default_factory=list)
    """Prefixes from which neighbours may come, with what they get."""


@dataclass
class View:
    """A configuration, understood."""

    hostname: str
    domain: str
    ports: dict[str, Port]
    bgp: dict[str, Instance]
    lldp: bool
    lldp_ttl_s: float
    routes: frozenset[int]
    """Address families that are routed."""
    networks: dict[tuple[int, int, int], list[str]]
    """Connected networks, as (version, prefix length, leading bits), to their ports."""
    prefixes: dict[str, tuple[int, int]]
    """VRF to how many IPv4 and IPv6 networks are connected."""
    ends: dict[str, LinkEnd] = field(default_factory=dict)
    """Computed when asked for."""

    def ports_towards(self, address: str) -> list[str]:
        """Ports in whose networks an address lies."""
        host = ip_address(address)
        value, width = int(host), host.max_prefixlen
        matches = (
            self.networks.get((host.version, length, value >> (width - length)), ())
            for version, length in self.lengths
            if version == host.version
        )
        return [port for ports in matches for port in ports]

    @cached_property
    def lengths(self) -> frozenset[tuple[int, int]]:
        """The prefix lengths in use, with their versions."""
        return frozenset((version, length) for version, length, _ in self.networks)


def view(config: Section) -> View:
    """Understand a configuration."""
    heads = {item.key: item for item in config.items if not isinstance(item, Block)}
    ports = {port.name: port for port in map(_port, config.starting("interface "))}
    routed = set()
    if heads["ip routing"].text.startswith("ip routing"):
        routed.add(4)
    if "ipv6 unicast-routing" in heads:
        routed.add(6)
    name, domain = heads.get("hostname"), heads.get("dns domain")
    return View(
        hostname=name.text.split()[1] if name else "localhost",
        domain=domain.text.split()[2] if domain else "",
        ports=ports,
        bgp=_bgp(config, ports),
        lldp="lldp run" not in heads,
        lldp_ttl_s=float(heads["lldp hold-time"].text.split()[2])
        if "lldp hold-time" in heads
        else LLDP_TTL_S,
        routes=frozenset(routed),
        networks=_networks(ports),
        prefixes=_prefixes(ports),
    )


def _networks(ports: dict[str, Port]) -> dict[tuple[int, int, int], list[str]]:
    networks: dict[tuple[int, int, int], list[str]] = {}
    for port in ports.values():
        for address in port.addresses:
            length, width = address.network.prefixlen, address.max_prefixlen
            networks.setdefault((address.version, length, int(address) >> (width - length)), []).append(
                port.name
            )
    return networks


def _prefixes(ports: dict[str, Port]) -> dict[str, tuple[int, int]]:
    counts: dict[str, tuple[int, int]] = {}
    for port in ports.values():
        fours, sixes = counts.get(port.vrf, (0, 0))
        count = sum(address.version == 4 for address in port.addresses)
        counts[port.vrf] = (fours + count, sixes + len(port.addresses) - count)
    return counts


def _port(item: Item) -> Port:
    port = Port(item.text.split()[1])
    body = item.body if isinstance(item, Block) else EMPTY
    addresses: list[Address] = []
    for line in body.items:
        words = line.text.split()
        match words:
            case ["ip" | "ipv6", "address", value, *_] if "/" in value:
                addresses.append(ip_interface(value))
            case ["ipv6", "enable"]:
                port.ipv6 = True
            case _:
                _plain(port, words, line.text)
    port.addresses = tuple(addresses)
    port.ipv6 = port.ipv6 or any(address.version == 6 for address in addresses)
    return port


def _plain(port: Port, words: list[str], line: str) -> None:
    match words:
        case ["shutdown"]:
            port.enabled = False
        case ["description", *_]:
            port.description = line.partition(" ")[2]
        case ["mtu", value]:
            port.mtu_bytes = int(value)
        case ["vrf", value]:
            port.vrf = value
        case ["speed", *_]:
            port.speed_mbps = SPEEDS_MBPS.get(words[-1])
        case ["error-correction", "encoding", value]:
            port.fec = value
        case ["no", "lldp", "transmit"]:
            port.lldp_transmit = False
        case ["no", "lldp", "receive"]:
            port.lldp_receive = False


def _bgp(config: Section, ports: dict[str, Port]) -> dict[str, Instance]:
    item = config.get("router bgp")
    if not isinstance(item, Block):
        return {}
    asn = int(item.text.split()[2])
    filters = {block.text.split()[1]: _as_ranges(block) for block in config.starting("peer-filter ")}
    bfd_s = _bfd_s(config)
    instances = {"default": _instance(item.body, asn, "default", ports, filters, bfd_s)}
    for block in item.body.starting("vrf "):
        if isinstance(block, Block):
            name = block.text.split()[1]
            instances[name] = _instance(block.body, asn, name, ports, filters, bfd_s)
    drains = frozenset(_draining(config))
    for instance in instances.values():
        for peer in instance.peers:
            peer.drained = bool(drains & peer.maps_out)
    return instances


def _draining(config: Section) -> Iterator[str]:
    """Route-maps that mark routes for graceful shutdown."""
    for block in config.starting("route-map "):
        if isinstance(block, Block) and any(
            line.text.split()[2] in GRACEFUL_SHUTDOWN for line in block.body.starting("set community ")
        ):
            yield block.text.split()[1]


def _bfd_s(config: Section) -> float:
    """Detection time of sessions that say nothing themselves."""
    block = config.get("router bfd")
    lines = block.body.starting("interval ") if isinstance(block, Block) else iter(())
    return next((_detection_s(line.text) for line in lines), BFD_S)


def _detection_s(text: str) -> float:
    """Of `interval 300 min-rx 300 multiplier 3`, with equal timers at the other end."""
    words = text.split()
    return max(int(words[1]), int(words[3])) * int(words[5]) / 1000


def _as_ranges(block: Item) -> tuple[tuple[int, int], ...]:
    rows = [row.text.split() for row in block.body.items] if isinstance(block, Block) else []
    return tuple(_span(words[3]) for words in rows if words[-1] == "accept")


def _span(text: str) -> tuple[int, int]:
    low, _, high = text.partition("-")
    return int(low), int(high or low)


def _instance(
    body: Section,
    asn: int,
    vrf: str,
    ports: dict[str, Port],
    filters: dict[str, tuple[tuple[int, int], ...]],
    bfd_s: float,
) -> Instance:
    """One VRF's neighbours, groups resolved."""
    settings = _Settings(body, bfd_s)
    known = body.get("router-id")
    router_id = known.text.split()[1] if known else _highest(ports)
    instance = Instance(asn, router_id, vrf)
    for line in body.starting("neighbor interface "):
        words = line.text.split()
        remote = filters.get(words[6], ()) if words[5] == "peer-filter" else (_span(words[6]),)
        instance.peers.append(settings.peer("", words[2], words[4], remote, vrf))
    for name in settings.own:
        if name[:1].isdigit() or ":" in name:
            instance.peers.append(settings.peer(name, "", settings.own[name].get("group", ""), (), vrf))
    for line in body.starting("bgp listen range "):
        words = line.text.split()
        remote = filters.get(words[7], ()) if words[6] == "peer-filter" else (_span(words[7]),)
        instance.ranges.append((words[3], settings.peer("", "", words[5], remote, vrf)))
    shut = body.get("shutdown") is not None
    for peer in instance.peers:
        peer.shutdown = peer.shutdown or shut
    return instance


def _highest(ports: dict[str, Port]) -> str:
    """The router id without a line for it: the highest loopback address, else the highest address."""
    loopbacks = [p for p in ports.values() if p.name.startswith("Loopback")]
    for candidates in (loopbacks, list(ports.values())):
        addresses = [a.ip for p in candidates for a in p.addresses if a.version == 4]
        if addresses:
            return str(max(addresses))
    return "0.0.0.0"  # noqa: S104  # not a bind address: no router id


class _Settings:
    """Neighbour lines by neighbour or group."""

    def __init__(self, body: Section, bfd_s: float) -> None:
        self._bfd_s = bfd_s
        timers = [line.text.split() for line in body.starting("timers bgp ")]
        self._hold_s = float(timers[0][3]) if timers else HOLD_S
        self.own: dict[str, dict[str, str]] = {}
        self.active: dict[int, dict[str, bool]] = {4: {}, 6: {}}
        self.maps_out: dict[str, set[str]] = {}
        self.default4 = body.get("bgp default ipv4-unicast") is None
        for line in body.starting("neighbor "):
            self._neighbor(line.text.split(" ", 3))
        for family in (4, 6):
            block = body.get(f"address-family ipv{family}")
            for line in block.body.items if isinstance(block, Block) else ():
                self._activation(family, line.text.split())

    def _neighbor(self, words: list[str]) -> None:
        name, what, rest = words[1], words[2], words[3] if len(words) > 3 else ""
        if name == "interface":
            return
        mine = self.own.setdefault(name, {})
        if what == "peer" and rest != "group":
            mine["group"] = rest.removeprefix("group ")
        elif what == "password":
            mine["password"] = decrypt_cbc(rest.removeprefix("7 "), name) or rest
        elif what == "route-map":
            self._map(name, rest.split())
        else:
            mine[what] = rest

    def _map(self, name: str, words: list[str]) -> None:
        if words[-1] == "out":
            self.maps_out.setdefault(name, set()).add(words[0])

    def _activation(self, family: int, words: list[str]) -> None:
        negated = words[0] == "no"
        words = words[negated:]
        if len(words) == 3 and words[2] == "activate":
            self.active[family][words[1]] = not negated
        elif len(words) == 5 and words[2] == "route-map" and not negated:
            self._map(words[1], words[3:])

    def peer(
        self, address: str, port: str, group: str, remote: tuple[tuple[int, int], ...], vrf: str
    ) -> Peer:
        """A neighbour with what its group says where it says nothing itself."""
        merged = {**self.own.get(group, {}), **self.own.get(address, {})}
        if "remote-as" in merged:
            remote = (_span(merged["remote-as"]),)
        families = {
            family
            for family in (4, 6)
            if self.active[family].get(address, self.active[family].get(group, family == 4 and self.default4))
        }
        return Peer(
            address=address,
            port=port,
            vrf=vrf,
            remote_asn=remote,
            shutdown="shutdown" in merged,
            password=merged.get("password"),
            description=merged.get("description", ""),
            families=frozenset(families),
            maps_out=frozenset(self.maps_out.get(group, set()) | self.maps_out.get(address, set())),
            hold_s=float(merged["timers"].split()[1]) if "timers" in merged else self._hold_s,
            bfd_s=self._detection_s(merged.get("bfd")),
        )

    def _detection_s(self, bfd: str | None) -> float | None:
        if bfd is None:
            return None
        return _detection_s(bfd) if bfd else self._bfd_s


def in_range(address: str, prefix: str) -> bool:
    """Whether an address lies in a prefix of its own family."""
    network, host = ip_network(prefix), ip_address(address)
    return network.version == host.version and host in network
