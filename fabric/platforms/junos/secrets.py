"""Where secrets stand in a configuration, and the form in which they are masked.

Our placeholders stay; every other secret value becomes `<masked>`.
"""

from __future__ import annotations

import re

MASK = '"<masked>"'
VALUE = r'"(?!<(?:secret:[^">]+|masked)>")(?:[^"\\]|\\.)*"|[^\s{};"]+'
"""Of a statement, if it is not a placeholder and not masked yet."""
WORDS = (
    "encrypted-password",
    "secret",
    "authentication-key",
    "authentication-password",
    "privacy-password",
    "privacy-key",
    "key",
)
"""Statements whose value is a secret."""
SECRETS = re.compile(rf"(?<![^\s{{}};])({'|'.join(WORDS)})([ \t]+)(?:{VALUE})(?=\s*;)", re.DOTALL)
STORED = re.compile(r'"\$[0-9]\$(?:[^"\\]|\\.)*"')
"""A value that Junos keeps in a form of its own, whatever the statement."""
MARKED = re.compile(rf"(?:{VALUE})(?=\s*;[ \t]*## SECRET-DATA)", re.DOTALL)
"""A value that Junos itself marks as a secret, private keys of certificates among them."""


def mask_text(text: str) -> str:
    """A text with all secrets masked."""
    return STORED.sub(MASK, SECRETS.sub(rf"\1\2{MASK}", mask_marked(text)))


def mask_marked(text: str) -> str:
    """A text with what Junos marks as a secret masked."""
    return MARKED.sub(MASK, text) if "SECRET-DATA" in text else text
