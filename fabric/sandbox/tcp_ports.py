"""A TCP port of an emulated device: it takes connections while the device listens there, and refuses them else."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Coroutine
from typing import Any

from fabric.sandbox.port_owners import bound_socket, listen, listening_socket

Serve = Callable[[socket.socket], Coroutine[Any, Any, None]]


class TcpPort:
    """One port of one device. While the device does not listen, the kernel refuses who connects."""

    def __init__(self, address: str, port: int, is_open: Callable[[], bool], serve: Serve) -> None:
        self._address, self._port = address, port
        self._is_open, self._serve = is_open, serve
        self._socket: socket.socket | None = None
        self._is_listening = False
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        """Listen, if the device does. `Refused` if the address is taken, with the process that has it."""
        self._listen(listening_socket(self._address, self._port))
        self.look()

    def look(self) -> None:
        """Listen or do not, as the device does now. A connection that was taken stays.

        `Refused` if a stranger has taken the port while nobody listened there.
        """
        if self._socket is None or self._is_listening == self._is_open():
            return
        if self._is_listening:
            self._stop()
            self._socket = bound_socket(self._address, self._port)
        else:
            listen(self._socket, self._address, self._port)
            self._listen(self._socket)

    def close(self) -> None:
        """Give the port back. What is being done with connections ends."""
        for task in tuple(self._tasks):
            task.cancel()
        if self._socket is not None:
            self._stop()
            self._socket = None

    def _listen(self, listener: socket.socket) -> None:
        self._socket, self._is_listening = listener, True
        asyncio.get_running_loop().add_reader(listener, self._accept)

    def _stop(self) -> None:
        assert self._socket is not None  # noqa: S101  # whoever calls has looked
        if self._is_listening:
            asyncio.get_running_loop().remove_reader(self._socket)
        self._is_listening = False
        self._socket.close()

    def _accept(self) -> None:
        assert self._socket is not None  # noqa: S101  # it is read
        try:
            client, _ = self._socket.accept()
        except OSError:  # whoever came has gone again
            return
        if self._is_open():
            client.setblocking(False)  # noqa: FBT003  # the standard library's signature
            task = asyncio.get_running_loop().create_task(self._serve(client))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        else:  # of what has closed it we were not told
            client.close()
            self.look()
