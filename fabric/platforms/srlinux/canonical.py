"""The form that digests and diffs are taken over: one small JSON document for each part that changes as one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from fabric.platforms.base import Block
from fabric.platforms.srlinux.model import Tree
from fabric.platforms.srlinux.names import natural
from fabric.platforms.srlinux.trees import MASK, bare, below, entries, is_secret, load, word
from fabric.platforms.texts import HIDDEN

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
            for child, content_below in content.items():
                yield from _child(top, section, rank, child, content_below)
        else:
            yield rank, {top: content}, section


def _entry(top: str, section: str, rank: int, entry: Any) -> Iterator[tuple[int, Tree, str]]:
    """An entry of a list at the top; BGP and its sessions apart from the rest of their instance."""
    name = word(entry, "name")
    protocols = below(entry, "protocols")
    bgp_key = next(
        (key for key, value in protocols.items() if bare(key) == "bgp" and isinstance(value, dict)), None
    )
    if section != "network-instance" or bgp_key is None:
        yield rank, {top: [entry]}, f"{section} {name}"
        return
    rest = {k: v for k, v in entry.items() if k != "protocols"}
    others = {k: v for k, v in protocols.items() if k != bgp_key}
    rest |= {"protocols": others} if others else {}
    if set(rest) - {"name"}:
        yield rank, {top: [rest]}, f"{section} {name}"
    for part, key in _bgp_parts(protocols[bgp_key]):
        document = {top: [{"name": name, "protocols": {bgp_key: part}}]}
        yield rank, document, f"{section} {name} bgp{key}"


def _bgp_parts(bgp: Tree) -> Iterator[tuple[Tree, str]]:
    """Each session apart, and the rest."""
    rest = dict(bgp)
    sessions = rest.get("neighbor")
    if _is_list(sessions):
        del rest["neighbor"]
        for one in entries(bgp, "neighbor"):
            yield {"neighbor": [one]}, f" neighbor {word(one, 'peer-address')}"
    dynamic = dict(below(rest, "dynamic-neighbors"))
    if _is_list(dynamic.get("interface")):
        del rest["dynamic-neighbors"]
        del dynamic["interface"]
        for one in entries(bgp, "dynamic-neighbors", "interface"):
            yield {"dynamic-neighbors": {"interface": [one]}}, f" interface {word(one, 'interface-name')}"
        rest |= {"dynamic-neighbors": dynamic} if dynamic else {}
    if rest:
        yield rest, ""


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(entry, dict) for entry in value)


def _child(top: str, section: str, rank: int, child: str, content: Any) -> Iterator[tuple[int, Tree, str]]:
    """A child of a container at the top, or its entries."""
    for path in PER_ENTRY.get(section, ()):
        first, _, second = path.partition("/")
        listed = content.get(second) if second and isinstance(content, dict) else content
        alone = not second or (isinstance(content, dict) and set(content) == {second})
        if bare(child) == first and alone and _is_list(listed):
            for entry in listed or ():
                name = next((str(entry[k]) for k in ("name", "interface-id", "id") if k in entry), "")
                inner = {second: [entry]} if second else [entry]
                yield rank, {top: {child: inner}}, f"{section} {second or first} {name}"
            return
    yield rank, {top: {child: content}}, f"{section} {bare(child)}"


def _documents(tree: Tree) -> Iterator[tuple[Any, Tree]]:
    for rank, document, name in _keys(tree):
        yield (rank, natural(name)), document


def _sorted(value: Any, key: str = "") -> Any:
    """Keys in order, list entries in order unless theirs counts, secrets masked."""
    name = bare(key)
    if is_secret(name, value):
        return value if re.fullmatch(HIDDEN, value) else MASK
    if isinstance(value, dict):
        return {k: _sorted(value[k], k) for k in sorted(value)}
    if isinstance(value, list):
        entries = [_sorted(entry) for entry in value]
        if name in ORDERED or not all(isinstance(entry, dict) for entry in entries):
            return entries
        return sorted(entries, key=lambda entry: natural(json.dumps(entry, sort_keys=True)))
    return value
