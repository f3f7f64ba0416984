"""Where secrets stand in an NVUE file, how they are masked, and how their values are put in.

Our placeholders stay; every other secret value becomes `<masked>`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from fabric.configuration import Unreadable
from fabric.configuration.syntaxes.keyed import Document
from fabric.platforms.base import SECRET, ValueOf, escaped
from fabric.platforms.cumulus.documents import STEP, dump, load
from fabric.platforms.texts import HIDDEN

MASK = "<masked>"
OURS = re.compile(HIDDEN)
SECRETS = ("hashed-password", "password", "secret", "key-passphrase")
"""Keys whose value is a secret. NVUE shows them as `*`."""
NAMES = (
    "auth-md5",
    "auth-sha",
    "community-password",
    "encrypt-aes",
    "encrypt-des",
    "readonly-community",
    "readonly-community-v6",
)
"""Keys whose own keys, or value, are secrets (nvue-reference SNMP-Server.md: `auth-sha <auth-id>`)."""
VALUES = re.compile(rf"(?m)^( *(?:{'|'.join(SECRETS)}): )(?!'?{HIDDEN}'?$|\{{\}}$).+")
IN_TREE = re.compile(rf"(?m)^ +(?:(?:{'|'.join(NAMES)}):|(?:{'|'.join(SECRETS)}):\n +- )")
"""Secrets that stand on other lines than their key."""
FILLED = re.compile(rf"(['\"]?){SECRET.pattern}")
WRITTEN: Mapping[str, Callable[[str], str]] = {
    "": str,
    "'": lambda value: value.replace("'", "''"),
    '"': escaped,
}
"""A value without quotation marks around it, and behind each of them."""


def mask(text: str) -> str:
    """A text in the plain form without secrets. Of a line alone only the value is known for what it is."""
    if IN_TREE.search(text):
        with suppress(Unreadable):
            text = dump(_masked(load(text)), STEP)
    return VALUES.sub(rf"\1'{MASK}'", text)


def _masked(document: Document, *, are_secrets: bool = False) -> Document:
    """A document with every secret masked, be it a key or a value."""
    masked: Document = {}
    for key, value in document.items():
        shown = _hidden(key) if are_secrets else key
        if isinstance(value, dict):
            masked[shown] = _masked(value, are_secrets=key in NAMES)
        else:
            masked[shown] = _hidden(value) if key in NAMES or key in SECRETS else value
    return masked


def _hidden(value: Any) -> Any:
    return value if OURS.fullmatch(str(value)) else MASK


def fill(text: str, value_of: ValueOf) -> str:
    """A text with every secret in its place, as the quotation mark before it wants it."""
    return FILLED.sub(lambda match: f"{match[1]}{WRITTEN[match[1]](value_of(match[2]))}", text)
