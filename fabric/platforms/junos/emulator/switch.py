"""One emulated switch with Junos Evolved: what it runs, and what it sees of its neighbours."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from ipaddress import ip_address, ip_interface

import msgspec

from fabric.platforms.emulated_counters import Counters
from fabric.platforms.emulated_neighbors import Heard, LiveSession, Neighbors, OwnSession
from fabric.platforms.emulation import (
    Emulated,
    Faults,
    LinkEnd,
    SessionEnd,
    Surroundings,
)
from fabric.platforms.facts import InterfaceFacts
from fabric.platforms.junos.emulator.database import Database, Entry
from fabric.platforms.junos.emulator.judge import loaded
from fabric.platforms.junos.emulator.netconf import NetconfChannel
from fabric.platforms.junos.emulator.view import Peer, View, view
from fabric.platforms.sha512crypt import sha512_crypt

RELEASE = "24.4R1-EVO"
"""Emulated where the intent names none."""
MANAGEMENT = "re0:mgmt-0"
FIRST_SESSION = 1001
SALT = "sandbox"


class BgpState(msgspec.Struct, frozen=True, kw_only=True):
    """How a neighbour is doing."""

    peer: Peer
    ours: SessionEnd
    address: str
    live: LiveSession | None
    """None: the session is down."""

    @property
    def port(self) -> str:
        """Over which it is reached, as far as that is known."""
        return self.live.port if self.live is not None else self.peer.port


class JunosSwitch:
    """A switch: what it runs, what it sees of its neighbours."""

    def __init__(self, spec: Emulated, surroundings: Surroundings) -> None:
        self.name, self.hardware = spec.name, spec.hardware
        self.release = spec.release or RELEASE
        self.faults = Faults()
        self._spec, self._around = spec, surroundings
        self.neighbors = Neighbors(self, spec.name, surroundings)
        self.counters = Counters(self.neighbors, self.faults, surroundings)
        digest = hashlib.sha256(spec.name.encode()).hexdigest()
        self.serial = spec.serial or f"EMU{digest[:8].upper()}"
        self._mac = [2, *(int(digest[i : i + 2], 16) for i in range(0, 10, 2))]
        self.booted_at = surroundings.now()
        text = loaded(spec.config or factory(spec))
        boot = Entry(text=text, at_s=surroundings.now())
        self.database = Database(self.now, surroundings.later, self.faults, [boot])
        self._management = set(view(text).ports.get(management_port(spec), InterfaceFacts()).addresses)
        self._channels: dict[int, NetconfChannel] = {}
        self.neighbors.configure(self._own_sessions())
        self.database.changed = self._reconfigured

    def now(self) -> float:
        """Its clock: seconds since the epoch."""
        return self._around.now() + self.faults.clock_jump_s

    def view(self) -> View:
        """What runs, understood."""
        return view(self.database.running)

    def running_config(self) -> str:
        """The running configuration, without the comment above it."""
        return self.database.running

    def drift(self, lines: tuple[str, ...]) -> None:
        """Somebody commits these statements, in braces, on the console."""
        self.database.type_in("\n".join(lines))

    def edit(self, lines: tuple[str, ...], user: str = "root") -> None:
        """Somebody types these statements on a terminal and does not commit them."""
        self.database.leave_edited("\n".join(lines), user)

    def reboot(self) -> None:
        """All sessions end."""
        for channel in list(self._channels.values()):
            channel.hang_up()
        self.neighbors.forget()
        self.counters.clear()
        self.database.reboot()
        self.booted_at = self.now()
        self._around.restarts(self.name)

    def kill(self, session: int) -> bool:
        """End a session for somebody else; False if there is none."""
        channel = self._channels.get(session)
        if channel is None:
            return False
        self.database.kill(session)
        channel.hang_up()
        return True

    def link_end(self, port: str) -> LinkEnd | None:
        """Our end of a link."""
        seen = self.view()
        facts = seen.ports.get(port)
        if facts is None:
            return None
        return LinkEnd(
            enabled=facts.enabled and not self.counters.fault(port).down,
            speed_mbps=facts.speed_mbps,
            addresses=tuple(ip_interface(address) for address in facts.addresses),
            link_local=self._link_local(port) if facts.link_local else None,
            ip_mtu_bytes=facts.ip_mtu_bytes or 1500,
            vrf=facts.vrf,
            lldp_transmit=seen.has_lldp,
            lldp_receive=seen.has_lldp,
            system=seen.hostname,
            port=port,
        )

    def _link_local(self, port: str) -> str:
        """EUI-64 of a MAC address, which differs from port to port."""
        mac = [*self._mac[:5], hashlib.sha256(port.encode()).digest()[0]]
        halves = [mac[0] ^ 2, *mac[1:3], 0xFF, 0xFE, *mac[3:]]
        groups = (f"{halves[i] << 8 | halves[i + 1]:x}" for i in range(0, 8, 2))
        return str(ip_address(f"fe80::{':'.join(groups)}"))

    def link_is_up(self, port: str) -> bool:
        """Whether a port has carrier; what has no cable (loopback, management) follows its `disable`."""
        ours = self.link_end(port)
        if ours is None:
            return False
        return self.neighbors.has_carrier(port) if port.startswith("et-") else ours.enabled

    def look(self, port: str = "") -> None:
        """What is at the other end of a port, or of any, has changed."""
        self.counters.count([port] if port else self.neighbors.wired)
        self.neighbors.look(port)

    def _reconfigured(self, before: str) -> None:
        """Another configuration runs. Most changes are such that no neighbour could notice."""
        old, new = view(before), self.view()
        if old.noticed != new.noticed:
            self.counters.count(self.neighbors.wired)
            self.neighbors.configure(self._own_sessions())
            self.neighbors.look()
            self._around.changed(self.name)

    def lldp(self) -> list[Heard]:
        """Each neighbour that we hear."""
        return self.neighbors.lldp()

    def _own_sessions(self) -> Iterator[OwnSession]:
        for peer in self.view().peers:
            ports = (peer.port,) if peer.port else self._ports_towards(peer.address)
            yield OwnSession(key=peer.key, end=self._session_end(peer), address=peer.address, ports=ports)

    def bgp(self) -> list[BgpState]:
        """Every configured neighbour."""
        return [self._state(peer) for peer in self.view().peers]

    def _state(self, peer: Peer) -> BgpState:
        live = self.neighbors.session(peer.key)
        address = peer.address or (live.address if live else self.neighbors.address_at(peer.port)) or "fe80::"
        return BgpState(peer=peer, ours=self._session_end(peer), address=address, live=live)

    def _ports_towards(self, address: str) -> tuple[str, ...]:
        remote = ip_address(address)
        return tuple(
            name
            for name, facts in self.view().ports.items()
            if any(remote in ip_interface(own).network for own in facts.addresses)
        )

    def session_end(self, port: str, address: str) -> SessionEnd | None:
        """Our end of a session with `address`, or with whoever is at `port`."""
        for peer in self.view().peers:
            if (address and peer.address == address) or (not address and peer.port == port):
                return self._session_end(peer)
        return None

    def _session_end(self, peer: Peer) -> SessionEnd:
        seen = self.view()
        return SessionEnd(
            local_asn=seen.asn,
            remote_asn=peer.remote_asn,
            router_id=seen.router_id,
            families=peer.families,
            password=peer.password,
            shutdown=peer.shutdown,
            hold_s=peer.hold_s,
            bfd_s=peer.bfd_s,
            drained=seen.is_drained,
            prefixes=seen.prefixes,
        )


@lru_cache(maxsize=64)
def _hashed(password: str) -> str:
    return sha512_crypt(password, SALT)


def management_port(spec: Emulated) -> str:
    """The interface that we came by."""
    return spec.management_port or MANAGEMENT


def factory(spec: Emulated) -> str:
    """What provisioning leaves on a new switch: enough for NETCONF to answer."""
    instance = "management-instance;" if spec.management_vrf != "default" else ""
    family = "inet6" if ":" in spec.management else "inet"
    address = f"family {family} {{ address {spec.management}; }}" if spec.management else ""
    return f"""
system {{
    host-name {spec.name};
    root-authentication {{ encrypted-password "*"; }}
    login {{
        user {spec.username} {{
            class super-user;
            authentication {{ encrypted-password "{_hashed(spec.password)}"; }}
        }}
    }}
    services {{ ssh; netconf {{ ssh; }} }}
    {instance}
}}
interfaces {{ {management_port(spec)} {{ unit 0 {{ {address} }} }} }}
"""
