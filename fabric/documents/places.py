"""Where each value of a document stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from fabric.diagnostics import Origin, Path


class Place(msgspec.Struct, frozen=True, order=True):
    """A position in a file; line and column start at 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Marks(msgspec.Struct):
    """The position of one node and, by key or index, those of its children: a tree beside the values."""

    file: str
    line: int
    column: int
    children: dict[str | int, Marks] = msgspec.field(default_factory=dict)


class Document(msgspec.Struct, frozen=True):
    """A parsed document: plain values and their marks."""

    name: str
    value: Any
    marks: Marks

    def place(self, path: Path) -> Place:
        """The place of `path`, or of the nearest thing around it that stands in the file."""
        node = self.marks
        for step in path:
            child = node.children.get(step)
            if child is None:
                break
            node = child
        return Place(node.file, node.line, node.column)


class Sources(msgspec.Struct, frozen=True):
    """All documents of one run by name: what turns an `Origin` into a `Place`."""

    documents: Mapping[str, Document] = msgspec.field(default_factory=dict)

    def place(self, origin: Origin) -> Place | None:
        """Where `origin` stands, if its document was read from a file."""
        document = self.documents.get(origin.document)
        return document.place(origin.path) if document else None
