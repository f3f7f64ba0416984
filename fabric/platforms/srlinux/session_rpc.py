"""JSON-RPC to an SR Linux device: one verified HTTPS connection for many requests, and errors without secrets.

Form of requests and answers: https://documentation.nokia.com/srlinux/24-10/books/system-mgmt/json-interface.html;
learn.srlinux.dev, JSON-RPC basics. Operational commands: nokia/srlinux-yang-models, `srl_nokia-tools-configuration`.
"""

from __future__ import annotations

import base64
import http.client
import itertools
import select
import ssl
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
from napalm.base.exceptions import (
    CommandErrorException,
    ConnectAuthError,
    ConnectionClosedException,
    ConnectionException,
)

from fabric.platforms.tls import VerifiedConnection
from fabric.platforms.trust import Trust

PATH = "/jsonrpc"
PORT = 443
MAX_ANSWER_BYTES = 256 * 2**20
"""The whole state of a large switch has some ten."""
LONGEST_WORDS = 600
"""Letters of a device's complaint: it may list every name that it would have understood."""
HIDDEN = "***"


class JsonRpc:
    """A connection, opened with the first request, and again when the device has closed an idle one."""

    def __init__(
        self, address: str, port: int, login: tuple[str, str], trust: Trust, timeout_s: float
    ) -> None:
        self._connect: Callable[[], VerifiedConnection] = lambda: VerifiedConnection(
            address, port, trust, timeout_s
        )
        secret = base64.b64encode(":".join(login).encode()).decode()
        self._headers = {"Content-Type": "application/json", "Authorization": f"Basic {secret}"}
        self._connection: VerifiedConnection | None = None
        self._ids = itertools.count(1)
        self._where = f"{address}:{port}"
        self.secrets: frozenset[str] = frozenset()
        """Values of the candidate that no complaint of the device may repeat."""

    def close(self) -> None:
        """Hang up."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def get(self, *paths: str, datastore: str = "state") -> list[Any]:
        """What stands at each path. `CommandErrorException` if the device knows one of them not."""
        commands = [{"path": path, "datastore": datastore} for path in paths]
        return self._results("get", {"commands": commands}, len(paths))

    def change(self, method: str, commands: Iterable[Mapping[str, Any]], **params: Any) -> list[Any]:
        """`set`, `validate` or `diff` of commands against the candidate datastore: all of them, or none."""
        return self._results(method, {"commands": list(commands), "datastore": "candidate", **params}, None)

    def tools(self, path: str, value: Mapping[str, Any] | None = None) -> None:
        """Run an operational command."""
        command: dict[str, Any] = {"action": "update", "path": path}
        if value is not None:
            command["value"] = dict(value)
        self._results("set", {"commands": [command], "datastore": "tools"}, None)

    def cli(self, *lines: str) -> list[str]:
        """Lines of the command line, one after another as one user types them; what each printed."""
        results = self._results("cli", {"commands": list(lines), "output-format": "text"}, len(lines))
        return [text_of(result) for result in results]

    def _results(self, method: str, params: Mapping[str, Any], count: int | None) -> list[Any]:
        body = self._answer(method, params)
        error = body.get("error")
        if error:
            message = error.get("message") if isinstance(error, dict) else error
            raise CommandErrorException(f"{method}: {self._words(message)}")
        results = body.get("result", [])
        if not isinstance(results, list) or (count is not None and len(results) != count):
            problem = f"{self._where} answers a {method} with something else than it was asked for"
            raise ConnectionException(problem)
        return results

    def _answer(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        request = {"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": params}
        status, data = self._exchange(method, msgspec.json.encode(request))
        if status in (401, 403):
            message = f"{self._where} refuses user name or password (HTTP {status})"
            raise ConnectAuthError(message)
        try:
            body = msgspec.json.decode(data)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            body = None
        if status != 200 or not isinstance(body, dict) or body.get("id") != request["id"]:
            problem = f"{self._where} answers a {method} with no JSON-RPC (HTTP {status})"
            raise ConnectionException(problem)
        return body

    def _exchange(self, method: str, data: bytes) -> tuple[int, bytes]:
        """Send a request once. What became of one whose answer is lost is not known: nothing is sent again."""
        connection = self._open()
        try:
            connection.request("POST", PATH, data, self._headers)
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

    def _words(self, message: object) -> str:
        """A complaint of the device on one line, without secrets and without what a terminal would obey."""
        text = " ".join("".join(c if c.isprintable() else " " for c in str(message)).split())
        for secret in sorted(self.secrets, key=len, reverse=True):
            text = text.replace(secret, HIDDEN)
        return text if len(text) <= LONGEST_WORDS else f"{text[:LONGEST_WORDS]}..."


def text_of(result: object) -> str:
    """What a command or a diff printed: the text itself, or wrapped."""
    text = result.get("text", "") if isinstance(result, dict) else result
    return text if isinstance(text, str) else ""


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
