"""Whether the saved files of a device are what it runs: a broken or strange one must not be planned as real."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from functools import cached_property
from pathlib import Path

import msgspec

from fabric.configuration import Unreadable, lines_between
from fabric.deployment import codes
from fabric.diagnostics import Code, Diagnostic, Origin
from fabric.documents.reading.decode_text import unmerged
from fabric.platforms.base import PART, AnyPlatform, Artifact, Part, split_parts
from fabric.platforms.registry import names as products
from fabric.platforms.registry import platform

DOUBT = 10
"""From one line in so many that its reader does not know, a text may be one of another product."""
SAMPLE = 40
"""Pieces of a text that are looked at first."""
BEGINNING = 8_000
"""Characters that are looked at first: the whole text has no fewer different lines."""
CERTAIN = 2
"""It is, if the other's reader leaves at most one in so many of those lines."""


class Backup(msgspec.Struct, frozen=True, kw_only=True):
    """What is saved of one device."""

    text: str
    """As an artifact's: the files of a product that has several stand behind `PART` lines."""
    when: datetime
    """When the newest of its files was written."""
    files: Mapping[str, Path]
    """Where each part is, or should be; the only file is the part without a name."""


def flaws(
    name: str, kind: AnyPlatform, saved: Backup, artifact: Callable[[], Artifact]
) -> tuple[Diagnostic, ...]:
    """Errors in the saved files of a device, beside its artifact.

    That a product's reader does not know a line is none: switches run more than we write.
    """
    checks = _Checks(name, kind, saved, artifact)
    return tuple(checks.lacking()) or tuple(checks.found())


class _Checks:
    """The saved files of one device, read."""

    def __init__(self, name: str, kind: AnyPlatform, saved: Backup, artifact: Callable[[], Artifact]) -> None:
        self.name, self.kind, self.saved, self.artifact = name, kind, saved, artifact
        self.parts = self._parts(saved.text)

    @cached_property
    def _ours(self) -> Mapping[str, str]:
        """The files of the artifact."""
        return self._parts(self.artifact().text)

    def _parts(self, text: str) -> Mapping[str, str]:
        return split_parts(text) if self.kind.parts else {"": text}

    def lacking(self) -> Iterator[Diagnostic]:
        """Parts that the device will have, and that are not saved or have no content at all."""
        empty = [part for part in self.kind.parts if not part.by_hand and not self.parts.get(part.name)]
        yield from (self._lacks(part) for part in empty if self._ours.get(part.name, "").strip())

    def _lacks(self, part: Part) -> Diagnostic:
        """That a part is not there, or is empty."""
        path = self.saved.files[part.name]
        if len(set(self.saved.files.values())) < len(self.saved.files):  # one file for all of them
            hint = f"save each file of {self.name} as `{self.name}/FILE` in the folder: `{self.name}/{part.name}`"
            return self._at(codes.NOT_WHOLE, path, f"{self.kind.title} has its {part.name} beside it", hint)
        rule = f"{part.name} of {self.kind.title} is {'empty' if part.name in self.parts else 'not saved'}"
        hint = f"save it there again; if {self.name} has none, say so by an empty line: `echo > {path}`"
        return self._at(codes.NOT_WHOLE, path, rule, hint)

    def found(self) -> Iterator[Diagnostic]:
        """Files that are not the product's."""
        first = next(iter(self.saved.files))
        if damaged := [part for part, text in self.parts.items() if "\0" in text or unmerged(text)]:
            yield from (self._broken(part, self._why(self.parts[part])) for part in damaged)
        elif cause := self._unreadable():
            yield self._broken(first, f"it is cut off or damaged: {cause}")
        elif doubtful := [part for part in self.parts if self._is_doubtful(part)]:
            strange = [part for part in doubtful if self._is_strange(part)]
            if not strange and self.kind.read(self.saved.text).facts == self.kind.read("").facts:
                strange = [first]
            yield from (self._broken(part, self._why(self.parts.get(part, ""))) for part in strange)
            if not strange:
                others = self._others(doubtful)
                yield from (self._broken(part, f"it reads as one of {other}") for part, other in others)

    def _unreadable(self) -> str:
        """Why the text is not in the product's syntax; empty: it is one."""
        try:
            self.kind.dialect().check(self.saved.text)
        except Unreadable as error:
            return str(error)
        return ""

    def _is_doubtful(self, part: str) -> bool:
        """Whether the table does not know many lines of a few pieces of a file. Reading all would take too long.

        The lines of our own artifact are known.
        """
        dialect, text, ours = self.kind.dialect(), self.parts[part], self._ours.get(part, "")
        if lines_between(text, ours) * DOUBT < len(set(text[:BEGINNING].splitlines()[:-1])):
            return False  # most texts, without looking at all of their lines
        lines = set(text.splitlines())
        if len(lines.difference(ours.splitlines())) * DOUBT < len(lines):
            return False
        pieces = list(dialect.pieces(dialect.plain(_alone(part, self.parts[part]))).values())
        known, unknown = dialect.familiarity(pieces[:: max(1, len(pieces) // SAMPLE)])
        return unknown * DOUBT >= known + unknown

    def _is_strange(self, part: str) -> bool:
        """Whether nothing in a file is understood."""
        reading = self.kind.read(_alone(part, self.parts[part]))
        says_nothing = reading.facts == self.kind.read(_alone(part, "")).facts
        lines = self._lines(part)
        return bool(part and lines) and says_nothing and len(reading.unread) * DOUBT >= lines * (DOUBT - 1)

    def _others(self, doubtful: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Parts that another product's reader knows far better, with its title."""
        by_hand = {part.name for part in self.kind.parts if part.by_hand}  # of the system, not of the product
        for part in (name for name in doubtful if name not in by_hand):
            unread = len(self.kind.read(_alone(part, self.parts[part])).unread)
            if unread * DOUBT < self._lines(part):
                continue
            for other in map(platform, products()):
                if part in {own.name for own in other.parts} or other.name == self.kind.name:
                    continue
                if any(known * CERTAIN <= unread for known in _unread_by(other, self.parts[part])):
                    yield part, other.title
                    break

    def _lines(self, part: str) -> int:
        """Lines of a part that say something."""
        plain = self.kind.dialect().plain(_alone(part, self.parts[part]))
        return sum(not line.startswith(PART) for line in plain.splitlines())

    def _why(self, text: str) -> str:
        if "\0" in text:
            return "it holds zero bytes, so it is not UTF-8 text"
        if unmerged(text):
            return "git has left both versions of a merge in it"
        return f"nothing in it is one of {self.kind.title}" if text.strip() else "it is empty"

    def _broken(self, part: str, why: str) -> Diagnostic:
        path = self.saved.files.get(part) or next(iter(self.saved.files.values()))
        rule = f"this is not the saved configuration of {self.name}: {why}"
        hint = f"save it there again; if {self.name} is a new device, remove its files from the folder"
        return self._at(codes.NOT_ITS_OWN, path, rule, hint, self.parts.get(part, ""))

    def _at(self, code: Code, path: Path, rule: str, hint: str, text: str = "") -> Diagnostic:
        value = f"{len(text)} characters"  # not the text: it may hold secrets
        return code.at(Origin((str(path),), "backup"), rule, value=value, hint=hint, subjects=(self.name,))


def _alone(part: str, text: str) -> str:
    return f"{PART}{part}\n{text}" if part else text


def _unread_by(product: AnyPlatform, text: str) -> Iterator[int]:
    """How many lines of a text a product does not read, as each of its files that it says something as."""
    for part in product.parts or (Part("", ""),):
        with suppress(Unreadable):
            reading = product.read(_alone(part.name, text))
            if reading.facts != product.read(_alone(part.name, "")).facts:
                yield len(reading.unread)
