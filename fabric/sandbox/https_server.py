"""HTTP/1.1 over TLS, as much of it as management protocols use, for many devices in one event loop."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress

from fabric.platforms.emulation import ConnectionDies, HttpReply, HttpRequest, HttpsEmulator
from fabric.sandbox.answers import cut
from fabric.sandbox.identities import Identity
from fabric.sandbox.tcp_ports import TcpPort

MAX_HEADER_BYTES = 64 * 1024
MAX_BODY_BYTES = 64 * 1024 * 1024
REASONS = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found", 405: "Method Not Allowed"}
BAD_REQUEST = HttpReply(400, b"bad request\n", "text/plain")


class Connection(asyncio.Protocol):
    """One client's connection to one device. Requests are answered in order, and the connection is kept."""

    def __init__(
        self, device: HttpsEmulator, is_open: Callable[[], bool], open_connections: set[Connection]
    ) -> None:
        self._device, self._is_open = device, is_open
        self._open = open_connections
        self._buffer = bytearray()
        self._transport: asyncio.Transport | None = None
        self._busy = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection, unless the device does not listen."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101  # what create_server makes
        self._transport = transport
        self._open.add(self)
        if not self._is_open():
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # asyncio's signature
        """The client is gone."""
        self._open.discard(self)
        self._transport = None

    def data_received(self, data: bytes) -> None:
        """Bytes from the client."""
        self._buffer += data
        if not self._busy:
            self._next()

    def _next(self) -> None:
        """Answer the next complete request, if there is one."""
        parsed = _request(self._buffer)
        if parsed is None or self._transport is None or self._device.faults.hang:
            return
        request, size_bytes = parsed
        del self._buffer[:size_bytes]
        latency_ms = self._device.faults.latency_ms
        if latency_ms:
            self._busy = True
            asyncio.get_running_loop().call_later(latency_ms / 1000, self._answer, request)
        else:
            self._answer(request)

    def _answer(self, request: HttpRequest | None) -> None:
        self._busy = False
        try:
            reply = BAD_REQUEST if request is None else self._device.request(request)
        except ConnectionDies:
            return self.abort()
        if self._transport is None:
            return None
        is_head = request is not None and request.method == "HEAD"
        data, dies = cut(self._device.faults, _reply(reply, is_head=is_head))
        self._transport.write(data)
        if dies or request is None or not self._is_open():
            self._transport.close()
            return None
        return self._next()

    def abort(self) -> None:
        """Drop the connection."""
        if self._transport is not None:
            self._transport.abort()


def _request(buffer: bytearray) -> tuple[HttpRequest | None, int] | None:
    """The first request of a buffer and its size; no request if it is not valid; None if it is not complete."""
    end = buffer.find(b"\r\n\r\n")
    if end < 0:
        return (None, len(buffer)) if len(buffer) > MAX_HEADER_BYTES else None
    first, *rows = bytes(buffer[:end]).decode("latin-1").split("\r\n")
    words = first.split(" ")
    headers = {name.strip().lower(): value.strip() for name, _, value in (row.partition(":") for row in rows)}
    length = headers.get("content-length", "0")
    if len(words) != 3 or not length.isdecimal() or int(length) > MAX_BODY_BYTES:
        return None, len(buffer)
    start, stop = end + 4, end + 4 + int(length)
    if len(buffer) < stop:
        return None
    body = bytes(buffer[start:stop])
    return HttpRequest(words[0], words[1], headers.get("authorization", ""), body), stop


def _reply(reply: HttpReply, *, is_head: bool) -> bytes:
    head = (
        f"HTTP/1.1 {reply.status} {REASONS.get(reply.status, 'Status')}\r\n"
        f"Content-Type: {reply.media_type}\r\nContent-Length: {len(reply.body)}\r\n\r\n"
    )
    return head.encode() + (b"" if is_head else reply.body)


class HttpsListener:
    """One device's HTTPS server: its port, and the connections made to it."""

    def __init__(
        self, device: HttpsEmulator, is_open: Callable[[], bool], identity: Identity, address: str, port: int
    ) -> None:
        self._device, self._is_open, self._identity = device, is_open, identity
        self._connections: set[Connection] = set()
        self._port = TcpPort(address, port, is_open, self._serve)

    async def open(self) -> None:
        """Listen, if the device does. `Refused` if the address is taken, with the process that has it."""
        self._port.open()

    def look(self) -> None:
        """Listen or do not, as the device does now."""
        self._port.look()

    async def _serve(self, client: socket.socket) -> None:
        self._identity.refresh()
        with suppress(OSError):  # TLS fails, and the client knows
            await asyncio.get_running_loop().connect_accepted_socket(
                lambda: Connection(self._device, self._is_open, self._connections),
                client,
                ssl=self._identity.tls,
            )

    def close(self) -> None:
        """Stop listening, and drop every connection."""
        self._port.close()
        self.drop()

    def drop(self) -> None:
        """Drop every connection."""
        for connection in tuple(self._connections):
            connection.abort()
