"""What was printed before: records of devices, so that an unchanged device need not be derived and printed again.

A record is good as long as its fingerprint is: that of what the device is derived from, and that of the program
and templates that print it. Nothing here decides; a record that is missing or stale is made anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path

import msgspec

from fabric.decoding import from_msgpack
from fabric.platforms.registry import foreign_homes
from fabric.resources import PACKAGE, resource


class ForeignLines(msgspec.Struct, frozen=True):
    """The lines of others on a device that runs what it ran after its text was applied."""

    digest: str
    """Of what the device runs, in plain form: of anything else nothing is known."""
    kept: int
    """How many they are."""
    overriding: tuple[str, ...] = ()
    """Those that may do away with a setting of ours, for people."""


class RenderRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What planning must know of a device that does not change."""

    fingerprint: str
    digest: str
    """Of the artifact's text."""
    platform: str
    network: str
    role: str
    group: int
    plane: int
    drained: bool = False
    derived: dict[str, str] = msgspec.field(default_factory=dict)
    references: tuple[str, ...] = ()
    """The secrets that the text refers to."""
    hashes: tuple[str, ...] = ()
    """The hashes of passwords that it holds, one as often as it stands there."""
    foreign: ForeignLines | None = None
    """What is known of lines of others on the device; None: nothing."""


RenderRecords = Mapping[str, RenderRecord]


@cache
def program_fingerprint(site_templates: Path | None = None) -> str:
    """Digest of the code and templates that print, by name, size and time of change of each file."""
    own = [site_templates] if site_templates else []
    folders = [PACKAGE, resource("templates"), *foreign_homes(), *own]
    files = (path for folder in folders for path in sorted(folder.rglob("*")) if path.suffix in SOURCES)
    return sha256("\n".join(_file(path) for path in files).encode()).hexdigest()


SOURCES = frozenset({".py", ".j2", ".yaml"})


def _file(path: Path) -> str:
    status = path.stat()
    return f"{path} {status.st_size} {status.st_mtime_ns}"


def read_records(path: Path) -> dict[str, RenderRecord]:
    """Records from a file; none if there is none, or if it is not what `write_records` writes."""
    try:
        return from_msgpack(path.read_bytes(), dict[str, RenderRecord])
    except (OSError, msgspec.DecodeError):
        return {}


def write_records(path: Path, records: Iterable[tuple[str, RenderRecord]]) -> None:
    """Keep records in a file, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_bytes(msgspec.msgpack.encode(dict(records)))
    fresh.replace(path)
