"""Commands of a switch and what it answers, over NX-API."""

from __future__ import annotations

from typing import Any

from fabric.platforms.nxos.session_transport import NxapiClient


class Requests:
    """Of one connection. `CommandErrorException` if the switch refuses a command."""

    def __init__(self, api: NxapiClient) -> None:
        self._api = api

    def send(self, *commands: str) -> list[str]:
        """In one request, which the switch carries out whoever goes away; the answers as text."""
        return [str(answer) for answer in self._api.ask(list(commands))]

    def send_long(self, *commands: str) -> list[str]:
        """The same, where an answer may take minutes."""
        self._api.long(is_long=True)
        try:
            return self.send(*commands)
        finally:
            self._api.long(is_long=False)

    def ask(self, command: str) -> str:
        """What one command prints."""
        return self.send(command)[0]

    def ask_json(self, command: str) -> dict[str, Any]:
        """What one command says as an object; an empty one if it says nothing."""
        answer = self._api.ask([command], is_text=False)[0]
        return answer if isinstance(answer, dict) else {}

    def hang_up(self) -> None:
        """End the connection."""
        self._api.hang_up()
