"""The management part of an EOS configuration, shaped like the manual; see `model`."""

from __future__ import annotations

import msgspec


class Part(msgspec.Struct, frozen=True, gc=False):
    """Base of all sections."""


class User(Part, frozen=True, gc=False):
    """`username`."""

    name: str
    privilege: int
    role: str
    secret: str
    """A SHA-512 crypt hash, or a placeholder for one."""
    ssh_key: str = ""
    second_ssh_key: str = ""


class Lldp(Part, frozen=True, gc=False):
    """`lldp`."""

    enabled: bool
    interface: str
    vrf: str


class Logging(Part, frozen=True, gc=False):
    """`logging`."""

    level: str
    """Empty: EOS's default."""
    hosts: tuple[str, ...]
    in_vrf: str
    interface: str


class Dns(Part, frozen=True, gc=False):
    """`ip name-server` and `dns domain`."""

    servers: tuple[str, ...]
    vrf: str
    domain: str


class SnmpUser(Part, frozen=True, gc=False):
    """`snmp-server user`, version 3."""

    name: str
    auth: str
    auth_secret: str
    privacy: str
    privacy_secret: str


class Snmp(Part, frozen=True, gc=False):
    """`snmp-server`."""

    contact: str
    location: str
    users: tuple[SnmpUser, ...]
    traps: tuple[tuple[str, str], ...]
    """Host and user."""
    vrf: str
    in_vrf: str
    interface: str


class SslProfile(Part, frozen=True, gc=False):
    """`ssl profile` below `management security`: names of files that are on the switch already."""

    name: str
    certificate: str
    key: str
    client_ca: str
    """Empty: clients log in by user and password."""


class Api(Part, frozen=True, gc=False):
    """`management api http-commands`."""

    vrf: str
    """The server runs in this one alone."""
    profile: str
    """Empty: the certificate that EOS makes for itself."""
    access_list: str
    """Empty: everyone in the VRF."""
    access_list6: str


class Gnmi(Part, frozen=True, gc=False):
    """`management api gnmi`."""

    port: int
    vrf: str
    profile: str
    access_list: str
    """Empty: everyone in the VRF."""


class Tacacs(Part, frozen=True, gc=False):
    """`tacacs-server`, its group, and what AAA does with it."""

    servers: tuple[str, ...]
    key: str
    in_vrf: str
    interface: str
    accounting: bool


class Management(Part, frozen=True, gc=False):
    """`interface Management1`."""

    name: str
    vrf: str
    """Empty: the default VRF."""
    addresses: tuple[str, ...]
    addresses6: tuple[str, ...]


class AccessList(Part, frozen=True, gc=False):
    """`ip access-list standard`: sources that may log in."""

    name: str
    entries: tuple[tuple[int, str], ...]


class Ssh(Part, frozen=True, gc=False):
    """`management ssh`."""

    idle_minutes: int
    access_list: str
    """Empty: everyone in the VRF."""
    access_list6: str
    in_vrf: str
    vrfs: tuple[tuple[str, bool], ...]
    """In which the server is on, and in which it is off, by name; empty: EOS's default, on in the default VRF."""
