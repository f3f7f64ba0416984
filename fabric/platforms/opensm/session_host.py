"""The host of a subnet manager over SSH: commands, and files as a tar stream. Secrets go through pipes only."""

from __future__ import annotations

import io
import shlex
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from fabric.platforms.opensm.names import FOLDER

SSH_PORT = 22


class Places(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where OpenSM keeps its things on a host, and how it is started: Debian's package unless told otherwise."""

    folder: str = FOLDER
    cache: str = "/var/cache/opensm"
    """Built into the program; `OSM_CACHE_DIR` changes it."""
    log: str = "/var/log/opensm.{guid}.log"
    """As `opensm@.service` calls it."""
    defaults: str = "/etc/default/opensm"
    """Names the ports on which OpenSM is started: all of the host, as Debian ships it (`PORTS=ALL`), each by an
    OpenSM of its own with the same files. Where the file is there, it is made to name the manager's port only. Empty:
    the host's OpenSM is started otherwise."""
    start: str = "systemctl start opensm"
    stop: str = "systemctl stop 'opensm@*' opensm"
    reload: str = "pkill -HUP -x opensm"
    tools: str = ""


REFUSED_BY_SSH = "A paramiko SSHException"
"""Begins what Netmiko says of anything that SSH itself refuses; the reason is in its last line."""


class Host:
    """One SSH connection. Netmiko logs in; each command has a channel of its own, with what it reads in a pipe."""

    def __init__(self, address: str, options: Mapping[str, Any]) -> None:
        self._address, self._options = address, options
        self._login: Any = None

    def open(self) -> None:
        """Log in. The host's key must be known: what is sent there holds the keys of the subnet."""
        from napalm.base.exceptions import ConnectAuthError, ConnectionException  # slow
        from netmiko.exceptions import NetmikoAuthenticationException, NetmikoTimeoutException

        from fabric.platforms.opensm.session_login import KnownHostSSH

        known = self._options.get("alt_key_file") or ""
        if known and not Path(known).is_file():
            message = f"there is no file {known}"
            raise ConnectionException(message)
        try:
            # Waits for no prompt: each command has a channel of its own, and a login shell that is slow, or greets,
            # is no reason to give up.
            self._login = KnownHostSSH(host=self._address, device_type="terminal_server", **self._options)
        except NetmikoAuthenticationException:
            message = "the host refuses the login"
            raise ConnectAuthError(message) from None
        except (NetmikoTimeoutException, OSError) as error:
            raise ConnectionException(_reason(error)) from None

    def close(self) -> None:
        """Hang up."""
        if self._login is not None:
            self._login.disconnect()
            self._login = None

    @property
    def is_alive(self) -> bool:
        """Whether the connection stands."""
        return self._login is not None and bool(self._login.is_alive())

    def run(self, script: str, *words: str, data: bytes = b"", seconds: float = 60) -> bytes:
        """What a shell script prints. `CommandErrorException` with its complaint if it fails."""
        from napalm.base.exceptions import CommandErrorException  # slow

        command = shlex.join(["sh", "-c", script, "fabric", *words])
        channel = self._login.remote_conn_pre.get_transport().open_session(timeout=seconds)
        channel.settimeout(seconds)
        try:
            channel.exec_command(command)
            # What is sent never fills the pipe: the script reads all of it before it writes.
            channel.sendall(data)
            channel.shutdown_write()
            out = channel.makefile("rb").read()
            complaint = channel.makefile_stderr("rb").read().decode(errors="replace").strip()
            code = channel.recv_exit_status()
        except TimeoutError:
            message = f"no answer within {seconds:.0f} s"
            raise CommandErrorException(message) from None
        finally:
            channel.close()
        if code:
            raise CommandErrorException(complaint or f"the host's shell ended with {code}")
        return bytes(out)


def _reason(error: Exception) -> str:
    """In a line: what Netmiko says first, or last of what SSH has refused, as a host key that is not known."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    return lines[-1] if lines[0].startswith(REFUSED_BY_SSH) else lines[0]


def packed(files: Mapping[str, str]) -> bytes:
    """Files as a tar stream; only their owner may read them."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, text in files.items():
            data = text.encode()
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(data), 0o600
            archive.addfile(member, io.BytesIO(data))
    return stream.getvalue()


def unpacked(data: bytes) -> dict[str, str]:
    """The files of a tar stream; none if it is empty."""
    if not data:
        return {}
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        opened = ((member.name, archive.extractfile(member)) for member in archive)
        return {name: file.read().decode(errors="replace") for name, file in opened if file is not None}
