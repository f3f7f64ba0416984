"""A switch to log in to: a box with FRR, an SSH server, its own `/etc` and `/var/lib`, and a cable of management."""

from __future__ import annotations

import base64
import hashlib
import itertools
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from fabric.platforms.base import PART, Target, Trust
from fabric.platforms.frr.dialect import DIALECT
from fabric.platforms.frr.session import FrrDriver, driver_options
from tests.configuration.dialects import said
from tests.platforms.frr.lab import LONGEST_S, QUICK, START, Box
from tests.programs import ANY, run
from tests.waiting import PATIENCE_S, until

PROGRAMS = ("sshd", "ssh-keygen")
SETUP = (
    "mount -t proc proc /proc; mount -t sysfs sysfs /sys; mount -t tmpfs -o mode=755,size=16m tmpfs /var/tmp;"
    "cd /var/tmp; mkdir -p run;"
    "for d in etc var/lib usr/local var/log; do mkdir -p up/$d scratch/$d;"
    " mount -t overlay -o lowerdir=/$d,upperdir=/var/tmp/up/$d,workdir=/var/tmp/scratch/$d none /$d; done;"
    "mount -t tmpfs -o mode=755 tmpfs /run; mkdir -p /run/frr /run/sshd /run/network;"
    "cat /proc/sys/kernel/random/uuid >boot_id; mount --bind boot_id /proc/sys/kernel/random/boot_id;"
    "for f in .bashrc .profile .bash_profile; do [ ! -e /root/$f ] || mount --bind /dev/null /root/$f; done;"
    "chown frr:frr /run/frr; hostname $0; ip link set lo up; touch /run/frr/ready;"
    f"end=$((SECONDS + {LONGEST_S})); while [ $SECONDS -lt $end ]; do sleep 1 & wait; done"
)
"""bash waits for all that end, as an init does."""
SSHD = """
ListenAddress {address}
HostKey /var/tmp/keys/host
AuthorizedKeysFile /var/tmp/keys/client.pub
PidFile /run/frr/sshd.pid.txt
StrictModes no
UsePAM no
UseDNS no
PasswordAuthentication yes
KbdInteractiveAuthentication no
PermitRootLogin yes
"""
NETS = itertools.count()


class SwitchBox(Box):
    """One switch. A context manager; gone with its first process."""

    def __init__(
        self, host_name: str, files: Mapping[str, str], folder: Path, interfaces: tuple[str, ...] = ()
    ) -> None:
        super().__init__(host_name, "bash", SETUP)
        self.files, self.folder = dict(files), folder
        number = (os.getpid() * 64 + next(NETS)) % 16384
        self._near = f"198.18.{number >> 6}.{(number & 63) * 4 + 1}"
        self.address = f"198.18.{number >> 6}.{(number & 63) * 4 + 2}"
        self._cable = f"frr-{self.pid}"
        self._keys()
        run("ip", "link", "add", self._cable, "type", "veth", "peer", "name", "eth0", "netns", str(self.pid))
        run("ip", "address", "add", f"{self._near}/30", "dev", self._cable)
        run("ip", "link", "set", self._cable, "up")
        self.batch([f"addr add {self.address}/30 dev eth0", "link set eth0 up"])
        self.batch(f"link add {name} type veth peer name x{name}" for name in interfaces)
        self.install(files)
        self.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def install(self, files: Mapping[str, str]) -> None:
        """Put the files in their places."""
        for name in ("frr.conf", "daemons", "vtysh.conf"):
            self.write(f"etc/frr/{name}", files[name])
        self.run("sh", "-c", "chown frr:frr /etc/frr/*; chmod 640 /etc/frr/*")
        for name, path in PLACES.items():
            if name in files:
                self.write(path, files[name])

    def start(self) -> None:
        """As the init of a machine does."""
        self.run("sysctl", "-q", "-p", "-", stdin=self.text("etc/sysctl.d/90-fabric.conf") + QUICK)
        said = self.run("sh", "-c", START)
        assert (self.root / "run/frr/bgpd.vty").exists(), said
        self.write("etc/ssh/sshd_config", SSHD.format(address=self.address))
        self.listen()

    def listen(self) -> None:
        """Start the SSH server, unless it runs."""
        if not self._listens():
            self.run("sshd")
            self.wait(self._listens, "the SSH server")

    def _listens(self) -> bool:
        return ":22 " in self.run("ss", "-ltn")

    def signal(self, name: str, signal: str) -> None:
        """Send a signal to every process of that name."""
        found = "for p in /proc/[0-9]*; do"
        found += ' [ "$(cat "$p/comm" 2>/dev/null)" = "$0" ] && kill -"$1" "${p#/proc/}"; done; :'
        self.run("sh", "-c", found, name, signal)

    def fill(self) -> None:
        """No room on its disk."""
        self.run("sh", "-c", "cat /dev/zero >/var/tmp/fill", exits=ANY)

    def free(self) -> None:
        """Room again."""
        (self.root / "var/tmp/fill").unlink(missing_ok=True)

    def reboot(self) -> None:
        """End everything but the first process, forget what is in memory only, and start from the disk."""
        self.run("sh", "-c", "kill -9 -1", exits=ANY)
        self.run("sh", "-c", "cat /proc/sys/kernel/random/uuid >/var/tmp/boot_id; rm -rf /run/frr/*")
        self.wait(lambda: not self._listens(), "the end of all")
        self.start()

    def text(self, path: str) -> str:
        """A file of the box; empty if there is none."""
        file = self.root / path
        return file.read_text() if file.exists() else ""

    def vtysh(self, *commands: str) -> str:
        """What FRR answers on the console."""
        return self.run("vtysh", *(word for command in commands for word in ("-c", command)))

    @property
    def target(self) -> Target:
        """How it is reached."""
        return Target(
            name="switch",
            address=self.address,
            port=22,
            username="root",
            password="",
            timeout_s=30,
            key_file=str(self.folder / "client"),
            trust=Trust(fingerprint=self.fingerprint),
        )

    def driver(self, **options: Any) -> FrrDriver:
        """A driver, not yet open."""
        target = self.target
        return FrrDriver(
            target.address,
            "root",
            "",
            timeout=target.timeout_s,
            optional_args=driver_options(target) | options,
        )

    def opened(self, change: str = "") -> FrrDriver:
        """A driver that is connected, for a change of that name."""
        driver = self.driver()
        driver.open()
        if change:
            driver.name_change(change)
        return driver

    def wait(self, true: Any, what: str) -> None:
        """Until something is so."""
        until(true, PATIENCE_S, what)

    def close(self) -> None:
        """End it; its cable goes with it."""
        super().close()
        run("ip", "link", "del", self._cable, exits=ANY)

    def _keys(self) -> None:
        self.folder.mkdir(exist_ok=True)
        for name in ("host", "client"):
            if not (self.folder / name).exists():
                run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(self.folder / name))
        (self.root / "var/tmp/keys").mkdir(mode=0o755)
        for name in ("host", "host.pub", "client.pub"):
            self.write(f"var/tmp/keys/{name}", (self.folder / name).read_text())
        (self.root / "var/tmp/keys/host").chmod(0o600)
        blob = base64.b64decode((self.folder / "host.pub").read_text().split()[1])
        self.fingerprint = f"sha256:{hashlib.sha256(blob).hexdigest()}"


PLACES = {
    "interfaces": "etc/network/interfaces",
    "sysctl.conf": "etc/sysctl.d/90-fabric.conf",
    "qos.sh": "usr/local/sbin/fabric-qos",
    "qos.service": "etc/systemd/system/fabric-qos.service",
    "ports.rules": "etc/udev/rules.d/10-fabric-ports.rules",
}


def text_of(files: Mapping[str, str]) -> str:
    """The files as one text."""
    return "".join(f"{PART}{name}\n{body}" for name, body in files.items())


def pieces(text: str) -> set[tuple[str, ...]]:
    """What a configuration says, in whatever order."""
    return set(said(DIALECT.tree(DIALECT.pieces(DIALECT.plain(text)).values()).values()))
