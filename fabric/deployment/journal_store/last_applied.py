"""What was applied last to each device, as a plan asks for it: the texts of many are read at once, and kept packed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Protocol

from fabric.deployment.journal_store.journal_records import Applied
from fabric.planning import LastApplied

READ_AT_ONCE = 64
"""Texts of one query, and devices of which the text stays unpacked."""


class KeptTexts(Protocol):
    """Where texts are kept by their digests: the journal."""

    def packed(self, keys: Iterable[str]) -> Mapping[str, bytes]:
        """Those that are there."""

    def unpacked(self, key: str, body: bytes) -> str:
        """One of them, once more checked against its digest."""


class LastAppliedTexts(Mapping[str, LastApplied]):
    """What was applied last by device, for `PlanOptions.last_applied`."""

    def __init__(self, kept: KeptTexts, applied: Mapping[str, Applied]) -> None:
        self._kept = kept
        self._applied = applied
        self._packed: dict[str, bytes] = {}
        self._unread = dict.fromkeys(known.text for known in applied.values())
        self._read: dict[str, LastApplied] = {}

    def __getitem__(self, device: str) -> LastApplied:
        """Whoever asks for a device asks several times."""
        if (read := self._read.get(device)) is not None:
            return read
        known = self._applied[device]
        has_foreign = known.candidate != known.artifact
        text, drained = self._text(known.text), bool(known.drained)
        if len(self._read) >= READ_AT_ONCE:
            self._read = {}
        self._read[device] = read = LastApplied(known.artifact, text, known.after, has_foreign, drained)
        return read

    def __contains__(self, device: object) -> bool:
        """Whether anything was applied to a device; its text is not read for that."""
        return device in self._applied

    def __iter__(self) -> Iterator[str]:
        return iter(self._applied)

    def __len__(self) -> int:
        return len(self._applied)

    def digest(self, device: str) -> str:
        """Digest of what the device ran after its last apply."""
        return self._applied[device].after

    def after(self, device: str) -> str:
        """What the device ran after its last apply, in plain form."""
        key = self._applied[device].after
        return self._kept.unpacked(key, self._kept.packed((key,))[key])

    def _text(self, key: str) -> str:
        """A text of ours. One that was not read yet comes with others: whoever asks for one asks for all."""
        if key not in self._packed:
            self._unread.pop(key, None)
            several = self._kept.packed((key, *islice(self._unread, READ_AT_ONCE - 1)))
            for other in several:
                self._unread.pop(other, None)
            self._packed.update(several)
        return self._kept.unpacked(key, self._packed[key])
