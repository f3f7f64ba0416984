"""Certificates of tests' own: an authority, and what it has signed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

LIFETIME = timedelta(hours=12)


class Signed(NamedTuple):
    """Two files in PEM."""

    certificate: Path
    key: Path


class Authority:
    """Signs certificates for loopback. `file` is its own."""

    def __init__(self, folder: Path, name: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._name = folder, name
        self._key = ec.generate_private_key(ec.SECP256R1())
        self.file = folder / f"{name}.pem"
        self.file.write_bytes(_pem(self._made(name, self._key)))

    def signed(self, name: str) -> Signed:
        """A new key, and its certificate."""
        key = ec.generate_private_key(ec.SECP256R1())
        files = Signed(self._folder / f"{name}.{self._name}.pem", self._folder / f"{name}.{self._name}.key")
        files.certificate.write_bytes(_pem(self._made(name, key)))
        files.key.touch(mode=0o600)
        private = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        files.key.write_bytes(private)
        return files

    def _made(self, name: str, key: ec.EllipticCurvePrivateKey) -> x509.Certificate:
        subject, issuer = (
            x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)]) for text in (name, self._name)
        )
        now = datetime.now(UTC)
        names = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
        return (
            x509.CertificateBuilder(
                issuer, subject, key.public_key(), x509.random_serial_number(), now - LIFETIME, now + LIFETIME
            )
            .add_extension(x509.BasicConstraints(ca=name == self._name, path_length=None), critical=True)
            .add_extension(names, critical=False)
            .sign(self._key, hashes.SHA256())
        )


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)
