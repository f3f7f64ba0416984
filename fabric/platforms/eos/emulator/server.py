"""How an emulated EOS switch is reached: eAPI over HTTPS, with the users of its configuration."""

from __future__ import annotations

import base64
from contextlib import nullcontext
from typing import Any

from fabric.platforms.emulation import HttpReply, HttpRequest, Transport, strikes
from fabric.platforms.eos.emulator.device import EosSwitch
from fabric.platforms.eos.emulator.eapi import answer
from fabric.platforms.eos.emulator.shell import Shell, command_text
from fabric.platforms.eos.emulator.steps import step_of


class EosEmulator(EosSwitch):
    """A switch that speaks eAPI."""

    transports: tuple[Transport, ...] = ("https",)

    def listens(self, transport: Transport) -> bool:
        """Whether eAPI answers."""
        return transport == "https" and self.reachable()

    def request(self, request: HttpRequest) -> HttpReply:
        """One HTTPS request."""
        if request.path.partition("?")[0] != "/command-api":
            return HttpReply(404, b'{"error": "not found"}')
        if request.method != "POST":
            return HttpReply(405, b'{"error": "method not allowed"}')
        with strikes(self, "login"):
            user = self._login(request.authorization)
        if user is None:
            return HttpReply(
                401, b"Unable to authenticate user: Bad username/password combination", "text/plain"
            )
        return HttpReply(200, answer(request.body, lambda commands, form: self._run(user, commands, form)))

    def _run(self, user: str, commands: list[Any], form: str) -> list[dict[str, Any]]:
        step = step_of((command_text(command)[0] for command in commands), self.store)
        with strikes(self, step) if step else nullcontext():
            return Shell(self, user, form).run(commands)

    def _login(self, authorization: str) -> str | None:
        """The user of a Basic header; None if it is not let in."""
        scheme, _, value = authorization.partition(" ")
        try:
            user, _, password = base64.b64decode(value).decode().partition(":")
        except ValueError:
            return None
        if scheme.lower() != "basic" or self.faults.deny_login:
            return None
        return user if self.access.admits(self.store.running, user, password) else None
