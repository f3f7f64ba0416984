"""NVUE's REST API: one verified HTTPS connection for many requests, and errors without secrets.

Methods, paths and answers: Cumulus Linux user guide, "NVUE API" (CumulusNetworks/docs, cumulus-linux-516). A switch
that shows its default password answers everything with 403.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

import msgspec
from napalm.base.exceptions import CommandErrorException, ConnectionException

from fabric.platforms.https.session import HttpsSession

ROOT = "/nvue_v1"
PORT = 8765
NOT_FOUND = 404


class Rest(HttpsSession):
    """Objects of a switch, by their paths."""

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

    def _answer(
        self, method: str, path: tuple[str, ...], query: Mapping[str, Any], body: Mapping[str, Any] | None
    ) -> tuple[int, dict[str, Any]]:
        target = f"{ROOT}/{'/'.join(quote(word, safe='') for word in path)}"
        if query:
            target = f"{target}?{urlencode(query, doseq=True, safe='/*')}"
        data = b"" if body is None else msgspec.json.encode(body)
        status, data = self.exchange(method, target, data, refused=", or what the user asks for")
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
            problem = f"{self.where} answers a {method} with something else than an object"
            raise ConnectionException(problem)
        return answer
