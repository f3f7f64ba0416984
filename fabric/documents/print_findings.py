"""Findings with their places, as text: place, code, path, rule, the line itself and the hint.

pod1.yaml:14:17: FAB201: networks.compute.tiers.leaf.up: 70 uplinks need 70 ports, QM9700 has 64
    14 |   leaf: {up: {ports: 70}}
       |                 ^
    hint: lower `uplinks`, or add a second plane

Every way to print findings starts from `placed_findings`, which also takes out what may be a secret.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from fabric.diagnostics import Diagnostic, Severity, Unsupported, codes
from fabric.documents import redaction
from fabric.documents.codes import MISSING_KEY, SECRET
from fabric.documents.places import Place, Sources

ORDER = {severity: index for index, severity in enumerate(Severity)}
MAX_SUBJECTS = 4
"""More devices than this are counted."""
EXCERPT = 110
"""Letters of a line that an excerpt shows."""
LONGEST_PATH = 400
"""Letters of a path that are printed: its keys are read from a file, where one may be of any length."""
NO_VALUE = frozenset({SECRET.code, MISSING_KEY.code, "FAB114"})
"""Codes whose messages never contain text of the file."""

Kind = Literal["finding", "line", "mark", "subjects", "hint"]


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """A diagnostic with its place: what every format prints."""

    code: str
    severity: Severity
    file: str | None
    line: int | None
    column: int | None
    path: str
    """Where in the model: `networks.compute.tiers.leaf`."""
    rule: str
    value: Any = None
    hint: str | None = None
    subjects: tuple[str, ...] = ()
    unsupported: Unsupported | None = None
    """Product, release, hardware and feature, if a product does not support what is asked of it."""

    @property
    def place(self) -> str:
        """`site.yaml:14:17`, or the path in the model where no file has it."""
        return f"{self.file}:{self.line}:{self.column}" if self.file else _cut(self.path) or "site"

    @property
    def message(self) -> str:
        """Path and rule in one line; without a file the path is the place already."""
        return f"{_cut(self.path)}: {self.rule}" if self.path and self.file else self.rule


def _cut(path: str) -> str:
    """A path as it is printed: one that is too long without its end."""
    return path if len(path) <= LONGEST_PATH else f"{path[:LONGEST_PATH]}…"


def lines_around(finding: Finding) -> Sequence[str]:
    """The line of a finding, and before it the one that it is indented under; empty if there is none to read."""
    if finding.file is None or finding.line is None:
        return ()
    try:
        lines = Path(finding.file).read_text(encoding="utf-8", errors="replace").split("\n")
    except (OSError, ValueError):
        return ()
    return redaction.around(lines, finding.line) if finding.line <= len(lines) else ()


def placed_findings(diagnostics: Iterable[Diagnostic], sources: Sources) -> tuple[Finding, ...]:
    """Diagnostics with their places and without secrets: errors first, then in the order of the files, equal once."""
    placed = [(d, sources.place(d.origin)) for d in diagnostics]
    findings = (_redacted(_placed(*pair), pair[0]) for pair in sorted(placed, key=lambda pair: _rank(*pair)))
    return tuple({_key(finding): finding for finding in findings}.values())


def _rank(finding: Diagnostic, place: Place | None) -> tuple[int, bool, Place, str]:
    return ORDER[finding.severity], place is None, place or Place("", 0, 0), finding.code


def _key(finding: Finding) -> tuple[object, ...]:
    """What makes two findings the same for a reader."""
    return finding.code, finding.place, finding.message, finding.hint, finding.subjects


def _placed(diagnostic: Diagnostic, place: Place | None) -> Finding:
    value = diagnostic.value
    return Finding(
        code=diagnostic.code,
        severity=diagnostic.severity,
        file=place.file if place else None,
        line=place.line if place else None,
        column=place.column if place else None,
        path=str(diagnostic.origin),
        rule=diagnostic.rule,
        value=value if value is None or isinstance(value, str | int | float | bool) else str(value),
        hint=diagnostic.hint,
        subjects=diagnostic.subjects,
        unsupported=diagnostic.unsupported,
    )


def _redacted(finding: Finding, diagnostic: Diagnostic) -> Finding:
    """The finding as it may be shown: with the fixed words of its code where the text may hold a secret."""
    if finding.code in NO_VALUE:
        return msgspec.structs.replace(finding, value=None)
    value_is_secret = isinstance(finding.value, str) and redaction.is_secret_line(finding.value)
    path = diagnostic.origin.path
    is_name = diagnostic.origin.document == redaction.REFERENCES or redaction.is_name(path)
    is_place = redaction.is_secret_path(path) and not (is_name and finding.value is None)
    if not (is_place or value_is_secret):
        return finding
    known = codes()[finding.code]
    masked = (
        redaction.masked(str(finding.value), (finding.rule, finding.hint or "")) if value_is_secret else None
    )
    if masked is not None:
        return msgspec.structs.replace(finding, rule=masked[0], value=None, hint=masked[1] or None)
    return msgspec.structs.replace(finding, rule=known.title, value=None, hint=known.fix)


def concise(finding: Finding) -> str:
    """One line: place, code, message."""
    return escaped(f"{finding.place}: {heading(finding)} {finding.message}")


def heading(finding: Finding) -> str:
    """`FAB204:`, and the severity where it is not an error."""
    word = "" if finding.severity is Severity.ERROR else f" {finding.severity.value}:"
    return f"{finding.code}:{word}"


def finding_lines(finding: Finding, width: int = EXCERPT) -> Iterator[tuple[Kind, str]]:
    """A finding in full, line by line, each with what it is; an excerpt has at most `width` letters."""
    yield "finding", concise(finding)
    yield from _excerpt(finding, width)
    if finding.subjects:
        yield "subjects", escaped(f"    on: {subjects(finding.subjects)}")
    if finding.hint:
        yield "hint", escaped(f"    hint: {finding.hint}")


def findings_text(diagnostics: Iterable[Diagnostic], sources: Sources) -> str:
    """All findings as plain text."""
    return "".join(
        f"{text}\n"
        for finding in placed_findings(diagnostics, sources)
        for _kind, text in finding_lines(finding)
    )


def subjects(names: Sequence[str]) -> str:
    """A few devices by name, many by number."""
    if len(names) <= MAX_SUBJECTS:
        return ", ".join(names)
    return f"{', '.join(names[:2])} and {len(names) - 2:,} more"


def _excerpt(finding: Finding, width: int) -> Iterator[tuple[Kind, str]]:
    """The line of the finding, with a caret below its column; none where it may hold a secret."""
    text = lines_around(finding)
    if not text or finding.column is None or finding.column > width or finding.code in NO_VALUE:
        return
    if any(map(redaction.is_secret_line, text)) or finding.column > len(text[-1]) + 1:
        return
    number = f"{finding.line}"
    yield "line", escaped(f"    {number} | {text[-1][:width].replace(chr(9), ' ')}")
    yield "mark", f"    {'':{len(number)}} | {'':{finding.column - 1}}^"


def escaped(text: str, keep: str = "") -> str:
    """A text that moves no cursor and starts no line: what is not printable stands as its escape.

    Letters of `keep` stay as they are.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in keep else _escape(c) for c in text)


def _escape(letter: str) -> str:
    return letter.encode("unicode_escape").decode("ascii")
