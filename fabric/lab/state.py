"""What is known of a running lab: `lab.json` in its folder, for its owner only.

Every process is known by its number and the moment at which it started, so that a number that the system gave to
somebody else is never taken for ours.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from fabric.decoding import from_json
from fabric.diagnostics import Refused
from fabric.lab.model import Cable

FILE = "lab.json"
KEY = "id_ed25519"
BOXES = "boxes"
"""Where the boxes' layers are, seen from inside the lab."""


class Process(msgspec.Struct, frozen=True):
    """One process of this machine, for as long as it runs."""

    pid: int
    started_ticks: int
    """Clock ticks from the start of the machine to its own (proc(5), field 22)."""

    @property
    def is_alive(self) -> bool:
        """Whether it still runs. One that has ended and was not yet collected does not."""
        return started_ticks(self.pid) == self.started_ticks


def process(pid: int) -> Process:
    """A process that runs. `ProcessLookupError` if it does not."""
    ticks = started_ticks(pid)
    if ticks is None:
        raise ProcessLookupError(pid)
    return Process(pid, ticks)


def started_ticks(pid: int) -> int | None:
    """When a process started; None if there is none, or it has ended."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return None
    fields = stat.rpartition(")")[2].split()  # the name before it may hold anything
    return None if fields[0] in "ZX" else int(fields[19])


class BoxState(msgspec.Struct, frozen=True, kw_only=True):
    """A box that was started."""

    kind: str
    """`switch` or `host`."""
    process: Process
    """Its first one: when it ends, everything in the box does."""
    address: str
    """Of management, without the length of the prefix."""
    host_key: str
    """Public, as in `known_hosts`: `ssh-ed25519 AAAA…`."""


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """A fault that is set."""

    kind: str
    box: str
    port: str = ""
    other_box: str = ""
    """The second cable's end, of a swap or a move."""
    other_port: str = ""
    daemon: str = ""


class LabState(msgspec.Struct, frozen=True, kw_only=True):
    """A lab."""

    format: int = 1
    site: str
    process: Process
    """The lab's first one: when it ends, the whole lab does."""
    number: int = -1
    """Of its block of addresses; -1: none yet."""
    interface_index: int = 0
    """Of its veth on this machine, as the kernel counts; a number that is never given twice."""
    configured: bool
    started_at: float
    boxes: dict[str, BoxState] = {}
    cables: tuple[Cable, ...] = ()
    """As they are plugged now."""
    faults: tuple[Fault, ...] = ()


def read_state(folder: Path) -> LabState | None:
    """The lab of a folder; None if none was started there. `Refused` if the file is damaged."""
    file = folder / FILE
    try:
        return from_json(file.read_bytes(), LabState)
    except FileNotFoundError:
        return None
    except msgspec.MsgspecError as error:
        message = f"{file} is not readable: {error}"
        raise Refused(message, "remove it, if no lab runs") from error


def write_state(folder: Path, state: LabState) -> None:
    """Write it for its owner only, in one step."""
    draft = folder / f"{FILE}.new"
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(msgspec.json.format(msgspec.json.encode(state), indent=1))
    draft.replace(folder / FILE)
