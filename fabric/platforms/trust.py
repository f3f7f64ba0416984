"""How it is known that the other end of a connection is the device, and SSH host keys in files as `known_hosts`.

Such a file is read once for all devices: paramiko's own loader compares each line with all before it, which is 10 s of
CPU for 4,000 hosts at each connection.
"""

from __future__ import annotations

import base64
import hmac
import os
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

if TYPE_CHECKING:
    from paramiko import HostKeys

HASHED = "|1|"
"""Begins a host that is not told."""
SSH_PORT = 22


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
    user's own `known_hosts`.
    """

    ca_file: str = ""
    """PEM with the authorities that may have signed its certificate, in place of the system's."""
    server_name: str = ""
    """Name that the certificate is for, where it is not for the address."""
    fingerprint: str = ""
    """SHA-256 of its certificate or of its SSH host key, `sha256:` and 64 hexadecimal digits: it alone decides then,
    whoever has signed, whatever name."""
    known_hosts: str = ""
    """File with SSH host keys, beside the user's own."""
    certificate: str = ""
    """SHA-256 of its certificate as the site has recorded it, written like `fingerprint`; it says nothing of SSH. As
    with a fingerprint, it alone decides."""

    @property
    def certificate_pin(self) -> str:
        """SHA-256 of the only certificate that is accepted, in lower case; empty: authorities decide."""
        return (self.fingerprint or self.certificate).lower()


class _KnownHosts(msgspec.Struct, frozen=True):
    """The keys of a file."""

    by_name: Mapping[str, Mapping[str, bytes]]
    """Keys by kind."""
    hashed: tuple[tuple[str, str, bytes], ...]


def host_name(address: str, port: int) -> str:
    """As such files call what listens there: the address, or `[address]:port` where the port is not 22."""
    return address if port == SSH_PORT else f"[{address}]:{port}"


def known_keys(path: str | Path, host: str) -> Mapping[str, bytes]:
    """The keys of a host by kind, the first one of each kind. `OSError` if the file cannot be read."""
    state = os.stat(path)  # noqa: PTH116  # a path or a text
    hosts = _hosts(str(path), state.st_ino, state.st_mtime_ns, state.st_size)
    found = dict(hosts.by_name.get(host, {}))
    for name, kind, blob in hosts.hashed:
        if is_hash_of(name, host):
            found.setdefault(kind, blob)
    return found


def add_known_keys(keys: HostKeys, path: str, *hosts: str) -> None:
    """Add what a file knows of these hosts, behind what is known of them. `OSError` if it cannot be read."""
    from paramiko import PKey  # slow

    for host in hosts:
        before = set(keys.lookup(host) or ())
        for kind, blob in known_keys(path, host).items():
            if kind in before:
                continue
            with suppress(Exception):  # whatever paramiko raises: a key that it cannot read lets nobody in
                keys.add(host, kind, PKey.from_type_string(kind, blob))


@lru_cache(maxsize=4)
def _hosts(path: str, _inode: int, _changed_ns: int, _size_bytes: int) -> _KnownHosts:
    by_name: dict[str, dict[str, bytes]] = {}
    hashed: list[tuple[str, str, bytes]] = []
    for line in Path(path).read_bytes().decode(errors="replace").splitlines():
        words = line.split()
        if len(words) < 3 or words[0][0] in "#@":
            continue
        try:
            blob = base64.b64decode(words[2], validate=True)
        except ValueError:
            continue
        for name in words[0].split(","):
            if name.startswith(HASHED):
                hashed.append((name, words[1], blob))
            else:
                by_name.setdefault(name, {}).setdefault(words[1], blob)
    return _KnownHosts(by_name, tuple(hashed))


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
