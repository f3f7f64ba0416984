"""Two configurations of a device in one: of each line that differs, the one or the other."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

import msgspec

from fabric.configuration.comparison import Difference, merged_order, out_of_order
from fabric.configuration.dialect import Dialect
from fabric.configuration.merging import Foreign, has_one_owner
from fabric.configuration.tree import Node

Choice = Callable[[Difference], bool]
"""Whether a line is taken from the second text: as it is there, or away where it is not there."""
Same = Callable[[str, str], bool]
"""Whether a line of the first text says what one of the second does, though it is not the same: of masked secrets."""


class Mixable(msgspec.Struct, frozen=True):
    """Two texts of a device, read once."""

    dialect: Dialect
    old: Mapping[str, Node]
    """What says the same as in the second, with all below it, is the very node of the second."""
    new: Mapping[str, Node]
    is_same: Same
    ours: str
    """The second text as it is."""

    @classmethod
    def of(
        cls, dialect: Dialect, old: str, new: str, is_same: Same, foreign: Iterable[Foreign] = ()
    ) -> Mixable:
        """Read two texts, the first one in plain form, without what is `foreign` there.

        `Unreadable` if one is not in the product's syntax.
        """
        texts = (old, dialect.syntax.plain(new))
        trees = (dialect.tree(dialect.pieces(text).values(), defaults=True) for text in texts)
        paths = frozenset((*(node.key for node in setting.above), setting.node.key) for setting in foreign)
        first, second = _without(next(trees), paths, ()), next(trees)
        return cls(dialect, _joined(first, second, is_same), second, is_same, new)

    def mixed(self, is_taken: Choice) -> str:
        """The text with some lines taken over; what both say in the same way is in the words of the second.

        A section is there if anything below it is, or if it is taken itself.
        """
        return self.dialect.worded(self._mixed(self.old, self.new, (), is_taken).values(), self.ours)

    def _mixed(
        self, old: Mapping[str, Node], new: Mapping[str, Node], above: tuple[Node, ...], is_taken: Choice
    ) -> dict[str, Node]:
        moved = out_of_order(old, new)
        in_new_order = not moved or all(is_taken(Difference(above, old[key], new[key])) for key in moved)
        order = merged_order(old, new) if in_new_order else merged_order(new, old)
        found = ((key, self._one(old.get(key), new.get(key), above, is_taken)) for key in order)
        return {key: node for key, node in found if node is not None}

    def _one(
        self, old: Node | None, new: Node | None, above: tuple[Node, ...], is_taken: Choice
    ) -> Node | None:
        """A line of one place with all below it; None if it is not there."""
        if old is new:
            return new
        node = new or old
        assert node is not None  # noqa: S101  # a key of one of them
        line = Difference(above, old, new)
        is_equal = old is not None and new is not None and _says_the_same(old, new, self.is_same)
        if any(side is not None and has_one_owner(side) for side in (old, new)):
            return new if is_taken(line) else old
        below = self._mixed(old.below if old else {}, new.below if new else {}, (*above, node), is_taken)
        chosen = new if is_equal or is_taken(line) else old
        if chosen is None and not below:
            return None
        return msgspec.structs.replace(chosen or node, below=below)


def _joined(old: Mapping[str, Node], new: Mapping[str, Node], is_same: Same) -> dict[str, Node]:
    """The old nodes; of those that say the same as the new ones, with all below them, the new ones."""
    return {key: _one_of(node, new.get(key), is_same) for key, node in old.items()}


def _one_of(old: Node, new: Node | None, is_same: Same) -> Node:
    if new is None:
        return old
    below = _joined(old.below, new.below, is_same)
    is_alike = list(below) == list(new.below) and all(node is new.below[key] for key, node in below.items())
    if is_alike and _says_the_same(old, new, is_same):
        return new
    return msgspec.structs.replace(old, below=below)


def _says_the_same(old: Node, new: Node, is_same: Same) -> bool:
    return old.text == new.text or is_same(old.text, new.text)


def without(dialect: Dialect, text: str, paths: Collection[tuple[str, ...]]) -> str:
    """A text in plain form without the lines at some places, and all below them.

    A place is the keys of a line and of those above it. `Unreadable` if the text is not in the product's syntax.
    """
    tree = dialect.tree(dialect.pieces(text).values(), defaults=True)
    return dialect.written(_without(tree, frozenset(paths), ()).values())


def _without(
    nodes: Mapping[str, Node], paths: frozenset[tuple[str, ...]], above: tuple[str, ...]
) -> Mapping[str, Node]:
    """Nodes without those at some places."""
    if not paths:
        return nodes
    return {
        key: msgspec.structs.replace(node, below=_without(node.below, paths, (*above, key)))
        for key, node in nodes.items()
        if (*above, key) not in paths
    }
