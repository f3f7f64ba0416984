"""A lab that runs: how its boxes are reached, commands in them, and what their software reports."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Mapping
from ipaddress import IPv4Address
from pathlib import Path

import msgspec

from fabric.devices.addresses import IpInterface
from fabric.diagnostics import Refused
from fabric.documents.suggest import did_you_mean
from fabric.lab.lower_to_lab import lab_product
from fabric.lab.management_network import BLOCK_LENGTH
from fabric.lab.protocol import enter
from fabric.lab.run_programs import failure, run
from fabric.lab.state import KEY, BoxState, LabState, read_state, write_state
from fabric.platforms.base import Target
from fabric.platforms.lab_box import LabSession
from fabric.platforms.trust import Trust

SSH_PORT = 22
USERNAME = "root"
OFTEN_S = 0.1


class Access(msgspec.Struct, frozen=True, kw_only=True):
    """How a box is reached by SSH, from any process of this machine that may read the key."""

    address: str
    port: int
    username: str
    key_file: str
    host_key: str
    """Public, as in `known_hosts`: `ssh-ed25519 AAAA…`."""


class RunningLab:
    """The lab of a folder. `Refused` if none runs there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.state = self._read()

    def _read(self) -> LabState:
        state = read_state(self.folder)
        if state is None or not state.process.is_alive:
            message = "no lab of this site is running"
            raise Refused(message, "start one with `fabric lab up`")
        return state

    def write(self, state: LabState) -> None:
        """Keep a changed state, here and in the folder."""
        write_state(self.folder, state)
        self.state = state

    @property
    def switches(self) -> tuple[str, ...]:
        """Names of the switches, in the order of the site."""
        return tuple(name for name, box in self.state.boxes.items() if box.kind == "switch")

    @property
    def hosts(self) -> tuple[str, ...]:
        """Names of the hosts."""
        return tuple(name for name, box in self.state.boxes.items() if box.kind == "host")

    @property
    def accesses(self) -> Mapping[str, Access]:
        """How each box is reached by SSH."""
        return {name: self.access(name) for name in self.state.boxes}

    def access(self, name: str) -> Access:
        """How a box is reached by SSH."""
        box = self.box(name)
        key_file = str((self.folder / KEY).absolute())
        return Access(
            address=box.address, port=SSH_PORT, username=USERNAME, key_file=key_file, host_key=box.host_key
        )

    @property
    def known_hosts(self) -> Path:
        """The host key of every box, as `ssh -o UserKnownHostsFile=` wants them."""
        return self.folder / "known_hosts"

    @property
    def targets(self) -> dict[str, Target]:
        """How the deployment reaches each switch: with the lab's key, and only with the box's own host key."""
        trust = Trust(known_hosts=str(self.known_hosts.absolute()))
        accesses = {name: self.access(name) for name in self.switches}
        return {
            name: Target(
                name=name,
                address=access.address,
                port=access.port,
                username=access.username,
                password="",
                key_file=access.key_file,
                trust=trust,
            )
            for name, access in accesses.items()
        }

    @property
    def management(self) -> dict[str, IpInterface]:
        """The address of each switch on the lab's management network."""
        boxes = {name: IPv4Address(self.box(name).address) for name in self.switches}
        return {name: IpInterface(int(address), BLOCK_LENGTH) for name, address in boxes.items()}

    def box(self, name: str) -> BoxState:
        """A box by name. `Refused`, with the nearest one, if there is none."""
        if name not in self.state.boxes:
            message = f"there is no box {name!r} in this lab"
            names = list(self.state.boxes)
            raise Refused(message, did_you_mean(name, names) or f"there are {', '.join(names[:8])}, …")
        return self.state.boxes[name]

    def pid(self, name: str) -> int:
        """The first process of a box, as this machine counts. `Refused` if the box is dead."""
        box = self.box(name)
        if not box.process.is_alive:
            message = f"the box {name} is dead"
            raise Refused(message, "`fabric lab fault --clear` starts it again")
        return box.process.pid

    def run(
        self, name: str, *words: str, stdin: str = "", timeout_s: float = 60.0
    ) -> subprocess.CompletedProcess[str]:
        """Run a command in a box as root, not through SSH, whatever its exit code. `Refused` if the box is dead."""
        return run(*enter(self.pid(name)), *words, stdin=stdin, timeout_s=timeout_s)

    def output(self, name: str, *words: str, stdin: str = "") -> str:
        """What a command in a box prints. `Refused` if it fails."""
        done = self.run(name, *words, stdin=stdin)
        if done.returncode:
            raise Refused(failure(f"{name}: {words[0]}", done))
        return done.stdout

    def sessions(self, name: str) -> tuple[LabSession, ...]:
        """Routing sessions of a switch, as its own software reports them; none while that does not answer."""
        box = lab_product().box
        done = self.run(name, *box.sessions)
        try:
            return box.parse_sessions(done.stdout) if done.returncode == 0 else ()
        except ValueError:
            return ()

    def neighbors(self, name: str) -> dict[str, tuple[str, str]]:
        """LLDP neighbours of a box: own port to the other's name and port. Empty while lldpd does not answer."""
        done = self.run(name, "lldpcli", "show", "neighbors", "-f", "json0")
        if done.returncode:
            return {}
        rows = (row for part in json.loads(done.stdout).get("lldp", []) for row in part.get("interface", []))
        return {row["name"]: (_first(row["chassis"], "name"), _first(row["port"], "id")) for row in rows}

    def wait_for_sessions(self, timeout_s: float = 120.0) -> None:
        """Wait until every session of every switch is up, and each has some. `Refused` with those that are not."""
        deadline = time.monotonic() + timeout_s
        waiting = list(self.switches)
        while waiting:
            sessions = self.sessions(waiting[0])
            if sessions and all(session.is_up for session in sessions):
                waiting.pop(0)
            elif time.monotonic() > deadline:
                down = [session.neighbor for session in sessions if not session.is_up]
                message = f"{waiting[0]}: sessions not up within {timeout_s:.0f} s: {', '.join(down) or 'none there'}"
                raise Refused(message)
            else:
                time.sleep(OFTEN_S)


def _first(rows: list[dict[str, list[dict[str, str]]]], key: str) -> str:
    """A value of lldpd's `json0`, in which everything is a list."""
    for row in rows:
        for entry in row.get(key, []):
            return entry.get("value", "")
    return ""
