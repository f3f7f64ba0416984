"""A saved plan: a directory with `plan.json` and the texts it names, each in a file called by its digest.

What is read back is what was saved, or `Refused`: `plan.json` is checked against its seal, texts against their digests,
names that are not digests are never opened, and a plan of another major format is not guessed at. The seal is not a
signature: it notices an edit and a damage, not somebody who makes a plan of his own.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from fabric.decoding import from_json
from fabric.diagnostics import Refused
from fabric.planning import codes
from fabric.planning.model import FORMAT_VERSION, Plan
from fabric.planning.texts import digest
from fabric.resources import written_as

PLAN = "plan.json"
TEXTS = "texts"
DIGEST = re.compile(r"^[0-9a-f]{64}$(?!\n)")
NO_SEAL = '"seal": ""'
SEAL = re.compile(r'"seal": "[0-9a-f]*"')
"""No text of a plan looks like it: a quote within one is escaped."""
LARGEST_BYTES = 64 * 1024 * 1024
"""Of one file. The largest configuration we know is 2 MiB; a plan of 10,000 devices is about 20 MiB."""


class SavedTexts(Mapping[str, str]):
    """The texts of a saved plan, read when asked for and checked each time."""

    def __init__(self, folder: Path, digests: tuple[str, ...]) -> None:
        self._folder = folder
        self._digests = dict.fromkeys(digests)

    def __getitem__(self, key: str) -> str:
        if key not in self._digests:
            raise KeyError(key)
        text = _read(self._folder / key)
        if digest(text) != key:
            raise _bad(f"{self._folder / key} is not the text that was saved")
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
    raw = _read(folder / PLAN).encode()
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


def _checked(plan: Plan, folder: Path) -> SavedTexts:
    digests = {d for device in plan.devices for d in (device.diff, device.candidate, device.ours) if d}
    digests |= {group.diff for group in plan.groups if group.diff}
    if wrong := sorted(d for d in digests if not DIGEST.match(d)):
        raise _bad(f"{wrong[0][:80]!r} is not a digest")
    texts = SavedTexts(folder, tuple(sorted(digests)))
    for key in texts:
        texts[key]  # every text is there and whole, before anything is decided on it
    return texts


def _write(plan: Plan, texts: Mapping[str, str], folder: Path) -> None:
    (folder / TEXTS).mkdir(parents=True)
    for device in plan.changed:
        for key in (device.diff, device.candidate, device.ours):
            target = folder / TEXTS / key
            if key and not target.exists():
                target.write_bytes(texts[key].encode())
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


def _read(path: Path) -> str:
    """The text of a plain file of sensible size; no link is followed."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(handle, "rb") as file:
            raw = file.read(LARGEST_BYTES + 1)
        text = raw.decode()
    except (OSError, UnicodeDecodeError) as error:
        problem = getattr(error, "strerror", None) or "not UTF-8"
    else:
        if len(raw) <= LARGEST_BYTES:
            return text
        problem = f"larger than {LARGEST_BYTES} bytes"
    raise _bad(f"{path}: {problem}")


def _bad(reason: str) -> Refused:
    return Refused(f"{codes.BAD_STORE.code}: {reason}", codes.BAD_STORE.fix)
