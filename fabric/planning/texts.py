"""Texts by digest, and the form in which every secret is masked."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterator, Mapping

from fabric.platforms.base import SECRET

MASK = "<masked>"
"""Stands for a secret whose value is not known here."""

OURS = "<ours>"
"""Stands for a masked value of our own text (a hash that the intent holds) until it is put back."""

PLACEHOLDER = SECRET
"""A secret of ours, by reference."""


def masked(text: str) -> str:
    """The text with our references masked too: what the two sides of a comparison have in common."""
    if "<" not in text:  # most texts hold neither
        return text
    text = PLACEHOLDER.sub(MASK, text) if "<secret:" in text else text
    return text.replace(OURS, MASK)


def digest(text: str) -> str:
    """SHA-256, hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def packed(text: str) -> bytes:
    """A text as it is held while others are made: a tenth of its size."""
    return zlib.compress(text.encode(), 1)


def unpacked(text: bytes) -> str:
    """What `packed` has made."""
    return zlib.decompress(text).decode()


class Texts(Mapping[str, str]):
    """Diffs and candidates by digest, packed. A text may be given as a way to make it again, and is not held then."""

    def __init__(self) -> None:
        self._texts: dict[str, bytes | Callable[[], str]] = {}

    def add(self, text: str) -> str:
        """Keep a text; returns its digest."""
        key = digest(text)
        if key not in self._texts:
            self._texts[key] = packed(text)
        return key

    def add_later(self, key: str, again: Callable[[], str]) -> str:
        """Keep how a text is made, by its digest."""
        self._texts.setdefault(key, again)
        return key

    def __getitem__(self, key: str) -> str:
        text = self._texts[key]
        return unpacked(text) if isinstance(text, bytes) else text()

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def __contains__(self, key: object) -> bool:
        return key in self._texts
