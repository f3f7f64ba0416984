"""The form that digests and diffs are taken over: one small JSON document for each part that changes as one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from fabric.platforms.base import Block
from fabric.platforms.srlinux.model import Tree
from fabric.platforms.srlinux.names import natural
from fabric.platforms.srlinux.trees import MASK, SECRET_LEAVES, bare, load

ORDERED = frozenset({"statement", "server"})
"""Lists whose order counts, or shows a preference."""

SECTIONS = ("system", "interface", "routing-policy", "bfd", "qos", "network-instance")
PER_ENTRY = {
    "qos": ("interfaces/interface",),
    "bfd": ("subinterface",),
    "routing-policy": ("policy", "prefix-set", "community-set"),
}
"""Lists below a section of which every entry is a block of its own."""
PARAGRAPH = re.compile(r"(?m)^(?=\{)")


def canonical(text: str) -> str:
    """Blocks in a fixed order, keys sorted, secrets masked. What cannot be read stays at the end as it is."""
    tree, broken = load(text)
    documents = sorted(_documents(tree), key=lambda pair: pair[0])
    kept = "".join(f"{json.dumps(_sorted(doc), indent=1, ensure_ascii=False)}\n" for _, doc in documents)
    if broken is None:
        return kept
    rest = text.splitlines()[broken - 1 :]
    return kept + "".join(f"{line}\n" for line in rest if line.strip())


def blocks(text: str) -> tuple[Block, ...]:
    """The documents of a canonical text, each known by what it is about."""
    found = []
    for piece in PARAGRAPH.split(text):
        if piece.strip():
            tree, broken = load(piece)
            key = (
                next((name for _, _, name in _keys(tree)), "")
                if broken is None
                else f"unreadable {piece[:40]!r}"
            )
            found.append(Block(key or "empty", piece))
    return tuple(found)


def _keys(tree: Tree) -> Iterator[tuple[int, Tree, str]]:
    """Rank, document and name of every block of a tree."""
    for top, content in tree.items():
        section = bare(top)
        rank = SECTIONS.index(section) if section in SECTIONS else len(SECTIONS)
        if isinstance(content, list):
            for entry in content:
                yield from _entry(top, section, rank, entry)
        elif isinstance(content, dict):
            for child, below in content.items():
                yield from _child(top, section, rank, child, below)
        else:
            yield rank, {top: content}, section


def _entry(top: str, section: str, rank: int, entry: Any) -> Iterator[tuple[int, Tree, str]]:
    """An entry of a list at the top; BGP and its sessions apart from the rest of their instance."""
    name = entry.get("name", "") if isinstance(entry, dict) else ""
    protocols = entry.get("protocols", {}) if isinstance(entry, dict) else {}
    bgp_key = next((key for key in protocols if bare(key) == "bgp"), None)
    if section != "network-instance" or bgp_key is None:
        yield rank, {top: [entry]}, f"{section} {name}"
        return
    bgp = dict(protocols[bgp_key])
    rest = {k: v for k, v in entry.items() if k != "protocols"}
    others = {k: v for k, v in protocols.items() if k != bgp_key}
    rest |= {"protocols": others} if others else {}
    if set(rest) - {"name"}:
        yield rank, {top: [rest]}, f"{section} {name}"

    def document(part: Tree) -> Tree:
        return {top: [{"name": name, "protocols": {bgp_key: part}}]}

    for one in bgp.pop("neighbor", ()):
        yield (
            rank,
            document({"neighbor": [one]}),
            f"{section} {name} bgp neighbor {one.get('peer-address', '')}",
        )
    dynamic = dict(bgp.pop("dynamic-neighbors", {}))
    for one in dynamic.pop("interface", ()):
        key = f"{section} {name} bgp interface {one.get('interface-name', '')}"
        yield rank, document({"dynamic-neighbors": {"interface": [one]}}), key
    if dynamic:
        bgp["dynamic-neighbors"] = dynamic
    if bgp:
        yield rank, document(bgp), f"{section} {name} bgp"


def _child(top: str, section: str, rank: int, child: str, below: Any) -> Iterator[tuple[int, Tree, str]]:
    """A child of a container at the top, or its entries."""
    for path in PER_ENTRY.get(section, ()):
        first, _, second = path.partition("/")
        if bare(child) != first:
            continue
        entries = below.get(second, []) if second and isinstance(below, dict) else below
        if not isinstance(entries, list) or (second and set(below) - {second}):
            continue
        for entry in entries:
            name = next((entry[k] for k in ("name", "interface-id", "id") if k in entry), "")
            inner = {second: [entry]} if second else [entry]
            yield rank, {top: {child: inner}}, f"{section} {second or first} {name}"
        return
    yield rank, {top: {child: below}}, f"{section} {bare(child)}"


def _documents(tree: Tree) -> Iterator[tuple[Any, Tree]]:
    for rank, document, name in _keys(tree):
        yield (rank, natural(name)), document


def _sorted(value: Any, key: str = "") -> Any:
    """Keys in order, list entries in order unless theirs counts, secrets masked."""
    name = bare(key)
    if name in SECRET_LEAVES and isinstance(value, str):
        return value if value.startswith("<secret:") else MASK
    if isinstance(value, dict):
        return {k: _sorted(value[k], k) for k in sorted(value)}
    if isinstance(value, list):
        entries = [_sorted(entry) for entry in value]
        if name in ORDERED or not all(isinstance(entry, dict) for entry in entries):
            return entries
        return sorted(entries, key=lambda entry: natural(json.dumps(entry, sort_keys=True)))
    return value
