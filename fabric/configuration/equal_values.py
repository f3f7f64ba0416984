"""Values that are equal and written in different ways, brought to one form: for comparing alone, never for a push.

A list of one is its entry, an IPv6 address has the form of RFC 5952, and blanks between words count as one. What stands
between quotation marks stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from ipaddress import IPv6Address

WORDS = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s"]\S*|"\S*')
"""A word, or what stands between quotation marks."""
IPV6 = re.compile(r"(?<![0-9A-Za-z:._-])[0-9A-Fa-f]{0,4}:[0-9A-Fa-f]{0,4}:[0-9A-Fa-f:.]*(?![0-9A-Za-z:._-])")
"""What may be an address. Times, MAC addresses and communities are not, and stay as they are."""
LIST_OF_ONE = re.compile(r'(?<!\S)\[ ("(?:[^"\\]|\\.)*"|[^\s\[\]"]+) \](?!\S)')
FREE_PARTS = frozenset(("hash", "key", "keys", "password", "secret", "text"))
"""Names of parts of a pattern whose every character counts."""
FREE_BEHIND = frozenset(("alias", "banner", "contact", "description", "location", "message"))
"""Words, in small letters, behind which every character counts, whatever the part is called."""


def comparable(line: str) -> str:
    """A line with each value in the one form that equal values share."""
    if "  " in line or "\t" in line:
        line = " ".join(WORDS.findall(line))
    if "[ " in line:
        line = LIST_OF_ONE.sub(r"\1", line)
    if line.count(":") > 1:
        line = WORDS.sub(_shortest, line)
    return line


def _shortest(word: re.Match[str]) -> str:
    return word[0] if word[0].startswith('"') else IPV6.sub(_rfc5952, word[0])


def _rfc5952(match: re.Match[str]) -> str:
    try:
        return str(IPv6Address(match[0]))
    except ValueError:
        return match[0]


def free_text(parts: Mapping[str, str], line: str) -> str:
    """What of a line is text whose every character counts: its end, or nothing."""
    for name, value in parts.items():
        if value and line.endswith(f" {value}") and (name in FREE_PARTS or _is_behind(line, value)):
            return value
    return ""


def _is_behind(line: str, value: str) -> bool:
    return line.removesuffix(f" {value}").rpartition(" ")[2].lower() in FREE_BEHIND


def with_text(line: str, same: str, text: str) -> str:
    """`same`, the comparable form of `line`, with its text at the end as it stands in the line."""
    before = same.removesuffix(f" {text}")
    ends = _ends(line)
    for end in ends:
        if comparable(line[:end].rstrip()) == before:
            return f"{before} {line[end:].lstrip()}"
    return line


def _ends(line: str) -> Iterable[int]:
    """Where the words of a line end."""
    return (match.end() for match in WORDS.finditer(line))
