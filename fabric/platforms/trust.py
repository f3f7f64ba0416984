"""How it is known that the other end of a connection is the device."""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec


class Endpoint(NamedTuple):
    """Where a product's driver connects to, and what the device shows there before a password is sent."""

    protocol: Literal["https", "ssh"]
    """`https`: a certificate. `ssh`: a host key."""
    port: int
    """TCP port, where nothing else is said."""
    takes_fingerprint: bool = True
    """Whether `Trust.fingerprint` is compared there; else the files with known keys alone decide."""


class Trust(msgspec.Struct, frozen=True, kw_only=True):
    """What a device must show; anything else is refused before the login.

    Where nothing is said: a certificate of one of the system's authorities for the address, or an SSH host key of the
    user's own `known_hosts`.
    """

    ca_file: str = ""
    """PEM with the authorities that may have signed its certificate, in place of the system's."""
    server_name: str = ""
    """Name that the certificate is for, where it is not for the address."""
    fingerprint: str = ""
    """SHA-256 of its certificate or of its SSH host key, `sha256:` and 64 hexadecimal digits: it alone decides then,
    whoever has signed, whatever name."""
    known_hosts: str = ""
    """File with SSH host keys, beside the user's own."""
    certificate: str = ""
    """SHA-256 of its certificate as the site has recorded it, written like `fingerprint`; it says nothing of SSH. As
    with a fingerprint, it alone decides."""

    @property
    def certificate_pin(self) -> str:
        """SHA-256 of the only certificate that is accepted, in lower case; empty: authorities decide."""
        return (self.fingerprint or self.certificate).lower()
