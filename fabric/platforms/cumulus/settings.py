"""The settings of an NVUE file, each with its place.

All keys and values are texts: `on` is not a truth value, `010` no number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec
import yaml

from fabric.configuration import Unreadable
from fabric.configuration.syntaxes.json_documents import MAX_DEPTH, Document

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
NOT_BLOCKS = "not a list of `set` blocks"
BLOCK_LEVELS = 2
"""The list of blocks and a block: what stands below are keys and values."""


class Setting(NamedTuple):
    """A value with the keys above it."""

    number: int
    """Of its line, from 1."""
    path: tuple[str, ...]
    """Empty for a block that sets nothing: its word is the value then, `unset`."""
    value: Any
    """A text, a list of texts, or an empty object."""


def settings(text: str) -> Iterator[Setting]:
    """The settings of all `set` blocks, in their order. `Unreadable`, also for aliases and for objects in lists."""
    try:
        for number, (block, *path), value in _Walk().values(text):
            if block == "set" and path:
                yield Setting(number, tuple(path), value)
            elif block not in ("set", "header"):
                yield Setting(number, (), block)
            elif block == "set" and value:
                raise Unreadable(number, "`set` has no keys")
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        cause = getattr(error, "problem", None) or str(error)
        raise Unreadable(mark.line + 1 if mark else 1, f"not YAML: {cause}") from None


class _Open(msgspec.Struct):
    """A mapping or a list whose end was not met yet."""

    number: int
    entries: list[str] | None
    """None: it is a mapping."""
    key: str | None = None
    """Of a mapping: that of the next value."""
    is_empty: bool = True


class _Walk:
    """A loop over the events of YAML: to compose nested nodes would end in the limits of the interpreter's stack."""

    def __init__(self) -> None:
        self.above: list[_Open] = []
        self.documents = 0

    def values(self, text: str) -> Iterator[tuple[int, list[str], Any]]:
        """Line, keys and value of each value."""
        for event in yaml.parse(text, Loader=LOADER):
            number = event.start_mark.line + 1  # type: ignore[union-attr]  # the parser marks every event
            if isinstance(event, yaml.ScalarEvent):
                yield from self.take(event.value, number)
            elif isinstance(event, yaml.CollectionStartEvent):
                self.open(number, is_list=isinstance(event, yaml.SequenceStartEvent))
            elif isinstance(event, yaml.CollectionEndEvent):
                yield from self.close()
            elif isinstance(event, yaml.AliasEvent):
                raise Unreadable(number, "an alias: write the value out")
            elif isinstance(event, yaml.DocumentStartEvent):
                self.documents += 1
                if self.documents > 1:
                    raise Unreadable(number, "a second document")

    def open(self, number: int, *, is_list: bool) -> None:
        """A mapping or list begins."""
        above = self.above
        if len(above) < BLOCK_LEVELS:
            if is_list == bool(above):
                raise Unreadable(number, NOT_BLOCKS)
        elif above[-1].entries is not None:
            raise Unreadable(number, "a list of more than texts")
        elif above[-1].key is None:
            raise Unreadable(number, "a key that is not a text")
        if len(above) > MAX_DEPTH:
            raise Unreadable(number, f"more than {MAX_DEPTH} levels")
        above.append(_Open(number, [] if is_list else None))

    def close(self) -> Iterator[tuple[int, list[str], Any]]:
        """The last mapping or list ends. One with something in it is not a value by itself, but for lists."""
        ended = self.above.pop()
        if len(self.above) < BLOCK_LEVELS:
            return
        if ended.entries or ended.is_empty:
            yield from self.take(ended.entries, ended.number)
        else:
            self.above[-1].key = None

    def take(self, value: Any, number: int) -> Iterator[tuple[int, list[str], Any]]:
        """A key, a value or an entry. What is nothing is an empty object."""
        if len(self.above) < BLOCK_LEVELS:
            raise Unreadable(number, NOT_BLOCKS)
        last = self.above[-1]
        if last.entries is not None:
            last.entries.append(value)
        elif last.key is None:
            last.key, last.is_empty = value, False
        else:
            yield number, [level.key or "" for level in self.above[1:]], value or {}
            last.key = None


def grown(rows: Iterable[Setting]) -> Document:
    """The document of settings; of two with the same keys, the last. `Unreadable` for a block that sets nothing."""
    root: Document = {}
    for number, path, value in rows:
        if not path:
            raise Unreadable(number, f"a block is `set` or `header`, not `{value}`")
        here = root
        for key in path[:-1]:
            below = here.get(key)
            if not isinstance(below, dict):
                below = here[key] = {}
            here = below
        if value or path[-1] not in here:  # what is only named again keeps its value
            here[path[-1]] = value
    return root
