"""What answers at an address: its certificate or SSH host key, fetched without a login.

Whoever answers is a stranger: what is read of it is bounded in bytes and in time.
"""

from __future__ import annotations

import base64
import hashlib
import logging
import socket
import ssl
import time
from typing import Any, NamedTuple

MOST_BYTES = 512 * 1024
"""That an answer may have: OpenSSL takes certificates of 100 KiB, an SSH negotiation has a few KiB."""
CHUNK_BYTES = 16 * 1024


class NoIdentity(Exception):
    """Nothing that a device could be known by was shown; the text says why."""


class HostKey(NamedTuple):
    """An SSH host key."""

    kind: str
    """`ssh-ed25519`."""
    blob: bytes

    @property
    def line(self) -> str:
        """As `known_hosts` has it behind the host."""
        return f"{self.kind} {base64.b64encode(self.blob).decode()}"

    @property
    def shown(self) -> str:
        """`SHA256:` and base64, as `ssh-keygen -l` prints it."""
        return f"SHA256:{base64.b64encode(hashlib.sha256(self.blob).digest()).decode().rstrip('=')}"


class Bounded:
    """A socket that gives so many bytes, until a deadline. `OSError` beyond."""

    def __init__(self, plain: socket.socket, timeout_s: float) -> None:
        self._plain = plain
        self._deadline = time.monotonic() + timeout_s
        self._left_bytes = MOST_BYTES

    def __getattr__(self, name: str) -> Any:
        return getattr(self._plain, name)

    @property
    def left_s(self) -> float:
        """Seconds to the deadline. `OSError` behind it."""
        left_s = self._deadline - time.monotonic()
        if left_s <= 0:
            message = "it does not finish in time"
            raise OSError(message)
        return left_s

    def recv(self, size_bytes: int) -> bytes:
        """Bytes; none at the end."""
        _ = self.left_s
        data = self._plain.recv(size_bytes)
        self._left_bytes -= len(data)
        if self._left_bytes < 0:
            message = f"it sends more than {MOST_BYTES:,} bytes"
            raise OSError(message)
        return data


def connected(address: str, port: int, timeout_s: float) -> Bounded:
    """A TCP connection. `NoIdentity` if there is none."""
    try:
        return Bounded(socket.create_connection((address, port), timeout_s), timeout_s)
    except OSError as error:
        raise NoIdentity(_reason(error, timeout_s)) from None


def certificate(address: str, port: int, context: ssl.SSLContext, name: str, timeout_s: float) -> bytes:
    """The certificate in DER that is shown in a TLS handshake; nothing is sent behind it.

    `name`: that the certificate is for. `ssl.SSLCertVerificationError` if `context` does not accept it, `NoIdentity`
    if there is no handshake.
    """
    plain = connected(address, port, timeout_s)
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    try:
        tls = context.wrap_bio(incoming, outgoing, server_hostname=name)
        while not _shakes(tls):
            plain.sendall(outgoing.read())
            plain.settimeout(plain.left_s)
            if not (data := plain.recv(CHUNK_BYTES)):
                message = "it hangs up"
                raise NoIdentity(message)
            incoming.write(data)
        shown = tls.getpeercert(binary_form=True)
    except ssl.SSLCertVerificationError:
        raise
    except (OSError, ValueError) as error:
        raise NoIdentity(_reason(error, timeout_s)) from None
    finally:
        plain.close()
    if not shown:
        message = "it shows no certificate"
        raise NoIdentity(message)
    return shown


def _shakes(tls: ssl.SSLObject) -> bool:
    """Whether the handshake is done."""
    try:
        tls.do_handshake()
    except ssl.SSLWantReadError:
        return False
    return True


def host_key(address: str, port: int, kinds: list[str], timeout_s: float) -> HostKey:
    """The SSH host key that is shown in a key exchange; nobody logs in.

    `kinds`: of the keys that are known already, which are asked for first. `NoIdentity` if there is no key exchange.
    """
    import paramiko  # slow

    logging.getLogger("paramiko").setLevel(logging.CRITICAL + 1)  # tracebacks; what happened is raised
    plain = connected(address, port, timeout_s)
    try:
        transport = paramiko.Transport(plain)
    except Exception:
        plain.close()
        raise
    try:
        options = transport.get_security_options()
        first = [kind for kind in options.key_types if _kind(kind) in kinds]
        options.key_types = [*first, *(kind for kind in options.key_types if kind not in first)]
        transport.banner_timeout = transport.handshake_timeout = timeout_s
        transport.start_client(timeout=timeout_s)
        key = transport.get_remote_server_key()
        return HostKey(key.get_name(), key.asbytes())
    except Exception as error:  # noqa: BLE001  # paramiko raises whatever its thread met in what a stranger sends
        raise NoIdentity(_reason(error, timeout_s)) from None
    finally:
        transport.close()
        plain.close()


def _kind(algorithm: str) -> str:
    """The kind of key of a signature algorithm: `rsa-sha2-512` signs with an `ssh-rsa` key."""
    return "ssh-rsa" if algorithm.startswith("rsa-sha2-") else algorithm


def _reason(error: Exception, timeout_s: float) -> str:
    """In a few words of ours: what a stranger sends is not repeated."""
    if isinstance(error, TimeoutError):
        return f"it does not answer within {timeout_s:.0f} s"
    if isinstance(error, ssl.SSLError):
        return f"no TLS: {(error.reason or 'the handshake fails').replace('_', ' ').lower()}"
    if isinstance(error, OSError):
        return error.strerror or str(error) or type(error).__name__
    return "no SSH: it does not complete a key exchange"
