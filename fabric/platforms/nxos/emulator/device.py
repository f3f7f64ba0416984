"""How an emulated switch is reached: NX-API over HTTPS, files by SCP over SSH.

Form of the answers: nxapi_plumbing (in NAPALM): a list of objects, or one where one command was sent; what is refused
has code -32602, and nothing behind it is run.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from typing import Any

from fabric.platforms.emulation import (
    Channel,
    Emulated,
    HttpReply,
    HttpRequest,
    SshReply,
    Step,
    Surroundings,
    Transport,
    strikes,
)
from fabric.platforms.nxos.emulator.commands import Commands
from fabric.platforms.nxos.emulator.replace import CliError
from fabric.platforms.nxos.emulator.switch import NxosSwitch

PATH = "/ins"
METHODS = {"cli": False, "cli_ascii": True}
INVALID_PARAMS, INVALID_REQUEST = -32602, -32600


class NxosEmulator(NxosSwitch):
    """A switch with NX-API and sshd."""

    transports: tuple[Transport, ...] = ("https", "ssh")

    def __init__(self, spec: Emulated, surroundings: Surroundings) -> None:
        super().__init__(spec, surroundings)
        self._commands = Commands(self)
        self._verified: set[str] = set()

    def listens(self, transport: Transport) -> bool:
        """Whether its features and its management address let us in still."""
        if transport == "https":
            return self.is_reachable and "feature nxapi" in self.nodes
        return self.is_reachable and "no feature ssh" not in self.nodes

    def request(self, request: HttpRequest) -> HttpReply:
        """One HTTPS request."""
        if request.path.partition("?")[0] != PATH:
            return HttpReply(404, b"not found\n", "text/plain")
        with strikes(self, "login"):
            user = self._user(request.authorization)
        if user is None:
            return HttpReply(401, b"<html>Unauthorized</html>\n", "text/html")
        try:
            calls = json.loads(request.body)
            calls = calls if isinstance(calls, list) else [calls]
            commands = [str(call["params"]["cmd"]) for call in calls]
            is_text = METHODS[calls[0]["method"]]
        except (ValueError, KeyError, TypeError, IndexError):
            error = {"code": INVALID_REQUEST, "message": "Invalid request"}
            return HttpReply(400, json.dumps({"jsonrpc": "2.0", "error": error, "id": None}).encode())
        with strikes(self, self._step(commands)):
            answers = self._answers(commands, user, is_text=is_text)
        status = 400 if "error" in answers[-1] else 200
        return HttpReply(status, json.dumps(answers[0] if len(calls) == 1 else answers).encode())

    def _answers(self, commands: Sequence[str], user: str, *, is_text: bool) -> list[dict[str, Any]]:
        answers: list[dict[str, Any]] = []
        asks = True
        for number, command in enumerate(commands, 1):
            head = {"jsonrpc": "2.0", "id": number}
            try:
                said = self._commands.run(command, user, is_text=is_text, asks=asks)
            except CliError as refusal:
                data = {"msg": f"{refusal}\n"}
                answers.append(
                    {**head, "error": {"code": INVALID_PARAMS, "message": "Invalid params", "data": data}}
                )
                break
            if command == "terminal dont-ask":
                asks = False
            answers.append({**head, "result": {"msg" if is_text else "body": said} if said else None})
        return answers

    def _step(self, commands: Sequence[str]) -> Step:
        """What a request is of a change. A candidate is looked at first when it is loaded."""
        replaces = [command for command in commands if command.startswith("configure replace ")]
        if not replaces:
            return "read"
        if replaces[0] == "configure replace commit":
            return "confirm" if len(replaces) == 1 else "rollback"
        if not replaces[0].endswith(" verify-only"):
            self._verified.clear()
            return "commit"
        is_known = replaces[0] in self._verified
        self._verified.add(replaces[0])
        return "compare" if is_known else "load"

    def _user(self, authorization: str) -> str | None:
        """The user of a Basic header; None if it is not let in."""
        scheme, _, value = authorization.partition(" ")
        try:
            user, _, password = base64.b64decode(value).decode().partition(":")
        except ValueError:
            return None
        return user if scheme.lower() == "basic" and self.admits(user, password) else None

    def login(self, username: str, password: str) -> bool:
        """Over SSH."""
        with strikes(self, "login"):
            return self.admits(username, password)

    def login_with_key(self, username: str, key: str) -> bool:
        """Whether it is the key of our account."""
        ours = self.spec.public_key.split()[:2]
        return bool(ours) and username == self.spec.username and ours == key.split()[:2]

    def reads_input(self, command: str) -> bool:  # noqa: ARG002  # the protocol's
        """None does."""
        return False

    def run(self, command: str, given: bytes) -> SshReply:  # noqa: ARG002  # the protocol's
        """No command line is played over SSH."""
        return SshReply(1, b"", b"% Invalid command\n")

    def channel(self, kind: str) -> Channel | None:  # noqa: ARG002  # the protocol's
        """No interactive shell is played."""
        return None

    def reboot(self) -> None:
        """Start again from the startup configuration; bootflash stays."""
        self._commands.replacer.clear()
        self._verified.clear()
        self.restart()
