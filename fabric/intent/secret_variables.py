"""Which environment variables hold secrets: those that the files of a site name."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from fabric.intent.model import Intent

NAMED = re.compile(r"\benv:([A-Za-z_]\w*)")
"""A reference, by itself or within a line of the operator's own."""


def secret_variables(intent: Intent) -> frozenset[str]:
    """Every environment variable that the intent, its policies or its inventory takes a secret from."""
    values = msgspec.to_builtins((intent.site, intent.policies, intent.inventory), enc_hook=str)
    return frozenset(name for text in _strings(values) for name in NAMED.findall(text))


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _strings(inner)
