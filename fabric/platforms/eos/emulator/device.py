"""One emulated EOS switch."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import ip_address

from msgspec.structs import replace

from fabric.platforms.emulated_counters import Counters
from fabric.platforms.emulated_ends import LinkEnd, SessionEnd
from fabric.platforms.emulated_neighbors import Heard, Neighbors, OwnSession
from fabric.platforms.emulation import Emulated, Faults, HasRoutes, Surroundings
from fabric.platforms.eos.emulator.access import Access
from fabric.platforms.eos.emulator.policies import max_paths, originated
from fabric.platforms.eos.emulator.ports import front_panel, product, reaches
from fabric.platforms.eos.emulator.secrets import hashed
from fabric.platforms.eos.emulator.store import Store, parse, settled, text, type_in
from fabric.platforms.eos.emulator.tree import Section
from fabric.platforms.eos.emulator.view import View, view
from fabric.platforms.eos.emulator.view_bgp import EVERY_AS, Instance, Peer, in_range
from fabric.platforms.eos.emulator.view_ports import Port
from fabric.platforms.routing.emulated_routes import Routing

RELEASE = "4.34.1F"
"""Emulated where the intent names none."""


@dataclass(slots=True)
class BgpState:
    """How a neighbour is doing."""

    peer: Peer
    address: str
    remote_asn: int
    router_id: str
    word: str
    """As EOS says it: `Established`, `Active`, `Idle`."""
    hold_s: float
    """As negotiated; of one that is down, as configured."""
    received: tuple[int, int] = (0, 0)
    accepted: tuple[int, int] = (0, 0)
    sent: tuple[int, int] = (0, 0)
    since_s: float = 0.0

    @property
    def version(self) -> int:
        """Of the address."""
        return 6 if ":" in self.address else 4


class EosSwitch:
    """A switch: what it runs, what it sees of its neighbours, what it says of both."""

    def __init__(self, spec: Emulated, surroundings: Surroundings) -> None:
        self.name = spec.name
        self.model = product(spec.hardware)
        self.release = spec.release or RELEASE
        self.faults = Faults()
        self._around = surroundings
        self.neighbors = Neighbors(self, spec.name, surroundings)
        self.counters = Counters(self.neighbors, self.faults, surroundings)
        digest = hashlib.sha256(spec.name.encode()).hexdigest()
        self.serial = spec.serial or f"EMU{digest[:8].upper()}"
        self.mac = ":".join(["02", *(digest[i : i + 2] for i in range(0, 10, 2))])
        self.booted_at = surroundings.now()
        ports = front_panel(spec.hardware)
        boot = parse(spec.config or factory(spec), ports=ports)
        reach = reaches(spec.hardware)
        self.store = Store(boot, boot, surroundings.now, surroundings.later, self.faults, ports, reach)
        self._viewed: tuple[Section, View] | None = None
        self.access = Access(boot, spec.username, spec.password)
        self.neighbors.configure(self._own_sessions())
        self.store.changed = self._reconfigured

    def now(self) -> float:
        """Seconds since the epoch, by the switch's own clock."""
        return self._around.now() + self.faults.clock_jump_s

    def uptime_s(self) -> float:
        """Since the last boot."""
        return self._around.now() - self.booted_at

    def release_number(self) -> tuple[int, int]:
        """Major and minor release."""
        major, minor = re.findall(r"\d+", self.release)[:2]
        return int(major), int(minor)

    def view(self) -> View:
        """The running configuration, understood."""
        if self._viewed is None or self._viewed[0] is not self.store.running:
            self._viewed = (self.store.running, view(self.store.running))
        return self._viewed[1]

    def reachable(self) -> bool:
        """Whether eAPI still listens at the address that we came by."""
        return self.access.listens(self.store.running)

    def management_vrf(self) -> str:
        """The VRF of management access."""
        return self.access.vrf(self.store.running)

    def banner(self) -> str:
        """The comment that heads a printed configuration."""
        return f"! device: {self.view().hostname} ({self.model}, EOS-{self.release})\n"

    def running_config(self) -> str:
        """The running configuration, without the comment around it."""
        return text(self.store.running)

    def drift(self, lines: tuple[str, ...]) -> None:
        """Somebody types these lines on the console."""
        editor = self.store.editor(self.store.running)
        type_in(editor, "\n".join(lines))
        self.store.run(settled(editor, self.store.running))

    def reboot(self) -> None:
        """Start again from the startup configuration."""
        self.neighbors.forget()
        self.counters.clear()
        self.store.reboot()
        self.booted_at = self._around.now()
        self._around.restarts(self.name)

    def link_end(self, port: str) -> LinkEnd | None:
        """Our end of a link."""
        seen = self.view()
        known = seen.ports.get(port)
        if known is None:
            return None
        if port not in seen.ends:
            seen.ends[port] = self._end(known)
        if self.counters.fault(port).down:
            return replace(seen.ends[port], enabled=False)
        return seen.ends[port]

    def _end(self, port: Port) -> LinkEnd:
        routed = self.view()
        return LinkEnd(
            enabled=port.enabled,
            speed_mbps=port.speed_mbps,
            fec=port.fec,
            addresses=tuple(a for a in port.addresses if a.version in routed.routes),
            link_local=self._link_local() if port.ipv6 and 6 in routed.routes else None,
            ip_mtu_bytes=port.mtu_bytes,
            vrf=port.vrf,
            lldp_transmit=routed.lldp and port.lldp_transmit,
            lldp_receive=routed.lldp and port.lldp_receive,
            lldp_ttl_s=routed.lldp_ttl_s,
            system=routed.hostname,
            port=port.name,
        )

    def _link_local(self) -> str:
        """EUI-64 of the system's MAC address: the same on every routed port."""
        parts = [int(part, 16) for part in self.mac.split(":")]
        parts[0] ^= 2
        halves = [*parts[:3], 0xFF, 0xFE, *parts[3:]]
        groups = [f"{halves[i] << 8 | halves[i + 1]:x}" for i in range(0, 8, 2)]
        return str(ip_address(f"fe80::{':'.join(groups)}"))

    def look(self, port: str = "") -> None:
        """What is at the other end of a port, or of any, has changed."""
        self.counters.count([port] if port else self.neighbors.wired)
        self.neighbors.look(port)

    def _reconfigured(self, before: Section) -> None:
        """Another configuration runs. Most changes are such that no neighbour could notice."""
        if concerns_neighbors(before, self.store.running):
            self.neighbors.configure(self._own_sessions())
            self.neighbors.look()
            self._around.changed(self.name)

    def link_is_up(self, port: str) -> bool:
        """Whether a port has carrier. Ports without cables (loopbacks, management, VLANs) follow their `shutdown`."""
        ours = self.link_end(port)
        if ours is None:
            return False
        return self.neighbors.has_carrier(port) if port.startswith("Ethernet") else ours.enabled

    def lldp(self) -> list[Heard]:
        """Each neighbour that we hear."""
        return self.neighbors.lldp()

    def _own_sessions(self) -> Iterator[OwnSession]:
        seen = self.view()
        for instance in seen.bgp.values():
            for peer in instance.peers:
                ports = (peer.port,) if peer.port else tuple(seen.ports_towards(peer.address))
                end = self._session_end(instance, peer)
                yield OwnSession(
                    key=session_key(peer), end=end, vrf=peer.vrf, address=peer.address, ports=ports
                )

    def bgp(self) -> list[tuple[Instance, list[BgpState]]]:
        """Every VRF with BGP, and its neighbours."""
        return [
            (instance, [self._state(instance, peer) for peer in instance.peers])
            for instance in self.view().bgp.values()
        ]

    def _state(self, instance: Instance, peer: Peer) -> BgpState:
        """A session as this switch sees it."""
        ours = self._session_end(instance, peer)
        live = self.neighbors.session(session_key(peer))
        if live is None:
            remote = peer.remote_asn[0][0] if peer.remote_asn else 0
            word = "Idle" if peer.shutdown else "Active"
            local = self.neighbors.address_at(peer.port) or "fe80::"
            address = peer.address or f"{local}%{short(peer.port)}"
            return BgpState(peer, address, remote, "0.0.0.0", word, ours.hold_s)  # noqa: S104  # EOS's word for none
        address = peer.address or f"{live.address}%{short(live.port)}"
        hold_s = min(ours.hold_s, live.theirs.hold_s)
        up = BgpState(peer, address, live.theirs.local_asn, live.theirs.router_id, "Established", hold_s)
        up.since_s = live.since_s
        if peer.vrf == "default":
            up.received = up.accepted = live.theirs.prefixes
            if isinstance(self.neighbors.peer(live.port), HasRoutes):
                up.received = self._counted("received", up.peer)
                up.accepted = self._counted("accepted", up.peer)
            routes = self._around.routes()
            sent = routes.advertised(self.name, ours)
            up.sent = routes.count(sent, 4), routes.count(sent, 6)
        return up

    def _counted(self, what: str, peer: Peer) -> tuple[int, int]:
        """How many IPv4 and IPv6 prefixes of a session."""
        routes = self._around.routes()
        mask = getattr(routes.tables[self.name], what).get(session_key(peer), 0)
        return routes.count(mask, 4), routes.count(mask, 6)

    def learned(self, family: int) -> dict[str, list[tuple[str, str]]]:
        """Prefixes learned by BGP: the next hops that share their traffic, each with its port."""
        ways = self._around.routes().widths(self.name, family)
        hops = {key: self._next_hop(key) for key in set().union(*ways.values())}  # few, of many prefixes
        return {prefix: [hops[key] for key in keys] for prefix, keys in ways.items()}

    def _next_hop(self, key: str) -> tuple[str, str]:
        live = self.neighbors.session(key)
        return (live.address, live.port) if live else ("", "")

    def routing(self) -> Routing:
        """What we bring into BGP, and our sessions that are up."""
        seen = self.view()
        instance = seen.bgp.get("default")
        if instance is None:
            return Routing()
        return Routing(
            originated(instance.body, seen.connected(self.link_is_up), seen.static, seen.policies),
            max_paths(instance.body),
            tuple(self.neighbors.edges()),
            self.neighbors.next_end_s(),
        )

    def session_end(self, port: str, address: str) -> SessionEnd | None:
        """Our end of a session with `address`, or with whoever is at `port`."""
        ours = self.link_end(port)
        for instance in self.view().bgp.values():
            if ours is not None and instance.vrf != ours.vrf:
                continue
            for peer in instance.peers:
                if (address and peer.address == address) or (not address and peer.port == port):
                    return self._session_end(instance, peer)
            for prefix, peer in instance.ranges:
                if address and in_range(address, prefix):
                    return self._session_end(instance, peer)
        return None

    def _session_end(self, instance: Instance, peer: Peer) -> SessionEnd:
        return SessionEnd(
            local_asn=instance.asn,
            remote_asn=peer.remote_asn or EVERY_AS[:0],
            router_id=instance.router_id,
            families=peer.families,
            password=peer.password,
            shutdown=peer.shutdown,
            drained=peer.drained,
            hold_s=peer.hold_s,
            bfd_s=peer.bfd_s,
            prefixes=self.view().announced if instance.vrf == "default" else (0, 0),
            imports=self.view().policies.get(peer.map_in),
            exports=self.view().policies.get(peer.map_out),
        )


def factory(spec: Emulated) -> str:
    """What provisioning leaves on a new switch: enough for eAPI to answer."""
    vrf = spec.management_vrf
    secret = hashed(spec.password)
    lines = [
        f"hostname {spec.name}",
        f"username {spec.username} privilege 15 role network-admin secret sha512 {secret}",
    ]
    if vrf != "default":
        lines.append(f"vrf instance {vrf}")
    lines.append(f"interface {spec.management_port or 'Management1'}")
    lines += [f"vrf {vrf}"] * (vrf != "default")
    family = "ipv6" if ":" in spec.management else "ip"
    lines += [f"{family} address {spec.management}"] * bool(spec.management)
    lines += ["management api http-commands", "no shutdown"]
    lines += [f"vrf {vrf}", "no shutdown"] * (vrf != "default")
    return "\n".join(lines)


def session_key(peer: Peer) -> str:
    """What a neighbour is known by on its switch."""
    return f"{peer.vrf} {peer.address or peer.port}"


NEIGHBORLY = (
    "interface ",
    "route-map ",
    "ip prefix-list ",
    "ipv6 prefix-list ",
    "ip community-list ",
    "ip route ",
    "ipv6 route ",
    "router b",
    "peer-filter ",
    "ip routing",
    "ipv6 unicast-routing",
    "lldp ",
    "hostname",
)
"""First words of what neighbours notice, as the lines are keyed."""


def concerns_neighbors(before: Section, after: Section) -> bool:
    """Whether one of the lines that changed is such."""
    old = {item.key: item for item in before.items}
    new = {item.key: item for item in after.items}
    return any(
        key.startswith(NEIGHBORLY) for key in old.keys() | new.keys() if old.get(key) is not new.get(key)
    )


def short(port: str) -> str:
    """`Et1/1` for `Ethernet1/1`, as scopes of link-local addresses are printed."""
    return port.replace("Ethernet", "Et")
