"""What hosts' own verify programs have printed: a file a host, with whatever name.

A line a setting that is not as declared, `rail0: PFC of priority 3 is 0, declared 1`, and a last one that names the
host. Without that line a file is not a whole result: its program did not run, or was stopped.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path

import msgspec

from fabric.diagnostics import Refused

PROGRAM = "fabric-roce-verify"
LAST = re.compile(rf"# {PROGRAM} of (\S+): (\d{{1,9}}) settings")
LARGEST_BYTES = 16 * 1024 * 1024


class Setting(msgspec.Struct, frozen=True):
    """One that is not as declared."""

    subject: str
    """Interface, RDMA device, `card`, `port`, `nicctl` or `sysctl`, in the host's words."""
    what: str
    found: str
    declared: str


class HostResult(msgspec.Struct, frozen=True):
    """Of one host."""

    host: str
    looked_at: int
    """How many settings."""
    wrong: tuple[Setting, ...]


def read_host_results(folder: Path, names: Collection[str]) -> tuple[dict[str, HostResult], tuple[str, ...]]:
    """The results by host, and the files that are no whole result of a host of these names.

    `Refused` if there is no such folder, or no result in it.
    """
    if not folder.is_dir():
        message = f"{folder} is not a folder"
        raise Refused(
            message, f"`--hosts` names a folder with what `{PROGRAM} --report` has printed on each host"
        )
    results: dict[str, HostResult] = {}
    unread: list[str] = []
    for path in sorted(path for path in folder.iterdir() if path.is_file()):
        result = _read(path)
        if result is None or result.host not in names or result.host in results:
            unread.append(path.name)
        else:
            results[result.host] = result
    if not results:
        message = f"in {folder} are no results of this network's hosts"
        raise Refused(
            message, f"run `{PROGRAM} --report` on the hosts, and keep what it prints, a file a host"
        )
    return results, tuple(unread)


def _read(path: Path) -> HostResult | None:
    if path.stat().st_size > LARGEST_BYTES:
        return None
    lines = [line for line in path.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]
    last = LAST.fullmatch(lines[-1].strip()) if lines else None
    if last is None:
        return None
    settings = list(_settings(lines[:-1]))
    known = [setting for setting in settings if setting is not None]
    return HostResult(last[1], int(last[2]), tuple(known)) if len(known) == len(settings) else None


def _settings(lines: list[str]) -> Iterator[Setting | None]:
    """None: a line that the program does not print."""
    for line in lines:
        subject, _, rest = line.strip().partition(": ")
        what, _, values = rest.partition(" is ")
        found, declares, declared = values.rpartition(", declared ")
        yield Setting(subject, what, found, declared) if declares and what and subject else None


__all__ = ["HostResult", "Setting", "read_host_results"]
