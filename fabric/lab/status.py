"""How a running lab is doing: daemons, sessions and memory of every box."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

from fabric.lab import box_scripts
from fabric.lab.lower_to_lab import lab_product
from fabric.lab.running_lab import RunningLab
from fabric.platforms.lab_box import LabSession

WORKERS = 4
PAGE = os.sysconf("SC_PAGE_SIZE")


class BoxStatus(msgspec.Struct, frozen=True, kw_only=True):
    """How one box is doing."""

    name: str
    kind: str
    address: str
    pid: int
    """Its first process; 0: the box is dead."""
    daemons: tuple[str, ...]
    """Those that run."""
    sessions: tuple[LabSession, ...]

    @property
    def sessions_up(self) -> int:
        """How many are."""
        return sum(session.is_up for session in self.sessions)


def status(lab: RunningLab) -> tuple[BoxStatus, ...]:
    """Every box, in the order of the site."""
    below = _processes_below()
    with ThreadPoolExecutor(WORKERS) as workers:
        return tuple(workers.map(lambda name: _box_status(lab, name, below), lab.state.boxes))


def _box_status(lab: RunningLab, name: str, below: dict[int, list[int]]) -> BoxStatus:
    box = lab.box(name)
    is_alive = box.process.is_alive
    pids = list(processes_of(box.process.pid, below)) if is_alive else []
    known = (*lab_product().box.daemons, *box_scripts.DAEMONS)
    names = {_name(pid) for pid in pids}
    return BoxStatus(
        name=name,
        kind=box.kind,
        address=box.address,
        pid=box.process.pid if is_alive else 0,
        daemons=tuple(daemon for daemon in known if daemon in names),
        sessions=lab.sessions(name) if is_alive and box.kind == "switch" else (),
    )


def lab_memory_bytes(lab: RunningLab) -> int:
    """Of all processes of a lab: what each shares with no file, as quickly as the kernel tells it."""
    return sum(map(_memory_bytes, processes_of(lab.state.process.pid, _processes_below())))


def _processes_below() -> dict[int, list[int]]:
    """The children of every process of this machine."""
    below: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
            except OSError:
                continue  # it has just ended
            below.setdefault(int(fields[1]), []).append(int(folder.name))
    return below


def processes_of(pid: int, below: dict[int, list[int]]) -> Iterator[int]:
    """A process and all below it."""
    yield pid
    for child in below.get(pid, ()):
        yield from processes_of(child, below)


def _name(pid: int) -> str:
    try:
        return (Path("/proc") / str(pid) / "comm").read_text().strip()
    except OSError:
        return ""


def _memory_bytes(pid: int) -> int:
    try:
        fields = (Path("/proc") / str(pid) / "statm").read_text().split()
    except OSError:
        return 0
    return (int(fields[1]) - int(fields[2])) * PAGE
