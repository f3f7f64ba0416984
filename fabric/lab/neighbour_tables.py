"""Room in the kernel's tables of neighbours, which all network namespaces share.

With 1,024 entries, Linux's default, sessions of a lab with more than some 500 cables never come up (`neighbor table
overflow!` in dmesg). A lab that needs more raises the limits of this machine; what they were is written down before,
and comes back when the last lab that needed more has ended.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from fabric.decoding import from_json
from fabric.diagnostics import Refused
from fabric.lab import locking
from fabric.lab.state import Process

FOLDER, LOCK = Path("/run/fabric-lab"), "lock"
PROC = Path("/proc/sys/net")
SHARES = {"gc_thresh1": 2, "gc_thresh2": 4, "gc_thresh3": 8}
"""Entries for each end of a cable: an address of each family and a link-local one, and room for those that grow old."""
SMALL = 300
"""Ends of cables for which Linux's defaults do."""


class Raised(msgspec.Struct, frozen=True, kw_only=True):
    """What was changed, and for whom."""

    before: dict[str, int] = {}
    """By the path of the setting."""
    labs: tuple[Process, ...] = ()


def raise_limits(ends: int, lab: Process) -> None:
    """Make room for so many ends of cables while `lab` runs. `Refused` if this machine does not allow it."""
    if ends <= SMALL:
        return
    with _ledger() as file:
        known = _read(file)
        values = {path: _value(path) for path in _paths()}
        raised = Raised(before=values | known.before, labs=(*filter(_is_alive, known.labs), lab))
        _write(file, raised)
        for path, value in values.items():
            if value < (wanted := ends * SHARES[Path(path).name]):
                _set(path, wanted)


def restore_limits() -> None:
    """Set back what no lab needs any more."""
    if not FOLDER.is_dir():
        return
    with _ledger() as file:
        known = _read(file)
        labs = tuple(filter(_is_alive, known.labs))
        if labs:
            _write(file, Raised(before=known.before, labs=labs))
            return
        for path, value in known.before.items():
            _set(path, value)
        file.unlink(missing_ok=True)
        locking.remove(FOLDER / LOCK)


def _is_alive(lab: Process) -> bool:
    return lab.is_alive


def _paths() -> list[str]:
    return [str(PROC / family / "neigh/default" / name) for family in ("ipv4", "ipv6") for name in SHARES]


def _value(path: str) -> int:
    try:
        return int(Path(path).read_text())
    except OSError as error:
        raise _refused(path) from error


def _set(path: str, value: int) -> None:
    try:
        Path(path).write_text(f"{value}\n")
    except OSError as error:
        raise _refused(path) from error


def _refused(path: str) -> Refused:
    message = f"a lab of this size needs more room in the kernel's tables of neighbours: {path} cannot be set"
    return Refused(message, "run it outside of a container, or take a smaller site")


@contextmanager
def _ledger() -> Iterator[Path]:
    """The file, while nobody else changes it."""
    with locking.exclusive(FOLDER / LOCK, wait=True):
        yield FOLDER / "neighbours.json"


def _read(file: Path) -> Raised:
    try:
        return from_json(file.read_bytes(), Raised)
    except FileNotFoundError:
        return Raised()
    except msgspec.MsgspecError as error:
        message = f"{file} is not readable: {error}"
        raise Refused(
            message, "set the `gc_thresh` limits of /proc/sys/net by hand, then remove it"
        ) from error


def _write(file: Path, raised: Raised) -> None:
    draft = file.with_suffix(".new")
    draft.write_bytes(msgspec.json.encode(raised))
    draft.replace(file)
