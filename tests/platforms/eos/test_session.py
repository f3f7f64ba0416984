"""The transport under NAPALM's driver: one connection, and a new one when the switch hangs up."""

from __future__ import annotations

import json
import logging
import ssl
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from fabric.platforms.base import Target
from fabric.platforms.eos.session import EosDriver, driver_options
from fabric.platforms.https.tls import fingerprint
from fabric.platforms.trust import Trust


class Switch(ThreadingHTTPServer):
    """Answers eAPI requests over TLS and counts connections."""

    daemon_threads = True
    connections = 0
    hang_up_after = 10**9
    trust = Trust()
    ca_file = ""
    requests = 0
    first: object = None
    """The first command of the last request."""

    def finish_request(self, request, client_address):
        self.connections += 1
        super().finish_request(request, client_address)


class Handler(BaseHTTPRequestHandler):
    """One connection, kept open until it has answered `hang_up_after` requests."""

    protocol_version = "HTTP/1.1"
    answered = 0

    def do_POST(self):
        self.server.requests += 1
        request = json.loads(self.rfile.read(int(self.headers["Content-length"])))
        self.server.first = request["params"]["cmds"][0]
        body = json.dumps(
            {"jsonrpc": "2.0", "id": request["id"], "result": [{"version": "4.34.2F"}] * 2}
        ).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.answered += 1
        self.close_connection = self.answered >= self.server.hang_up_after

    def log_message(self, *args):
        """Keep quiet."""


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for the loopback address."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "switch")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(
            name, name, key.public_key(), 1, now - timedelta(days=1), now + timedelta(days=1)
        )
    ).sign(key, hashes.SHA256())
    paths = folder / "key.pem", folder / "cert.pem"
    paths[0].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    paths[1].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    return paths


@pytest.fixture(name="box")
def _box(tmp_path) -> Iterator[Switch]:
    key, cert = certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    with Switch(("127.0.0.1", 0), Handler) as server:
        der = ssl.PEM_cert_to_DER_cert(cert.read_text())
        server.trust = Trust(fingerprint=fingerprint(der))
        server.ca_file = str(cert)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()


def opened(box: Switch, trust: Trust | None = None, enable: str = "") -> EosDriver:
    """NAPALM's driver, opened as deployment opens it."""
    target = Target(
        name="leaf",
        address="127.0.0.1",
        port=box.server_address[1],
        username="netops",
        password="secret",
        trust=trust or box.trust,
        enable=enable,
    )
    device = EosDriver("127.0.0.1", "netops", "secret", optional_args=driver_options(target))
    device.open()
    return device


def closed(device: EosDriver) -> None:
    device.close()


def test_many_requests_use_one_connection(box):
    device = opened(box)
    for _ in range(5):
        device.device.run_commands(["show version"])
    closed(device)

    assert 1 == box.connections


@pytest.mark.parametrize(
    ("enable", "sent"), [("", "enable"), ("HUNTER2", {"cmd": "enable", "input": "HUNTER2"})]
)
def test_the_enable_secret_is_given_before_the_commands(box, enable, sent):
    device = opened(box, enable=enable)
    device.device.run_commands(["show version"])
    closed(device)

    assert sent == box.first


def test_a_connection_that_the_switch_closed_is_opened_anew(box):
    box.hang_up_after = 2
    device = opened(box)
    for _ in range(5):
        device.device.run_commands(["show version"])
    closed(device)

    assert 3 == box.connections


def test_a_switch_that_does_not_answer_is_an_error_of_pyeapi(box):
    from pyeapi.eapilib import ConnectionError as EapiError

    device = opened(box)
    box.shutdown()
    box.server_close()
    device.device.connection.close()

    with pytest.raises(EapiError):
        device.device.run_commands(["show version"])


def test_pyeapi_writes_no_log_of_requests_and_failures(box, monkeypatch):
    logger = logging.getLogger("pyeapi")
    monkeypatch.setattr(logger, "level", logger.level)  # given back at the end
    logger.setLevel(logging.DEBUG)  # as if nobody had quietened it

    closed(opened(box))

    assert not logger.isEnabledFor(logging.ERROR)


def test_the_usual_port_is_that_of_https():
    target = Target(name="leaf", address="192.0.2.1", port=None, username="u", password="p")

    assert 443 == driver_options(target)["port"]


@pytest.mark.parametrize(
    "trust",
    [
        pytest.param(Trust(), id="the system's authorities"),
        pytest.param(Trust(fingerprint=f"sha256:{'0' * 64}"), id="another fingerprint"),
        pytest.param(Trust(server_name="leaf.example"), id="the system's authorities, another name"),
    ],
)
def test_a_switch_that_is_not_the_expected_one_is_told_no_password(box, trust):
    with pytest.raises(Exception, match=r"certificate verify failed|shows a certificate with sha256:"):
        opened(box, trust)
    assert 0 == box.requests


def test_a_certificate_of_the_named_authority_must_be_for_the_address_or_the_name(box):
    with pytest.raises(Exception, match="certificate verify failed"):
        opened(box, Trust(ca_file=box.ca_file))  # it is for nobody's name
    assert 0 == box.requests
