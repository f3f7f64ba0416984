"""Names of a product's objects made from what people have written: policies, classes, devices.

A product takes certain characters and so many of them. What fits is taken as it is; what does not is put into what
fits, with a digest of the whole behind it, so that two inputs never become one name.
"""

from __future__ import annotations

import hashlib
import re

import msgspec

DIGEST_DIGITS = 10
SUBSTITUTE = "-"
DIGESTED = re.compile(rf"-[0-9a-f]{{{DIGEST_DIGITS}}}\Z")


class NameRule(msgspec.Struct, frozen=True):
    """What a product takes as the name of an object."""

    allowed: str
    """Of one character, as the inside of a regular expression's brackets: `A-Za-z0-9_-`. Holds the hyphen."""
    longest: int
    """In characters."""


def object_name(text: str, rule: NameRule, *, suffix: str = "") -> str:
    """The name that stands for a text, and ends in `suffix`, by the rule of a product.

    Injective: a text that would be taken as it is, but ends like a name with a digest, gets a digest of its own.
    """
    room = rule.longest - len(suffix)
    fits = re.fullmatch(f"[{rule.allowed}]{{1,{room}}}", text) is not None
    if fits and not DIGESTED.search(text):
        return text + suffix
    digest = SUBSTITUTE + hashlib.sha256(text.encode()).hexdigest()[:DIGEST_DIGITS]
    safe = re.sub(f"[^{rule.allowed}]", SUBSTITUTE, text)
    return safe[: room - len(digest)] + digest + suffix


def natural(text: str) -> list[str | int]:
    """Sort key of names: digits count as numbers."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", text)]
