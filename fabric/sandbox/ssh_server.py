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
from fabric.sandbox.port_owners import is_taken, owner, owner_pid

READY_WITHIN_S = 120
"""For what takes 0.1 s on an idle machine: others may be at work on this one."""
ENDS_WITHIN_S = 60
SEPARATION = Path("/run/sshd")
"""Where sshd locks its unprivileged half up when root runs it; the service makes it elsewhere."""

CONFIG = """Port {port}
ListenAddress {address}
HostKey {folder}/host_key
AuthorizedKeysFile {folder}/authorized_keys
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
        """Make the keys and listen. `Refused` if there is no sshd, its port is taken, or it does not start."""
        program = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
        if program is None:
            message = "there is no sshd on this machine"
            raise Refused(message, "install it: openssh-server on Debian")
        self._prepare()
        if is_taken(self.address, self.port):
            raise self._taken()
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
        self.let_in(self.own_key)
        self.known_hosts.write_text(f"[{self.address}]:{self.port} {self._host_key}\n")
        home = self.folder / "home"  # the user's own would bring along what runs at each login
        home.mkdir(exist_ok=True)
        settings = {"HOME": home, **self._environment}
        words = " ".join(f'"{name}={value}"' for name, value in settings.items())
        text = CONFIG.format(
            port=self.port,
            address=self.address,
            folder=self.folder,
            user=self.user,
            environment=f"SetEnv {words}",
        )
        (self.folder / "config").write_text(text)
        if os.getuid() == 0:
            SEPARATION.mkdir(mode=0o755, exist_ok=True)

    @property
    def own_key(self) -> str:
        """The line that lets its own user in."""
        return (self.folder / "user_key.pub").read_text()

    def let_in(self, keys: str) -> None:
        """Let in whoever has these keys (lines of `authorized_keys`), from the next login on."""
        new = self.folder / "authorized_keys.new"
        new.write_text(keys)
        new.replace(self.folder / "authorized_keys")

    def _taken(self) -> Refused:
        message = f"{self.address}:{self.port} is taken by {owner(self.address, self.port)}"
        return Refused(message, "choose another port with `--port`, or end that process")

    def _await(self) -> None:
        """Until our own process answers with our key: whoever else answers there is a stranger."""
        end = time.monotonic() + READY_WITHIN_S
        while not self._answers():
            if self._process is None or self._process.poll() is not None or time.monotonic() > end:
                self.stop()
                if is_taken(self.address, self.port):
                    raise self._taken()
                last_line = (self.folder / "log").read_text(errors="replace").strip().rpartition("\n")[2]
                message = f"sshd does not listen on {self.address}:{self.port}: {last_line}"
                raise Refused(message, f"its log is {self.folder / 'log'}")
            time.sleep(0.02)

    def _answers(self) -> bool:
        """Whether it is our process that listens, and it shows our key."""
        if self._process is None or self._offered_key() != self._host_key:
            return False
        listener = owner_pid(self.address, self.port)  # None: the system does not tell
        return self._process.poll() is None and listener in (None, self._process.pid)

    @property
    def _host_key(self) -> str:
        """Kind and base64 of the key by which clients identify the server."""
        return " ".join((self.folder / "host_key.pub").read_text().split()[:2])

    def _offered_key(self) -> str:
        """The key that the server at our address shows; empty if none does."""
        try:
            socket.create_connection((self.address, self.port), timeout=1).close()
        except OSError:
            return ""
        command = ["ssh-keyscan", "-t", "ed25519", "-T", "5", "-p", str(self.port), self.address]
        done = subprocess.run(  # noqa: S603  # our own address
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        return " ".join(done.stdout.split()[1:3])

    def stop(self) -> None:
        """Stop listening. Sessions that are open live on until they end."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(ENDS_WITHIN_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._process = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()
