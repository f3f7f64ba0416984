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
SECRET_LEAVES = frozenset({"password", "key", "secret-key"})


def load(text: str) -> tuple[Tree, int | None]:
    """The documents of a text merged, and the line from which it could not be read (None: read to the end)."""
    decoder, at, merged = json.JSONDecoder(), 0, Tree()
    while True:
        while at < len(text) and text[at].isspace():
            at += 1
        if at == len(text):
            return merged, None
        try:
            document, end = decoder.raw_decode(text, at)
        except json.JSONDecodeError:
            return merged, text.count("\n", 0, at) + 1
        if not isinstance(document, dict):
            return merged, text.count("\n", 0, at) + 1
        merge(merged, document)
        at = end


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
    named = {entry["name"]: entry for entry in into if isinstance(entry, dict) and "name" in entry}
    for entry in more:
        known = named.get(entry.get("name")) if isinstance(entry, dict) else None
        if known is None:
            into.append(entry)
        else:
            merge(known, entry)


def plain(value: Any) -> Any:
    """Without the names of modules, and without secrets."""
    if isinstance(value, dict):
        return {bare(k): MASK if bare(k) in SECRET_LEAVES else plain(v) for k, v in value.items()}
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
    """Line, path and value of every leaf, as they stand in the text."""
    line, key, stack, expects_key = 1, "", [""], False
    kinds: list[str] = []
    previous = ""
    for word in TOKEN.findall(text):
        if word == "\n":
            line += 1
            continue
        if word in "{[":
            kinds.append(word)
            stack.append(stack[-1] if key == "" else f"{stack[-1]}/{key}")
            key, expects_key = "", word == "{"
        elif word in "}]":
            if previous == "{":
                yield line, stack[-1], "{}"
            kinds.pop()
            stack.pop()
            key = ""
        elif word == ",":
            key, expects_key = "", bool(kinds) and kinds[-1] == "{"
        elif word == ":":
            expects_key = False
        elif expects_key:
            key = bare(json.loads(word))
        else:
            yield line, stack[-1] if key == "" else f"{stack[-1]}/{key}", word
        previous = word
