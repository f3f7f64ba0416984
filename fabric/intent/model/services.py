"""What every switch needs beside the fabric: management, time, logs, users."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from fabric.documents.schema.scalar_types import (
    Address,
    Part,
    PasswordHash,
    PasswordHashSha256,
    Prefix,
    SecretRef,
    Text,
)
from fabric.units import Duration

UserName = Annotated[
    str, Meta(pattern=r"^[a-z_][a-z0-9_-]{0,31}$(?!\n)", description="A login name.", examples=["netops"])
]
CertificateName = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,31}$(?!\n)",
        description="Name of a certificate on the switch, without path and extension.",
        examples=["fabric"],
    ),
]
VrfName = Annotated[str, Meta(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,31}$(?!\n)", description="A VRF name.")]


class Management(Part, frozen=True, kw_only=True):
    """The out-of-band network. Addresses of the devices stand in the inventory."""

    vrf: VrfName = "MGMT"
    """VRF of the management interface."""
    gateway: Address | None = None
    """Default gateway of the management network."""
    dns: tuple[Address, ...] = ()
    """Name servers, asked in order."""
    domain: (
        Annotated[
            str,
            Meta(
                pattern=r"^[a-z0-9][a-z0-9.-]{0,252}$(?!\n)",
                description="A DNS domain in lower case.",
                examples=["net.example.com"],
            ),
        ]
        | None
    ) = None
    """DNS domain of the switches."""
    allow: tuple[Prefix, ...] = ()
    """Who may reach SSH and the management APIs of the switches; default: everyone in the management network. FAB578
    names the products that let hosts reach SSH too while this is empty."""


class Ntp(Part, frozen=True, kw_only=True):
    """Time servers, the preferred one first."""

    servers: tuple[Address, ...] = ()
    """Time servers, the preferred one first."""


class Syslog(Part, frozen=True, kw_only=True):
    """Where logs go."""

    servers: tuple[Address, ...] = ()
    """Log servers; each gets every line."""
    level: Literal["errors", "warnings", "notifications", "informational", "debugging"] = "informational"
    """The least severe messages that are sent."""


class SnmpUser(Part, frozen=True, kw_only=True):
    """An SNMPv3 user; both secrets are references."""

    auth: Literal["sha", "sha256", "sha512"] = "sha256"
    """Hash of the authentication."""
    auth_secret: SecretRef
    """Reference to the authentication secret."""
    privacy: Literal["aes", "aes192", "aes256"] = "aes256"
    """Cipher of the privacy."""
    privacy_secret: SecretRef
    """Reference to the privacy secret."""


class Snmp(Part, frozen=True, kw_only=True):
    """SNMPv3, read only."""

    users: dict[UserName, SnmpUser] = field(default_factory=dict)
    """SNMPv3 users by name."""
    location: Text | None = None
    """sysLocation."""
    contact: Text | None = None
    """sysContact."""
    trap_servers: tuple[Address, ...] = ()
    """Receivers of traps."""


class Tacacs(Part, frozen=True, kw_only=True):
    """TACACS+ servers. Local users stay usable if none answers."""

    servers: Annotated[tuple[Address, ...], Meta(min_length=1)]
    """Servers, asked in order."""
    secret: SecretRef
    """Reference to the shared secret."""
    accounting: bool = True
    """Whether commands are reported to the servers."""


class User(Part, frozen=True, kw_only=True):
    """A local user."""

    password_hash: PasswordHash | None = None
    """Hash of the password."""
    password_hash_sha256: PasswordHashSha256 | None = None
    """The same password for products that hold no SHA-512 hash (NX-OS)."""
    password_secret: SecretRef | None = None
    """A reference to the hash, where it must not be in git."""
    role: Literal["admin", "operator"] = "operator"
    """`admin` may configure, `operator` may look."""
    ssh_keys: tuple[
        Annotated[
            str,
            Meta(
                pattern=r"^(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)) "
                r"[A-Za-z0-9+/=]{16,1024}(?: [ -~]{0,64})?$(?!\n)",
                description="A public SSH key on one line: type, key, comment.",
            ),
        ],
        ...,
    ] = ()
    """Public keys that may log in."""


class Ssh(Part, frozen=True, kw_only=True):
    """The SSH server."""

    idle_timeout_ms: Duration = field(name="idle_timeout", default_factory=lambda: Duration(30 * 60_000))
    """Time after which an idle session is closed."""
    allow: tuple[Prefix, ...] = ()
    """Who may connect; default: as `management.allow`."""


class Certificate(Part, frozen=True, kw_only=True):
    """TLS certificate of the management APIs.

    It is on the switches already, put there by their PKI or at day 0: no private key stands in a configuration.
    """

    name: CertificateName
    """Name of certificate and key on the switch."""
    client_ca: CertificateName | None = None
    """Name of the CA certificate that clients must be signed by; default: clients log in by user and password."""


class Gnmi(Part, frozen=True, kw_only=True):
    """Streaming telemetry."""

    port: Annotated[int, Meta(ge=1, le=65535)] = 6030
    """TCP port of the gNMI server."""


class Services(Part, frozen=True, kw_only=True):
    """Management of every switch of the site."""

    management: Management = field(default_factory=Management)
    """The out-of-band network."""
    ntp: Ntp = field(default_factory=Ntp)
    """Time servers."""
    syslog: Syslog = field(default_factory=Syslog)
    """Log servers."""
    snmp: Snmp | None = None
    """SNMPv3; default: off."""
    tacacs: Tacacs | None = None
    """TACACS+; default: local users only."""
    users: dict[UserName, User] = field(default_factory=dict)
    """Local users by login name."""
    ssh: Ssh = field(default_factory=Ssh)
    """The SSH server."""
    gnmi: Gnmi | None = None
    """Streaming telemetry; default: off."""
    certificate: Certificate | None = None
    """TLS certificate of the management APIs; default: the one that a product makes for itself. Products that would
    serve gNMI in clear text without one refuse it."""
    lldp: bool = True
    """Whether switches announce themselves to their neighbours. `apply` checks cables by it."""
    banner: (
        Annotated[
            str, Meta(pattern=r"^[\n -~]{1,4000}$(?!\n)", description="Shown before login; printable lines.")
        ]
        | None
    ) = None


__all__ = [
    "Certificate",
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
