"""From the bytes of a file to text that is safe to read and to show."""

from __future__ import annotations

import re

from fabric.diagnostics import Code
from fabric.documents import codes
from fabric.documents.places import InvalidDocument
from fabric.documents.reading.file_findings import Findings

MAX_BYTES = 32 * 1024 * 1024
"""Of one file. A site of 10,000 switches, written out, takes about 2 MiB."""

MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
"""Byte-order marks of UTF-8 and UTF-16."""

FORBIDDEN = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]"
    r"|\r(?!\n)"
)
"""Control characters, line ends that only some programs see, and marks that turn the direction of text."""

UNMERGED = re.compile(r"^<{7} .*(?:\n(?!>{7} ).*)*", re.MULTILINE)
"""What git leaves of a conflict: both versions, between marks."""


def unmerged(text: str) -> re.Match[str] | None:
    """The first conflict that git has left in a text."""
    return UNMERGED.search(text) if "<<<<<<< " in text else None  # ten times as fast where there is none


FIRST_LINE = re.compile(r"\n( *)[^ \r\n]")


def decode(data: bytes, file: str, name: str) -> str:
    """The text of a file. `InvalidDocument` if it is too big, no UTF-8, or holds control characters."""
    if len(data) > MAX_BYTES:
        rule = f"the file has more than {MAX_BYTES:,} bytes"
        raise _refusal(file, name, "", codes.TOO_BIG, rule, "split it with `include`")
    if data.startswith(MARKS):
        rule = "the file starts with a byte-order mark"
        raise _refusal(file, name, "", codes.NOT_TEXT, rule, "save it as UTF-8 without one")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        rule = f"byte 0x{data[error.start]:02x} is not valid UTF-8"
        before = data[: error.start].decode()
        raise _refusal(file, name, before, codes.NOT_TEXT, rule, "save it as UTF-8") from None
    control = FORBIDDEN.search(text)
    if control:
        rule = f"the file holds the control character U+{ord(control[0]):04X}"
        hint = "remove it; in a quoted text, write a line end as \\n"
        raise _refusal(file, name, text[: control.start()], codes.NOT_TEXT, rule, hint)
    if conflict := unmerged(text):
        raise _refusal(file, name, text[: conflict.start()], codes.UNMERGED, *_both_versions(text, conflict))
    return text


def _both_versions(text: str, conflict: re.Match[str]) -> tuple[str, str]:
    """Rule and hint for a conflict in a file."""
    first, last = (position(text[:at])[0] for at in (conflict.start(), conflict.end() + 1))
    rule = f"git has left both versions of a merge here, in lines {first} to {last}"
    return (
        rule,
        "keep one of them, and remove the lines that begin with `<<<<<<<`, `|||||||`, `=======` and `>>>>>>>`",
    )


def position(before: str) -> tuple[int, int]:
    """Line and column, from 1, of what follows `before`."""
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def margin(text: str, index: int, value: str) -> int:
    """Column, from 1, at which the lines of a literal block begin, whose `|` is at `index`."""
    written, in_value = FIRST_LINE.search(text, index), FIRST_LINE.search(f"\n{value}")
    return len(written[1]) - len(in_value[1]) + 1 if written and in_value else 1


def _refusal(file: str, name: str, before: str, code: Code, rule: str, hint: str) -> InvalidDocument:
    """The error for a file that is not read at all, shown at what follows `before`."""
    findings = Findings(file, name)
    findings.add(*position(before), code, rule, hint)
    return findings.error()
