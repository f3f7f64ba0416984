"""The place of each value of a document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import msgspec

from fabric.diagnostics import Diagnostic, Invalid, Origin, Path


class Place(msgspec.Struct, frozen=True, order=True):
    """A position in a file; line and column start at 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class SourceMap(msgspec.Struct, gc=False):
    """The position of one node, of its key, and of its children: a tree beside the values.

    A mapping or list that starts below its key is shown at the key: that is the line a reader looks for.
    """

    file: str
    line: int
    column: int
    key_line: int = 0
    """0: an item of a list, or the root."""
    key_column: int = 0
    children: dict[str | int, SourceMap] | None = None
    """By key or index; None for scalars."""
    body_line: int = 0
    """Where the lines of a block (`|`) begin; 0: it is none, and its lines are not those of the file."""
    body_column: int = 0

    def child(self, step: str | int) -> SourceMap | None:
        """The source map of one key or item, if the file has it."""
        return self.children.get(step) if self.children else None

    def add(self, step: str | int, source_map: SourceMap) -> None:
        """Put a node under this one."""
        if self.children is None:
            self.children = {}
        self.children[step] = source_map

    def show_key(self) -> None:
        """From now on, show the key in place of the value: it is the key that is wrong."""
        if self.key_line:
            self.line, self.column = self.key_line, self.key_column

    @property
    def place(self) -> Place:
        """What to show for this node."""
        if self.children is not None and self.key_line and self.key_line != self.line:
            return Place(self.file, self.key_line, self.key_column)
        return Place(self.file, self.line, self.column)


class Document(msgspec.Struct, frozen=True):
    """A parsed document: plain values and their places."""

    name: str
    value: Any
    source_map: SourceMap

    def find(self, path: Path) -> SourceMap | None:
        """The source map of exactly `path`, if it is in the file."""
        node: SourceMap | None = self.source_map
        for step in path:
            node = node.child(step) if node else None
        return node

    def place(self, path: Path) -> Place:
        """The place of `path`, or of the nearest enclosing value in the file."""
        node = self.source_map
        for step in path:
            child = node.child(step)
            if child is None:
                break
            node = child
        return node.place

    def place_of(self, origin: Origin) -> Place:
        """The place of `origin`: its line of a text that is written line by line, else that of its path."""
        node = self.find(origin.path)
        if node is None or not (origin.line and node.body_line):
            return self.place(origin.path)
        return Place(node.file, node.body_line + origin.line - 1, node.body_column)


class Sources(msgspec.Struct, frozen=True):
    """All documents of one run by name: what turns an `Origin` into a `Place`."""

    documents: Mapping[str, Document] = msgspec.field(default_factory=dict)

    def place(self, origin: Origin) -> Place | None:
        """The place of `origin`, if its document was read from a file."""
        document = self.documents.get(origin.document)
        return document.place_of(origin) if document else None

    def states(self, origin: Origin) -> bool:
        """Whether a file has exactly this value; else it is a default."""
        document = self.documents.get(origin.document)
        return document is not None and document.find(origin.path) is not None


class InvalidDocument(Invalid):
    """Documents are wrong. Has its own `sources`, as there is no intent yet to look places up in."""

    def __init__(self, diagnostics: Iterable[Diagnostic], sources: Sources) -> None:
        super().__init__(diagnostics)
        self.sources = sources


@contextmanager
def placed(sources: Sources) -> Iterator[None]:
    """Add the files and places to what a later stage finds."""
    try:
        yield
    except InvalidDocument:
        raise
    except Invalid as error:
        raise InvalidDocument(error.diagnostics, sources) from error
