"""One self-signed certificate for every emulated device."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

LIFETIME = timedelta(days=30)


def pem() -> bytes:
    """A fresh private key (P-256: the cheapest handshake) and a certificate for it."""
    from cryptography import x509  # slow, and only needed here
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "fabric sandbox")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(minutes=5))
        .not_valid_after(now + LIFETIME)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return private + certificate.public_bytes(serialization.Encoding.PEM)


def server_context() -> ssl.SSLContext:
    """A TLS context for servers. The key touches the disk only for a moment, readable by nobody else."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with TemporaryDirectory(prefix="fabric-sandbox-") as folder:
        file = Path(folder) / "sandbox.pem"
        file.touch(mode=0o600)
        file.write_bytes(pem())
        context.load_cert_chain(file)
    return context
