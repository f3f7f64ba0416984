"""What the readers of the files gather before it becomes facts."""

from __future__ import annotations

import re

import msgspec

from fabric.platforms.base import ClassFacts, Facts, InterfaceFacts
from fabric.platforms.reading import ADDRESS, Port
from fabric.platforms.routing.vtysh_lines import RoutingState

QUEUES = 8
QUANTUM_BYTES = 1000
"""A percent of the link in the quanta that we write."""
ASKS_POLICY = "no bgp ebgp-requires-policy"
"""What the profile `datacenter` has anyway."""
TIMERS = re.compile(r"timers bgp (\d+) (\d+)")
ANNOUNCED = re.compile(r"^(?:bgp|aggregate-address|redistribute) ")


class Interface(Port):
    """A stanza, as far as it was read."""

    access: int | None = None
    """The VLAN of a port of hosts that send no tags."""
    vids: str = ""
    """The VLANs of a bridge, or of a port of hosts that send tags."""
    number: int | None = None
    """The VLAN of a gateway."""
    gateway: str = ""
    """Next hop of the default route."""

    def facts(self) -> InterfaceFacts:
        """In neutral words."""
        untagged = self.number if self.access is None else self.access
        tagged = int(self.vids) if self.vids.isdecimal() else None
        return msgspec.structs.replace(super().facts(), vlan=tagged if self.tagged else untagged)


class Shape(msgspec.Struct):
    """A function of the script: the queues of ports."""

    strict: int = 0
    quanta: tuple[int, ...] = ()
    priomap: tuple[int, ...] = ()
    dscp: dict[int, int] = msgspec.field(default_factory=dict)
    lossless: list[int] = msgspec.field(default_factory=list)
    buffers: dict[int, int] = msgspec.field(default_factory=dict)
    ecn: dict[int, tuple[int, int, int]] = msgspec.field(default_factory=dict)
    limits: dict[int, int] = msgspec.field(default_factory=dict)
    """Queue to Mb/s."""

    def queues(self) -> dict[int, int]:
        """Traffic class, which is the kernel's priority, to queue; only those that something maps to."""
        used = sorted({*self.dscp.values(), *self.lossless})
        return {n: QUEUES - 1 - self.priomap[n] for n in used if n < len(self.priomap)}

    def facts(self) -> dict[int, ClassFacts]:
        """By queue."""
        queues = self.queues()
        paused = {queues[p]: p for p in reversed(self.lossless) if p in queues}
        return {queue: self._class(queue, paused.get(queue)) for queue in sorted(set(queues.values()))}

    def _class(self, queue: int, paused: int | None) -> ClassFacts:
        band = QUEUES - 1 - queue
        at = band - self.strict
        return ClassFacts(
            priority=paused,
            strict=band < self.strict,
            max_rate_mbps=self.limits.get(queue),
            share_percent=self.quanta[at] // QUANTUM_BYTES if 0 <= at < len(self.quanta) else None,
            ecn=self.ecn.get(queue),
            headroom_bytes=None if paused is None else self.buffers.get(paused),
        )


class FrrState(RoutingState):
    """All files, as far as they were read."""

    interfaces: dict[str, Interface] = msgspec.field(default_factory=dict)
    shapes: dict[str, Shape] = msgspec.field(default_factory=dict)
    queued: dict[str, str] = msgspec.field(default_factory=dict)
    """Port to the name of its shape."""

    def facts(self) -> Facts:
        """In neutral words."""
        known = next(iter(self.shapes.values()), Shape())
        for section, lines in (
            ("bgp", self._router()),
            *self.bfd.items(),
            ("static routes", self.static_routes),
            ("gateways", self._gateways()),
        ):
            self.services.setdefault(section, []).extend(lines)
        return msgspec.structs.replace(
            super().facts(),
            interfaces={name: self._interface(name, port) for name, port in self.interfaces.items()},
            dscp_to_traffic_class=dict(sorted(known.dscp.items())),
            traffic_class_to_queue=known.queues(),
            profiles={name: shape.facts() for name, shape in self.shapes.items()},
            services={name: "\n".join(sorted(lines)) for name, lines in self.services.items() if lines},
        )

    def _gateways(self) -> list[str]:
        return [f"{name} {port.gateway}" for name, port in self.interfaces.items() if port.gateway]

    def _interface(self, name: str, port: Interface) -> InterfaceFacts:
        """A session over an interface has the interface's name, and runs over link-local addresses."""
        link_local = name in self.peers and not ADDRESS.fullmatch(name)
        return msgspec.structs.replace(port.facts(), link_local=link_local, queueing=self.queued.get(name))

    def _router(self) -> list[str]:
        """What `router bgp` says of no neighbour."""
        lines = ((family, line) for family, line in self.router if line != ASKS_POLICY)
        return [f"{family} {_short(line)}".lstrip() for family, line in lines]


def _short(line: str) -> str:
    return TIMERS.sub(r"keepalive \1 hold \2", ANNOUNCED.sub("", line))
