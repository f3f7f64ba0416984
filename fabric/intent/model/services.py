"""What every switch needs beside the fabric: management, time, logs, users."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from fabric.documents.words import Address, Part, PasswordHash, Prefix, SecretRef, Text
from fabric.units import Duration

UserName = Annotated[
    str, Meta(pattern=r"^[a-z_][a-z0-9_-]{0,31}$(?!\n)", description="A login name.", examples=["netops"])
]
VrfName = Annotated[str, Meta(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,31}$(?!\n)", description="A VRF name.")]


class Management(Part, kw_only=True):
    """The out-of-band network. Addresses of the devices stand in the inventory."""

    vrf: VrfName = "MGMT"
    gateway: Address | None = None
    dns: tuple[Address, ...] = ()
    domain: Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9.-]{0,252}$(?!\n)")] | None = None


class Ntp(Part, kw_only=True):
    """Time servers, the preferred one first."""

    servers: tuple[Address, ...] = ()


class Syslog(Part, kw_only=True):
    """Where logs go."""

    servers: tuple[Address, ...] = ()
    level: Literal["errors", "warnings", "notifications", "informational", "debugging"] = "informational"


class SnmpUser(Part, kw_only=True):
    """An SNMPv3 user; both secrets are references."""

    auth: Literal["sha", "sha256", "sha512"] = "sha256"
    auth_secret: SecretRef
    privacy: Literal["aes", "aes192", "aes256"] = "aes256"
    privacy_secret: SecretRef


class Snmp(Part, kw_only=True):
    """SNMPv3, read only."""

    users: dict[UserName, SnmpUser] = field(default_factory=dict)
    location: Text | None = None
    contact: Text | None = None
    trap_servers: tuple[Address, ...] = ()


class Tacacs(Part, kw_only=True):
    """TACACS+ servers. Local users stay usable if none answers."""

    servers: tuple[Address, ...]
    secret: SecretRef
    accounting: bool = True


class User(Part, kw_only=True):
    """A local user."""

    password_hash: PasswordHash | None = None
    password_secret: SecretRef | None = None
    """A reference to the hash, where it shall not stand in git."""
    role: Literal["admin", "operator"] = "operator"
    ssh_keys: tuple[
        Annotated[
            str,
            Meta(
                pattern=r"^(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)) [A-Za-z0-9+/=]{16,1024}(?: [ -~]{0,64})?$(?!\n)"
            ),
        ],
        ...,
    ] = ()


class Ssh(Part, kw_only=True):
    """The SSH server."""

    idle_timeout_ms: Duration = field(name="idle_timeout", default_factory=lambda: Duration(30 * 60_000))
    allow: tuple[Prefix, ...] = ()
    """Who may connect; default: everyone in the management network."""


class Gnmi(Part, kw_only=True):
    """Streaming telemetry."""

    port: Annotated[int, Meta(ge=1, le=65535)] = 6030


class Services(Part, kw_only=True):
    """Management of every switch of the site."""

    management: Management = field(default_factory=Management)
    ntp: Ntp = field(default_factory=Ntp)
    syslog: Syslog = field(default_factory=Syslog)
    snmp: Snmp | None = None
    tacacs: Tacacs | None = None
    users: dict[UserName, User] = field(default_factory=dict)
    ssh: Ssh = field(default_factory=Ssh)
    gnmi: Gnmi | None = None
    lldp: bool = True
    banner: (
        Annotated[
            str, Meta(pattern=r"^[\n -~]{1,4000}$(?!\n)", description="Shown before login; printable lines.")
        ]
        | None
    ) = None


__all__ = [
    "Gnmi",
    "Management",
    "Ntp",
    "Services",
    "Snmp",
    "SnmpUser",
    "Ssh",
    "Syslog",
    "Tacacs",
    "User",
]
