"""How an emulated switch is reached: NETCONF over SSH, with the users of its configuration."""

from __future__ import annotations

from collections.abc import MutableMapping
from functools import lru_cache, partial
from itertools import count

from fabric.platforms.emulation import Channel, Emulated, SshReply, Surroundings, Transport, strikes
from fabric.platforms.facts import InterfaceFacts
from fabric.platforms.junos.emulator.netconf import NetconfChannel
from fabric.platforms.junos.emulator.rpc import Calls
from fabric.platforms.junos.emulator.switch import JunosSwitch, management_port
from fabric.platforms.sha512crypt import sha512_crypt

FIRST_SESSION = 1001


class JunosEmulator(JunosSwitch):
    """A switch that speaks NETCONF over SSH."""

    transports: tuple[Transport, ...] = ("ssh",)

    def __init__(self, spec: Emulated, surroundings: Surroundings) -> None:
        super().__init__(spec, surroundings)
        self.files: MutableMapping[str, bytes] = {}
        self._user = spec.username
        self._numbers = count(FIRST_SESSION)

    def open_session(self, user: str) -> NetconfChannel:
        """A NETCONF session of a user who is logged in."""
        session = next(self._numbers)

        def ends() -> None:
            self._channels.pop(session, None)
            self.database.end(session)

        channel = NetconfChannel(session, Calls(self, session, user, partial(strikes, self)).answer, ends)
        self._channels[session] = channel
        return channel

    def listens(self, transport: Transport) -> bool:
        """Whether NETCONF answers at the address that we came by."""
        seen = self.view()
        port = seen.ports.get(management_port(self._spec), InterfaceFacts())
        is_there = port.enabled and (not self._management or bool(self._management & set(port.addresses)))
        return transport == "ssh" and is_there and seen.has_netconf

    def login(self, username: str, password: str) -> bool:
        """By the TACACS+ server, which knows our account, or by a local user."""
        with strikes(self, "login"):
            return self._admits(username, password)

    def _admits(self, username: str, password: str) -> bool:
        if self.faults.deny_login:
            return False
        seen = self.view()
        if seen.asks_server:
            accepted = (username, password) == (self._spec.username, self._spec.password)
        else:
            accepted = _matches(seen.hashes.get(username, ""), password)
        self._user = username if accepted else self._user
        return accepted

    def login_with_key(self, username: str, key: str) -> bool:
        """Whether it is the key of our account."""
        ours = self._spec.public_key.split()[:2]
        return bool(ours) and username == self._spec.username and ours == key.split()[:2]

    def reads_input(self, command: str) -> bool:  # noqa: ARG002  # the protocol's
        """No command does."""
        return False

    def run(self, command: str, given: bytes) -> SshReply:  # noqa: ARG002  # the protocol's
        """No command line is played: whoever wants one gets Junos's complaint."""
        return SshReply(1, b"", f"error: unknown command: {command}\n".encode())

    def channel(self, kind: str) -> Channel | None:
        """NETCONF, and no shell."""
        return self.open_session(self._user) if kind == "netconf" else None


@lru_cache(maxsize=4096)
def _matches(stored: str, password: str) -> bool:
    parts = stored.split("$")
    return len(parts) == 4 and parts[1] == "6" and sha512_crypt(password, parts[2]) == stored
