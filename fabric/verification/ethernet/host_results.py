"""What hosts' own verify programs have printed: a file a host, with whatever name.

A line a setting that is not as declared, `rail0: PFC of priority 3 is 0, declared 1`, and a last one that names the
host. Without that line a file is not a whole result: its program did not run, or was stopped.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path

import msgspec

from fabric.verification.ethernet.read_folder import FolderKind, read_folder

PROGRAM = "fabric-roce-verify"
LAST = re.compile(rf"# {PROGRAM} of (\S+): (\d{{1,9}}) settings")
PRINTED_RESULTS = FolderKind(
    contents="results of this network's hosts",
    largest_bytes=16 * 1024 * 1024,
    folder_hint=f"`--hosts` names a folder with what `{PROGRAM} --report` has printed on each host",
    empty_hint=f"run `{PROGRAM} --report` on the hosts, and keep what it prints, a file a host",
)


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
    """The results by host, and the files that are not the whole result of a host of these names.

    `Refused` if there is no such folder, or no result in it.
    """
    return read_folder(folder, PRINTED_RESULTS, names, _parse)


def _parse(content: bytes) -> tuple[str, HostResult] | None:
    text = content.decode("utf-8", errors="replace")
    lines = [line for line in text.splitlines() if line.strip()]
    last = LAST.fullmatch(lines[-1].strip()) if lines else None
    if last is None:
        return None
    settings = list(_settings(lines[:-1]))
    known = [setting for setting in settings if setting is not None]
    return (last[1], HostResult(last[1], int(last[2]), tuple(known))) if len(known) == len(settings) else None


def _settings(lines: list[str]) -> Iterator[Setting | None]:
    """None: a line that the program does not print."""
    for line in lines:
        subject, _, rest = line.strip().partition(": ")
        what, _, values = rest.partition(" is ")
        found, declares, declared = values.rpartition(", declared ")
        yield Setting(subject, what, found, declared) if declares and what and subject else None


__all__ = ["HostResult", "Setting", "read_host_results"]
