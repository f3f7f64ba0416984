"""Findings as text: place, code, path, rule and the way out, the most useful first.

pod1.yaml:14:17: FAB201 error: networks.compute.tiers.leaf.up: 70 uplinks need 70 ports, QM9700 has 64
    hint: lower `uplinks`, or add a second plane
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fabric.diagnostics import Diagnostic, Severity
from fabric.documents.places import Place, Sources

ORDER = {severity: index for index, severity in enumerate(Severity)}
MAX_SUBJECTS = 4
"""More devices than this are counted."""


def printed(diagnostics: Iterable[Diagnostic], sources: Sources) -> str:
    """All findings as text, errors first, then in the order of the files, equal ones once."""
    placed = [(finding, sources.place(finding.origin)) for finding in diagnostics]
    texts = ("\n".join(_parts(*pair)) for pair in sorted(placed, key=lambda pair: _rank(*pair)))
    return "".join(f"{text}\n" for text in dict.fromkeys(texts))


def _rank(finding: Diagnostic, place: Place | None) -> tuple[int, bool, Place, str]:
    return ORDER[finding.severity], place is None, place or Place("", 0, 0), finding.code


def _parts(finding: Diagnostic, place: Place | None) -> Iterator[str]:
    where = f"{place}: " if place else ""
    path = f"{finding.origin}: " if finding.origin.path else ""
    yield escaped(f"{where}{finding.code} {finding.severity}: {path}{finding.rule}")
    if finding.subjects:
        more = len(finding.subjects) - MAX_SUBJECTS
        shown = ", ".join(finding.subjects[:MAX_SUBJECTS])
        yield escaped(f"    on: {shown}" + (f" and {more} more" if more > 0 else ""))
    if finding.hint:
        yield escaped(f"    hint: {finding.hint}")


def escaped(text: str) -> str:
    """A text that moves no cursor and starts no line: what is not printable stands as its escape."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
