"""One emulated SR Linux switch: its configuration, and what it is to those at the other ends of its cables."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from ipaddress import ip_address
from typing import Any

from fabric.configuration import Unreadable
from fabric.platforms.emulated_counters import Counters
from fabric.platforms.emulated_neighbors import Neighbors, OwnSession
from fabric.platforms.emulation import (
    Emulated,
    Faults,
    LineRefused,
    LinkEnd,
    SessionEnd,
    Surroundings,
    Transport,
)
from fabric.platforms.srlinux.documents import load
from fabric.platforms.srlinux.emulator.errors import RpcError
from fabric.platforms.srlinux.emulator.factory import factory
from fabric.platforms.srlinux.emulator.judge import judged
from fabric.platforms.srlinux.emulator.paths import at, changed, parsed
from fabric.platforms.srlinux.emulator.store import Store
from fabric.platforms.srlinux.emulator.view import Peer, Port, View, is_on, view
from fabric.platforms.srlinux.lower_access import BUILT_IN
from fabric.platforms.srlinux.names import MANAGEMENT
from fabric.platforms.srlinux.session_state import below, plain, rows

Tree = dict[str, Any]
RELEASE = "25.3.1"
"""Emulated where the intent names none."""
BUILD = "149-gd2f4e9a2b1"


class SrlinuxSwitch:
    """A switch of which JSON-RPC is the door (`server`)."""

    transports: tuple[Transport, ...] = ("https",)

    def __init__(self, spec: Emulated, surroundings: Surroundings) -> None:
        self.name = spec.name
        self.hardware = spec.hardware
        self.version = f"v{(spec.release or RELEASE).removeprefix('v')}-{BUILD}"
        self.faults = Faults()
        self._around = surroundings
        self.neighbors = Neighbors(self, spec.name, surroundings)
        self.counters = Counters(self.neighbors, self.faults, surroundings)
        digest = hashlib.sha256(spec.name.encode()).hexdigest()
        self.serial = spec.serial or f"EMU{digest[:8].upper()}"
        self.mac = ":".join(["02", *(digest[i : i + 2] for i in range(0, 10, 2))])
        self.booted_at = surroundings.now()
        self.judge: Callable[[Tree], tuple[str, ...]] = judged
        """What is wrong with a configuration: the dialect's table, or a test's models of the vendor."""
        boot = _loaded(spec.config) if spec.config else factory(spec)
        self.store = Store(boot, boot, self.now, surroundings.later, self.faults, self._complaints)
        self._credentials = spec.username, spec.password
        self._address = _management(boot)
        self._viewed: tuple[Tree, View] | None = None
        try:
            self.store.check(boot)
        except RpcError as error:
            raise LineRefused(str(error)) from None
        self.neighbors.configure(self._own_sessions())
        self.store.changed = self._reconfigured

    def _reconfigured(self) -> None:
        """Another configuration runs: we and our neighbours look at one another."""
        self.neighbors.configure(self._own_sessions())
        self.look()
        self._around.changed(self.name)

    def _own_sessions(self) -> Iterator[OwnSession]:
        seen = self.view()
        for instance in seen.instances.values():
            for peer in instance.peers:
                ports = (peer.port,) if peer.port else seen.ports_towards(peer.address)
                end = self._own_end(peer)
                yield OwnSession(key=peer.key, end=end, vrf=peer.instance, address=peer.address, ports=ports)

    def look(self, port: str = "") -> None:
        """What is at the other end of a port, or of any, has changed."""
        self.counters.count([port] if port else self.neighbors.wired)
        self.neighbors.look(port)

    def _complaints(self, tree: Tree) -> tuple[str, ...]:
        return self.judge(tree)

    def now(self) -> float:
        """Seconds since the epoch, by the device's clock."""
        return self._around.now() + self.faults.clock_jump_s

    def view(self) -> View:
        """The running configuration, understood."""
        if self._viewed is None or self._viewed[0] is not self.store.running:
            self._viewed = (self.store.running, view(self.store.running))
        return self._viewed[1]

    def listens(self, transport: Transport) -> bool:
        """Whether JSON-RPC answers."""
        return transport == "https" and self._reachable()

    def _reachable(self) -> bool:
        """Whether JSON-RPC still listens at the address that we came by."""
        running = self.store.running
        if self._address and not self._address & _management(running):
            return False
        server = below(plain(running), "system", "json-rpc-server")
        https = [below(entry, "https") for entry in rows(server, "network-instance")]
        return server.get("admin-state") == "enable" and any(
            entry.get("admin-state") == "enable" for entry in https
        )

    def admits(self, user: str, password: str) -> bool:
        """Whether a login succeeds: our account is a local one still, or the sandbox's TACACS+ server is asked."""
        if (user, password) != self._credentials:
            return False
        authentication = below(plain(self.store.running), "system", "aaa", "authentication")
        local = {*BUILT_IN, *(str(row.get("username")) for row in rows(authentication, "user"))}
        return user in local or "tacacs" in authentication.get("authentication-method", ())

    def running_config(self) -> str:
        """The running configuration as JSON-RPC gives it."""
        return json.dumps(self.store.running, indent=1)

    def drift(self, lines: tuple[str, ...]) -> None:
        """Somebody commits these lines on the console: `PATH VALUE`, or `delete PATH`."""
        tree = self.store.running
        try:
            for line in lines:
                path, _, value = line.partition(" ")
                words = ("delete", value, None) if path == "delete" else ("update", path, value)
                tree = changed(tree, *words)
            self.store.check(tree)
        except RpcError as error:
            raise LineRefused(str(error)) from None
        self.store.run(tree)

    def reboot(self) -> None:
        """Start again from the startup configuration."""
        self.neighbors.forget()
        self.counters.clear()
        self.store.reboot()
        self.booted_at = self.now()
        self._around.restarts(self.name)

    def link_end(self, port: str) -> LinkEnd | None:
        """Our end of a link."""
        seen = self.view()
        known = seen.ports.get(port)
        return None if known is None else self._link_end(known, seen)

    def _link_end(self, port: Port, seen: View) -> LinkEnd:
        return LinkEnd(
            enabled=port.enabled and not self.counters.fault(port.name).down,
            speed_mbps=port.speed_mbps,
            addresses=port.addresses,
            link_local=self.link_local() if port.ipv6 else None,
            ip_mtu_bytes=port.ip_mtu_bytes,
            vrf=port.instance or "default",
            lldp_transmit=seen.lldp,
            lldp_receive=seen.lldp,
            system=seen.hostname,
            port=port.name,
        )

    def link_local(self) -> str:
        """EUI-64 of the chassis's MAC address: the same on every port."""
        parts = [int(part, 16) for part in self.mac.split(":")]
        parts[0] ^= 2
        halves = [*parts[:3], 0xFF, 0xFE, *parts[3:]]
        groups = [f"{halves[i] << 8 | halves[i + 1]:x}" for i in range(0, 8, 2)]
        return str(ip_address(f"fe80::{':'.join(groups)}"))

    def session_end(self, port: str, address: str) -> SessionEnd | None:
        """Our end of a session with `address`, or with whoever is at `port`."""
        ours = self.link_end(port)
        for instance in self.view().instances.values():
            if ours is not None and instance.name != ours.vrf:
                continue
            for peer in instance.peers:
                if (address and peer.address == address) or (not address and peer.port == port):
                    return self._own_end(peer)
        return None

    def _own_end(self, peer: Peer) -> SessionEnd:
        """Our end of the session with a neighbour."""
        instance = self.view().instances[peer.instance]
        return SessionEnd(
            local_asn=instance.asn,
            remote_asn=peer.remote_asn,
            router_id=instance.router_id,
            families=peer.families,
            password=peer.password,
            shutdown=peer.shutdown,
            hold_s=peer.hold_s,
            bfd_s=peer.bfd_s,
            drained=peer.drained,
            prefixes=instance.originated,
        )


def _loaded(text: str) -> Tree:
    try:
        return load(text)
    except Unreadable as error:
        raise LineRefused(str(error)) from None


def _management(tree: Tree) -> frozenset[str]:
    """Addresses of a management port that is up."""
    port = at(plain(tree), parsed(f"/interface[name={MANAGEMENT}]"))
    if not port or not is_on(port):
        return frozenset()
    return frozenset(
        str(entry["ip-prefix"]).partition("/")[0]
        for inner in rows(port, "subinterface")
        for family in ("ipv4", "ipv6")
        for entry in rows(inner, family, "address")
    )
