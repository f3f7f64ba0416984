"""Findings of an existing site that are known today: the next run tells new ones only."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from fabric.decoding import from_json
from fabric.diagnostics import Diagnostic


class Known(msgspec.Struct, frozen=True, order=True):
    """One finding, by what stays when lines move."""

    code: str
    at: str
    """`networks.compute.planes.count`, behind the document if that is not the intent: `state:drained[0]`."""
    about: str = ""


class Baseline(msgspec.Struct, frozen=True):
    """What the file holds."""

    findings: tuple[Known, ...] = ()
    format: int = 1


def known(finding: Diagnostic) -> Known:
    """What the file says of a finding."""
    origin = finding.origin
    return Known(
        finding.code, f"{'' if origin.document == 'intent' else f'{origin.document}:'}{origin}", finding.about
    )


def read(file: Path) -> Baseline:
    """What a file holds; an empty one where there is no file. `ValueError` if it is not a baseline."""
    try:
        text = file.read_bytes()
    except FileNotFoundError:
        return Baseline()
    return from_json(text, Baseline)


def written(findings: Iterable[Diagnostic]) -> str:
    """The text of the file for these findings."""
    baseline = Baseline(tuple(sorted(set(map(known, findings)))))
    return msgspec.json.format(msgspec.json.encode(baseline), indent=2).decode() + "\n"


def new(findings: Iterable[Diagnostic], baseline: Baseline) -> tuple[Diagnostic, ...]:
    """The findings that the baseline does not hold. Errors are always told."""
    old = frozenset(baseline.findings)
    return tuple(finding for finding in findings if finding.is_error or known(finding) not in old)


def gone(findings: Iterable[Diagnostic], baseline: Baseline) -> int:
    """How many of the baseline are found no more."""
    return len(set(baseline.findings) - set(map(known, findings)))
