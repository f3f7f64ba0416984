"""JSON-RPC to an SR Linux device: one verified HTTPS connection for many requests, and errors without secrets.

Form of requests and answers: https://documentation.nokia.com/srlinux/24-10/books/system-mgmt/json-interface.html;
learn.srlinux.dev, JSON-RPC basics. Operational commands: nokia/srlinux-yang-models, `srl_nokia-tools-configuration`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from napalm.base.exceptions import CommandErrorException, ConnectionException

from fabric.platforms.https.session import HttpsSession
from fabric.platforms.trust import Trust

PATH = "/jsonrpc"
PORT = 443


class JsonRpc(HttpsSession):
    """Methods of a device, each answered by its number."""

    def __init__(
        self, address: str, port: int, login: tuple[str, str], trust: Trust, timeout_s: float
    ) -> None:
        super().__init__(address, port, login, trust, timeout_s)
        self._ids = itertools.count(1)

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
            raise CommandErrorException(f"{method}: {self.words(message)}")
        results = body.get("result", [])
        if not isinstance(results, list) or (count is not None and len(results) != count):
            problem = f"{self.where} answers a {method} with something else than it was asked for"
            raise ConnectionException(problem)
        return results

    def _answer(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        request = {"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": params}
        status, data = self.exchange("POST", PATH, msgspec.json.encode(request), what=method)
        try:
            body = msgspec.json.decode(data)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            body = None
        if status != 200 or not isinstance(body, dict) or body.get("id") != request["id"]:
            problem = f"{self.where} answers a {method} with no JSON-RPC (HTTP {status})"
            raise ConnectionException(problem)
        return body


def text_of(result: object) -> str:
    """What a command or a diff printed: the text itself, or wrapped."""
    text = result.get("text", "") if isinstance(result, dict) else result
    return text if isinstance(text, str) else ""
