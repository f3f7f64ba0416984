"""What an emulated device sees over its cables: carrier, LLDP, BGP sessions, each computed from its two ends.

Links fail at once. A session falls at once where the device itself knows the cause (its port lost carrier, its own
configuration has changed), else when its hold time is over, or BFD's detection time; a neighbour of LLDP when its
time to live is. So a device must hear of each change: `look`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from ipaddress import ip_address
from typing import Protocol

import msgspec

from fabric.platforms.emulated_ends import HOST, LinkEnd, SessionEnd, link_fault, session_fault
from fabric.platforms.emulation import Emulator, Surroundings, Wire
from fabric.platforms.routing.emulated_routes import Edge

MINIMUM_MTU_BYTES = 576
"""A link below cannot carry BGP (RFC 1122, section 3.3.3). Above, TCP settles on what both ends can: two ends of
different MTU lose large packets of the hosts, not their session."""
OFF = LinkEnd(enabled=False)
"""The end at a device that restarts just now."""
FOREVER = float("inf")


class Heard(msgspec.Struct, frozen=True):
    """A neighbour of LLDP."""

    port: str
    """Ours."""
    system: str
    peer_port: str
    ttl_s: float


class OwnSession(msgspec.Struct, frozen=True, kw_only=True):
    """A session that a device is configured for."""

    key: str
    """Identifies it on the device."""
    end: SessionEnd
    vrf: str = "default"
    address: str = ""
    """Of the neighbour; empty: whoever is at the port."""
    ports: tuple[str, ...]
    """Over which of ours it can be reached."""


class LiveSession(msgspec.Struct, frozen=True, kw_only=True):
    """A session that is up, or that the device still takes for it."""

    port: str
    address: str
    """Of the neighbour."""
    theirs: SessionEnd
    hold_s: float
    """As negotiated; infinite: never ends by time."""
    since_s: float


class _Known:
    """What was up when last looked at, and what our own part of it was."""

    def __init__(self, live: LiveSession, part: object) -> None:
        self.live, self.part = live, part
        self.ends_s = FOREVER


class HasLinks(Protocol):
    """What is asked of the device itself."""

    def link_end(self, port: str) -> LinkEnd | None:
        """As `Emulator.link_end`."""


class Neighbors:
    """The neighbours of one device."""

    def __init__(self, device: HasLinks, name: str, around: Surroundings) -> None:
        self._device, self._name, self._around = device, name, around
        self._own: dict[str, OwnSession] = {}
        self._up: dict[str, _Known] = {}
        self._heard: dict[str, tuple[Heard, float]] = {}

    @property
    def _wires(self) -> Mapping[str, Wire]:
        return self._around.wires(self._name)

    @property
    def wired(self) -> tuple[str, ...]:
        """Our ports with a cable, as things are now."""
        return tuple(self._wires)

    def forget(self) -> None:
        """The device restarts."""
        self._up.clear()
        self._heard.clear()

    def far_end(self, port: str) -> LinkEnd | None:
        """The other end of a link: a device of the sandbox as configured, or a host; None without a cable."""
        wire = self._wires.get(port)
        if wire is None:
            return None
        peer = self._around.peer(wire.peer)
        if peer is None:
            return HOST
        return peer.link_end(wire.peer_port) if self._around.is_up(wire.peer) else OFF

    def peer(self, port: str) -> Emulator | None:
        """The device at the other end of a cable; None if it leads out of the sandbox."""
        wire = self._wires.get(port)
        return self._around.peer(wire.peer) if wire else None

    def has_carrier(self, port: str) -> bool:
        """Whether the link at a port is up."""
        ours, theirs = self._device.link_end(port), self.far_end(port)
        return ours is not None and theirs is not None and not link_fault(ours, theirs)

    def configure(self, own: Iterable[OwnSession]) -> None:
        """The sessions that our configuration has from now on."""
        self._own = {session.key: session for session in own}
        self._up = {key: known for key, known in self._up.items() if key in self._own}

    def look(self, port: str = "") -> None:
        """Something has changed at a port, or anywhere: from now on time counts for what it has ended."""
        for session in self._own.values():
            if not port or port in session.ports:
                self.session(session.key)
        for name in [port] if port else self._wires:
            self._listen(name)

    def session(self, key: str) -> LiveSession | None:
        """How a session of ours is doing; None if it is down, or is not ours."""
        own, known = self._own.get(key), self._up.get(key)
        if own is None:
            return None
        live = self._established(own, known.live.since_s if known else self._around.now())
        if live is not None:
            self._up[key] = _Known(live, self._part(own, live.port))
            return live
        if known is None:
            return None
        if not self.has_carrier(known.live.port) or known.part != self._part(own, known.live.port):
            del self._up[key]
            return None
        known.ends_s = min(known.ends_s, self._around.now() + known.live.hold_s)
        if self._around.now() < known.ends_s:
            return known.live
        del self._up[key]
        return None

    def edges(self, vrf: str = "default") -> Iterator[Edge]:
        """Each session of a VRF that is up."""
        for own in self._own.values():
            live = self.session(own.key) if own.vrf == vrf else None
            if live is not None:
                is_frozen = self._up[own.key].ends_s < FOREVER
                yield Edge(own.key, own.end, live.theirs, self._wires[live.port].peer, is_frozen)

    def next_end_s(self) -> float:
        """When the next session ends by time, if nothing changes."""
        return min((known.ends_s for known in self._up.values()), default=FOREVER)

    def sessions_at(self, port: str) -> list[tuple[OwnSession, LiveSession | None]]:
        """The sessions that can use a port, and how they are doing."""
        return [(own, self.session(own.key)) for own in self._own.values() if port in own.ports]

    def _part(self, own: OwnSession, port: str) -> object:
        """Of what makes a session, what our own device knows. Policies change without harm."""
        link = self._device.link_end(port)
        place = (link.addresses, link.link_local, link.vrf) if link else None
        return (
            msgspec.structs.replace(own.end, prefixes=(0, 0), drained=False, imports=None, exports=None),
            own.address,
            own.vrf,
            place,
        )

    def _established(self, own: OwnSession, since_s: float) -> LiveSession | None:
        """The session as its two ends make it now."""
        for port, theirs, address in self._reached(own):
            if theirs is not None and not session_fault(own.end, theirs):
                return LiveSession(
                    port=port,
                    address=address,
                    theirs=theirs,
                    hold_s=_hold_s(own.end, theirs),
                    since_s=since_s,
                )
        return None

    def _reached(self, own: OwnSession) -> Iterator[tuple[str, SessionEnd | None, str]]:
        """Ports over which the neighbour answers, its end of the session, and its address."""
        for port in own.ports:
            ours, theirs, wire = self._device.link_end(port), self.far_end(port), self._wires.get(port)
            peer = self._around.peer(wire.peer) if wire else None
            if ours is None or theirs is None or wire is None or peer is None or link_fault(ours, theirs):
                continue
            source = meeting(ours, theirs, own.vrf, own.address)
            if source is not None:
                end = peer.session_end(wire.peer_port, source if own.address else "")
                yield port, end, own.address or theirs.link_local or ""

    def address_at(self, port: str) -> str:
        """Link-local address of who is at a port; empty if nobody is heard there."""
        theirs = self.far_end(port)
        return (theirs.link_local or "") if theirs is not None and self.has_carrier(port) else ""

    def lldp(self) -> list[Heard]:
        """Everyone who is heard, or was until lately."""
        return [heard for heard in map(self._listen, self._wires) if heard is not None]

    def _listen(self, port: str) -> Heard | None:
        ours, theirs, wire = self._device.link_end(port), self.far_end(port), self._wires.get(port)
        now = self._around.now()
        if ours is None or wire is None or not ours.lldp_receive:
            self._heard.pop(port, None)
            return None
        if theirs is not None and not link_fault(ours, theirs) and theirs.lldp_transmit:
            heard = Heard(port, theirs.system or wire.peer, theirs.port or wire.peer_port, theirs.lldp_ttl_s)
            self._heard[port] = heard, FOREVER
            return heard
        if port not in self._heard:
            return None
        heard, ends_s = self._heard[port]
        ends_s = min(ends_s, now + heard.ttl_s)
        self._heard[port] = heard, ends_s
        if now < ends_s:
            return heard
        del self._heard[port]
        return None


def meeting(ours: LinkEnd, theirs: LinkEnd, vrf: str, address: str) -> str | None:
    """Our address in a session over this link; None if the neighbour is not at its other end."""
    if vrf != ours.vrf or min(ours.ip_mtu_bytes, theirs.ip_mtu_bytes) < MINIMUM_MTU_BYTES:
        return None
    if not address:
        return ours.link_local if theirs.link_local else None
    remote = ip_address(address)
    for mine in ours.addresses:
        if any(a.ip == remote and a.network == mine.network for a in theirs.addresses):
            return str(mine.ip)
    return None


def _hold_s(ours: SessionEnd, theirs: SessionEnd) -> float:
    """How long a session lives without a sign of life: the shorter hold time (RFC 4271, 4.2), or BFD's."""
    hold_s = min(ours.hold_s, theirs.hold_s) or FOREVER
    if ours.bfd_s is None or theirs.bfd_s is None:
        return hold_s
    return min(hold_s, max(ours.bfd_s, theirs.bfd_s))
