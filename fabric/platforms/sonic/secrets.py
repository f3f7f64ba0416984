"""Putting secrets into the two files: escaped where they stand in JSON, and refused where SONiC would not take them.

Sources: sonic-system-tacacs.yang passkey, sonic-snmp.yang SNMP_USER_*_PASSWORD; RFC 8259, section 7.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import msgspec

from fabric.platforms.base import PART, split_parts
from fabric.platforms.sonic.canonical import FRR, JSON, decode
from fabric.platforms.sonic.tables import Book

PLACEHOLDER = re.compile(r"<secret:([^<>\s]+)>")
SNMP = (r"[^ @:]{8,64}", "8 to 64 characters without @ and :")
LIMITS = {
    ("TACPLUS", "passkey"): (r"[^ #,]{1,256}", "up to 256 characters without # and ,"),
    ("SNMP_USER", "SNMP_USER_AUTH_PASSWORD"): SNMP,
    ("SNMP_USER", "SNMP_USER_ENCRYPTION_PASSWORD"): SNMP,
}
"""Field to the pattern of its model, and that in words."""


def fill(text: str, value_of: Callable[[str], str]) -> str:
    """Both files with every placeholder replaced. The text itself is what `split_parts` takes apart."""
    parts = split_parts(text)
    tables = PLACEHOLDER.sub(lambda found: escaped(value_of(found[1])), parts.get(JSON, ""))
    routing = PLACEHOLDER.sub(lambda found: value_of(found[1]), parts.get(FRR, ""))
    return f"{PART}{JSON}\n{tables}{PART}{FRR}\n{routing}"


def escaped(value: str) -> str:
    """A value as it stands between the quotes of a JSON text."""
    return msgspec.json.encode(value).decode()[1:-1]


def unfit(text: str, value_of: Callable[[str], str]) -> Iterator[str]:
    """The secrets that SONiC's models would refuse, by place, with what they take: never the value."""
    book = Book(decode(split_parts(text).get(JSON, "")) or {})
    for (table, field), (pattern, words) in LIMITS.items():
        for key, row in book.rows(table).items():
            match = PLACEHOLDER.fullmatch(str(row.get(field, "")))
            if match is not None and not re.fullmatch(pattern, value_of(match[1])):
                yield f"{table}|{key} {field} ({match[1]}): SONiC takes {words}"
