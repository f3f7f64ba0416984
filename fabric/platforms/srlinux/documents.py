"""Texts of SR Linux as one document: of a JSON object, of several after another, or of a list of one.

A saved file is the object itself, a device answers over JSON-RPC with a list of one, and what is put together by hand
may be several. Source of the remarks: srl-labs/containerlab, a saved file; napalm-srlinux, an answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from fabric.configuration import Unreadable
from fabric.configuration.syntaxes.json_documents import Document, unreadable_json
from fabric.platforms.srlinux.lists import entry_name
from fabric.platforms.srlinux.names import bare
from fabric.platforms.texts import HIDDEN

REMARKS = ("_annotate", "_preamble")
"""What a device adds to its answer: notes of people, and how a saved file came about."""
MASK = "<masked>"
SECRETS = (
    "password",
    "secret-key",
    "community",
    "key",
    "authentication-key",
    "auth-password",
    "shared-secret",
    "private-key",
    "cak",
)
"""Leaves with a secret as their value: users, BGP, TACACS+ and RADIUS, SNMP, TLS, key chains, IS-IS, TWAMP, MACsec."""
SECRET = {
    name: re.compile(rf'{name}(?<=[":]{name})("\s*+:\s*+)"(?!{HIDDEN}")[^"\\]*+(?:\\.[^"\\]*+)*"')
    for name in SECRETS
}
"""Such a leaf. Its name stands first: what is searched for as it stands is found fast."""


def load(text: str) -> Document:
    """What a text says, its documents merged. `Unreadable` if one is not a JSON object."""
    try:
        content = msgspec.json.decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        content = list(_several(text))
    parts = content if isinstance(content, list) else [content]
    if not all(isinstance(part, dict) for part in parts):
        raise Unreadable(1, "not a JSON object")
    if any(f'"{remark}"' in text for remark in REMARKS):
        parts = [without_remarks(part) for part in parts]
    first, *others = parts or [{}]
    for part in others:
        merge(first, part)
    return dict(first)


def _several(text: str) -> Iterator[Any]:
    """Documents that stand one after another."""
    decoder, at = json.JSONDecoder(), 0
    while rest := text[at:].lstrip():
        at = len(text) - len(rest)
        try:
            end = decoder.raw_decode(text, at)[1]
        except json.JSONDecodeError as error:
            raise Unreadable(error.lineno, f"not a JSON object: {error.msg}") from None
        try:
            content = msgspec.json.decode(text[at:end])
        except (msgspec.MsgspecError, ValueError) as error:
            raise unreadable_json(text[:end], error) from None
        yield from content if isinstance(content, list) else [content]
        at = end


def without_remarks(value: Any) -> Any:
    """A document without what is not a configuration."""
    if isinstance(value, dict):
        return {key: without_remarks(inner) for key, inner in value.items() if key not in REMARKS}
    if isinstance(value, list):
        return [without_remarks(entry) for entry in value]
    return value


def merge(into: Document, more: Document) -> None:
    """Add a document to another: a key in two spellings is one, and so are entries of one name."""
    spelled = {bare(key): key for key in into}
    for name, value in more.items():
        key = spelled.setdefault(bare(name), name)
        old = into.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            merge(old, value)
        elif isinstance(old, list) and isinstance(value, list):
            _merge_lists(bare(key), old, value)
        else:
            into[key] = value


def _merge_lists(name: str, into: list[Any], more: list[Any]) -> None:
    known = {entry_name(name, entry): entry for entry in into if isinstance(entry, dict)}
    for entry in more:
        key = entry_name(name, entry) if isinstance(entry, dict) else None
        if key is not None and key in known:
            merge(known[key], entry)
        elif entry not in into:
            into.append(entry)


def mask(text: str) -> str:
    """A text without secrets. A container may have the name of one (`aaa authentication password`), and stays."""
    for name, leaf in SECRET.items():
        text = leaf.sub(rf'{name}\1"{MASK}"', text)
    return text
