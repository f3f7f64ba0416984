"""Who listens on a TCP port of this machine: a sandbox must not take a stranger's server for its own."""

from __future__ import annotations

import errno
import socket
from collections.abc import Iterator
from contextlib import suppress
from ipaddress import IPv4Address
from pathlib import Path

from fabric.diagnostics import Refused

PROC = Path("/proc")
BACKLOG = 16
"""Connections that wait to be taken."""
LISTEN = "0A"
"""State of a listening socket in /proc/net/tcp (Linux, include/net/tcp_states.h)."""


def is_taken(address: str, port: int) -> bool:
    """Whether a server that wants to listen there would be refused. Connections that linger do not count."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as sshd does
        try:
            probe.bind((address, port))
            probe.listen()  # two may bind; only one may listen
        except OSError as error:
            return error.errno == errno.EADDRINUSE
    return False


def listening_socket(address: str, port: int) -> socket.socket:
    """A socket that listens there and blocks nobody. `Refused` if another does, with the process that has it."""
    listener = bound_socket(address, port)
    try:
        listen(listener, address, port)
    except BaseException:
        listener.close()
        raise
    return listener


def listen(bound: socket.socket, address: str, port: int) -> None:
    """Let a socket listen where it is bound. `Refused` if another has begun to meanwhile: two may be bound."""
    try:
        bound.listen(BACKLOG)
    except OSError as error:
        raise _taken(address, port, error) from None


def bound_socket(address: str, port: int) -> socket.socket:
    """A socket that has this address and does not listen. `Refused` if another has it, with the process."""
    bound = socket.socket()
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((address, port))
        bound.setblocking(False)  # noqa: FBT003  # the standard library's signature
    except OSError as error:
        bound.close()
        raise _taken(address, port, error) from None
    return bound


def _taken(address: str, port: int, error: OSError) -> Exception:
    if error.errno != errno.EADDRINUSE:
        return error
    message = f"{address}:{port} is taken by {owner(address, port)}"
    return Refused(message, "choose another port with `--port`, or end that process")


def owner(address: str, port: int) -> str:
    """The process that listens there, for a message: its number and its name, as far as the system tells."""
    pid = owner_pid(address, port)
    if pid is None:
        return "another process"
    try:
        return f"process {pid} ({(PROC / str(pid) / 'comm').read_text().strip()})"
    except OSError:  # it has just ended
        return f"process {pid}"


def owner_pid(address: str, port: int) -> int | None:
    """The process that listens there; None if no process does, or the system does not report it."""
    sockets = {f"socket:[{inode}]" for inode in _inodes(address, port)}
    if not sockets:
        return None
    for folder in PROC.glob("[0-9]*/fd"):
        if not sockets.isdisjoint(_files(folder)):
            return int(folder.parent.name)
    return None


def _files(folder: Path) -> Iterator[str]:
    """What a process has open; nothing of one that ended, or that belongs to somebody else."""
    with suppress(OSError):
        for file in folder.iterdir():
            with suppress(OSError):  # closed meanwhile
                yield str(file.readlink())


def _inodes(address: str, port: int) -> set[str]:
    """Listening sockets of an IPv4 address and port, those on every address among them."""
    endpoints = {_hex(where) + f":{port:04X}" for where in (address, "0.0.0.0")}  # noqa: S104  # compared only
    endpoints |= {"0" * 32 + f":{port:04X}"}  # of IPv6, which takes IPv4 too
    inodes = set()
    for table in ("tcp", "tcp6"):
        try:
            rows = (PROC / "net" / table).read_text().splitlines()[1:]
        except OSError:
            continue
        for row in map(str.split, rows):
            if row[1] in endpoints and row[3] == LISTEN:
                inodes.add(row[9])
    return inodes


def _hex(address: str) -> str:
    """An IPv4 address as /proc/net/tcp writes it: the bytes of the network's order, read by this machine."""
    return IPv4Address(address).packed[::-1].hex().upper()
