"""SSH for emulated devices: commands, shells, subsystems and small files, many devices in one event loop."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from functools import partial
from typing import cast

import asyncssh
from asyncssh.stream import SSHServerStreamSession

from fabric.platforms.emulation import Channel, ConnectionDies, SshEmulator
from fabric.sandbox.answers import answering, cut
from fabric.sandbox.device_files import DeviceFiles
from fabric.sandbox.identities import Identity
from fabric.sandbox.tcp_ports import TcpPort

LOGIN_WITHIN_S = 120


class Session(SSHServerStreamSession[bytes]):
    """One channel of a client: a command, a shell, a subsystem, or a transfer of files."""

    def __init__(
        self, device: SshEmulator, is_open: Callable[[], bool], connection: asyncssh.SSHServerConnection
    ) -> None:
        super().__init__(None, partial(DeviceFiles, device), 3, allow_scp=True)  # version 3: OpenSSH's
        self._device, self._is_open, self._connection = device, is_open, connection
        self._command: str | None = None
        self._channel: Channel | None = None
        self._given = bytearray()
        self._work: asyncio.Task[None] | None = None

    @property
    def _out(self) -> asyncssh.SSHServerChannel[bytes]:
        """Where answers go, once the session has started."""
        return cast("asyncssh.SSHServerChannel[bytes]", self._chan)

    @property
    def _is_ours(self) -> bool:
        """Whether we answer; files are asyncssh's business."""
        return self._channel is not None or self._command is not None

    def pty_requested(self, term_type: object, term_size: object, term_modes: object) -> bool:  # noqa: ARG002  # asyncssh's
        """Any terminal will do: what the device prints is its own."""
        return True

    def shell_requested(self) -> bool:
        """Whether the device has a shell."""
        self._channel = self._device.channel("shell")
        return self._channel is not None

    def exec_requested(self, command: str) -> bool:
        """Take any command: one that the device does not know fails when it runs."""
        if not command.startswith("scp "):
            self._channel = self._device.channel(command)
            self._command = command if self._channel is None else None
        return True

    def subsystem_requested(self, subsystem: str) -> bool:
        """Whether the device has this subsystem."""
        if subsystem == "sftp":
            return True
        self._channel = self._device.channel(subsystem)
        return self._channel is not None

    def session_started(self) -> None:
        """Greet, or run the command."""
        if not self._is_ours:
            super().session_started()
        elif self._command is None or not self._device.reads_input(self._command):
            self._begin()

    def data_received(self, data: bytes, datatype: int | None) -> None:
        """Bytes from the client."""
        if not self._is_ours:
            super().data_received(data, datatype)
            return
        self._given += data
        if self._channel is not None:
            self._begin()

    def eof_received(self) -> bool:
        """The client sends no more."""
        if not self._is_ours:
            return bool(super().eof_received())
        if self._channel is None and self._work is None:
            self._begin()
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone."""
        if self._work is not None:
            self._work.cancel()
        if self._channel is not None:
            self._channel.hang_up()
        super().connection_lost(exc)

    def _begin(self) -> None:
        """Answer what there is, unless that is being done."""
        if self._work is None or self._work.done():
            self._work = asyncio.get_running_loop().create_task(self._answer())

    async def _answer(self) -> None:
        try:
            if self._command is not None:
                await self._run(self._command)
            elif self._channel is not None:
                await self._converse(self._channel)
        except BrokenPipeError:  # the client has closed the channel
            return
        except Exception as error:
            self._connection.abort()
            if not isinstance(error, ConnectionDies):
                raise

    async def _run(self, command: str) -> None:
        await answering(self._device.faults)
        reply = self._device.run(command, bytes(self._given))
        self._write(reply.output)
        if reply.errors:
            self._out.write_stderr(reply.errors)
        self._out.exit(reply.status)
        self._hang_up_if_locked_out()

    async def _converse(self, channel: Channel) -> None:
        while not channel.ended:
            await answering(self._device.faults)
            data, self._given = bytes(self._given), bytearray()
            self._write(channel.feed(data))
            if not self._given:
                break
        if channel.ended:
            self._out.exit(0)
        self._hang_up_if_locked_out()

    def _write(self, data: bytes) -> None:
        data, dies = cut(self._device.faults, data)
        self._out.write(data)
        if dies:
            raise ConnectionDies

    def _hang_up_if_locked_out(self) -> None:
        if not self._is_open():
            self._connection.close()


class Server(asyncssh.SSHServer):
    """One client's connection: the login."""

    def __init__(
        self,
        device: SshEmulator,
        is_open: Callable[[], bool],
        open_connections: set[asyncssh.SSHServerConnection],
    ) -> None:
        self._device, self._is_open, self._open = device, is_open, open_connections
        self._connection: asyncssh.SSHServerConnection | None = None

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        """Note the connection."""
        self._connection = conn
        self._open.add(conn)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # asyncssh's signature
        """Forget the connection."""
        if self._connection is not None:
            self._open.discard(self._connection)

    def password_auth_supported(self) -> bool:
        """Passwords are asked for."""
        return True

    def public_key_auth_supported(self) -> bool:
        """Keys are taken."""
        return True

    async def validate_password(self, username: str, password: str) -> bool:
        """Whether a password lets in."""
        await answering(self._device.faults)
        return self._admitted(lambda: self._device.login(username, password))

    async def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        """Whether a key lets in."""
        await answering(self._device.faults)
        text = b" ".join(key.export_public_key("openssh").split()[:2]).decode()
        return self._admitted(lambda: self._device.login_with_key(username, text))

    def _admitted(self, ask: Callable[[], bool]) -> bool:
        if self._device.faults.deny_login:
            return False
        try:
            return ask()
        except ConnectionDies:
            if self._connection is not None:
                self._connection.abort()
            return False

    def session_requested(self) -> Session:
        """Open a channel."""
        assert self._connection is not None  # noqa: S101  # it was made before
        return Session(self._device, self._is_open, self._connection)


class SshListener:
    """One device's SSH server: its port, its host key, and the connections made to it."""

    def __init__(
        self, device: SshEmulator, is_open: Callable[[], bool], identity: Identity, address: str, port: int
    ) -> None:
        self._device, self._is_open, self._identity = device, is_open, identity
        self._connections: set[asyncssh.SSHServerConnection] = set()
        self._port = TcpPort(address, port, is_open, self._serve)

    async def open(self) -> None:
        """Listen, if the device does. `Refused` if the address is taken, with the process that has it."""
        self._port.open()

    def look(self) -> None:
        """Listen or do not, as the device does now."""
        self._port.look()

    async def _serve(self, client: socket.socket) -> None:
        try:
            await answering(self._device.faults)
            await asyncssh.run_server(
                client,
                server_factory=lambda: Server(self._device, self._is_open, self._connections),
                server_host_keys=[self._identity.host_key],
                encoding=None,
                line_editor=False,
                login_timeout=LOGIN_WITHIN_S,
            )
        except (OSError, asyncssh.Error):  # whatever it was, the client knows
            client.close()
        except asyncio.CancelledError:
            client.close()
            raise

    def close(self) -> None:
        """Stop listening, and drop every connection."""
        self._port.close()
        self.drop()

    def drop(self) -> None:
        """Drop every connection."""
        for connection in tuple(self._connections):
            connection.abort()
