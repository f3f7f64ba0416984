"""Where secrets stand in an NVUE file, how they are masked, and how their values are put in.

Our placeholders stay; every other secret value becomes `<masked>`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import chain, count
from typing import Any

from fabric.configuration import Unreadable
from fabric.configuration.syntaxes.json_documents import Document
from fabric.platforms.base import SECRET, ValueOf, escaped
from fabric.platforms.cumulus.documents import STEP, dump, load
from fabric.platforms.texts import HIDDEN

MASK = "<masked>"
OURS = re.compile(HIDDEN)
NUMBERED = re.compile(r"<masked \d+>")
"""What stands for the second secret of an object, and for those after it."""
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
    shown = _names(document) if are_secrets else {}
    masked: Document = {}
    for key, value in document.items():
        name = shown.get(key, key)
        if isinstance(value, dict):
            masked[name] = _masked(value, are_secrets=key in NAMES)
        else:
            masked[name] = _hidden(value) if key in NAMES or key in SECRETS else value
    return masked


def _names(document: Document) -> dict[str, str]:
    """Keys that are secrets to what stands for them: two names stay two, and a mask of a mask is that mask."""
    secrets = sorted(key for key in document if not OURS.fullmatch(key) and not NUMBERED.fullmatch(key))
    free = (mask for mask in chain([MASK], (f"<masked {n}>" for n in count(2))) if mask not in document)
    return dict(zip(secrets, free, strict=False))


def _hidden(value: Any) -> Any:
    return value if OURS.fullmatch(str(value)) else MASK


def fill(text: str, value_of: ValueOf) -> str:
    """A text with every secret in its place, as the quotation mark before it wants it."""
    return FILLED.sub(lambda match: f"{match[1]}{WRITTEN[match[1]](value_of(match[2]))}", text)
