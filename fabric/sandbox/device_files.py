"""The files of an emulated device over SFTP and SCP: small, in memory, without folders."""

from __future__ import annotations

import errno
import os
from collections.abc import AsyncIterator

import asyncssh

from fabric.platforms.emulation import SshEmulator
from fabric.sandbox.answers import answering

MAX_FILE_BYTES = 16 * 1024 * 1024


class OpenFile:
    """A file that a client has open."""

    def __init__(self, path: str, data: bytes, *, writes: bool) -> None:
        self.path, self.data, self.writes = path, bytearray(data), writes


class DeviceFiles(asyncssh.SFTPServer):
    """Serves `SshEmulator.files`. What a client has written is there when it has closed the file."""

    def __init__(self, device: SshEmulator, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        super().__init__(chan)
        self._device = device

    async def open(self, path: bytes, pflags: int, attrs: asyncssh.SFTPAttrs) -> OpenFile:  # noqa: ARG002  # asyncssh's
        """Open a file."""
        await answering(self._device.faults)
        name, known = path.decode(errors="replace"), self._device.files.get(path.decode(errors="replace"))
        if known is None and not pflags & asyncssh.FXF_CREAT:
            raise asyncssh.SFTPNoSuchFile(f"{name}: No such file or directory")
        data = b"" if known is None or pflags & asyncssh.FXF_TRUNC else known
        return OpenFile(name, data, writes=bool(pflags & asyncssh.FXF_WRITE))

    def read(self, file_obj: object, offset: int, size: int) -> bytes:
        """Read a piece."""
        return bytes(_open(file_obj).data[offset : offset + size])

    def write(self, file_obj: object, offset: int, data: bytes) -> int:
        """Write a piece. `SFTPFailure` if the disk is full; what was written before stays, as on a real disk."""
        file = _open(file_obj)
        if self._device.faults.disk_full or offset + len(data) > MAX_FILE_BYTES:
            raise asyncssh.SFTPFailure(os.strerror(errno.ENOSPC))
        file.data[len(file.data) :] = b"\0" * max(0, offset - len(file.data))
        file.data[offset : offset + len(data)] = data
        return len(data)

    async def close(self, file_obj: object) -> None:
        """Close it, and keep what was written."""
        await answering(self._device.faults)
        file = _open(file_obj)
        if file.writes:
            self._device.files[file.path] = bytes(file.data)

    def stat(self, path: bytes) -> asyncssh.SFTPAttrs:
        """Size of a file. What ends with a slash or names no file's parent is not a folder here, but `.` and `/`."""
        name = path.decode(errors="replace")
        if name in self._device.files:
            return _attributes(len(self._device.files[name]))
        if name in {"", ".", "/"} or any(
            other.startswith(f"{name.rstrip('/')}/") for other in self._device.files
        ):
            return asyncssh.SFTPAttrs(type=asyncssh.FILEXFER_TYPE_DIRECTORY, size=0, permissions=0o040755)
        raise asyncssh.SFTPNoSuchFile(f"{name}: No such file or directory")

    lstat = stat

    def fstat(self, file_obj: object) -> asyncssh.SFTPAttrs:
        """Size of an open file."""
        return _attributes(len(_open(file_obj).data))

    def setstat(self, path: bytes, attrs: asyncssh.SFTPAttrs) -> None:
        """Times and rights are not kept."""

    def fsetstat(self, file_obj: object, attrs: asyncssh.SFTPAttrs) -> None:
        """Times and rights are not kept."""

    async def scandir(self, path: bytes) -> AsyncIterator[asyncssh.SFTPName]:
        """Files below a path."""
        folder = path.decode(errors="replace").rstrip("/")
        for name, data in tuple(self._device.files.items()):
            parent, _, last = name.rpartition("/")
            if parent == folder or folder in {"", "."}:
                yield asyncssh.SFTPName(last.encode(), attrs=_attributes(len(data)))

    def remove(self, path: bytes) -> None:
        """Remove a file."""
        if self._device.files.pop(path.decode(errors="replace"), None) is None:
            raise asyncssh.SFTPNoSuchFile("No such file or directory")

    def rename(self, oldpath: bytes, newpath: bytes) -> None:
        """Rename a file, over another if need be."""
        data = self._device.files.get(oldpath.decode(errors="replace"))
        self.remove(oldpath)
        self._device.files[newpath.decode(errors="replace")] = data or b""

    posix_rename = rename

    def realpath(self, path: bytes) -> bytes:
        """Paths are kept as the client writes them: `bootflash:x` has no folder."""
        return b"/" if path in {b"", b"."} else path


def _open(file_obj: object) -> OpenFile:
    assert isinstance(file_obj, OpenFile)  # noqa: S101  # what `open` gave
    return file_obj


def _attributes(size_bytes: int) -> asyncssh.SFTPAttrs:
    return asyncssh.SFTPAttrs(type=asyncssh.FILEXFER_TYPE_REGULAR, size=size_bytes, permissions=0o100644)
