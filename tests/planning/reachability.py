"""Who reaches whom in a network of Arista EOS switches: nothing of a plan is asked, only what the switches run.

The emulator evaluates sessions, policies and routes; a packet is followed over all equal-cost paths. Hosts, storage and
routers outside are as they were at first: they keep their cables and addresses, the size of their packets, what they
announce, and what they need to hear.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property, lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_interface, ip_network
from itertools import chain, combinations
from typing import Any, NamedTuple

import msgspec

from fabric.devices.model import LinkRole, Neighbor, Relation, Switch, SwitchPort
from fabric.platforms.base import Facts, InterfaceFacts
from fabric.platforms.emulation import Emulated, Wire
from fabric.platforms.registry import platform
from fabric.platforms.routing.emulated_routes import Routes, Routing
from fabric.sandbox.emulated_network import Network as Emulators

End = tuple[str, str]
"""A switch and its port."""
Pair = tuple[str, str, int]
"""Two users and the rail over which they talk."""
Address = IPv4Address | IPv6Address
ENDS = (LinkRole.HOST, LinkRole.ATTACHMENT)
NOTHING = InterfaceFacts(enabled=False)
LOGIN = {"username": "netops", "password": "geheim"}
HARDWARE = "arista-7060x6-64pe"
FAR_AWAY = IPv4Address("198.51.100.0")
ASK_HOSTS = "redistribute attached-host"
"""Each address that has answered ARP is a route of its own."""


class User(NamedTuple):
    """A port of a host, of storage or of a router outside, as the network was at first."""

    name: str
    rail: int
    at: End
    gateway: str
    """The address of the switch that it knows, with prefix length."""
    address: Address
    size_bytes: int
    """Of its largest packets."""
    is_bonded: bool = False

    @property
    def party(self) -> tuple[str, int]:
        """Who it is: the ports of one host on a rail stand in for each other."""
        return self.name, self.rail


class Cabling(NamedTuple):
    """What is at the other end of every port."""

    peers: Mapping[End, End]
    users: tuple[User, ...]
    routers: tuple[Router, ...]

    @classmethod
    def of(cls, switches: Mapping[str, Switch]) -> Cabling:
        """As a site is built."""
        routers = tuple(_routers(switches))
        users = [*_users(switches), *chain.from_iterable(router.users() for router in routers)]
        peers = {
            (s.name, p.name): (p.peer, p.peer_port) for s in switches.values() for p in s.ports if p.peer
        }
        for router in routers:
            for here, there in router.cables():
                peers |= {here: there, there: here}
        return cls(peers, tuple(users), routers)

    def grown(self, switches: Mapping[str, Switch]) -> Cabling:
        """With the cables of ports that had none: somebody has put them in before anything changes."""
        return self._replace(peers={**Cabling.of(switches).peers, **self.peers})

    def is_moved(self, later: Cabling) -> bool:
        """Whether a cable that is there leads elsewhere later, at either of its ends."""
        far = {end: peer for peer, end in self.peers.items()}
        return any(
            self.peers.get(end, peer) != peer or far.get(peer, end) != end
            for end, peer in later.peers.items()
        )


def _users(switches: Mapping[str, Switch]) -> Iterator[User]:
    for switch in switches.values():
        given: dict[str, int] = {}
        outside = {n.port for n in _sessions_outside(switch)}
        for port in switch.ports:
            if port.role not in ENDS or not port.enabled or port.name in outside:
                continue
            shared = [a for g in switch.gateways if g.vlan == port.vlan for a in g.addresses]
            for gateway in map(str, (*port.addresses, *shared)):
                number = given[gateway] = given.get(gateway, 0) + 1
                own = ip_interface(gateway)
                theirs = own.ip + number if own.ip + number in own.network else own.ip - number
                at = switch.name, port.name
                yield User(port.peer, port.rail, at, gateway, theirs, port.ip_mtu_bytes, bool(port.bond))


def _sessions_outside(switch: Switch) -> list[Neighbor]:
    return [n for n in switch.routing.neighbors if n.relation is Relation.EXTERNAL]


class Router(NamedTuple):
    """A router outside: it knows its neighbours as they were, and announces what they accepted."""

    name: str
    asn: int
    links: tuple[tuple[str, Neighbor, SwitchPort, int], ...]
    """Of each session the switch, its neighbour and port, and its AS number."""

    @property
    def announced(self) -> tuple[str, ...]:
        """What comes in by it."""
        return tuple(dict.fromkeys(str(prefix) for _, n, _, _ in self.links for prefix in n.accept))

    def users(self) -> Iterator[User]:
        """Somebody behind each prefix."""
        for prefix in map(ip_network, self.announced):
            somebody = (FAR_AWAY if prefix.prefixlen == 0 else prefix.network_address) + 1
            if somebody.version == prefix.version:
                size = min(port.ip_mtu_bytes for _, _, port, _ in self.links)
                yield User(self.name, -1, (self.name, ""), "", somebody, size)

    def emulated(self) -> Emulated:
        """The router as a device."""
        lines, sessions = [f"hostname {self.name}"], []
        for number, (_, neighbor, port, asn) in enumerate(self.links, start=1):
            ours = next(a for a in port.addresses if a.version == neighbor.family)
            ip = "ip" if neighbor.family == 4 else "ipv6"
            lines += [f"interface Ethernet{number}/1", "no shutdown", "no switchport", "mtu 9214"]
            lines.append(f"{ip} address {neighbor.address}/{ours.prefix_length}")
            sessions.append((neighbor.family, f"neighbor {ours.ip}", f"remote-as {asn}"))
        lines += [f"{_ip(prefix)} route {prefix} Null0" for prefix in self.announced]
        lines += ["ip routing", "ipv6 unicast-routing", f"router bgp {self.asn}", "router-id 192.0.2.254"]
        lines += [f"{session} {remote}" for _, session, remote in sessions]
        for family in (4, 6):
            lines.append(f"address-family ipv{family}")
            lines += [f"{session} activate" for version, session, _ in sessions if version == family]
            lines += [f"network {p}" for p in self.announced if ip_network(p).version == family]
        return Emulated(name=self.name, platform="eos", hardware=HARDWARE, config="\n".join(lines), **LOGIN)

    def cables(self) -> Iterator[tuple[End, End]]:
        """Each link, from the switch to the router."""
        for number, (switch, _, port, _) in enumerate(self.links, start=1):
            yield (switch, port.name), (self.name, f"Ethernet{number}/1")


def _ip(prefix: str) -> str:
    return "ipv6" if ":" in prefix else "ip"


def _routers(switches: Mapping[str, Switch]) -> Iterator[Router]:
    found: dict[str, list[tuple[str, Neighbor, SwitchPort, int]]] = {}
    for switch in switches.values():
        for neighbor in _sessions_outside(switch):
            port = next(port for port in switch.ports if port.name == neighbor.port)
            link = switch.name, neighbor, port, switch.routing.asn
            found.setdefault(neighbor.peer, []).append(link)
    for name, links in found.items():
        yield Router(name, links[0][1].remote_asn, tuple(links))


class Reachability:
    """A network at one moment."""

    def __init__(
        self,
        cabling: Cabling,
        switches: Mapping[str, Switch],
        texts: Mapping[str, str],
        down: Collection[End] = (),
    ) -> None:
        """`texts`: what each switch runs. `down`: ports without a link."""
        self._cabling, self._texts, self._down = cabling, texts, frozenset(down)
        self._switches = switches
        specs = [
            Emulated(
                name=name,
                platform="eos",
                hardware=switches[name].hardware.id,
                config=text,
                wires=self._wires(name),
                **LOGIN,
            )
            for name, text in texts.items()
        ]
        specs += [
            msgspec.structs.replace(router.emulated(), wires=self._wires(router.name))
            for router in cabling.routers
        ]
        self._net = Emulators(specs, later=lambda *_: lambda: None)
        self._arrived: dict[tuple[str, Address, int], bool] = {}

    def _wires(self, name: str) -> tuple[Wire, ...]:
        peers = self._cabling.peers
        return tuple(
            Wire(port, *peers[name, port])
            for device, port in peers
            if device == name and self._down.isdisjoint(((name, port), peers[name, port]))
        )

    def pairs(self) -> frozenset[Pair]:
        """Who exchanges packets, each with whom he has to: hosts on their rail, everybody with what is attached."""
        parties: dict[tuple[str, int, int], list[User]] = {}
        for user in self._cabling.users:
            parties.setdefault((*user.party, user.address.version), []).append(user)
        return frozenset(
            (f"{a[0]}/{a[2]}", f"{b[0]}/{b[2]}", max(a[1], b[1]))
            for a, b in combinations(parties, 2)
            if a[0] != b[0] and a[2] == b[2] and (a[1] == b[1] or -1 in (a[1], b[1]))
            if any(self.reaches(x, y) and self.reaches(y, x) for x in parties[a] for y in parties[b])
        )

    def reaches(self, here: User, there: User) -> bool:
        """Whether packets of one arrive at the other, whichever of the equal-cost paths they take."""
        size = min(here.size_bytes, there.size_bytes)
        return self._is_attached(here) and self._arrives(here.at[0], there, size)

    def _is_attached(self, user: User) -> bool:
        if not user.gateway:
            return True
        facts = _facts(self._texts[user.at[0]])
        port = facts.interfaces.get(user.at[1], NOTHING)
        if (
            user.at[0] in self._out
            or user.at in self._down
            or not port.enabled
            or (port.bond is not None) is not user.is_bonded
        ):
            return False
        inner = facts.interfaces.get(f"Port-Channel{port.bond}", NOTHING) if user.is_bonded else port
        gateway = facts.interfaces.get(f"Vlan{inner.vlan}", NOTHING) if inner.vlan is not None else inner
        is_large = gateway.ip_mtu_bytes is None or gateway.ip_mtu_bytes >= user.size_bytes
        return inner.enabled and gateway.enabled and is_large and user.gateway in gateway.addresses

    def _arrives(self, switch: str, there: User, size: int) -> bool:
        if (switch, there.address) in self._local:
            return True
        key = switch, there.address, size
        if key not in self._arrived:
            self._arrived[key] = False  # a loop ends nowhere
            self._arrived[key] = self._is_forwarded(switch, there, size)
        return self._arrived[key]

    def _is_forwarded(self, switch: str, there: User, size: int) -> bool:
        """Along every way of the longest prefix. One of the switch's own leads to nobody else."""
        device: Any = self._net[switch]
        seen = device.view()
        own = (*self._routing[switch].originates, *seen.connected(device.link_is_up))
        ways = dict.fromkeys(seen.static, ()) | self._routes.widths(switch, there.address.version)
        ways |= dict.fromkeys(own, ())
        best = max(
            (prefix for prefix in map(_network, ways) if there.address in prefix),
            key=lambda prefix: prefix.prefixlen,
            default=None,
        )
        edges = {edge.key: edge.peer for edge in self._routing[switch].edges}
        hops = ways[str(best)] if best is not None else ()
        return bool(hops) and all(
            self._fits(device, hop, size) and self._arrives(edges[hop], there, size) for hop in hops
        )

    def _fits(self, device: Any, session: str, size: int) -> bool:
        port = device.neighbors.session(session).port
        ends = device.link_end(port), device.neighbors.far_end(port)
        return min(end.ip_mtu_bytes for end in ends) >= size

    @cached_property
    def _out(self) -> frozenset[str]:
        """Leaves with links upward and no session over any: whoever is there is cut off from all but his neighbours."""
        fed = {name for name, device in self._net.items() if any(device.routing().edges)}
        return frozenset(
            name
            for name, switch in self._switches.items()
            if name not in fed and any(port.role is LinkRole.UP for port in switch.ports)
        )

    @cached_property
    def _local(self) -> frozenset[tuple[str, Address]]:
        """Whose ports each switch reaches by itself; a bonded host has one address at two."""
        return frozenset((u.at[0], u.address) for u in self._cabling.users if self._is_attached(u))

    @cached_property
    def _routing(self) -> dict[str, Routing]:
        """What each switch brings in; with addresses that have answered ARP, where these are announced."""
        found: dict[str, Routing] = {name: device.routing() for name, device in self._net.items()}
        for user in self._cabling.users:
            switch = user.at[0]
            if user.is_bonded and ASK_HOSTS in self._texts[switch] and self._is_attached(user):
                host = str(ip_network(user.address))
                routing = found[switch]
                found[switch] = routing._replace(originates=routing.originates | {host})
        return found

    @cached_property
    def _routes(self) -> Routes:
        return Routes(self._routing)


@lru_cache(maxsize=4096)
def _facts(text: str) -> Facts:
    return platform("eos").read(text).facts


@lru_cache(maxsize=65536)
def _network(prefix: str) -> IPv4Network | IPv6Network:
    return ip_network(prefix)
