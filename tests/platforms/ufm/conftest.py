"""A UFM, and a driver that is connected to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from fabric.platforms.trust import Trust
from fabric.platforms.ufm.session import UfmDriver
from tests.platforms.ufm.server import Database, Node


def certificate(folder: Path, name: str, *, address: str | None = "127.0.0.1") -> Path:
    """A key and its self-signed certificate for a name, and for an address."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    names: list[Any] = [x509.DNSName(name)]
    names += [x509.IPAddress(ip_address(address))] if address else []
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / f"{name}.pem"
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(secret + made.public_bytes(serialization.Encoding.PEM))
    return path


@pytest.fixture(scope="session")
def pem(tmp_path_factory) -> Path:
    return certificate(tmp_path_factory.mktemp("tls"), "ufm.example")


@pytest.fixture
def node(pem) -> Iterator[Node]:
    made = Node(Database(), pem)
    yield made
    made.close()


@pytest.fixture
def driver_of(pem) -> Iterator[Callable[..., UfmDriver]]:
    """Drivers that trust the test's certificate and are closed at the end."""
    made: list[UfmDriver] = []

    def connect(
        node: Node,
        *,
        password: str | None = None,
        timeout: int = 5,
        trust: Trust | None = None,
        **options: Any,
    ) -> UfmDriver:
        options = {"port": node.port, "trust": trust or Trust(ca_file=str(pem))} | options
        driver = UfmDriver("127.0.0.1", node.username, password or node.password, timeout, options)
        made.append(driver)
        return driver

    yield connect
    for driver in made:
        driver.close()


@pytest.fixture
def driver(node, driver_of) -> UfmDriver:
    made = driver_of(node)
    made.open()
    return made
