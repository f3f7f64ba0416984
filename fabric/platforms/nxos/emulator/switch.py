"""One emulated NX-OS switch: what it runs, what is on bootflash, and what it sees of its neighbours."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, MutableMapping
from datetime import UTC, datetime
from ipaddress import ip_address

import msgspec

from fabric.configuration.tree import Node
from fabric.platforms.emulated_counters import Counters
from fabric.platforms.emulated_neighbors import LiveSession, Neighbors, OwnSession
from fabric.platforms.emulation import Emulated, Faults, LineRefused, LinkEnd, SessionEnd, Surroundings
from fabric.platforms.nxos.dialect import DIALECT
from fabric.platforms.nxos.emulator.factory import RELEASE, with_own
from fabric.platforms.nxos.emulator.flash import ScpFiles
from fabric.platforms.nxos.emulator.judge import COLUMN, refused, typed
from fabric.platforms.nxos.emulator.view import Peer, View, ports_towards, view

HEADER = "\n!Command: show running-config\n!Running configuration last done at: {changed}\n!Time: {now}\n\n"
MOMENT = "%a %b %d %H:%M:%S %Y"


class BgpState(msgspec.Struct, frozen=True, kw_only=True):
    """How a neighbour is doing."""

    peer: Peer
    ours: SessionEnd
    live: LiveSession | None
    """None: the session is down."""


class NxosSwitch:
    """A switch: configuration, bootflash, neighbours."""

    def __init__(self, spec: Emulated, surroundings: Surroundings) -> None:
        self.name, self.hardware = spec.name, spec.hardware
        self.release = spec.release or RELEASE
        self.faults = Faults()
        self.spec, self.around = spec, surroundings
        digest = hashlib.sha256(spec.name.encode()).hexdigest()
        self.serial = spec.serial or f"EMU{digest[:8].upper()}"
        self._mac = [2, *(int(digest[i : i + 2], 16) for i in range(0, 10, 2))]
        self.booted_at = self.changed_at = surroundings.now()
        self.flash: dict[str, bytes] = {}
        self.files: MutableMapping[str, bytes] = ScpFiles(
            self.flash, lambda: "feature scp-server" in self.nodes
        )
        self.nodes = DIALECT.whole(with_own(spec, self.release))
        if lines := refused(self.nodes):
            raise LineRefused(f"{COLUMN}: {lines[0]}")
        self.startup = self.text
        self._seen: View | None = None
        self._management = self._management_addresses()
        self.neighbors = Neighbors(self, spec.name, surroundings)
        self.counters = Counters(self.neighbors, self.faults, surroundings)
        self.neighbors.configure(self._own_sessions())

    @property
    def text(self) -> str:
        """What runs, from `version` on."""
        return DIALECT.written(self.nodes.values())

    def time(self, seconds: float | None = None) -> str:
        """A moment by the switch's clock; now if none is given."""
        moment = self.around.now() if seconds is None else seconds
        return datetime.fromtimestamp(moment + self.faults.clock_jump_s, UTC).strftime(MOMENT)

    @property
    def uptime_s(self) -> float:
        """Since it was switched on."""
        return max(0.0, self.around.now() - self.booted_at)

    def running_config(self) -> str:
        """As `show running-config` prints it."""
        return HEADER.format(changed=self.time(self.changed_at), now=self.time()) + self.text

    def view(self) -> View:
        """What runs, understood."""
        if self._seen is None:
            self._seen = view(self.text, self.nodes)
        return self._seen

    def _management_addresses(self) -> set[str]:
        port = self.view().ports.get("mgmt0")
        return {str(address) for address in port.addresses} if port else set()

    @property
    def is_reachable(self) -> bool:
        """Whether it has the address still that we came by."""
        return not self._management or bool(self._management & self._management_addresses())

    def admits(self, username: str, password: str) -> bool:
        """A user of the configuration, or whom the TACACS+ server lets in: both know our account."""
        known = any(key.startswith(f"username {username} ") for key in self.nodes)
        asks = any(key.startswith("tacacs-server ") for key in self.nodes)
        ours = (username, password) == (self.spec.username, self.spec.password)
        return ours and (known or asks) and not self.faults.deny_login

    def runs(self, nodes: dict[str, Node]) -> None:
        """Run another configuration. Neighbours notice what they could."""
        self.counters.count(self.neighbors.wired)
        before = msgspec.json.encode(_plain(self.view()))
        self.nodes, self._seen, self.changed_at = nodes, None, self.around.now()
        if msgspec.json.encode(_plain(self.view())) != before:
            self.neighbors.configure(self._own_sessions())
            self.neighbors.look()
            self.around.changed(self.name)

    def drift(self, lines: tuple[str, ...]) -> None:
        """Somebody types these lines on the console, those of a section indented."""
        given = DIALECT.whole("".join(f"{line}\n" for line in lines))
        nodes = DIALECT.whole(self.text)
        typed(nodes, given)
        if problems := refused(nodes):
            raise LineRefused(f"{COLUMN}: {problems[0]}")
        self.runs(nodes)

    def restart(self) -> None:
        """Start again from the startup configuration."""
        self.booted_at = max(self.around.now(), self.booted_at + 1)  # no switch restarts twice in a second
        self.neighbors.forget()
        self.counters.clear()
        self.runs(DIALECT.whole(self.startup))
        self.around.restarts(self.name)

    def link_end(self, port: str) -> LinkEnd | None:
        """Our end of a link."""
        own = self.view().ports.get(port)
        if own is None:
            return None
        return LinkEnd(
            enabled=own.enabled and not self.counters.fault(port).down,
            speed_mbps=own.speed_mbps,
            addresses=own.addresses,
            link_local=self._link_local(port) if own.link_local else None,
            ip_mtu_bytes=own.mtu_bytes,
            vrf=own.vrf,
            lldp_transmit=self.view().has_lldp,
            lldp_receive=self.view().has_lldp,
            system=self.view().hostname,
            port=port,
        )

    def _link_local(self, port: str) -> str:
        """EUI-64 of a MAC address, which differs from port to port."""
        mac = [*self._mac[:5], hashlib.sha256(port.encode()).digest()[0]]
        halves = [mac[0] ^ 2, *mac[1:3], 0xFF, 0xFE, *mac[3:]]
        groups = (f"{halves[i] << 8 | halves[i + 1]:x}" for i in range(0, 8, 2))
        return str(ip_address(f"fe80::{':'.join(groups)}"))

    def look(self, port: str = "") -> None:
        """What is at the other end of a port, or of any, has changed."""
        self.counters.count([port] if port else self.neighbors.wired)
        self.neighbors.look(port)

    def _own_sessions(self) -> Iterator[OwnSession]:
        for peer in self.view().peers:
            address = "" if peer.is_port else peer.name
            ports = (peer.name,) if peer.is_port else ports_towards(self.view().ports, peer.name)
            yield OwnSession(key=peer.name, end=self._session_end(peer), address=address, ports=ports)

    def bgp(self) -> list[BgpState]:
        """Every configured neighbour."""
        return [
            BgpState(peer=peer, ours=self._session_end(peer), live=self.neighbors.session(peer.name))
            for peer in self.view().peers
        ]

    def session_end(self, port: str, address: str) -> SessionEnd | None:
        """Our end of a session with `address`, or with whoever is at `port`."""
        wanted = address or port
        return next((self._session_end(peer) for peer in self.view().peers if peer.name == wanted), None)

    def _session_end(self, peer: Peer) -> SessionEnd:
        seen = self.view()
        return SessionEnd(
            local_asn=seen.asn,
            remote_asn=((peer.remote_asn, peer.remote_asn),),
            router_id=seen.router_id,
            families=peer.families,
            password=peer.password,
            shutdown=peer.shutdown,
            hold_s=peer.hold_s,
            bfd_s=peer.bfd_s,
            drained=seen.drained,
            prefixes=seen.prefixes,
        )


def _plain(seen: View) -> object:
    """What a neighbour could notice, as one value."""
    return json.loads(json.dumps(msgspec.structs.asdict(seen), default=_text, sort_keys=True))


def _text(value: object) -> object:
    if isinstance(value, msgspec.Struct):
        return msgspec.structs.asdict(value)
    return sorted(map(str, value)) if isinstance(value, frozenset) else str(value)
