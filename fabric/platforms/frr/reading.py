"""What a reader of the files gathers, line by line, before it becomes facts."""

from __future__ import annotations

import msgspec

from fabric.platforms.base import ClassFacts, Facts, InterfaceFacts, NeighborFacts

QUEUES = 8
QUANTUM_BYTES = 1000
"""A percent of the link in the quanta that we write."""


class Port(msgspec.Struct):
    """An interface, as far as it was read."""

    values: dict[str, str] = msgspec.field(default_factory=dict)
    addresses: list[str] = msgspec.field(default_factory=list)


class Peer(msgspec.Struct):
    """A BGP neighbour or peer group."""

    remote_asn: int | None = None
    bfd: bool = False
    has_password: bool = False
    ttl_security: bool = False
    max_prefixes: int | None = None
    is_interface: bool = False
    group: str = ""
    settings: list[str] = msgspec.field(default_factory=list)


class Profile(msgspec.Struct):
    """A function of the script."""

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
        found = {}
        for queue in sorted(set(queues.values())):
            band = QUEUES - 1 - queue
            at = band - self.strict
            share = self.quanta[at] // QUANTUM_BYTES if 0 <= at < len(self.quanta) else None
            found[queue] = ClassFacts(
                priority=paused.get(queue),
                strict=band < self.strict,
                max_rate_mbps=self.limits.get(queue),
                share_percent=share,
                ecn=self.ecn.get(queue),
                headroom_bytes=self.buffers.get(paused[queue]) if queue in paused else None,
            )
        return found


class State(msgspec.Struct):
    """All files, as far as they were read."""

    hostname: str = ""
    asn: int | None = None
    router_id: str | None = None
    max_paths: int | None = None
    ports: dict[str, Port] = msgspec.field(default_factory=dict)
    groups: dict[str, Peer] = msgspec.field(default_factory=dict)
    peers: dict[str, Peer] = msgspec.field(default_factory=dict)
    profiles: dict[str, Profile] = msgspec.field(default_factory=dict)
    queued: dict[str, str] = msgspec.field(default_factory=dict)
    policies: dict[str, list[str]] = msgspec.field(default_factory=dict)
    services: dict[str, list[str]] = msgspec.field(default_factory=dict)

    def policy(self, name: str, text: str) -> None:
        """Note an entry of a route-map or a list."""
        self.policies.setdefault(name, []).append(text)

    def service(self, section: str, text: str) -> None:
        """Note a setting."""
        self.services.setdefault(section, []).append(text)

    def facts(self) -> Facts:
        """In neutral words."""
        known = next(iter(self.profiles.values()), Profile())
        groups = {f"group {name}": "; ".join(sorted(one.settings)) for name, one in self.groups.items()}
        return Facts(
            hostname=self.hostname,
            asn=self.asn,
            router_id=self.router_id,
            max_paths=self.max_paths,
            interfaces={name: self._port(name, port) for name, port in self.ports.items()},
            neighbors={name: self._neighbor(peer) for name, peer in self.peers.items()},
            dscp_to_traffic_class=dict(sorted(known.dscp.items())),
            traffic_class_to_queue=known.queues(),
            profiles={name: profile.facts() for name, profile in self.profiles.items()},
            policies={name: "; ".join(lines) for name, lines in self.policies.items()} | groups,
            services={name: "\n".join(sorted(lines)) for name, lines in self.services.items()},
        )

    def _port(self, name: str, port: Port) -> InterfaceFacts:
        values = port.values
        peer = self.peers.get(name)
        tagged = values.get("bridge-allow-untagged") == "no"
        number = values.get("bridge-vids") if tagged else values.get("bridge-access", values.get("vlan-id"))
        return InterfaceFacts(
            enabled=values.get("link-down") != "yes",
            description=values.get("alias", ""),
            speed_mbps=int(values["link-speed"]) if "link-speed" in values else None,
            ip_mtu_bytes=int(values["mtu"]) if "mtu" in values else None,
            addresses=tuple(port.addresses),
            link_local=peer is not None and peer.is_interface,
            vrf=values.get("vrf", "default"),
            vlan=int(number) if number is not None and number.isdigit() else None,
            tagged=tagged,
            queueing=self.queued.get(name),
        )

    def _neighbor(self, peer: Peer) -> NeighborFacts:
        group = self.groups.get(peer.group, Peer())
        return NeighborFacts(
            remote_asn=peer.remote_asn if peer.remote_asn is not None else group.remote_asn,
            bfd=peer.bfd or group.bfd,
            has_password=peer.has_password or group.has_password,
            ttl_security=peer.ttl_security or group.ttl_security,
            max_prefixes=peer.max_prefixes or group.max_prefixes,
            policy=peer.group or "; ".join(sorted(peer.settings)),
        )
