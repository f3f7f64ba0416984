"""Texts of SR Linux as trees: one JSON document or several after another, merged."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from fabric.platforms.srlinux.model import Tree

TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+|\n')
PREFIX = re.compile(r"^srl_nokia-[a-z_-]+:|^srl-[a-z-]+:")
MASK = "<masked>"
SECRET_LEAVES = frozenset({"password", "key", "secret-key", "community"})
REMARKS = frozenset({"_annotate", "_preamble"})
"""What a device adds to its answer: notes of people, and how a saved file came about."""


def load(text: str) -> tuple[Tree, int | None]:
    """The documents of a text merged, and the line from which it could not be read (None: read to the end).

    A device answers with a list of one tree; a saved file is the tree itself.
    """
    decoder, at, merged = json.JSONDecoder(), 0, Tree()
    while True:
        while at < len(text) and text[at].isspace():
            at += 1
        if at == len(text):
            return merged, None
        try:
            document, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return merged, text.count("\n", 0, at) + 1
        parts = document if isinstance(document, list) else [document]
        if not all(isinstance(part, dict) for part in parts):
            return merged, text.count("\n", 0, at) + 1
        for part in parts:
            merge(merged, without_remarks(part))
        at = end


def without_remarks(value: Any) -> Any:
    """A tree without what is no configuration."""
    if isinstance(value, dict):
        return {key: without_remarks(inner) for key, inner in value.items() if key not in REMARKS}
    if isinstance(value, list):
        return [without_remarks(entry) for entry in value]
    return value


def merge(into: Tree, more: Tree) -> None:
    """Add a tree to another; list entries of one name become one."""
    for key, value in more.items():
        old = into.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            merge(old, value)
        elif isinstance(old, list) and isinstance(value, list):
            _merge_lists(old, value)
        else:
            into[key] = value


def _merge_lists(into: list[Any], more: list[Any]) -> None:
    named = {word(entry, "name"): entry for entry in into if word(entry, "name")}
    for entry in more:
        known = named.get(word(entry, "name"))
        if known is None:
            into.append(entry)
        else:
            merge(known, entry)


def below(value: Any, *keys: str) -> Tree:
    """The container at the end of a path; empty where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def entries(value: Any, *keys: str) -> list[Tree]:
    """The entries of the list at the end of a path; none where there is none."""
    *above, last = keys
    found = below(value, *above).get(last)
    return [entry for entry in found if isinstance(entry, dict)] if isinstance(found, list) else []


def word(value: Any, *keys: str) -> str:
    """The text at the end of a path; empty where there is none."""
    *above, last = keys
    found = below(value, *above).get(last)
    return found if isinstance(found, str) else ""


def number(value: Any, *keys: str) -> int | None:
    """The whole number at the end of a path."""
    *above, last = keys
    found = below(value, *above).get(last)
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def is_on(value: Any, *keys: str) -> bool:
    """Whether the leaf at the end of a path is true, or `enable`."""
    *above, last = keys
    return below(value, *above).get(last) in (True, "enable")


def is_secret(name: str, value: Any) -> bool:
    """Whether a leaf holds a secret. A container may have a secret's name: `aaa authentication password`."""
    return name in SECRET_LEAVES and isinstance(value, str)


def plain(value: Any) -> Any:
    """Without the names of modules, and without secrets."""
    if isinstance(value, dict):
        return {
            (name := bare(key)): MASK if is_secret(name, inner) else plain(inner)
            for key, inner in value.items()
        }
    if isinstance(value, list):
        return [plain(entry) for entry in value]
    return bare(value) if isinstance(value, str) else value


def bare(name: str) -> str:
    """`srl_nokia-bgp:bgp` to `bgp`."""
    return PREFIX.sub("", name)


def words(value: Any) -> str:
    """A tree as normalised text."""
    return json.dumps(plain(value), sort_keys=True, ensure_ascii=False)


def paths(value: Any, above: str = "") -> Iterator[str]:
    """Every leaf as a path without list keys, and every empty container."""
    if isinstance(value, dict) and value:
        for key, below in value.items():
            yield from paths(below, f"{above}/{bare(key)}")
    elif isinstance(value, list) and value:
        for entry in value:
            yield from paths(entry, above)
    else:
        yield above


def leaves(text: str) -> Iterator[tuple[int, str, str]]:
    """Line, path and value of every leaf, as they stand in the text. What is no JSON is passed over."""
    line, key, stack, expects_key = 1, "", [""], False
    kinds: list[str] = []
    previous = ""
    for piece in TOKEN.findall(text):
        if piece == "\n":
            line += 1
            continue
        if piece in "{[":
            kinds.append(piece)
            stack.append(stack[-1] if key == "" else f"{stack[-1]}/{key}")
            key, expects_key = "", piece == "{"
        elif piece in "}]" and kinds:
            if previous in ("{", "["):
                yield line, stack[-1], f"{previous}{piece}"
            kinds.pop()
            stack.pop()
            key = ""
        elif piece == ",":
            key, expects_key = "", bool(kinds) and kinds[-1] == "{"
        elif piece == ":":
            expects_key = False
        elif expects_key:
            key = _key(piece)
        else:
            yield line, stack[-1] if key == "" else f"{stack[-1]}/{key}", piece
        previous = piece


def _key(piece: str) -> str:
    try:
        return bare(str(json.loads(piece)))
    except ValueError:
        return piece
