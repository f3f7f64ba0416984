"""One emulated SONiC switch: what it runs, what is on its disk, and what it sees of its neighbours."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from ipaddress import ip_address

import msgspec

from fabric.platforms.emulated_counters import Counters
from fabric.platforms.emulated_neighbors import LiveSession, Neighbors, OwnSession
from fabric.platforms.emulation import Emulated, Faults, LineRefused, LinkEnd, SessionEnd, Surroundings
from fabric.platforms.sonic.agent import database, routing
from fabric.platforms.sonic.agent.tables import Tables, parsed, printed
from fabric.platforms.sonic.emulator.factory import factory
from fabric.platforms.sonic.emulator.frr import Frr
from fabric.platforms.sonic.emulator.judge import judged
from fabric.platforms.sonic.emulator.view import Peer, View, ports_towards, view
from fabric.platforms.sonic.secrets import FRR, JSON
from fabric.platforms.texts import PART, split_parts

RELEASE = "202511"
"""Emulated where the intent names none."""
VERSION_FILE = "/etc/sonic/sonic_version.yml"


class BgpState(msgspec.Struct, frozen=True, kw_only=True):
    """How a neighbour is doing."""

    peer: Peer
    ours: SessionEnd
    address: str
    live: LiveSession | None
    """None: the session is down."""


class SonicSwitch:
    """A switch: CONFIG_DB, FRR, disk, neighbours."""

    def __init__(self, spec: Emulated, surroundings: Surroundings) -> None:
        self.name, self.hardware = spec.name, spec.hardware
        self.release = spec.release or RELEASE
        self.faults = Faults()
        self.spec, self.around = spec, surroundings
        digest = hashlib.sha256(spec.name.encode()).hexdigest()
        self.serial = spec.serial or f"EMU{digest[:8].upper()}"
        self._mac = [2, *(int(digest[i : i + 2], 16) for i in range(0, 10, 2))]
        self.boots, self.booted_at = 1, surroundings.now()
        self.disk: dict[str, str] = {VERSION_FILE: f"build_version: '{self.release}.0'\nasic_type: vs\n"}
        self.log: list[str] = []
        parts = split_parts(spec.config) if spec.config else {JSON: printed(factory(spec))}
        self.tables: Tables = parsed(parts[JSON])
        self.frr = Frr(parts.get(FRR, ""))
        if problems := (*judged(self.tables), *self.frr.complaints):
            raise LineRefused(problems[0])
        self.disk[database.FILE] = printed(self.tables)
        if FRR in parts:
            self.disk[routing.FILE] = parts[FRR]
        self._management = self._management_addresses()
        self._seen: View | None = None
        self.neighbors = Neighbors(self, spec.name, surroundings)
        self.counters = Counters(self.neighbors, self.faults, surroundings)
        self.neighbors.configure(self._own_sessions())

    @property
    def uptime_s(self) -> float:
        """Since it was switched on."""
        return self.around.now() - self.booted_at

    def _management_addresses(self) -> set[str]:
        return {key.partition("|")[2] for key in self.tables.get("MGMT_INTERFACE", {}) if "|" in key}

    @property
    def is_reachable(self) -> bool:
        """Whether it has the address still that we came by."""
        return not self._management or bool(self._management & self._management_addresses())

    def view(self) -> View:
        """What runs, understood."""
        if self._seen is None:
            self._seen = view(self.tables, list(self.frr.lines))
        return self._seen

    def running_config(self) -> str:
        """Both files."""
        text = f"{PART}{JSON}\n{printed(self.tables)}"
        return text + f"{PART}{FRR}\n{self.frr.text}" if routing.is_ours(self.tables) else text

    def reconfigured(self, change: Callable[[], None]) -> None:
        """Change what runs. Neighbours notice what they could."""
        self.counters.count(self.neighbors.wired)
        before = msgspec.json.encode(_plain(self.view()))
        change()
        self._seen = None
        if msgspec.json.encode(_plain(self.view())) != before:
            self.neighbors.configure(self._own_sessions())
            self.neighbors.look()
            self.around.changed(self.name)

    def restart_services(self, tables: Tables) -> None:
        """`config reload`: CONFIG_DB is written anew, all ports go down, FRR starts from its file."""

        def change() -> None:
            self.tables = tables
            self.start_frr()

        self.reconfigured(change)
        self.neighbors.forget()
        self.around.changed(self.name)

    def start_frr(self) -> None:
        """Its container starts."""
        self.frr = Frr(self.disk.get(routing.FILE, "") if routing.is_ours(self.tables) else "")
        self._seen = None

    def frr_applies(self, text: str) -> list[str]:
        """Commands of FRR. What it says against them."""
        complaints: list[str] = []
        self.reconfigured(lambda: complaints.extend(self.frr.apply(text)))
        return complaints

    def link_end(self, port: str) -> LinkEnd | None:
        """Our end of a link. lldpmgrd names a port by its alias."""
        own = self.view().ports.get(port)
        if own is None:
            return None
        return LinkEnd(
            enabled=own.enabled and not self.counters.fault(port).down,
            speed_mbps=own.speed_mbps,
            addresses=own.addresses,
            link_local=self._link_local(port) if own.link_local else None,
            ip_mtu_bytes=own.mtu_bytes,
            system=self.view().hostname,
            port=own.alias or port,
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
        return [self._state(peer) for peer in self.view().peers]

    def _state(self, peer: Peer) -> BgpState:
        live = self.neighbors.session(peer.name)
        known = self.neighbors.address_at(peer.name) if peer.is_port else peer.name
        return BgpState(
            peer=peer, ours=self._session_end(peer), address=live.address if live else known, live=live
        )

    def session_end(self, port: str, address: str) -> SessionEnd | None:
        """Our end of a session with `address`, or with whoever is at `port`."""
        wanted = address or port
        return next((self._session_end(peer) for peer in self.view().peers if peer.name == wanted), None)

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
