"""Lines of a tree and the values of a document that they stand for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from fabric.configuration.syntaxes.json_documents import Document
from fabric.configuration.syntaxes.quoting import said
from fabric.configuration.tree import Line


class Raw(NamedTuple):
    """What a line was in its document."""

    key: str
    kind: Literal["value", "object", "entry"]
    value: Any = None
    """Of an entry, the values that name it."""


@lru_cache(maxsize=4096)
def object_raw(key: str) -> Raw:
    """What the line of an object is. Most are alike on all ports and switches."""
    return Raw(key, "object")


@lru_cache(maxsize=16384, typed=True)
def leaf_line(label: Callable[[str], str], key: str, value: Any) -> tuple[str, Raw]:
    """The line of a value that is not a list. Most are alike on all ports and switches."""
    return f"{label(key)} {said(value)}", Raw(key, "value", value)


class Name(NamedTuple):
    """What tells an entry of a list from the others."""

    text: str
    keys: tuple[str, ...]
    """The values that it is made of: they are the line of the entry, and no lines of their own."""


def by_name(_key: str, entry: Mapping[str, Any]) -> Name | None:
    """By its `name`."""
    name = entry.get("name")
    return Name(said(name), ("name",)) if isinstance(name, str) and name else None


def document(lines: Iterable[Line], label: Callable[[str], str] = str) -> Document:
    """The document that lines are made from. Of a key in several spellings the fullest is kept."""
    content: Document = {}
    parts = [(line, line.raw if isinstance(line.raw, Raw) else _guessed(line)) for line in lines]
    lists: dict[str, list[Document]] = {}
    spelled = {label(raw.key): raw.key for _, raw in sorted(parts, key=lambda part: len(part[1].key))}
    for line, raw in parts:
        key = spelled[label(raw.key)]
        if raw.kind == "entry":
            content[key] = lists.setdefault(key, [])
            content[key].append({**(raw.value or {}), **document(line.below, label)})
        elif raw.kind == "object":
            content[key] = document(line.below, label)
        else:
            content[key] = raw.value
    return content


def _guessed(line: Line) -> Raw:
    """What a line is that no document had: a container, or a value as text."""
    key, is_value, value = line.text.partition(" ")
    return Raw(key, "value", value) if is_value and not line.below else Raw(line.text, "object")
