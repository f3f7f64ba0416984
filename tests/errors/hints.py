"""Does what a hint says: the edits of a site's files that a person would try who reads it.

Most hints name what is to be written: a word in place of the wrong one, a key with its value, a key to remove. What
is left to people (which of two racks is right) is followed by hand in `followed.yaml`, and held to the same law.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import yaml

from fabric.diagnostics import Diagnostic
from fabric.documents import Place

Files = dict[str, str]
QUOTED = re.compile(r"'([^']+)'")
ASSIGNMENT = re.compile(r"^([a-z0-9_]+(?:\.[a-z0-9_]+)*): ?(.+)$")
KEY = re.compile(r"^[a-z0-9_]+(?:\.[a-z0-9_]+)*$")
WORD = re.compile(r"[\"']?[A-Za-z0-9/][A-Za-z0-9_./:()$-]*[\"']?")
SCALAR = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\']|\'\')*\'|[^,}\]#\n]*[^,}\]#\s]')
KEY_TEXT = re.compile(r'"[^"\n]*"|[^:\n]+')
REMOVE = re.compile(r"\b(remove|keep one|keep the one|correct one|leave|drop|take)\b")
NUMBER = re.compile(r"\d+")
FAR = "2099-12-31"


def followed(finding: Diagnostic, place: Place | None, files: Files) -> Iterator[Files]:
    """The site after each edit that the hint may mean, the likeliest first."""
    hint, file = finding.hint or "", place.file if place else "site.yaml"
    if file not in files or place is None:
        return
    edits = (*_texts(hint, place, files[file]), *_values(finding, hint, files[file]))
    yield from ({**files, file: text} for text in dict.fromkeys(edits))


def _texts(hint: str, place: Place, text: str) -> Iterator[str]:
    """Another word in place of the one that is shown, or no such line."""
    quote = re.search(r'quote it: ("[^"]+")', hint)
    listed = re.search(r"write a list: (\[[^\]]*\])", hint)
    named = [match[1] for match in (listed, quote) if match]
    named += [f'"{word}"' for word in QUOTED.findall(hint)]
    named += [word for part in re.findall(r"`([^`]+)`", hint) if not (word := part).endswith(":")]
    named += WORD.findall(hint)
    for word in dict.fromkeys(named):
        yield from _replaced(text, place, word)
    if REMOVE.search(hint):
        lines = text.splitlines(keepends=True)
        yield "".join(lines[: place.line - 1] + lines[place.line :])


def _replaced(text: str, place: Place, word: str) -> Iterator[str]:
    """The text with another word where the finding points: as a value, as the value of the key there, as the key."""
    lines = text.splitlines(keepends=True)
    if place.line > len(lines):
        return
    line, at = lines[place.line - 1], place.column - 1
    starts = [at, *(m.end() for m in re.finditer(r":\s+|-\s+|\[|\{", line) if m.end() > at)][:2]
    for start in starts:
        for kind in (SCALAR, KEY_TEXT):
            match = kind.match(line, start)
            if match:
                new = line[:start] + word + line[match.end() :]
                yield "".join((*lines[: place.line - 1], new, *lines[place.line :]))


def _values(finding: Diagnostic, hint: str, text: str) -> Iterator[str]:
    """Keys that the hint sets or removes, at the finding's place or around it."""
    try:
        document = yaml.load(text, yaml.CSafeLoader)
    except yaml.YAMLError:
        return
    path = tuple(finding.origin.path)
    for part in re.findall(r"`([^`]+)`", hint):
        match = ASSIGNMENT.match(part)
        if match:
            yield from _set(document, path, match[1], yaml.load(match[2], yaml.CSafeLoader))
        elif KEY.match(part) and REMOVE.search(hint):
            yield from _without(document, path, part)
    if "`expires`" in hint:
        yield from _set(document, path[:-1], "expires", FAR)
    if REMOVE.search(hint):
        for length in range(len(path), 0, -1):
            yield from _changed(document, path[:length], None)


def _set(document: Any, path: tuple[str | int, ...], key: str, value: Any) -> Iterator[str]:
    keys = tuple(key.split("."))
    for length in range(len(path), -1, -1):
        yield from _changed(document, (*path[:length], *keys), value)


def _without(document: Any, path: tuple[str | int, ...], key: str) -> Iterator[str]:
    keys = tuple(key.split("."))
    for length in range(len(path), -1, -1):
        yield from _changed(document, (*path[:length], *keys), None)


def _changed(document: Any, path: tuple[str | int, ...], value: Any) -> Iterator[str]:
    """The document with `value` at a path, made if need be; without what is there for None."""
    copy = deepcopy(document)
    node = copy
    for step in path[:-1]:
        if isinstance(node, dict):
            if not isinstance(node.get(step), dict | list):
                node[step] = {}
            node = node[step]
        elif isinstance(node, list) and isinstance(step, int) and step < len(node):
            node = node[step]
        else:
            return
    last = path[-1]
    is_there = isinstance(node, dict) and last in node
    is_item = isinstance(node, list) and isinstance(last, int) and last < len(node)
    if value is not None and isinstance(node, dict):
        node[last] = value
    elif value is None and (is_there or is_item):
        del node[last]
    else:
        return
    yield yaml.dump(copy, Dumper=yaml.CSafeDumper, sort_keys=False)
