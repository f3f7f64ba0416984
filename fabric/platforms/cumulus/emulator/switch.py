"""One emulated switch: its configuration, and what it is to those at the other ends of its cables."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from ipaddress import ip_address
from typing import Any

from fabric.configuration import Unreadable
from fabric.platforms.cumulus.emulator.errors import RestError
from fabric.platforms.cumulus.emulator.factory import factory
from fabric.platforms.cumulus.emulator.judge import invalid, refused
from fabric.platforms.cumulus.emulator.store import Store
from fabric.platforms.cumulus.emulator.view import Instance, Peer, Port, View, is_on, ports_towards, view
from fabric.platforms.cumulus.session_documents import below, merge, nested, text_of, tree_of
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

Tree = dict[str, Any]
RELEASE = "5.16.1"
"""Emulated where the intent names none."""
FACTORY_USER = "cumulus"
SHORTEST_LINE = 3
"""Words: a path has at least two."""


class CumulusSwitch:
    """A switch of which the REST API is the door (`server`)."""

    transports: tuple[Transport, ...] = ("https",)

    def __init__(self, spec: Emulated, surroundings: Surroundings) -> None:
        self.name = spec.name
        self.hardware = spec.hardware
        self.release = spec.release or RELEASE
        self.faults = Faults()
        self._around = surroundings
        self.neighbors = Neighbors(self, spec.name, surroundings)
        self.counters = Counters(self.neighbors, self.faults, surroundings)
        digest = hashlib.sha256(spec.name.encode()).hexdigest()
        self.serial = spec.serial or f"EMU{digest[:8].upper()}"
        self.mac = ":".join(["02", *(digest[i : i + 2] for i in range(0, 10, 2))])
        self.booted_at = surroundings.now()
        self.refuse, self.find_invalid = refused, invalid
        """What is wrong with a configuration: by the tables, or by what a test puts in their place."""
        boot = _loaded(spec.config) if spec.config else factory(spec)
        self.store = Store(
            boot,
            boot,
            surroundings.later,
            self.faults,
            self._refused,
            self._invalid,
        )
        self._credentials = spec.username, spec.password
        self._address = _management(boot)
        self._viewed: tuple[Tree, View] | None = None
        if problems := refused(boot) or invalid(boot):
            raise LineRefused("; ".join(problems))
        self.neighbors.configure(self._own_sessions())
        self.store.changed = self._reconfigured

    def _refused(self, tree: Tree) -> tuple[str, ...]:
        return self.refuse(tree)

    def _invalid(self, tree: Tree) -> tuple[str, ...]:
        """What an apply refuses; an account that is logged in cannot be deleted."""
        user = self._credentials[0]
        is_local = user in below(self.store.running, "system", "aaa", "user")
        gone = is_local and user not in below(tree, "system", "aaa", "user")
        return (*self.find_invalid(tree), *((f"user {user} is logged in",) if gone else ()))

    def _reconfigured(self) -> None:
        self.neighbors.configure(self._own_sessions())
        self.look()
        self._around.changed(self.name)

    def _own_sessions(self) -> Iterator[OwnSession]:
        seen = self.view()
        for instance in seen.instances.values():
            for peer in instance.peers:
                ports = (peer.port,) if peer.port else ports_towards(seen.ports, peer.address)
                end = self._own_end(instance, peer)
                yield OwnSession(key=peer.key, end=end, vrf=peer.vrf, address=peer.address, ports=ports)

    def look(self, port: str = "") -> None:
        """What is at the other end of a port, or of any, has changed."""
        self.counters.count([port] if port else self.neighbors.wired)
        self.neighbors.look(port)

    def now(self) -> float:
        """Seconds since the epoch, by the switch's clock."""
        return self._around.now() + self.faults.clock_jump_s

    def uptime_s(self) -> int:
        """Seconds since it started: a clock that jumps does not move it."""
        return int(self._around.now() - self.booted_at)

    def view(self) -> View:
        """The running configuration, understood."""
        if self._viewed is None or self._viewed[0] is not self.store.running:
            self._viewed = (self.store.running, view(self.store.running))
        return self._viewed[1]

    def listens(self, transport: Transport) -> bool:
        """Whether the REST API still listens at the address that we came by."""
        running = self.store.running
        if transport != "https" or (self._address and not self._address & _management(running)):
            return False
        api = below(running, "system", "api")
        named = set(below(api, "listening-address"))
        return is_on(api, otherwise=True) and (not named or not self._address or bool(named & self._address))

    def admits(self, user: str, password: str) -> bool:
        """Whether a login succeeds: our account is a local one still, or the sandbox's TACACS+ server is asked."""
        aaa = below(self.store.running, "system", "aaa")
        methods = below(aaa, "authentication-order").values()
        is_known = user in below(aaa, "user") or user == FACTORY_USER or "tacacs" in methods
        return (user, password) == self._credentials and is_known

    def running_config(self) -> str:
        """The running configuration as a file."""
        return text_of(self.store.running)

    def drift(self, lines: tuple[str, ...]) -> None:
        """Somebody sets these values: paths in words, `system message pre-login` and so on, the last the value."""
        tree = tree_of(text_of(self.store.running)) if self.store.running else {}
        for line in lines:
            path = tuple(line.split())
            if len(path) < SHORTEST_LINE:
                raise LineRefused(f"{line!r} is not a setting: write a path and its value")
            merge(tree, nested(path[:-1], path[-1]))
        if problems := self.refuse(tree) or self._invalid(tree):
            raise LineRefused("; ".join(problems))
        self._apply_typed(tree)

    def _apply_typed(self, tree: Tree) -> None:
        number = self.store.new()
        try:
            self.store.change(number, tree)
            self.store.apply(number, None, answers=True)
        except RestError as error:
            raise LineRefused(error.detail) from None

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
        return None if known is None else self._link_end(known, seen)

    def _link_end(self, port: Port, seen: View) -> LinkEnd:
        return LinkEnd(
            enabled=port.enabled and not self.counters.fault(port.name).down,
            speed_mbps=port.speed_mbps,
            addresses=port.addresses,
            link_local=self.link_local(),
            ip_mtu_bytes=port.mtu_bytes,
            vrf=port.vrf,
            lldp_transmit=seen.lldp,
            lldp_receive=seen.lldp,
            system=seen.hostname,
            port=port.name,
        )

    def link_local(self) -> str:
        """EUI-64 of the switch's MAC address: the same on every port."""
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
                    return self._own_end(instance, peer)
        return None

    def _own_end(self, instance: Instance, peer: Peer) -> SessionEnd:
        return SessionEnd(
            local_asn=instance.asn,
            remote_asn=peer.remote_asn,
            router_id=instance.router_id,
            families=peer.families,
            password=peer.password,
            shutdown=peer.shutdown,
            hold_s=peer.hold_s,
            bfd_s=peer.bfd_s,
            drained=instance.drained,
            prefixes=instance.originated,
        )


def _loaded(text: str) -> Tree:
    try:
        return tree_of(text)
    except Unreadable as error:
        raise LineRefused(str(error)) from None


def _management(tree: Tree) -> frozenset[str]:
    """Addresses of eth0."""
    eth0 = below(tree, "interface", "eth0")
    return frozenset(
        address.partition("/")[0]
        for family in ("ip", "ipv4", "ipv6")
        for address in below(eth0, family, "address")
        if "/" in address
    )
