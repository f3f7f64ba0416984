"""What a reader of YAML remembers: the mappings and lists that are still open, and values that aliases may repeat."""

from __future__ import annotations

from typing import Any

import msgspec

from fabric.documents.places import SourceMap


class Frame(msgspec.Struct, gc=False):
    """A mapping or list that is still open."""

    value: dict[str, Any] | list[Any]
    source_map: SourceMap
    children: dict[str | int, SourceMap]
    """Those of `source_map`."""
    is_mapping: bool
    first_node: int
    """How many nodes stood before it."""
    depth: int = 1
    """Containers from this one down to the deepest inside, itself included."""
    anchor: str | None = None
    key: str | None = None
    """The key whose value comes next; None: a key comes next, or the frame is a list."""
    key_line: int = 0
    key_column: int = 0

    @property
    def wants_key(self) -> bool:
        """Whether the next node is a key."""
        return self.is_mapping and self.key is None


class Anchored(msgspec.Struct, gc=False):
    """A value that aliases may repeat."""

    value: Any
    source_map: SourceMap
    nodes: int
    depth: int = 0
