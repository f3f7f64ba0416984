"""An SR Linux configuration: the tree of Nokia's models, cut into rows that print on a line each."""

from __future__ import annotations

from typing import Any

import msgspec

ENCODER = msgspec.json.Encoder()
Tree = dict[str, Any]
"""A container of the tree: names as in JSON-IETF, with the module's name where it changes."""


class Table(msgspec.Struct, frozen=True, gc=False):
    """One list at the top of the tree, or a container: every row is JSON already."""

    name: str
    is_list: bool
    rows: tuple[str, ...]


class SrlConfig(msgspec.Struct, frozen=True, gc=False):
    """Everything that the switch will run."""

    tables: tuple[Table, ...]


def table(name: str, entries: list[Tree]) -> Table:
    """A list with an entry for each row."""
    return Table(name, is_list=True, rows=tuple([_json(entry) for entry in entries]))


def container(name: str, content: Tree) -> Table:
    """A container with a child for each row."""
    return Table(
        name, is_list=False, rows=tuple([f"{_json(key)}: {_json(value)}" for key, value in content.items()])
    )


def encoded(content: Tree) -> Tree:
    """The same container with its children as JSON already: for what stands on every port."""
    return {key: msgspec.Raw(ENCODER.encode(value)) for key, value in content.items()}


def _json(value: object) -> str:
    return ENCODER.encode(value).decode()
