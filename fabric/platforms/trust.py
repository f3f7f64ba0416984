"""How it is known that the other end of a connection is the device, and SSH host keys in files as `known_hosts`.

Such a file is read once for all devices: paramiko's own loader compares each line with all before it, which is 10 s of
CPU for 4,000 hosts at each connection.
"""

from __future__ import annotations

import base64
import hmac
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

if TYPE_CHECKING:
    from paramiko import HostKeys

HASHED = "|1|"
"""Begins a host that is not told."""
REVOKED = "@revoked"
SSH_PORT = 22
FILES = ("~/.ssh/known_hosts", "/etc/ssh/ssh_known_hosts")
"""Of the user and of this machine, as ssh(1) reads them."""


class Endpoint(NamedTuple):
    """Where a product's driver connects to, and what the device shows there before a password is sent."""

    protocol: Literal["https", "ssh"]
    """`https`: a certificate. `ssh`: a host key."""
    port: int
    """TCP port, where nothing else is said."""
    takes_fingerprint: bool = True
    """Whether `Trust.fingerprint` is compared there; else the files with known keys alone decide."""


class Trust(msgspec.Struct, frozen=True, kw_only=True):
    """What a device must show; anything else is refused before the login.

    Where nothing is said: a certificate of one of the system's authorities for the address, or an SSH host key of the
    user's own `known_hosts` or this machine's.
    """

    ca_file: str = ""
    """PEM with the authorities that may have signed its certificate, in place of the system's."""
    server_name: str = ""
    """Name that the certificate is for, where it is not for the address."""
    fingerprint: str = ""
    """SHA-256 of its certificate or of its SSH host key, `sha256:` and 64 hexadecimal digits: it alone decides then,
    whoever has signed, whatever name."""
    known_hosts: str = ""
    """File with SSH host keys, beside the user's own and this machine's."""
    certificate: str = ""
    """SHA-256 of its certificate as the site has recorded it, written like `fingerprint`; it says nothing of SSH. As
    with a fingerprint, it alone decides."""

    @property
    def certificate_pin(self) -> str:
        """SHA-256 of the only certificate that is accepted, in lower case; empty: authorities decide."""
        return (self.fingerprint or self.certificate).lower()


class Known(NamedTuple):
    """A key by which a host is known."""

    blob: bytes
    file: str
    """That has it; of the user and of this machine as people write them."""


class _Line(NamedTuple):
    """Of hosts that are not told by name: hashed ones, patterns, and whatever a marker stands before."""

    names: tuple[str, ...]
    kind: str
    blob: bytes


class _KnownHosts(msgspec.Struct, frozen=True):
    """The keys of a file."""

    by_name: Mapping[str, Mapping[str, bytes]]
    """Keys by kind."""
    others: tuple[_Line, ...]
    revoked: tuple[_Line, ...]


NOBODY = _KnownHosts({}, (), ())


def host_name(address: str, port: int) -> str:
    """As such files call what listens there: the address, or `[address]:port` where the port is not 22."""
    return address if port == SSH_PORT else f"[{address}]:{port}"


def known_keys(host: str, file: str = "") -> Mapping[str, Known]:
    """The keys by which a host is known, by kind: first the user's own, then this machine's, then those of `file`.

    As OpenSSH does, it passes over lines that it cannot read, and takes no key that a file revokes. Certificates of
    hosts (`@cert-authority`) are not supported. `OSError` if `file` cannot be read.
    """
    found: dict[str, Known] = {}
    for name, hosts in _files(file):
        for kind, blob in _keys(hosts, host):
            found.setdefault(kind, Known(blob, name))
    return {kind: known for kind, known in found.items() if not revoked_by(host, known.blob, file)}


def revoked_by(host: str, blob: bytes, file: str = "") -> str:
    """The file that revokes a key of a host, among those of `known_keys`; empty if none does."""
    lines = ((name, line) for name, hosts in _files(file) for line in hosts.revoked)
    return next((name for name, line in lines if line.blob == blob and _is_of(line, host)), "")


def add_known_keys(keys: HostKeys, file: str, *hosts: str) -> None:
    """Add the keys by which these hosts are known, behind those that are there. `OSError` if `file` cannot be read."""
    from paramiko import PKey  # slow

    for host in hosts:
        before = set(keys.lookup(host) or ())
        for kind, known in known_keys(host, file).items():
            if kind in before:
                continue
            with suppress(Exception):  # whatever paramiko raises: a key that it cannot read lets nobody in
                keys.add(host, kind, PKey.from_type_string(kind, known.blob))


def _files(file: str) -> Iterator[tuple[str, _KnownHosts]]:
    """Each by its name. Those that nobody has named may be missing, or be somebody else's."""
    for name in FILES:
        with suppress(OSError):
            yield name, _read(str(Path(name).expanduser()))
    if file:
        yield file, _read(file)


def _read(path: str) -> _KnownHosts:
    state = os.stat(path)  # noqa: PTH116  # a path or a text
    return _hosts(path, state.st_ino, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=8)
def _hosts(path: str, _inode: int, _changed_ns: int, _size_bytes: int) -> _KnownHosts:
    by_name: dict[str, dict[str, bytes]] = {}
    others: list[_Line] = []
    revoked: list[_Line] = []
    for text in Path(path).read_bytes().decode(errors="replace").splitlines():
        marker, line = _line(text)
        if line is None or marker not in ("", REVOKED):
            continue
        if marker == REVOKED:
            revoked.append(line)
        elif any(name.startswith((HASHED, "!")) or set(name) & set("*?") for name in line.names):
            others.append(line)
        else:
            for name in line.names:
                by_name.setdefault(name, {}).setdefault(line.kind, line.blob)
    return _KnownHosts(by_name, tuple(others), tuple(revoked))


def _line(text: str) -> tuple[str, _Line | None]:
    """The marker of a line, and what it says; None if it says nothing that can be read."""
    words = text.split()
    marker = words.pop(0) if words and words[0].startswith("@") else ""
    if len(words) < 3 or words[0].startswith("#"):
        return marker, None
    try:
        blob = base64.b64decode(words[2], validate=True)
    except ValueError:
        return marker, None
    kind = words[1].encode(errors="replace")
    if not blob.startswith(len(kind).to_bytes(4, "big") + kind):  # RFC 4253, 6.6: a key begins with its kind
        return marker, None
    return marker, _Line(tuple(words[0].split(",")), words[1], blob)


def _keys(hosts: _KnownHosts, host: str) -> Iterator[tuple[str, bytes]]:
    yield from hosts.by_name.get(host, {}).items()
    yield from ((line.kind, line.blob) for line in hosts.others if _is_of(line, host))


def _is_of(line: _Line, host: str) -> bool:
    """Whether a line is about a host: one of its names or patterns is, and none behind a `!` is."""
    is_of = False
    for name in line.names:
        pattern = name.removeprefix("!")
        if is_hash_of(name, host) or _pattern(pattern).fullmatch(host):
            if name != pattern:
                return False
            is_of = True
    return is_of


@lru_cache(maxsize=1024)
def _pattern(name: str) -> re.Pattern[str]:
    """`*` and `?` as in sshd(8); brackets are those of `[address]:port`."""
    words = {"*": ".*", "?": "."}
    return re.compile("".join(words.get(letter) or re.escape(letter) for letter in name), re.IGNORECASE)


def is_hash_of(name: str, host: str) -> bool:
    """Whether a name of such a file (`|1|SALT|HASH`) is that of a host, hashed."""
    if not name.startswith(HASHED):
        return False
    try:
        salt, digest = (
            base64.b64decode(word, validate=True) for word in name.removeprefix(HASHED).split("|")
        )
    except ValueError:
        return False
    return hmac.compare_digest(hmac.digest(salt, host.encode(), "sha1"), digest)
