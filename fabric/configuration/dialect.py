"""A product's own in a configuration: its syntax, its table of lines, and what of it is secret or volatile."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from fabric.configuration.default_lines import are_alike
from fabric.configuration.foreign_secrets import ForeignSecrets
from fabric.configuration.statements import MAX_KNOWN, TEXT, Parts, Section, Statement
from fabric.configuration.syntaxes.syntax import (
    LATEST_TEXTS,
    Forgiving,
    Piece,
    Sectioned,
    Syntax,
    Worded,
    unlike,
    whole,
)
from fabric.configuration.tree import Line, Node, every, is_absent, nodes


@dataclass(frozen=True, kw_only=True, eq=False)
class Dialect:
    """How one product writes its configuration."""

    syntax: Syntax
    top: Section
    """The lines of the first level."""
    mask: Callable[[str], str]
    """A text without secrets: each value that is not a placeholder becomes `<masked>`."""
    volatile: re.Pattern[str] | None = None
    """Lines that are not kept, with their line ends: when and by whom a text was printed, what each device has of its
    own."""
    mask_marked: Callable[[str], str] | None = None
    """The same as `mask` for what the product marks as secret by comments, which the plain form has not."""

    as_encoded: Callable[[str, str], str] | None = None
    """A text with secrets in plain, and what a device runs: the text with the secrets that are the same there as the
    device shows them. For products that encode a secret anew each time, but so that it can be read back."""

    harmless: frozenset[str] = frozenset()
    """Sections of the first level that hold no secret, whatever stands below them."""
    masks_unknown: bool = True
    """Whether lines that the table does not know may hold secrets. Not where each is a setting of one fixed list, of
    which `mask` knows those that are secret."""

    def plain(self, text: str, ours: str = "") -> str:
        """A device's text as it is kept and hashed: without secrets, and without what each print has anew.

        In a line that the table does not know, whatever may be a secret is masked. What stands there in `ours`, a
        text of our own, is shown: else a change of it would not be seen.
        """
        return self.plain_and_shown(text, ours)[1]

    def plain_and_shown(self, text: str, ours: str) -> tuple[str, str]:
        """A device's text in plain form, and with that shown which stands in `ours` too."""
        known, plain = _known_and_plain(self, text)
        if not ours or plain == known:
            return plain, plain
        return plain, self._foreign.hidden(self.syntax, known, self._without_known_secrets(ours))

    def _known_and_plain(self, text: str) -> tuple[str, str]:
        """A text with the secrets masked that the table knows, and in plain form."""
        known = self._without_known_secrets(text)
        return known, self._foreign.hidden(self.syntax, known) if self.masks_unknown else known

    def _without_known_secrets(self, text: str) -> str:
        """The plain form with secrets of lines that the product knows masked, and no others."""
        lasting = self.lasting(text)
        return self.mask(self.syntax.plain(self.mask_marked(lasting) if self.mask_marked else lasting))

    def has_same_secrets(self, one: str, other: str) -> bool:
        """Whether two texts that are alike in their plain form are alike with their secrets too."""
        return self.syntax.plain(self.lasting(one)) == self.syntax.plain(self.lasting(other))

    def with_encoded(self, text: str, running: str) -> str:
        """A text with the secrets that a device has already in the form that it shows them in, as far as that is known.

        Both hold secrets: neither is told to anybody.
        """
        return text if self.as_encoded is None else self.as_encoded(text, running)

    def lasting(self, text: str) -> str:
        """A device's text without what each print has anew; with its secrets."""
        text = text.removeprefix("\ufeff")
        return text if self.volatile is None else self.volatile.sub("", text)

    @cached_property
    def _is_sectioned(self) -> bool:
        return isinstance(self.syntax, Sectioned)

    @cached_property
    def _foreign(self) -> ForeignSecrets:
        return ForeignSecrets(self.top, self.mask, self.harmless)

    def pieces(self, text: str) -> dict[str, Piece]:
        """The pieces of a text, by a key that is the same in every text.

        `Unreadable` if it is not in the product's syntax.
        """
        return self.syntax.pieces(text)

    def check(self, text: str) -> None:
        """`Unreadable` if a text is not in the product's syntax."""
        if not isinstance(self.syntax, Forgiving):
            self.pieces(text)

    def unlike(self, old: str, new: str) -> tuple[dict[str, Piece], dict[str, Piece]]:
        """The pieces of two texts; those that both have are left out, in the same words or but for lines of defaults.

        Where a joint one differs all joint ones are there: another may set one of its lines.
        """
        before, after = unlike(self.syntax, old, new)
        sides = self._unlike(before, after)
        if self.top.has_joint and any(self.is_joint(piece) for side in sides for piece in side.values()):
            old_ones, new_ones = (
                {
                    key: piece
                    for key, piece in self.pieces(text).items()
                    if key in side or self.is_joint(piece)
                }
                for text, side in zip((old, new), sides, strict=True)
            )
            return old_ones, new_ones
        return sides

    def _unlike(
        self, before: Mapping[str, Piece], after: Mapping[str, Piece]
    ) -> tuple[dict[str, Piece], dict[str, Piece]]:
        """Pieces without those that the other text has too. One without a body differs from none at all."""
        same = {key for key in before if key in after and self._is_alike(before[key], after[key])}
        old_ones, new_ones = ({key: side[key] for key in side if key not in same} for side in (before, after))
        return old_ones, new_ones

    def saying_else(self, pieces: Mapping[str, Piece], others: Mapping[str, Piece]) -> dict[str, Piece]:
        """The pieces but for those of which the others have one that says the same, defaults apart."""
        return {
            key: piece
            for key, piece in pieces.items()
            if key not in others or not self._is_alike(piece, others[key])
        }

    def _is_alike(self, piece: Piece, other: Piece) -> bool:
        """Whether pieces say the same, as far as that is seen without reading them: all but lines of defaults."""
        if piece.body == other.body:
            return True
        if not self._is_sectioned or not piece.body or not other.body:
            return False
        known = self.top.find(piece.header)
        section = known.statement.below if known is not None and known.is_one else None
        return section is not None and are_alike(piece.body, other.body, section)

    def tree(self, pieces: Iterable[Piece], *, defaults: bool = False) -> dict[str, Node]:
        """What pieces say, by key."""
        if not defaults:
            pieces = (piece for piece in pieces if not self._says_nothing(piece))
        return nodes((line for piece in pieces for line in self.lines(piece)), self.top, defaults=defaults)

    def _says_nothing(self, piece: Piece) -> bool:
        """Whether a section is empty and as good as absent: most ports of a product that prints every lane."""
        return not piece.body and self._is_sectioned and self._is_empty_absent(piece.header)

    def _is_empty_absent(self, header: str) -> bool:
        absent = self._absent.get(header)
        if absent is None:
            known = self.top.find(header)
            absent = (
                known is not None
                and known.is_one
                and not known.statement.implies
                and is_absent(known.statement, known.line.parts)
            )
            if len(self._absent) < MAX_KNOWN:
                self._absent[header] = absent
        return absent

    @cached_property
    def _absent(self) -> dict[str, bool]:
        """Headers that are remembered."""
        return {}

    def whole(self, text: str) -> dict[str, Node]:
        """All that a text says, defaults too, by key. `Unreadable` if it is not in the product's syntax."""
        return nodes(whole(self.syntax, text), self.top, defaults=True)

    def familiarity(self, pieces: Iterable[Piece]) -> tuple[int, int]:
        """How many lines of pieces the table knows, and how many it does not."""
        nodes = list(every(self.tree(pieces, defaults=True).values()))
        unknown = sum(node.statement is None for node in nodes)
        return len(nodes) - unknown, unknown

    def is_joint(self, piece: Piece) -> bool:
        """Whether a piece stands for several lines, or may: one of them may be set by another piece too."""
        if not self.top.has_joint:
            return False
        section: Section | None = self.top
        for text in piece.above:
            known = section.find(text) if section is not None else None
            section = known.statement.below if known is not None else None
        known = section.find(piece.header) if section is not None else None
        return known is not None and known.statement.expands is not None

    def lines(self, piece: Piece) -> list[Line]:
        """A piece with the lines above it."""
        return self.syntax.lines(piece)

    def written(self, nodes: Iterable[Node]) -> str:
        """Nodes as the product would print them."""
        return self.syntax.written(node.line() for node in nodes)

    def worded(self, nodes: Iterable[Node], ours: str) -> str:
        """Nodes as text, with comments and all where a whole file says what that of `ours` says."""
        text = self.written(nodes)
        return self.syntax.worded(text, ours) if isinstance(self.syntax, Worded) else text

    def shown(self, nodes: Iterable[Node], above: Iterable[Node]) -> list[str]:
        """Nodes as they stand below others in the text of the whole."""
        return self.syntax.shown([node.line() for node in nodes], [node.text for node in above])


@lru_cache(maxsize=LATEST_TEXTS)
def _known_and_plain(dialect: Dialect, text: str) -> tuple[str, str]:
    """Those of the latest texts are kept: what a device runs is compared, then filled, and masked once for both."""
    return dialect._known_and_plain(text)  # noqa: SLF001  # the method of this module's own class


def read(nodes: Iterable[Node], state: Any, above: Sequence[str] | None = None) -> list[tuple[int, str]]:
    """Give each line to the reader of its statement. Number and text of those that nobody reads come back.

    With `above`, the lines above these, such texts are the words of all lines down to one with nothing below it.
    """
    unread: list[tuple[int, str]] = []
    _read(nodes, state, above, unread)
    return unread


def _read(
    nodes: Iterable[Node], state: Any, above: Sequence[str] | None, unread: list[tuple[int, str]]
) -> None:
    for node in nodes:
        if not _is_taken(node, state, above, unread):
            unread += _unread(node, _path(above, node))


def _is_taken(node: Node, state: Any, above: Sequence[str] | None, unread: list[tuple[int, str]]) -> bool:
    """Give a line and those below it to their readers; whether it was read, if not all that stands below it."""
    statement, known = node.statement, len(unread)
    if statement is None or statement.is_unread:
        return False
    try:
        inner = statement.reads(state, _parts(node, statement)) if statement.reads else None
        if node.below and not statement.is_free:
            _read(node.below.values(), state if inner is None else inner, _path(above, node), unread)
        if statement.finish is None:
            return True
        if len(unread) == known:
            statement.finish(state, inner)
            return True
    except ValueError:
        pass
    del unread[known:]
    return False


def _parts(node: Node, statement: Statement) -> Parts:
    """Those of its line; with the text below it, if it is one."""
    if not statement.is_free:
        return node.parts
    return {**node.parts, TEXT: "".join(f"{below.text}\n" for below in node.below.values())}


def _path(above: Sequence[str] | None, node: Node) -> Sequence[str] | None:
    if above is not None:
        return (*above, node.text)
    return () if node.statement is not None and node.statement.is_by_path else None


def _unread(node: Node, path: Sequence[str] | None) -> Iterator[tuple[int, str]]:
    """A line that nobody reads, and all below it."""
    if path is None or not node.below:
        yield node.number, node.text if path is None else " ".join(path)
    for below in node.below.values():
        yield from _unread(below, None if path is None else (*path, below.text))
