"""A real sshd of our own on a loopback address: its own keys and settings in a folder, nothing of the machine's."""

from __future__ import annotations

import getpass
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Self

from fabric.diagnostics import Refused

READY_WITHIN_S = 10
SEPARATION = Path("/run/sshd")
"""Where sshd locks its unprivileged half up when root runs it; the service makes it elsewhere."""

CONFIG = """Port {port}
ListenAddress {address}
HostKey {folder}/host_key
AuthorizedKeysFile {folder}/user_key.pub
PidFile none
AuthenticationMethods publickey
PermitRootLogin prohibit-password
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
StrictModes no
MaxStartups 50
MaxSessions 50
AllowUsers {user}
{environment}
"""


class SshServer:
    """Lets its own user in with a key that it makes. A context manager: inside, it answers."""

    def __init__(
        self, folder: Path, address: str, port: int, environment: Mapping[str, str] | None = None
    ) -> None:
        self.folder, self.address, self.port = folder.absolute(), address, port
        self.user = getpass.getuser()
        self.key_file, self.known_hosts = self.folder / "user_key", self.folder / "known_hosts"
        self._environment = dict(environment or {})
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> Self:
        """Make the keys and listen. `Refused` if there is no sshd, or it does not start."""
        program = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
        if program is None:
            message = "there is no sshd on this machine"
            raise Refused(message, "install it: openssh-server on Debian")
        self._prepare()
        with (self.folder / "log").open("wb") as log:
            self._process = subprocess.Popen(  # noqa: S603  # the system's sshd on our own file
                [program, "-D", "-e", "-f", str(self.folder / "config")], stdin=subprocess.DEVNULL, stderr=log
            )
        self._await()
        return self

    def _prepare(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o700)
        for name in ("host_key", "user_key"):
            if not (self.folder / name).exists():
                command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(self.folder / name)]
                subprocess.run(command, check=True, stdin=subprocess.DEVNULL)  # noqa: S603
        host_key = (self.folder / "host_key.pub").read_text().split()
        self.known_hosts.write_text(f"[{self.address}]:{self.port} {' '.join(host_key[:2])}\n")
        words = " ".join(f'"{name}={value}"' for name, value in self._environment.items())
        text = CONFIG.format(
            port=self.port,
            address=self.address,
            folder=self.folder,
            user=self.user,
            environment=f"SetEnv {words}" if words else "",
        )
        (self.folder / "config").write_text(text)
        if os.getuid() == 0:
            SEPARATION.mkdir(mode=0o755, exist_ok=True)

    def _await(self) -> None:
        end = time.monotonic() + READY_WITHIN_S
        while not self._listens():
            ended = self._process is None or self._process.poll() is not None
            if ended or time.monotonic() > end:
                said = (self.folder / "log").read_text(errors="replace").strip().rpartition("\n")[2]
                message = f"sshd does not listen on {self.address}:{self.port}: {said}"
                raise Refused(message, "choose another port")
            time.sleep(0.02)

    def _listens(self) -> bool:
        try:
            socket.create_connection((self.address, self.port), timeout=1).close()
        except OSError:
            return False
        return True

    def stop(self) -> None:
        """Stop listening. Sessions that are open live on until they end."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait(10)
        self._process = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()
