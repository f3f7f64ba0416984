"""A configuration in neutral words: what readers make of a text, and what a device must come back as."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from ipaddress import ip_address, ip_interface

import msgspec


class InterfaceFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What a configuration says of one interface, in neutral words. Absent means default."""

    enabled: bool = True
    description: str = ""
    speed_mbps: int | None = None
    ip_mtu_bytes: int | None = None
    addresses: tuple[str, ...] = ()
    link_local: bool = False
    vrf: str = "default"
    vlan: int | None = None
    tagged: bool = False
    """It carries the VLAN with a tag."""
    bond: int | None = None
    queueing: str | None = None
    """Name of the queueing profile applied to it."""


class NeighborFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What a configuration says of one BGP session."""

    remote_asn: int | None = None
    bfd: bool = False
    has_password: bool = False
    is_outdated: bool = False
    """Its password is another than the intended one: as the device's own diff tells, for no text that is read does."""
    ttl_security: bool = False
    max_prefixes: int | None = None
    vrf: str = "default"
    policy: str = ""
    """Name of the group or policies that decide what is imported and exported."""
    shut: bool = False
    """It is kept down by the configuration."""


class ClassFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What a queueing profile does to one queue."""

    priority: int | None = None
    strict: bool = False
    max_rate_percent: int | None = None
    """What it may take at most, of the port's speed; this one or the next, as the product counts."""
    max_rate_mbps: int | None = None
    share_percent: int | None = None
    ecn: tuple[int, int, int] | None = None
    """kmin, kmax in bytes, pmax in percent, as the product will apply them: after its own rounding."""
    headroom_bytes: int | None = None
    """These three where the configuration writes them; None: the product derives them."""
    pause_threshold_bytes: int | None = None
    resume_threshold_bytes: int | None = None

    @property
    def is_limited(self) -> bool:
        """Whether it has a maximum rate."""
        return self.max_rate_percent is not None or self.max_rate_mbps is not None


EVERY_PORT = 0
"""In the place of a port's GUID: no port has this one."""


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """A configuration in neutral words: what planning compares to tell impact and drift."""

    hostname: str = ""
    asn: int | None = None
    router_id: str | None = None
    max_paths: int | None = None
    interfaces: Mapping[str, InterfaceFacts] = msgspec.field(default_factory=dict)
    neighbors: Mapping[str, NeighborFacts] = msgspec.field(default_factory=dict)
    """By address, or by interface name where unnumbered."""
    dscp_to_traffic_class: Mapping[int, int] = msgspec.field(default_factory=dict)
    traffic_class_to_queue: Mapping[int, int] = msgspec.field(default_factory=dict)
    profiles: Mapping[str, Mapping[int, ClassFacts]] = msgspec.field(default_factory=dict)
    """Queueing profile name to queue number to what happens there."""
    watchdog: tuple[str, int, int, int] | None = None
    """action, detect, restore, poll in milliseconds."""
    policies: Mapping[str, str] = msgspec.field(default_factory=dict)
    """Route policies and prefix lists by name, as normalised text."""
    services: Mapping[str, str] = msgspec.field(default_factory=dict)
    """Management settings by section, as normalised text."""
    partitions: Mapping[int, Mapping[int, bool]] = msgspec.field(default_factory=dict)
    """Of a subnet manager: the ports of each P_Key (15 bits) by their GUIDs, `EVERY_PORT` for those that are not named;
    whether each is a full member."""
    port_names: Mapping[int, str] = msgspec.field(default_factory=dict)
    """What a subnet manager's partitions call a port, by its GUID, where they say it."""
    lids: Mapping[int, int] = msgspec.field(default_factory=dict)
    """The first LID of each port, by its GUID, where a subnet manager is told it."""


class Reading(msgspec.Struct, frozen=True):
    """A configuration that was read: its facts, and every line that the reader does not know."""

    facts: Facts
    unread: tuple[tuple[int, str], ...]
    """Line number and line. Never dropped: they are carried along and reported."""


def neighbors_by_port(facts: Facts) -> dict[tuple[str, int], str]:
    """The address of the neighbour over each port, by port and version of IP."""
    return {place: key for key, place in ports_of(facts.neighbors, facts)}


def ports_of(keys: Iterable[str], facts: Facts) -> Iterator[tuple[str, tuple[str, int]]]:
    """Neighbours by address, each with its port and the version of IP, as a configuration has them."""
    over = [
        (ip_interface(address).network, name)
        for name, port in facts.interfaces.items()
        for address in port.addresses
    ]
    for key in keys:
        with suppress(ValueError):
            address = ip_address(key)
            name = next((name for network, name in over if address in network), None)
            if name is not None:
                yield key, (name, address.version)
