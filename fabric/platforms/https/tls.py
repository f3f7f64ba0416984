"""HTTPS to a device whose certificate is checked before a password is sent to it."""

from __future__ import annotations

import hashlib
import http.client
import os
import socket
import ssl
from functools import cache, lru_cache
from typing import Any

from fabric.platforms.trust import Trust


class Untrusted(ssl.SSLError):
    """The certificate is none that we were told to expect."""


def tls_context(trust: Trust) -> ssl.SSLContext:
    """What checks a certificate: nothing but its fingerprint decides where there is one.

    Reading certificates of authorities takes longer than a connection: devices that trust the same share a context.
    """
    if trust.certificate_pin:
        return _pinned()
    if not trust.ca_file:
        return _of_authorities("", 0, 0)
    state = os.stat(trust.ca_file)  # noqa: PTH116  # as OpenSSL opens it
    return _of_authorities(trust.ca_file, state.st_mtime_ns, state.st_size)


@cache
def _pinned() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE  # `VerifiedConnection` compares the fingerprint
    return context


@lru_cache(maxsize=16)
def _of_authorities(file: str, _changed_ns: int, _size_bytes: int) -> ssl.SSLContext:
    """Those in a file as it is now; of the system where none is named."""
    return ssl.create_default_context(cafile=file or None)


class VerifiedConnection(http.client.HTTPSConnection):
    """HTTPS to an address. `connect` raises `ssl.SSLError` if it is not whom we expect there."""

    def __init__(self, address: str, port: int, trust: Trust, timeout_s: float) -> None:
        self._tls, self._trust = tls_context(trust), trust
        self._held: list[bytes] | None = None
        super().__init__(address, port, timeout=timeout_s, context=self._tls)

    def connect(self) -> None:
        """TCP, TLS, and the check of who answers."""
        plain = socket.create_connection((self.host, self.port), self.timeout)
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            sock = self._tls.wrap_socket(plain, server_hostname=self._trust.server_name or self.host)
        except BaseException:
            plain.close()
            raise
        if problem := self._stranger(sock):
            sock.close()
            raise Untrusted(problem)
        self.sock = sock

    def request(self, *arguments: Any, **named: Any) -> None:
        """As `HTTPConnection` has it, but header and body in one write: each write is a TLS record and a packet."""
        held: list[bytes] = []
        self._held = held
        try:
            super().request(*arguments, **named)
        finally:
            self._held = None
        self.send(b"".join(held))

    def send(self, data: Any) -> None:
        """Send, or keep until the request is whole."""
        if self._held is None:
            super().send(data)
        else:
            self._held.append(data)

    def _stranger(self, sock: ssl.SSLSocket) -> str:
        """Why it is not whom we expect, where a fingerprint decides; empty if it is."""
        shown = fingerprint(sock.getpeercert(binary_form=True) or b"")
        if self._trust.certificate_pin in ("", shown):
            return ""
        return f"{self.host}:{self.port} shows a certificate with {shown}, which is not the one expected"


def fingerprint(der: bytes) -> str:
    """`sha256:` and the digest of a certificate in DER, or of an SSH host key as it stands in `known_hosts`."""
    return f"sha256:{hashlib.sha256(der).hexdigest()}"
