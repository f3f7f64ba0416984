"""What was applied last to each device, as a plan asks for it: the texts of many are read at once, and kept packed.

Where a later change was lost on a device, what that would have made ours may be there too, and counts as ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Protocol

from fabric.configuration import merge
from fabric.deployment.jobs import Job
from fabric.deployment.journal_store.journal_records import Applied
from fabric.deployment.journal_store.journal_writes import NOTHING_OURS
from fabric.deployment.journal_store.unsettled_steps import Unsettled
from fabric.planning import LastApplied
from fabric.planning.texts import packed, unpacked
from fabric.platforms.registry import platform

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

    def __init__(
        self, kept: KeptTexts, applied: Mapping[str, Applied], unsettled: Mapping[str, Unsettled]
    ) -> None:
        self._kept = kept
        self._applied = applied
        self._unsettled = unsettled
        self._packed: dict[str, bytes] = {}
        self._with_lost: dict[str, bytes] = {}
        self._unread = dict.fromkeys(known.text for known in applied.values())
        self._read: dict[str, LastApplied] = {}

    def __getitem__(self, device: str) -> LastApplied:
        """Whoever asks for a device asks several times."""
        if (read := self._read.get(device)) is not None:
            return read
        read = self._known(device) if device not in self._unsettled else self._not_settled(device)
        if len(self._read) >= READ_AT_ONCE:
            self._read = {}
        self._read[device] = read
        return read

    def _known(self, device: str) -> LastApplied:
        known = self._applied[device]
        has_foreign = known.candidate != known.artifact
        text, drained = self._text(known.text), bool(known.drained)
        return LastApplied(known.artifact, text, known.after, has_foreign, drained)

    def _not_settled(self, device: str) -> LastApplied:
        """Of no artifact: the next plan looks at all that the device runs."""
        known, lost = self._applied.get(device), self._unsettled[device]
        text, drained = (self._text(known.text), bool(known.drained)) if known is not None else ("", False)
        if device not in self._with_lost:
            ours = ours_with((step.job for _, step in lost.steps), text, self._one)
            self._with_lost[device] = packed(ours)
        ours = unpacked(self._with_lost[device])
        return LastApplied("", text, lost.after, has_foreign=True, drained=drained, lost=ours)

    def __contains__(self, device: object) -> bool:
        """Whether anything was applied to a device, or may have been; its text is not read for that."""
        return device in self._applied or device in self._unsettled

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*self._applied, *self._unsettled)))

    def __len__(self) -> int:
        return len(self._applied.keys() | self._unsettled.keys())

    @property
    def settled(self) -> frozenset[str]:
        """Devices of which it is known what was applied last."""
        return frozenset(self._applied.keys() - self._unsettled.keys())

    def digest(self, device: str) -> str:
        """Digest of what the device was last known to run: after its last apply, where nothing was lost since."""
        known = self._unsettled.get(device) or self._applied[device]
        return known.after

    def after(self, device: str) -> str:
        """The same in plain form."""
        return self._one(self.digest(device))

    def _one(self, key: str) -> str:
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


def ours_with(lost: Iterable[Job], old: str, text: Callable[[str], str]) -> str:
    """What may be ours where changes were lost: what was ours before, `old`, and what is ours with each of them."""
    for job in lost:
        if job.owned not in NOTHING_OURS:
            kind, new = platform(job.platform), text(job.owned)
            old = new if kind.whole else merge(kind.dialect(), new, old, None).text
    return old
