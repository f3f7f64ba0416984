"""Words of messages that count one thing as if it were several."""

from __future__ import annotations

import re

ONE_OF_SEVERAL = re.compile(
    r"(?<![\w.,:/+-])1 (?:(?:more|other|such|reserved|equal) )?(?P<noun>[A-Za-z][A-Za-z-]*s)\b"
)
NO_PLURALS = {
    "this": "of this list",
    "belongs": "unit 1 belongs to",
    "does": "format 1 does not",
    "is": "1 is out of range",
    "has": "unit 1 has",
    "less": "1 less",
    "class": "a noun that ends so",
    "address": "a noun that ends so",
    "lossless": "an adjective",
    "us": "microseconds",
    "stays": "unit 1 stays",
}
"""Words behind a 1 that are no plural, and where they stand."""


def wrong_plurals(text: str) -> list[str]:
    return [m[0] for m in ONE_OF_SEVERAL.finditer(text) if m["noun"] not in NO_PLURALS]
