"""What the lines of BGP mean for neighbours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network

from fabric.platforms.eos.emulator.secrets import decrypt_cbc
from fabric.platforms.eos.emulator.tree import EMPTY, Block, Item, Section
from fabric.platforms.eos.emulator.view_ports import Port

EVERY_AS = ((1, 4294967295),)
HOLD_S = 180.0
"""Default of `timers bgp`: Arista EOS user manual, "BGP commands"."""
GRACEFUL_SHUTDOWN = {"GSHUT", "65535:0"}
BFD_S = 0.9
"""Detection time by itself: 300 ms times 3 (the manual's `bfd interval`)."""


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
    map_in: str = ""
    """Route-map for what it tells us; empty: none."""
    map_out: str = ""
    """Route-map for what it is told."""
    drained: bool = False


@dataclass(slots=True)
class Instance:
    """BGP in one VRF."""

    asn: int
    router_id: str
    vrf: str = "default"
    peers: list[Peer] = field(default_factory=list)
    body: Section = EMPTY
    """Its lines."""
    ranges: list[tuple[str, Peer]] = field(default_factory=list)
    """Prefixes from which neighbours may come, with what they get."""


def bgp_of(config: Section, ports: dict[str, Port]) -> dict[str, Instance]:
    """Each VRF with BGP: its neighbours, groups resolved."""
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
            peer.drained = peer.map_out in drains
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
    instance = Instance(asn, router_id, vrf, body=body)
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
        self.own.setdefault(name, {})[f"map {words[-1]}"] = words[0]

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
            map_in=merged.get("map in", ""),
            map_out=merged.get("map out", ""),
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
