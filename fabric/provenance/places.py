"""The values that a place of a file has: `site.yaml:24`, `site.yaml:24:7`, or a dotted path."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path as FilePath
from typing import NamedTuple

from fabric.compiler import Compiled
from fabric.diagnostics import Path
from fabric.documents.places import SourceMap
from fabric.documents.suggest import did_you_mean, nearest_first
from fabric.provenance import codes
from fabric.provenance.intent_values import DOCUMENTS, is_key, leaves
from fabric.provenance.refusal import not_found

PLACE = re.compile(r"(?P<file>.+?):(?P<line>[1-9][0-9]*)(?::(?P<column>[1-9][0-9]*))?")
STEP = re.compile(r"\[([0-9]+)\]|([^.\[\]]+)")
MOST_BELOW = 20
"""Values below one key that are looked at together."""


class Value(NamedTuple):
    """One value of the site, written or not."""

    document: str
    path: Path


def values_at(compiled: Compiled, text: str) -> tuple[Value, ...]:
    """The values at a place or path. `Refused` if nothing is there, or the file is not one of the site's."""
    place = PLACE.fullmatch(text)
    if place is None:
        return _by_path(compiled, text)
    file = _file(compiled, place["file"])
    line, column = int(place["line"]), int(place["column"] or 0)
    found = [node for node in _scalars(compiled) if node[1].file == file and line in _lines(node[1])]
    if not found:
        found = [
            (value, node)
            for value, node in _all(compiled)
            if node.file == file and node.key_line == line and node.children
        ]
        if not found:
            raise _nothing_there(compiled, file, line)
        (value, _node), *_ = found
        return _below(compiled, value)
    if column:
        before = [node for node in found if _start(node[1]) <= column] or found[:1]
        found = [max(before, key=lambda node: _start(node[1]))]
    return tuple(value for value, _ in found)


def _start(node: SourceMap) -> int:
    return node.key_column if node.key_line == node.line else node.column


def _lines(node: SourceMap) -> tuple[int, int]:
    return (node.line, node.key_line or node.line)


def _documents(compiled: Compiled) -> Iterator[str]:
    """Those whose values make lines; what is included is part of the intent."""
    return (name for name in compiled.intent.sources.documents if name.partition(":")[0] in DOCUMENTS)


def _all(compiled: Compiled) -> Iterator[tuple[Value, SourceMap]]:
    for name in _documents(compiled):
        waiting: list[tuple[Path, SourceMap]] = [((), compiled.intent.sources.documents[name].source_map)]
        while waiting:
            path, node = waiting.pop()
            if path:
                yield Value(name, path), node
            waiting += [((*path, step), child) for step, child in reversed((node.children or {}).items())]


def _scalars(compiled: Compiled) -> Iterator[tuple[Value, SourceMap]]:
    return ((value, node) for value, node in _all(compiled) if not node.children)


def values_of_site(compiled: Compiled) -> tuple[Value, ...]:
    """Every value that a file has, in the order of the files."""
    return tuple(value for value, _ in _scalars(compiled))


def files_of(compiled: Compiled) -> tuple[str, ...]:
    """The files that the site is read from, as people call them."""
    return tuple(sorted({node.file for _, node in _all(compiled)}))


def _file(compiled: Compiled, name: str) -> str:
    """The file of the site that is meant: by its path from here, or from the site's folder."""
    files = files_of(compiled)
    meant = {FilePath(name).resolve(), (compiled.folder / name).resolve()}
    for file in files:
        if file == name or FilePath(file).resolve() in meant:
            return file
    hint = did_you_mean(name, files) or f"it is read from {nearest_first(name, files)}"
    raise not_found(codes.NOT_OF_THE_SITE, f"{name} is not a file that this site is read from", hint)


def _nothing_there(compiled: Compiled, file: str, line: int) -> Exception:
    lines = sorted({at for _, node in _scalars(compiled) if node.file == file for at in _lines(node)})
    nearest = min(lines, key=lambda at: abs(at - line), default=0)
    hint = f"the nearest line with a value is {file}:{nearest}" if nearest else None
    return not_found(
        codes.NO_VALUE, f"{file}:{line} has no value: a comment, a blank line, or a bracket", hint
    )


def _below(compiled: Compiled, value: Value) -> tuple[Value, ...]:
    content = compiled.intent.sources.documents[value.document].value
    for step in value.path:
        content = content[step]
    below = [Value(value.document, path) for path, _ in leaves(content, value.path)]
    if len(below) > MOST_BELOW:
        key = ".".join(map(str, value.path))
        reason = f"{len(below)} values stand below {key}"
        raise not_found(
            codes.NO_VALUE, reason, f"name one of them, such as {'.'.join(map(str, below[0].path))}"
        )
    return tuple(below) or (value,)


def _by_path(compiled: Compiled, text: str) -> tuple[Value, ...]:
    """The value at a dotted path: of the intent, or behind `lock:`, `state:`, `inventory:`, `policy:NAME:`."""
    document, _, rest = text.rpartition(":")
    steps: Path = tuple(int(i) if i else name for i, name in STEP.findall(rest))
    name = document or "intent"
    known = compiled.intent.sources.documents.get(name)
    if known is not None and steps:
        if known.find(steps) is not None:
            return _below(compiled, Value(name, steps))
        if is_key(compiled.intent, name, tuple(map(str, steps))):
            return (Value(name, steps),)
    paths = [".".join(map(str, value.path)) for value, _ in _all(compiled) if value.document == name]
    hint = did_you_mean(rest, paths) or f"there are {nearest_first(rest, paths)}"
    raise not_found(codes.NO_VALUE, f"{text!r} is not a path to a value of this site", hint)
