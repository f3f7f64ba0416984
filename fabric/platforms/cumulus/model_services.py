"""Management in an NVUE file: `system`, `service`, `interface eth0`."""

from __future__ import annotations

import msgspec


class Key(msgspec.Struct, frozen=True):
    """An SSH key of a user."""

    name: str
    kind: str
    key: str


class User(msgspec.Struct, frozen=True):
    """`system aaa user`."""

    name: str
    role: str
    password: str
    """A hash, or the placeholder of one."""
    logins: tuple[Key, ...]


class Tacacs(msgspec.Struct, frozen=True):
    """`system aaa tacacs`."""

    servers: tuple[tuple[str, bool], ...]
    """Address, and whether it is of IPv6, in the order in which they are asked."""
    secret: str
    accounting: bool


class Gnmi(msgspec.Struct, frozen=True):
    """`system gnmi-server`."""

    certificate: str
    """Name on the switch; empty: the one that it makes for itself."""
    client_ca: str

    addresses: tuple[str, ...]
    port: int


class PacketTrim(msgspec.Struct, frozen=True):
    """`system forwarding packet-trim`."""

    dscp: int
    size: int
    switch_priority: int


class System(msgspec.Struct, frozen=True):
    """`system` and, up to 5.14, `service`."""

    hostname: str
    users: tuple[User, ...]
    hash_fields: tuple[tuple[str, bool], ...]
    hash_seed: int | None
    trim: PacketTrim | None
    dns: tuple[str, ...]
    domain: str
    ntp: tuple[str, ...]
    syslog: tuple[str, ...]
    severity: str
    """Of the selector that all log servers have; empty: everything is sent."""
    vrf: str
    idle_minutes: int
    banner: str
    lldp: bool
    tacacs: Tacacs | None
    gnmi: Gnmi | None
    ssh_vrf: str
    """The only VRF in which SSH listens; empty: in all."""
    api: tuple[str, ...]
    """The only addresses at which the REST API listens; empty: all."""


class Management(msgspec.Struct, frozen=True):
    """`interface eth0`."""

    vrf: str
    four: tuple[str, ...]
    six: tuple[str, ...]
    gateway4: str
    gateway6: str
