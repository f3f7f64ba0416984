"""A saved plan: a directory with `plan.json`, and with `plan.texts`, the texts that it names by their digests.

What is read back is what was saved, or `Refused`: `plan.json` is checked against its seal, texts against their digests,
and a plan of another major format is not guessed at. The seal is not a signature: it notices an edit and a damage, not
somebody who makes a plan of his own.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import shutil
import weakref
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from fabric.decoding import from_json
from fabric.diagnostics import Refused
from fabric.planning import codes
from fabric.planning.model import FORMAT_VERSION, Plan
from fabric.planning.texts import digest
from fabric.resources import written_as

PLAN = "plan.json"
TEXTS = "plan.texts"
DIGEST = re.compile(r"^[0-9a-f]{64}$(?!\n)")
NO_SEAL = '"seal": ""'
SEAL = re.compile(r'"seal": "[0-9a-f]*"')
"""No text of a plan looks like it: a quote within one is escaped."""


LARGEST_BYTES = 64 * 1024 * 1024
"""Of `plan.json`, and of one text. The largest configuration we know is 2 MiB; a plan of 10,000 devices is about
20 MiB."""
HEAD = re.compile(rb"text ([0-9a-f]{64}) ([0-9]{1,9})\n")
"""The line before a text: its digest, and how many bytes it has. Behind it is a line end."""
HEAD_BYTES = 80


class SavedTexts(Mapping[str, str]):
    """The texts of a saved plan, read when asked for and checked each time.

    All are in one file, for thousands of files cost more than what is in them. It stays open: a plan that is saved in
    the place of this one meanwhile does not change it. `Refused` if it cannot be read.
    """

    def __init__(self, path: Path, digests: Iterable[str]) -> None:
        self._path, self._digests = path, dict.fromkeys(digests)
        try:
            self._file = _open(path)
            weakref.finalize(self, os.close, self._file)
            self._places = dict(self._found())
        except OSError as error:
            raise _bad(f"{path}: {error.strerror}") from None

    def _found(self) -> Iterator[tuple[str, tuple[int, int]]]:
        """Where each text begins, and how many bytes it has."""
        at, unmet = 0, {*self._digests}
        while head := os.pread(self._file, HEAD_BYTES, at):
            known = HEAD.match(head)
            if known is None:
                raise _bad(f"{self._path} is damaged at byte {at}")
            key, begin, size = known[1].decode(), at + known.end(), int(known[2])
            if key not in unmet:
                raise _bad(f"{self._path} holds a text twice, or one that the plan does not name: {key}")
            unmet.remove(key)
            yield key, (begin, size)
            at = begin + size + 1

    def __getitem__(self, key: str) -> str:
        if key not in self._digests:
            raise KeyError(key)
        begin, size = self._places.get(key, (0, 0))
        if size > LARGEST_BYTES:
            raise _bad(f"{self._path}: the text {key} is larger than {LARGEST_BYTES} bytes")
        try:
            raw = os.pread(self._file, size, begin)
            text = raw.decode()
        except (OSError, UnicodeDecodeError) as error:
            raise _bad(f"{self._path}: the text {key}: {_problem(error)}") from None
        if hashlib.sha256(raw).hexdigest() != key:
            raise _bad(f"{self._path}: the text {key} is not there as it was saved")
        return text

    def __iter__(self) -> Iterator[str]:
        return iter(self._digests)

    def __len__(self) -> int:
        return len(self._digests)

    def __contains__(self, key: object) -> bool:
        return key in self._digests


class _Version(msgspec.Struct):
    format_version: str


def save(plan: Plan, texts: Mapping[str, str], folder: Path) -> None:
    """Write a plan, whole or not at all. An earlier plan in its place is replaced, anything else refused."""
    if folder.is_symlink() or (folder.exists() and not (folder / PLAN).is_file()):
        message = f"{folder} exists and is not a saved plan"
        raise Refused(message, "name a new directory, or an earlier plan")
    folder.parent.mkdir(parents=True, exist_ok=True)
    temporary = folder.parent / f".{folder.name}.{secrets.token_hex()}"
    try:
        with written_as(folder):
            _write(plan, texts, temporary)
            _swap(temporary, folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def load(folder: Path) -> tuple[Plan, SavedTexts]:
    """Read a plan that `save` wrote. `Refused` if anything is missing, changed or of another major format."""
    raw = _read(folder / PLAN)
    try:
        version = from_json(raw, _Version).format_version
        if version.partition(".")[0] != FORMAT_VERSION.partition(".")[0]:
            raise _bad(f"{folder} has format {version}, this program reads {FORMAT_VERSION}")
        plan = from_json(raw, Plan)
    except msgspec.MsgspecError as error:
        problem = str(error)
    else:
        if plan.seal != digest(SEAL.sub(NO_SEAL, raw.decode())):
            raise _bad(f"{folder / PLAN} was changed after it was saved")
        plan = msgspec.structs.replace(plan, seal="")
        return plan, _checked(plan, folder / TEXTS)
    raise _bad(f"{folder / PLAN} is not a plan: {problem}")


def plan_digest(plan: Plan) -> str:
    """What identifies a plan: approving it approves this."""
    return digest(_encoded(plan).decode())


def _checked(plan: Plan, file: Path) -> SavedTexts:
    digests = {d for device in plan.devices for d in (device.diff, device.candidate, device.ours) if d}
    digests |= {group.diff for group in plan.groups if group.diff}
    if wrong := sorted(d for d in digests if not DIGEST.match(d)):
        raise _bad(f"{wrong[0][:80]!r} is not a digest")
    texts = SavedTexts(file, sorted(digests))
    for key in texts:
        texts[key]  # every text is there and whole, before anything is decided on it
    return texts


def _write(plan: Plan, texts: Mapping[str, str], folder: Path) -> None:
    folder.mkdir(parents=True)
    named = (key for device in plan.changed for key in (device.diff, device.candidate, device.ours) if key)
    with (folder / TEXTS).open("wb") as file:
        for key in dict.fromkeys(named):
            raw = texts[key].encode()
            file.writelines((f"text {key} {len(raw)}\n".encode(), raw, b"\n"))
    text = _encoded(plan).decode()
    (folder / PLAN).write_bytes(text.replace(NO_SEAL, NO_SEAL.replace('""', f'"{digest(text)}"'), 1).encode())


def _encoded(plan: Plan) -> bytes:
    return msgspec.json.format(msgspec.json.encode(plan, order="deterministic"), indent=2) + b"\n"


def _swap(temporary: Path, folder: Path) -> None:
    """Put the new directory in the place of the old one; `rename` takes none that is not empty."""
    if not folder.exists():
        temporary.rename(folder)
        return
    old = folder.parent / f"{temporary.name}.old"
    folder.rename(old)
    temporary.rename(folder)
    shutil.rmtree(old)


def _open(path: Path) -> int:
    """A file for reading. No link is followed, and nobody is waited for at the other end of a pipe."""
    return os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)


def _read(path: Path) -> bytes:
    """A plain file of sensible size, in UTF-8."""
    try:
        with os.fdopen(_open(path), "rb") as file:
            raw = file.read(LARGEST_BYTES + 1)
        raw.decode()
    except (OSError, UnicodeDecodeError) as error:
        raise _bad(f"{path}: {_problem(error)}") from None
    if len(raw) > LARGEST_BYTES:
        raise _bad(f"{path}: larger than {LARGEST_BYTES} bytes")
    return raw


def _problem(error: OSError | UnicodeDecodeError) -> str:
    return getattr(error, "strerror", None) or "not UTF-8"


def _bad(reason: str) -> Refused:
    return Refused(f"{codes.BAD_STORE.code}: {reason}", codes.BAD_STORE.fix)
