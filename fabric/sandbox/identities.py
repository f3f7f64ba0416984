"""What emulated devices show to prove who they are: certificates of the sandbox's own authority, SSH host keys."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta
from functools import cached_property
from ipaddress import ip_address
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from fabric.diagnostics import Refused, with_extra
from fabric.platforms.emulation import Faults, WrongCertificate

if TYPE_CHECKING:
    from asyncssh import SSHKey
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

LIFETIME = timedelta(days=30)
OTHER_ADDRESS = "192.0.2.1"
"""Of nobody (RFC 5737): what a certificate of the wrong name is for."""


class Authority:
    """Signs the certificates of one sandbox."""

    def __init__(self) -> None:
        self.key = _key()
        self.name = _name("fabric sandbox authority")
        self.certificate = _signed(self.name, self.key, self)

    @property
    def pem(self) -> bytes:
        """Its certificate: what a client needs to know a device of this sandbox."""
        return _pem(self.certificate)


class Identity:
    """What one device shows, now that these faults are set. Keys and certificates are made when first shown."""

    def __init__(self, authority: Authority, address: str, faults: Faults) -> None:
        self._authority, self._address, self._faults = authority, address, faults
        self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._shown: WrongCertificate | None = None

    @property
    def tls(self) -> ssl.SSLContext:
        """For TLS connections. Always the same object; `refresh` makes it show what it should now."""
        return self._tls

    def refresh(self) -> None:
        """Show the right certificate, or the wrong one that a fault wants, to whoever connects from now on."""
        wanted = self._faults.wrong_certificate
        if self._shown == wanted:
            return
        self._shown = wanted
        key = _key()
        address = OTHER_ADDRESS if wanted == "other_name" else self._address
        signer = None if wanted == "self_signed" else self._authority
        certificate = _signed(_name("fabric sandbox device"), key, signer, address)
        # The key touches the disk only for a moment, readable by no other user.
        with TemporaryDirectory(prefix="fabric-sandbox-") as folder:
            file = Path(folder) / "device.pem"
            file.touch(mode=0o600)
            file.write_bytes(_private_pem(key) + _pem(certificate))
            self._tls.load_cert_chain(file)

    @property
    def host_key(self) -> SSHKey:
        """For SSH connections."""
        return self._stranger if self._faults.wrong_host_key else self.own_host_key

    @cached_property
    def own_host_key(self) -> SSHKey:
        """The key that clients are told to expect."""
        return _host_key()

    @cached_property
    def _stranger(self) -> SSHKey:
        return _host_key()

    def known_hosts_line(self, port: int) -> str:
        """As a client's `known_hosts` has it."""
        kind, key, *_ = self.own_host_key.export_public_key("openssh").decode().split()
        return f"[{self._address}]:{port} {kind} {key}\n"


def _host_key() -> SSHKey:
    try:
        import asyncssh
    except ImportError:
        message = "emulated devices that speak SSH need asyncssh"
        raise Refused(message, with_extra("sandbox")) from None
    return asyncssh.generate_private_key("ssh-ed25519")


def _key() -> EllipticCurvePrivateKey:
    """A fresh private key (P-256: the cheapest handshake)."""
    from cryptography.hazmat.primitives.asymmetric import ec  # slow, and only needed here

    return ec.generate_private_key(ec.SECP256R1())


def _name(text: str) -> x509.Name:
    from cryptography import x509
    from cryptography.x509.oid import NameOID

    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _signed(
    name: x509.Name, key: EllipticCurvePrivateKey, signer: Authority | None, address: str = ""
) -> x509.Certificate:
    """A certificate for an address; without one, of an authority. Self-signed if nobody else signs."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes

    now = datetime.now(UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(signer.name if signer else name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(minutes=5))
        .not_valid_after(now + LIFETIME)
        .add_extension(x509.BasicConstraints(ca=not address, path_length=None), critical=True)
    )
    if address:
        names = x509.SubjectAlternativeName([x509.IPAddress(ip_address(address))])
        builder = builder.add_extension(names, critical=False)
    return builder.sign(signer.key if signer else key, hashes.SHA256())


def _pem(certificate: x509.Certificate) -> bytes:
    from cryptography.hazmat.primitives import serialization

    return certificate.public_bytes(serialization.Encoding.PEM)


def _private_pem(key: EllipticCurvePrivateKey) -> bytes:
    from cryptography.hazmat.primitives import serialization

    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
