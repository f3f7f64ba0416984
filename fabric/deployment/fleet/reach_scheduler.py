"""The way to a scheduler: its URL, and TLS wherever a connection leaves the machine.

What is handed to a worker is sealed, but the keys of the seal are agreed upon through the scheduler: who can alter what
passes there could put keys of his own in their place. TLS with certificates of one authority keeps such a one out.
"""

from __future__ import annotations

import socket
import ssl
from contextlib import closing
from ipaddress import ip_address
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from fabric.deployment import codes
from fabric.deployment.refusal_message import refusal

TRANSPORTS = {"dask": "tcp", "dask+tls": "tls"}
"""Schemes of an executor's URL, and Dask's own."""
CONNECT_S = 15
SETTINGS = "distributed.comm.tls"
"""Where Dask's configuration has certificates."""


class Scheduler(NamedTuple):
    """Where a scheduler listens."""

    url: str
    transport: str
    host: str
    port: int

    @property
    def address(self) -> str:
        """As Dask writes it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.transport}://{host}:{self.port}"


def scheduler_of(url: str) -> Scheduler:
    """The scheduler of an executor's URL. `Refused` if it is none, or leads over a network without TLS."""
    found = _parsed(url)
    if found is None:
        hint = "write `dask+tls://HOST:PORT`, or `dask://localhost:PORT` for a scheduler of this machine"
        raise refusal(codes.EXECUTOR, f"{url!r} is not the URL of an executor", hint)
    if found.transport == "tcp" and not _is_loopback(found):
        reason = f"{url} leads over a network without TLS: whoever is in it could read what workers are sent"
        hint = "start scheduler and workers with certificates (`--tls-ca-file`), and write `dask+tls://`"
        raise refusal(codes.EXECUTOR, reason, hint)
    return found


def _parsed(url: str) -> Scheduler | None:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    transport = TRANSPORTS.get(parts.scheme)
    if not (transport and host and port) or "@" in parts.netloc or parts.path.strip("/"):
        return None
    return Scheduler(url, transport, host, port)


def is_exposed(worker: str) -> bool:
    """Whether a worker at Dask's `TRANSPORT://HOST:PORT` is reached over a network without TLS."""
    parts = urlsplit(worker)
    try:
        return parts.scheme != "tls" and not ip_address(parts.hostname or "").is_loopback
    except ValueError:
        return True


def security(dask: Any, scheduler: Scheduler) -> Any:
    """Dask's certificates for a client. `Refused` if the scheduler does not answer, or one end refuses the other."""
    if scheduler.transport == "tcp":
        with closing(_connected(scheduler)):
            return None
    settings = dask.Security()
    tls = settings.get_tls_config_for_role("client")
    context = _context(settings, tls, scheduler)
    with closing(_connected(scheduler)) as plain:
        try:
            _shake_hands(plain, context)
        except ssl.SSLCertVerificationError as error:
            reason = f"the scheduler {scheduler.url} shows a certificate that {tls['ca_file']} has not signed"
            hint = f"let {SETTINGS}.ca-file be the authority with which the scheduler was started (`--tls-ca-file`)"
            raise refusal(codes.EXECUTOR, f"{reason}: {error.verify_message}", hint) from None
        except (OSError, EOFError) as error:
            raise _refused(scheduler, tls["cert"], error) from None
    return settings


def _is_loopback(scheduler: Scheduler) -> bool:
    try:
        known = socket.getaddrinfo(scheduler.host, scheduler.port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise silent(scheduler.url, error) from None
    return all(ip_address(row[4][0]).is_loopback for row in known)


def silent(url: str, error: Exception) -> Exception:
    """A scheduler that cannot be talked to, as a refusal."""
    strerror = error.strerror if isinstance(error, OSError) else None
    why = " ".join((strerror or str(error)).split()) or type(error).__name__
    return refusal(codes.EXECUTOR, f"the scheduler {url} does not answer: {why}")


def _connected(scheduler: Scheduler) -> socket.socket:
    try:
        return socket.create_connection((scheduler.host, scheduler.port), CONNECT_S)
    except OSError as error:
        raise silent(scheduler.url, error) from None


def _context(settings: Any, tls: dict[str, Any], scheduler: Scheduler) -> ssl.SSLContext:
    """What Dask would use. `Refused` if a file is not named, or is none that can be used."""
    words = {"ca_file": "ca-file", "cert": "client.cert"}
    missing = [f"{SETTINGS}.{name}" for word, name in words.items() if not tls[word]]
    hint = f"name `ca-file`, and `cert` and `key` of `client`, under {SETTINGS} in ~/.config/dask/distributed.yaml"
    if missing:
        reason = f"{scheduler.url} needs certificates, and Dask's configuration lacks {' and '.join(missing)}"
        raise refusal(codes.EXECUTOR, reason, hint)
    try:
        context: ssl.SSLContext = settings.get_connection_args("client")["ssl_context"]
    except (OSError, ValueError) as error:
        files = ", ".join(str(tls[word]) for word in ("ca_file", "cert", "key") if tls[word])
        reason = f"{scheduler.url}: {files} cannot be used: {_words(error)}"
        raise refusal(codes.EXECUTOR, reason, hint) from None
    return context


def _shake_hands(plain: socket.socket, context: ssl.SSLContext) -> None:
    """TLS, and a byte behind it: only then is it known that the scheduler takes our certificate (RFC 8446, 4.4.2)."""
    with context.wrap_socket(plain) as tls:
        if not tls.recv(1):  # a scheduler speaks first
            raise EOFError


def _refused(scheduler: Scheduler, certificate: str, error: Exception) -> Exception:
    """Why there is no TLS: the scheduler has none, or does not take our certificate."""
    if isinstance(error, TimeoutError):
        return silent(scheduler.url, error)
    if getattr(error, "reason", "") in ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE"):
        hint = "start it with `--tls-ca-file`, `--tls-cert` and `--tls-key`"
        return refusal(codes.EXECUTOR, f"the scheduler {scheduler.url} does not speak TLS", hint)
    reason = f"the scheduler {scheduler.url} does not accept the certificate {certificate}: {_words(error)}"
    hint = f"name one under {SETTINGS}.client that the scheduler's authority (its `--tls-ca-file`) has signed"
    return refusal(codes.EXECUTOR, reason, hint)


def _words(error: Exception) -> str:
    if isinstance(error, ssl.SSLError) and error.reason:
        return error.reason.replace("_", " ").lower()
    strerror = error.strerror if isinstance(error, OSError) else None
    return strerror or str(error) or "it hangs up"
