"""NVUE's REST API: one verified HTTPS connection for many requests, and errors without secrets.

Methods, paths and answers: Cumulus Linux user guide, "NVUE API" (CumulusNetworks/docs, cumulus-linux-516). A switch
that shows its default password answers everything with 403.
"""

from __future__ import annotations

import base64
import http.client
import select
import ssl
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, urlencode

import msgspec
from napalm.base.exceptions import (
    CommandErrorException,
    ConnectAuthError,
    ConnectionClosedException,
    ConnectionException,
)

from fabric.platforms.tls import VerifiedConnection
from fabric.platforms.trust import Trust

ROOT = "/nvue_v1"
PORT = 8765
MAX_ANSWER_BYTES = 256 * 2**20
LONGEST_WORDS = 600
"""Letters of a switch's complaint."""
HIDDEN = "***"
NOT_FOUND = 404


class Rest:
    """A connection, opened with the first request, and again when the switch has closed an idle one."""

    def __init__(
        self, address: str, port: int, login: tuple[str, str], trust: Trust, timeout_s: float
    ) -> None:
        self._connect: Callable[[], VerifiedConnection] = lambda: VerifiedConnection(
            address, port, trust, timeout_s
        )
        secret = base64.b64encode(":".join(login).encode()).decode()
        self._headers = {"Content-Type": "application/json", "Authorization": f"Basic {secret}"}
        self._connection: VerifiedConnection | None = None
        self._where = f"{address}:{port}"
        self.secrets: frozenset[str] = frozenset()
        """Values of the candidate that no complaint of the switch may repeat."""

    def close(self) -> None:
        """Hang up."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def get(self, *path: str, **query: Any) -> dict[str, Any]:
        """An object; empty if it is not there. `CommandErrorException` if the switch refuses the request."""
        status, answer = self._answer("GET", path, query, None)
        return {} if status == NOT_FOUND else answer

    def post(self, *path: str) -> dict[str, Any]:
        """Make something."""
        return self._answer("POST", path, {}, None)[1]

    def patch(self, *path: str, body: Mapping[str, Any], **query: Any) -> dict[str, Any]:
        """Set something, or take it away where the value is null."""
        return self._answer("PATCH", path, query, body)[1]

    def delete(self, *path: str, **query: Any) -> None:
        """Take something away, if it is there."""
        self._answer("DELETE", path, query, {})

    def words(self, message: object) -> str:
        """A complaint of the switch on one line, without secrets and without what a terminal would obey."""
        text = " ".join("".join(c if c.isprintable() else " " for c in str(message)).split())
        for secret in sorted(self.secrets, key=len, reverse=True):
            text = text.replace(secret, HIDDEN)
        return text if len(text) <= LONGEST_WORDS else f"{text[:LONGEST_WORDS]}..."

    def _answer(
        self, method: str, path: tuple[str, ...], query: Mapping[str, Any], body: Mapping[str, Any] | None
    ) -> tuple[int, dict[str, Any]]:
        target = f"{ROOT}/{'/'.join(quote(word, safe='') for word in path)}"
        if query:
            target = f"{target}?{urlencode(query, doseq=True, safe='/*')}"
        status, data = self._exchange(method, target, b"" if body is None else msgspec.json.encode(body))
        if status in (401, 403):
            message = (
                f"{self._where} refuses user name or password, or what the user asks for (HTTP {status})"
            )
            raise ConnectAuthError(message)
        answer = self._decoded(method, data)
        if status >= 400 and not (status == NOT_FOUND and method in ("GET", "DELETE")):
            said = answer.get("detail") or answer.get("title") or ""
            raise CommandErrorException(f"{method} (HTTP {status}): {self.words(said)}")
        return status, answer

    def _decoded(self, method: str, data: bytes) -> dict[str, Any]:
        try:
            answer = msgspec.json.decode(data) if data else {}
        except (msgspec.MsgspecError, ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            problem = f"{self._where} answers a {method} with something else than an object"
            raise ConnectionException(problem)
        return answer

    def _exchange(self, method: str, target: str, data: bytes) -> tuple[int, bytes]:
        """Send a request once. What became of one whose answer is lost is not known: nothing is sent again."""
        connection = self._open()
        try:
            connection.request(method, target, data, self._headers)
            answer = connection.getresponse()
            content = answer.read(MAX_ANSWER_BYTES + 1)
        except (OSError, http.client.HTTPException) as error:
            self.close()
            message = f"no answer to a {method} of {self._where}: {_kind(error)}"
            raise ConnectionClosedException(message) from None
        if answer.will_close or len(content) > MAX_ANSWER_BYTES:
            self.close()
        return answer.status, content[:MAX_ANSWER_BYTES]

    def _open(self) -> VerifiedConnection:
        if self._connection is not None and _is_dropped(self._connection):
            self.close()
        if self._connection is None:
            connection = self._connect()
            try:
                connection.connect()
            except (OSError, http.client.HTTPException) as error:
                message = f"{self._where}: {_kind(error)}"
                raise ConnectionException(message) from None
            self._connection = connection
        return self._connection


def _is_dropped(connection: VerifiedConnection) -> bool:
    """Whether an idle connection was closed at the other end: only then is there something to read."""
    if connection.sock is None:
        return True
    waiting = select.poll()  # unlike select.select, takes file numbers above 1023
    waiting.register(connection.sock, select.POLLIN)
    return bool(waiting.poll(0))


def _kind(error: Exception) -> str:
    """An error of the connection in a few words."""
    if isinstance(error, TimeoutError):
        return "it took too long"
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted: {error.verify_message}"
    return str(error) or type(error).__name__
