"""What the page is made from: plain data, gathered before anything is printed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from fabric.exports.network_view import View
from fabric.planning.model import Plan

if TYPE_CHECKING:  # numpy comes with it
    from fabric.simulation import Answer

ACRONYMS = {"ASN", "ECN", "PFC", "DSCP", "CNP", "TC", "B", "%", "KMIN", "KMAX", "PMAX"}
"""Words of headings that stay in capitals."""


@dataclass(frozen=True, kw_only=True)
class PageTable:
    """A table as text."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[bool, ...] = ()
    """Of each column: whether it stands at the right."""
    note: str = ""
    devices: tuple[bool, ...] = ()
    """Of each column: whether it names a device that the drawing shows."""
    meanings: tuple[str, ...] = ()
    """Of each column, for who does not know it; none where headings say it."""

    @property
    def explanations(self) -> tuple[tuple[str, str], ...]:
        """Heading and meaning of each column."""
        return tuple(zip(map(sentence, self.headings), self.meanings, strict=False))

    @property
    def columns(self) -> tuple[tuple[str, bool, bool], ...]:
        """Heading, whether it stands at the right, and whether it names devices."""
        none = (False,) * len(self.headings)
        words = map(sentence, self.headings)
        return tuple(zip(words, self.numbers or none, self.devices or none, strict=True))


def sentence(heading: str) -> str:
    """`PEER PORT` as `Peer port`; acronyms stay."""
    words = [word if word in ACRONYMS else word.lower() for word in heading.split(" ")]
    text = " ".join(words)
    return text[:1].upper() + text[1:]


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """A finding of lint, as people read it."""

    code: str
    severity: str
    place: str
    """`site.yaml:14:17`."""
    message: str
    hint: str = ""
    subjects: tuple[str, ...] = ()


class VerifyFinding(msgspec.Struct, frozen=True):
    """A fault of the running network."""

    id: str
    kind: str
    section: str
    code: str
    text: str
    hint: str
    subjects: tuple[str, ...] = ()


class VerifySeen(msgspec.Struct, frozen=True):
    """What `fabric verify` looked at, or did not."""

    section: str
    text: str


class Verified(msgspec.Struct, frozen=True):
    """What `fabric verify --format json` has printed."""

    site: str
    network: str
    findings: tuple[VerifyFinding, ...]
    seen: tuple[VerifySeen, ...] = ()
    not_seen: tuple[VerifySeen, ...] = ()


@dataclass(frozen=True)
class PlanFacts:
    """A saved plan and the texts of its diffs."""

    plan: Plan
    texts: Mapping[str, str]
    effects: Mapping[str, str]
    """What each impact means, for people."""


@dataclass(frozen=True)
class LoadFacts:
    """What a collective puts on one network, or why that is not known."""

    network: str
    operation: str
    answer: Answer | None = None
    missing: str = ""


@dataclass(frozen=True, kw_only=True)
class Facts:
    """Everything that a page tells."""

    views: tuple[View, ...]
    findings: tuple[Finding, ...] = ()
    known_findings: int = 0
    """Held by the baseline of lint, and not shown."""
    tables: Mapping[str, tuple[PageTable, ...]] = field(default_factory=dict)
    """By section: `bom`, `queues`, `devices`, `asn`, `failures`, `load`."""
    notes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What people should know of a section, or why it is empty."""
    loads: tuple[LoadFacts, ...] = ()
    plan: PlanFacts | None = None
    verified: Verified | None = None
