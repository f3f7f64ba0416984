"""One emulated EOS switch."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from ipaddress import ip_address

from fabric.platforms.emulation import (
    HOST,
    Emulated,
    Faults,
    LinkEnd,
    SessionEnd,
    Surroundings,
    Wire,
    link_fault,
    session_fault,
)
from fabric.platforms.eos.emulator.access import Access
from fabric.platforms.eos.emulator.ports import front_panel, product
from fabric.platforms.eos.emulator.secrets import hashed
from fabric.platforms.eos.emulator.store import Store, parse, settled, text, type_in
from fabric.platforms.eos.emulator.tree import Section
from fabric.platforms.eos.emulator.view import EVERY_AS, Instance, Peer, Port, View, in_range, view

MINIMUM_MTU_BYTES = 576
"""A link below cannot carry BGP (RFC 1122, section 3.3.3). Above, TCP settles on what both ends can: two ends of
different MTU lose large packets of the hosts, not their session."""

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
    received: tuple[int, int] = (0, 0)
    sent: tuple[int, int] = (0, 0)

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
        self._wires: dict[str, Wire] = {wire.port: wire for wire in spec.wires}
        digest = hashlib.sha256(spec.name.encode()).hexdigest()
        self.serial = spec.serial or f"EMU{digest[:8].upper()}"
        self.mac = ":".join(["02", *(digest[i : i + 2] for i in range(0, 10, 2))])
        self.booted_at = surroundings.now()
        ports = front_panel(spec.hardware)
        boot = parse(spec.config or factory(spec), ports=ports)
        self.store = Store(boot, boot, surroundings.now, surroundings.later, self.faults, ports)
        self._viewed: tuple[Section, View] | None = None
        self.access = Access(boot, spec.username, spec.password)

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
        self.store.running = settled(editor, self.store.running)

    def reboot(self) -> None:
        """Start again from the startup configuration."""
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

    def far_end(self, port: str) -> LinkEnd | None:
        """The other end of a link: a device of the sandbox as configured, or a host; None without a wire."""
        wire = self._wires.get(port)
        if wire is None:
            return None
        peer = self._around.peer(wire.peer)
        return HOST if peer is None else peer.link_end(wire.peer_port)

    def link_is_up(self, port: str) -> bool:
        """Whether a port has carrier. Ports without cables (loopbacks, management, VLANs) follow their `shutdown`."""
        ours = self.link_end(port)
        if ours is None:
            return False
        if not port.startswith("Ethernet"):
            return ours.enabled
        theirs = self.far_end(port)
        return theirs is not None and not link_fault(ours, theirs)

    def lldp(self) -> list[tuple[str, str, str]]:
        """Our port, their system and port, for each neighbour that we hear."""
        heard = []
        for port, wire in self._wires.items():
            ours, theirs = self.link_end(port), self.far_end(port)
            if ours is None or theirs is None or link_fault(ours, theirs):
                continue
            if ours.lldp_receive and theirs.lldp_transmit:
                heard.append((port, theirs.system or wire.peer, theirs.port or wire.peer_port))
        return heard

    def bgp(self) -> list[tuple[Instance, list[BgpState]]]:
        """Every VRF with BGP, and its neighbours."""
        return [
            (instance, [self._state(instance, peer) for peer in instance.peers])
            for instance in self.view().bgp.values()
        ]

    def _state(self, instance: Instance, peer: Peer) -> BgpState:
        """Compute a session from both ends."""
        ours = self._session_end(instance, peer)
        remote = peer.remote_asn[0][0] if peer.remote_asn else 0
        port, theirs, address = self._reach(peer)
        if peer.shutdown:
            return BgpState(peer, address, remote, "0.0.0.0", "Idle")  # noqa: S104  # EOS's word for none
        if not port or session_fault(ours, theirs):
            return BgpState(peer, address, remote, "0.0.0.0", "Active")  # noqa: S104  # EOS's word for none
        assert theirs is not None  # noqa: S101  # session_fault says so
        common = ours.families & theirs.families
        received = (theirs.prefixes[0] * (4 in common), theirs.prefixes[1] * (6 in common))
        sent = (ours.prefixes[0] * (4 in common), ours.prefixes[1] * (6 in common))
        return BgpState(peer, address, theirs.local_asn, theirs.router_id, "Established", received, sent)

    def _reach(self, peer: Peer) -> tuple[str, SessionEnd | None, str]:
        """Over which port a neighbour answers (empty: none), its end of the session, and its address."""
        for name in [peer.port] if peer.port else self.view().ports_towards(peer.address):
            ours, wire = self.link_end(name), self._wires.get(name)
            if ours is None or wire is None or not self.link_is_up(name):
                continue
            other = self._around.peer(wire.peer)
            theirs = other.link_end(wire.peer_port) if other is not None else None
            if other is None or theirs is None:
                continue
            source = meeting(ours, theirs, peer)
            if source is not None:
                address = peer.address or f"{theirs.link_local}%{short(name)}"
                return name, other.session_end(wire.peer_port, "" if peer.port else source), address
        return "", None, peer.address or f"fe80::%{short(peer.port)}"

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
            prefixes=self.view().prefixes.get(instance.vrf, (0, 0)),
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


def meeting(ours: LinkEnd, theirs: LinkEnd, peer: Peer) -> str | None:
    """Our address in a session over this link; None if the neighbour is not at its other end."""
    if peer.vrf != ours.vrf or min(ours.ip_mtu_bytes, theirs.ip_mtu_bytes) < MINIMUM_MTU_BYTES:
        return None
    if peer.port:
        return ours.link_local if theirs.link_local else None
    remote = ip_address(peer.address)
    for mine in ours.addresses:
        if any(a.ip == remote and a.network == mine.network for a in theirs.addresses):
            return str(mine.ip)
    return None


def short(port: str) -> str:
    """`Et1/1` for `Ethernet1/1`, as scopes of link-local addresses are printed."""
    return port.replace("Ethernet", "Et")
