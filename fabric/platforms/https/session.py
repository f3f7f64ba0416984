"""Requests to a device over one verified HTTPS connection, with a login; errors name what failed and hold no secret.

For drivers of products whose API takes JSON over HTTPS: what is asked and answered is each product's own.
"""

from __future__ import annotations

import base64
import http.client
import select
import ssl

from napalm.base.exceptions import ConnectAuthError, ConnectionClosedException, ConnectionException

from fabric.platforms.https.tls import VerifiedConnection
from fabric.platforms.trust import Trust

MAX_ANSWER_BYTES = 256 * 2**20
"""The whole state of a large switch has some ten."""
HIDDEN = "***"
LOGIN_REFUSED = (401, 403)


class HttpsSession:
    """A connection, opened with the first request, and again when the device has closed an idle one."""

    def __init__(
        self, address: str, port: int, login: tuple[str, str], trust: Trust, timeout_s: float
    ) -> None:
        self._to = (address, port, trust, timeout_s)
        secret = base64.b64encode(":".join(login).encode()).decode()
        self._headers = {"Content-Type": "application/json", "Authorization": f"Basic {secret}"}
        self._connection: VerifiedConnection | None = None
        self.where = f"{address}:{port}"
        self.secrets: frozenset[str] = frozenset()
        """Values of the candidate that no complaint of the device may repeat."""

    def close(self) -> None:
        """Hang up."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def words(self, message: object) -> str:
        """A complaint of the device on one line, without secrets and without what a terminal would obey."""
        text = " ".join("".join(c if c.isprintable() else " " for c in str(message)).split())
        for secret in sorted(self.secrets, key=len, reverse=True):
            text = text.replace(secret, HIDDEN)
        return text

    def exchange(
        self, method: str, target: str, data: bytes, *, what: str = "", refused: str = ""
    ) -> tuple[int, bytes]:
        """Send a request once; its status and content. `what` names it for people, else its method does.

        What became of one whose answer is lost is not known: nothing is sent again. `ConnectAuthError` if the login
        is refused (`refused`: what else that may mean there), `ConnectionException` if nobody who is trusted answers.
        """
        connection = self._open()
        try:
            connection.request(method, target, data, self._headers)
            answer = connection.getresponse()
            content = answer.read(MAX_ANSWER_BYTES + 1)
        except (OSError, http.client.HTTPException) as error:
            self.close()
            message = f"no answer to a {what or method} of {self.where}: {_kind(error)}"
            raise ConnectionClosedException(message) from None
        if answer.will_close or len(content) > MAX_ANSWER_BYTES:
            self.close()
        if answer.status in LOGIN_REFUSED:
            message = f"{self.where} refuses user name or password{refused} (HTTP {answer.status})"
            raise ConnectAuthError(message)
        return answer.status, content[:MAX_ANSWER_BYTES]

    def _open(self) -> VerifiedConnection:
        if self._connection is not None and _is_dropped(self._connection):
            self.close()
        if self._connection is None:
            connection = VerifiedConnection(*self._to)
            try:
                connection.connect()
            except (OSError, http.client.HTTPException) as error:
                message = f"{self.where}: {_kind(error)}"
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
