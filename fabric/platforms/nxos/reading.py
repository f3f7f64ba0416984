"""What a reader of NX-OS gathers, line by line, before it becomes facts."""

from __future__ import annotations

import msgspec

from fabric.platforms.base import ClassFacts, Facts, InterfaceFacts, NeighborFacts
from fabric.platforms.nxos.names import breakout_speed

FIRST_VLAN = "1"
"""It is always there."""


class Port(msgspec.Struct):
    """An interface, as far as it was read."""

    enabled: bool = True
    description: str = ""
    ip_mtu_bytes: int | None = None
    addresses: list[str] = msgspec.field(default_factory=list)
    link_local: bool = False
    vrf: str = "default"
    vlan: int | None = None
    tagged: bool = False
    bond: int | None = None
    queueing: str | None = None
    speed_mbps: int | None = None
    notes: list[str] = msgspec.field(default_factory=list)
    """Lines that neutral facts have no word for: relays, advertisements, pausing."""


class Queue(msgspec.Struct):
    """A queue of a policy."""

    strict: bool = False
    share_percent: int = 0
    max_rate_mbps: int | None = None
    ecn: tuple[int, int, int] | None = None


class Peer(msgspec.Struct):
    """A neighbour or template."""

    remote_asn: int | None = None
    bfd: bool = False
    has_password: bool = False
    ttl_security: bool = False
    max_prefixes: int | None = None
    template: str = ""
    settings: list[str] = msgspec.field(default_factory=list)


class State(msgspec.Struct):
    """A configuration, as far as it was read."""

    hostname: str = ""
    asn: int | None = None
    router_id: str | None = None
    max_paths: int | None = None
    watchdog: bool = False
    ports: dict[str, Port] = msgspec.field(default_factory=dict)
    vlans: set[str] = msgspec.field(default_factory=set)
    breakouts: dict[str, str] = msgspec.field(default_factory=dict)
    points: dict[str, list[int]] = msgspec.field(default_factory=dict)
    """Class to its code points."""
    groups: dict[str, int] = msgspec.field(default_factory=dict)
    """Class to its qos-group."""
    paused: set[int] = msgspec.field(default_factory=set)
    profiles: dict[str, dict[int, Queue]] = msgspec.field(default_factory=dict)
    templates: dict[str, Peer] = msgspec.field(default_factory=dict)
    peers: dict[str, Peer] = msgspec.field(default_factory=dict)
    policies: dict[str, list[str]] = msgspec.field(default_factory=dict)
    services: dict[str, list[str]] = msgspec.field(default_factory=dict)

    def policy(self, name: str, text: str) -> None:
        """Note an entry of a route-map or a list."""
        self.policies.setdefault(name, []).append(text)

    def service(self, section: str, text: str) -> None:
        """Note a management setting."""
        self.services.setdefault(section, []).append(text)

    def facts(self) -> Facts:
        """In neutral words, templates resolved."""
        templates = {
            f"template {name}": "; ".join(sorted(one.settings)) for name, one in self.templates.items()
        }
        return Facts(
            hostname=self.hostname,
            asn=self.asn,
            router_id=self.router_id,
            max_paths=self.max_paths,
            interfaces={name: self._port(name, port) for name, port in self.ports.items()},
            neighbors={name: self._neighbor(peer) for name, peer in self.peers.items()},
            dscp_to_traffic_class=self._dscp(),
            traffic_class_to_queue={group: group for group in sorted(self.groups.values())},
            profiles={name: self._profile(queues) for name, queues in self.profiles.items()},
            watchdog=("drop", 0, 0, 0) if self.watchdog else None,
            policies={name: "; ".join(lines) for name, lines in self.policies.items()} | templates,
            services={name: "\n".join(sorted(lines)) for name, lines in self._noted().items()},
        )

    def _noted(self) -> dict[str, list[str]]:
        lines = [f"{name}: {line}" for name, port in self.ports.items() for line in port.notes]
        vlans = sorted(self.vlans - {FIRST_VLAN})
        return self.services | ({"interfaces": lines} if lines else {}) | ({"vlans": vlans} if vlans else {})

    def _port(self, name: str, port: Port) -> InterfaceFacts:
        cage = name.rpartition("/")[0]
        return InterfaceFacts(
            enabled=port.enabled,
            description=port.description,
            speed_mbps=breakout_speed(self.breakouts[cage]) if cage in self.breakouts else port.speed_mbps,
            ip_mtu_bytes=None if port.vlan else port.ip_mtu_bytes,
            addresses=tuple(port.addresses),
            link_local=port.link_local,
            vrf=port.vrf,
            vlan=port.vlan,
            tagged=port.tagged,
            bond=port.bond,
            queueing=port.queueing,
        )

    def _neighbor(self, peer: Peer) -> NeighborFacts:
        template = self.templates.get(peer.template, Peer())
        return NeighborFacts(
            remote_asn=peer.remote_asn if peer.remote_asn is not None else template.remote_asn,
            bfd=peer.bfd or template.bfd,
            has_password=peer.has_password or template.has_password,
            ttl_security=peer.ttl_security or template.ttl_security,
            max_prefixes=peer.max_prefixes or template.max_prefixes,
            policy=peer.template or "; ".join(sorted(peer.settings)),
        )

    def _dscp(self) -> dict[int, int]:
        default = self.groups.get("class-default")
        found = dict.fromkeys(range(64), default) if default is not None else {}
        for name, points in self.points.items():
            if name in self.groups:
                found.update(dict.fromkeys(points, self.groups[name]))
        return {point: group for point, group in sorted(found.items()) if group is not None}

    def _profile(self, queues: dict[int, Queue]) -> dict[int, ClassFacts]:
        """Only the queues that something is given to: the others are listed because all eight must be."""
        return {
            number: ClassFacts(
                priority=number if number in self.paused else None,
                strict=queue.strict,
                max_rate_mbps=queue.max_rate_mbps,
                share_percent=queue.share_percent or None,
                ecn=queue.ecn,
            )
            for number, queue in sorted(queues.items())
            if queue.strict or queue.share_percent or queue.ecn or number in self.paused
        }
