"""How an emulated SR Linux switch is reached: JSON-RPC over HTTPS, with the login of its operators."""

from __future__ import annotations

import base64
import json

from fabric.platforms.emulation import HttpReply, HttpRequest
from fabric.platforms.srlinux.emulator.rpc import answer
from fabric.platforms.srlinux.emulator.switch import SrlinuxSwitch

PATH = "/jsonrpc"


class SrlinuxEmulator(SrlinuxSwitch):
    """A switch that speaks JSON-RPC."""

    def request(self, request: HttpRequest) -> HttpReply:
        """One HTTPS request."""
        if request.path.partition("?")[0] != PATH:
            return HttpReply(404, b"not found\n", "text/plain")
        if request.method != "POST":
            return HttpReply(405, b"method not allowed\n", "text/plain")
        user = self._login(request.authorization)
        if user is None:
            return HttpReply(401, json.dumps({"error": "authentication failed"}).encode())
        return HttpReply(200, answer(self, user, request.body))

    def _login(self, authorization: str) -> str | None:
        """The user of a Basic header; None if it is not let in."""
        scheme, _, value = authorization.partition(" ")
        try:
            user, _, password = base64.b64decode(value).decode().partition(":")
        except ValueError:
            return None
        if scheme.lower() != "basic" or self.faults.deny_login:
            return None
        return user if self.admits(user, password) else None
