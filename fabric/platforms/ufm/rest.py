"""UFM's REST API over HTTPS: one connection, basic authentication, the server's certificate checked.

Sources: NVIDIA UFM Enterprise REST API Guide 6.9 to 6.22, `REST API Complementary Information` and `PKey GUIDs`.
"""

from __future__ import annotations

import base64
import http.client
import ssl
from collections.abc import Mapping
from typing import Any

import msgspec

from fabric.platforms.driver import LoginRefused
from fabric.platforms.https.tls import Untrusted, VerifiedConnection
from fabric.platforms.trust import Trust

ROOT = "/ufmRest"
LARGEST_BYTES = 256 << 20
"""Of an answer."""
AWAY = frozenset({502, 503, 504})
"""What the web server answers while no UFM runs behind it: on a standby, at a start, in a failover."""


class UfmError(Exception):
    """UFM refused, or said what nobody can read. The words hold no secret."""


class UfmLoginRefused(UfmError, LoginRefused):
    """UFM does not know who asks."""


class Away(UfmError):
    """No UFM answers there now. What was sent last may have been done or not."""


class Rest:
    """One UFM. Nothing is sent again by itself: whether a request was done is for the caller to find out."""

    def __init__(
        self,
        address: str,
        port: int,
        *,
        username: str,
        password: str,
        trust: Trust,
        timeout_s: float = 60,
    ) -> None:
        word = base64.b64encode(f"{username}:{password}".encode()).decode()
        self._headers = {"Authorization": f"Basic {word}", "Accept": "application/json"}
        self._where = (address, port, trust, timeout_s)
        self._connection: VerifiedConnection | None = None

    def __repr__(self) -> str:
        return f"Rest({self._where[0]}:{self._where[1]})"

    def close(self) -> None:
        """Hang up."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def get(self, path: str) -> Any:
        """What stands there."""
        return self.call("GET", path)

    def call(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """One request below `/ufmRest`; what was answered, None if nothing was.

        `Away` if no UFM answers, `UfmError` if it refuses.
        """
        reused = self._connection is not None
        try:
            status, content = self._exchange(method, path, body)
        except ssl.SSLCertVerificationError as error:
            raise UfmError(f"{self}: its certificate is not trusted: {error.verify_message}") from None
        except Untrusted as error:
            raise UfmError(f"{self}: its certificate is not trusted: {error}") from None
        except (OSError, http.client.HTTPException) as error:
            self.close()
            if (
                method == "GET" and reused
            ):  # the server may have closed an idle connection; asking twice is safe
                return self.call(method, path)
            raise Away(f"{method} {ROOT}{path.partition('?')[0]}: {type(error).__name__}: {error}") from None
        return _read(method, path, status, content)

    def _exchange(self, method: str, path: str, body: Mapping[str, Any] | None) -> tuple[int, bytes]:
        if self._connection is None:
            self._connection = VerifiedConnection(*self._where)
        headers, data = dict(self._headers), None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = msgspec.json.encode(body)
        self._connection.request(method, ROOT + path, data, headers)
        answer = self._connection.getresponse()
        content = answer.read(LARGEST_BYTES + 1)
        if answer.will_close or len(content) > LARGEST_BYTES:
            self.close()
        return answer.status, content


def _read(method: str, path: str, status: int, content: bytes) -> Any:
    at = f"{method} {ROOT}{path.partition('?')[0]}"
    if status in AWAY:
        raise Away(f"{at}: {status}: no UFM runs there now")
    if status == http.client.UNAUTHORIZED:
        raise UfmLoginRefused(f"{at}: the login is refused")
    if status not in range(200, 300):
        words = " ".join(content.decode(errors="replace").split())
        raise UfmError(f"{at}: {status} {http.client.responses.get(status, '')}: {words}")
    if not content.strip() or status == http.client.NO_CONTENT:
        return None
    try:
        return msgspec.json.decode(content)
    except msgspec.DecodeError:
        if method == "GET":
            raise UfmError(f"{at}: the answer is not valid JSON") from None
        return None
