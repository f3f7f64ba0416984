"""What a site has recorded of its devices' identities: `trust/known_hosts` and `trust/certificates` in its folder.

`fabric trust --record` writes both files, people review and commit them. Targets read them where the inventory names
nothing else.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import msgspec

from fabric.deployment import codes
from fabric.diagnostics import Diagnostic, Invalid, Origin
from fabric.platforms.trust import is_hash_of
from fabric.resources import written_as

KNOWN_HOSTS, CERTIFICATES = "trust/known_hosts", "trust/certificates"
"""Paths in the site's folder."""
LINE = re.compile(r"(?P<device>[a-z0-9][a-z0-9.-]{0,252})[ \t]+(?P<pin>sha256:[0-9a-f]{64})")
HEADING = "# Certificates that devices are known by, as SHA-256. Written by `fabric trust --record`.\n"
LARGEST_BYTES = 64 * 1024 * 1024
"""Of such a file: several hundred thousand devices."""
MODE = 0o644
"""Of a new file: what it holds is public."""
COMMENT = "#"


class Recorded(msgspec.Struct, frozen=True, kw_only=True):
    """What a site has recorded."""

    known_hosts: str = ""
    """The file with SSH host keys; empty: there is none yet."""
    certificates: Mapping[str, str] = msgspec.field(default_factory=dict)
    """SHA-256 of the certificate by device."""


def read_recorded(folder: Path) -> Recorded:
    """What the site in `folder` has recorded; nothing where it has no such files. `Invalid`: every wrong line."""
    known_hosts = folder / KNOWN_HOSTS
    return Recorded(
        known_hosts=str(known_hosts.absolute()) if known_hosts.is_file() else "",
        certificates=_certificates(folder / CERTIFICATES),
    )


def _certificates(path: Path) -> Mapping[str, str]:
    try:
        state = path.stat()
    except FileNotFoundError:
        return {}
    return _parsed(path, state.st_ino, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=4)
def _parsed(path: Path, _inode: int, _changed_ns: int, _size_bytes: int) -> Mapping[str, str]:
    """Fingerprints by device. A line that is passed over would leave its device to the system's authorities."""
    found: dict[str, str] = {}
    wrong: list[Diagnostic] = []
    for number, text in enumerate(_lines(path), 1):
        if not text.strip() or text.lstrip().startswith(COMMENT):
            continue
        match = LINE.fullmatch(text.strip())
        if match is None:
            wrong.append(_wrong(number, "is not a device and the SHA-256 of its certificate"))
        elif match["device"] in found:
            wrong.append(_wrong(number, f"has {match['device']} a second time"))
        else:
            found[match["device"]] = match["pin"]
    if wrong:
        raise Invalid(wrong)
    return found


def _lines(path: Path) -> list[str]:
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_BYTES + 1)
    except FileNotFoundError:
        return []
    if len(data) > LARGEST_BYTES:
        raise Invalid([_wrong(1, f"is one of more than {LARGEST_BYTES:,} bytes")])
    return data.decode(errors="replace").splitlines()


def _wrong(number: int, problem: str) -> Diagnostic:
    origin = Origin((CERTIFICATES, number), "trust")
    return codes.WRONG_RECORD.at(
        origin, f"line {number} of {CERTIFICATES} {problem}", hint=codes.WRONG_RECORD.fix
    )


def record_certificates(folder: Path, pins: Mapping[str, str]) -> None:
    """Put the SHA-256 of certificates by device into the site's file, over those that it has of them."""
    if not pins:
        return
    path = folder / CERTIFICATES
    kept = [line for line in _lines(path) if not _is_of(line, pins)]
    lines = [f"{line}\n" for line in kept] or [HEADING]
    _rewrite(path, "".join([*lines, *(f"{device} {pin}\n" for device, pin in sorted(pins.items()))]))


def _is_of(line: str, devices: Mapping[str, str]) -> bool:
    match = LINE.fullmatch(line.strip())
    return match is not None and match["device"] in devices


def record_host_keys(path: Path, keys: Mapping[str, str]) -> None:
    """Put SSH host keys (`ssh-ed25519 AAAA...`) by host into a file, over those that it has of them.

    A host is an address, or `[address]:port` where the port is not 22. Other lines stay as they are.
    """
    if not keys:
        return
    kept = (_without(line, keys) for line in _lines(path))
    lines = [f"{line}\n" for line in kept if line is not None]
    _rewrite(path, "".join([*lines, *(f"{host} {key}\n" for host, key in sorted(keys.items()))]))


def _without(line: str, hosts: Mapping[str, str]) -> str | None:
    """A line without these hosts; None if it was of no other."""
    words = line.split(None, 1)
    if len(words) < 2 or words[0][0] in "#@":
        return line
    names = words[0].split(",")
    left = [name for name in names if name not in hosts and not any(is_hash_of(name, one) for one in hosts)]
    if len(left) == len(names):
        return line
    return f"{','.join(left)} {words[1]}" if left else None


def _rewrite(path: Path, text: str) -> None:
    """The old file or the new one, whatever happens; its mode stays. A link stays a link."""
    path = path.resolve()
    with written_as(path):
        _write_beside(path, text)


def _write_beside(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = path.stat().st_mode & 0o7777 if path.exists() else MODE
    with tempfile.NamedTemporaryFile("w", dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        fresh = Path(file.name)
        try:
            file.write(text)
            file.close()
            fresh.chmod(mode)
            fresh.replace(path)
        except BaseException:
            fresh.unlink(missing_ok=True)
            raise
