"""What is ours on a device, and what is carried along because it is not.

Ours is what the artifact sets and what was applied last set. Every other setting of the device is kept, unless the
device is wholly ours.
"""

from __future__ import annotations

import zlib
from typing import Literal

import msgspec

from fabric.configuration import Foreign, merge
from fabric.decoding import from_msgpack
from fabric.planning.overriding import overriding
from fabric.planning.texts import digest
from fabric.platforms.base import AnyPlatform

Ownership = Literal["shared", "full"]
"""`shared`: foreign lines are kept. `full`: the device runs the artifact and nothing else."""


class Candidate(msgspec.Struct, frozen=True):
    """What is pushed, and the lines in it that are not ours."""

    text: str
    """Our secrets as placeholders; those of kept lines masked until the push."""
    kept: tuple[str, ...] = ()
    foreign: tuple[Foreign, ...] = ()
    """The same as settings, with where they stand."""


class Pushed(msgspec.Struct, frozen=True):
    """The same as plain data: that one step finds out what another one needs."""

    text: str
    kept: tuple[str, ...] = ()
    overriding: tuple[str, ...] = ()
    """Those of the kept settings that may do away with one of ours, for people."""


def pushed(merged: Candidate) -> Pushed:
    """What is said of a candidate."""
    return Pushed(merged.text, merged.kept, overriding(merged.foreign))


def packed(merged: Candidate) -> bytes:
    """What is said of a candidate, small: many wait at once for their turn."""
    return zlib.compress(msgspec.msgpack.encode(pushed(merged)), 1)


def given(packed: bytes) -> Pushed:
    """What `packed` has made."""
    return from_msgpack(zlib.decompress(packed), Pushed)


def basis(artifact: str, applied: str | None) -> str:
    """The texts that decide, beside what runs, what is ours on a device."""
    return digest(f"{digest(artifact)} {digest(applied or '')}")


def candidate(platform: AnyPlatform, artifact: str, running: str, applied: str | None) -> Candidate:
    """The artifact's text with the foreign part of `running` carried along.

    `running` and `applied` are masked. Without foreign lines the text is the artifact itself.
    """
    if platform.whole:
        return Candidate(artifact)  # what is not ours goes, and the plan shows it
    merged = merge(platform.dialect(), artifact, running, applied)
    return Candidate(merged.text, merged.kept, merged.foreign)
