"""Statements closed by braces and semicolons: Junos.

Pieces are cut at the margins of a text as Junos shows it; one that is written in another way is read and printed first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NoReturn

from fabric.configuration.syntax import Piece, Unreadable, under
from fabric.configuration.tree import Line

TOKEN = re.compile(
    r'"(?:[^"\\]|\\.)*"|/\*.*?\*/|#[^\n]*|[{};]|[^\s{};"#/][^\s{};"]*|/(?!\*)[^\s{};"]*|\n', re.DOTALL
)
NEEDLESS = re.compile(r'(?<!\S)"([A-Za-z0-9_./:@+-]+)"(?!\S)')
"""A word between quotation marks that would be the same without them."""
COMMENT = re.compile(r"(?m)^[ \t]*(?:#.*|/\*(?:(?!\*/).)*\*/[ \t]*)?\n")
"""A line that says nothing."""
WORD = r'(?:[^\s{};"#]++|"(?:[^"\\\n]|\\.)*+")++'
WORDS = rf"(?!/\*){WORD}(?: {WORD})*+"
SHOWN = re.compile(rf"({WORDS})(?: \{{\n((?:[ \t]+\S.*\n)*+)\}}\n|;\n)")
"""A statement at the left margin as Junos shows it: with braces and what is between them, or without."""
SHOWN_LINE = re.compile(rf"[ \t]*(?:({WORDS})( \{{|;)|\}})")
"""One line of such a text."""
OPEN, CLOSED = "{", ";"
"""`Line.raw` of a statement with braces, and of one without."""


@dataclass(frozen=True, kw_only=True)
class Curly:
    """How a product closes what it opens."""

    step: int = 4
    deep: frozenset[str] = frozenset()
    """Statements of the first level of which every statement below is a piece."""

    def plain(self, text: str) -> str:
        """The text without comments and blank lines, each statement on a line of its own."""
        lasting = COMMENT.sub("", text)
        return lasting if _shown(lasting) is not None else self.written(parse(text))

    def pieces(self, text: str) -> dict[str, Piece]:
        """The statements of the first level, and those below the deep ones."""
        found: dict[str, Piece] = {}
        for header, body, number in self._statements(text):
            if body is None or header not in self.deep:
                _add(found, header, Piece(header, body, number))
                continue
            for inner, below, at in self._statements(self._outdented(body)):
                _add(found, f"{header}\n{inner}", Piece(inner, below, number + at, (header,)))
        return found

    def _statements(self, text: str) -> list[tuple[str, str | None, int]]:
        """Words, what is between the braces as text, and line of each statement at the margin."""
        return _shown(text) or _shown(self.written(parse(text))) or []

    def _outdented(self, body: str) -> str:
        return re.sub(rf"(?m)^ {{{self.step}}}", "", body)

    def lines(self, piece: Piece) -> list[Line]:
        """The tree of one piece, below the lines above it."""
        below = [] if piece.body is None else parse(piece.body, piece.number + 1)
        line = Line(piece.header, piece.number, below, CLOSED if piece.body is None else OPEN)
        return under([Line(text, piece.number) for text in piece.above], [line])

    def written(self, lines: Iterable[Line]) -> str:
        """A tree as Junos shows it."""
        return "".join(f"{line}\n" for line in self._printed(lines, 0))

    def shown(self, lines: Iterable[Line], above: Sequence[str]) -> list[str]:
        """Lines of a tree as they stand in the text of the whole."""
        return list(self._printed(lines, len(above)))

    def _printed(self, lines: Iterable[Line], depth: int) -> Iterator[str]:
        margin = " " * (self.step * depth)
        for line in lines:
            if line.below or line.raw == OPEN:
                yield f"{margin}{line.text} {{"
                yield from self._printed(line.below, depth + 1)
                yield f"{margin}}}"
            else:
                yield f"{margin}{line.text};"


def _add(found: dict[str, Piece], key: str, piece: Piece) -> None:
    """What stands below two statements of equal words is joined."""
    known = found.get(key)
    joined = piece if known is None else known._replace(body=f"{known.body or ''}{piece.body or ''}")
    found[key] = joined


def _shown(text: str) -> list[tuple[str, str | None, int]] | None:
    """The statements at the margin of a text; None if it is not written as Junos shows it."""
    found: list[tuple[str, str | None, int]] = []
    at, number = 0, 1
    while at < len(text):
        match = SHOWN.match(text, at)
        if match is None:
            return None
        found.append((match[1], match[2], number))
        number += match[0].count("\n")
        at = match.end()
    return found


def parse(text: str, number: int = 1) -> list[Line]:
    """The statements of a text, comments left out. `number` is that of its first line. `Unreadable`."""
    found = _parse_shown(text, number)
    return _parse(text, number) if found is None else found


def _parse_shown(text: str, number: int) -> list[Line] | None:
    """The statements of a text of which each line is as Junos shows it; None if one is not."""
    top: list[Line] = []
    above, here = [top], top
    for at, raw in enumerate(text.splitlines(), number):
        match = SHOWN_LINE.fullmatch(raw)
        if match is None:
            return None
        words, end = match[1], match[2]
        if words is None:
            above.pop()
            if not above:
                return None
            here = above[-1]
            continue
        if '"' in words:
            words = NEEDLESS.sub(r"\1", words)
        if end == CLOSED:
            here.append(Line(words, at, [], CLOSED))
        else:
            line = Line(words, at, [], OPEN)
            here.append(line)
            here = line.below
            above.append(here)
    return top if len(above) == 1 else None


def _parse(text: str, number: int) -> list[Line]:
    """The same for a text that is written in any other way, or that is not of this syntax."""
    top = Line("")
    above, words, start = [top], list[str](), number
    for token, at in _tokens(text, number):
        if token == "}":  # noqa: S105
            if words or len(above) == 1:
                _fail(at, "a semicolon is missing" if words else "a brace too many")
            above.pop()
        elif token in (OPEN, CLOSED):
            if not words:
                _fail(at, f"`{token}` where a word is missing")
            line = Line(" ".join(words), start, [], token)
            above[-1].below.append(line)
            if token == OPEN:
                above.append(line)
            words = []
        else:
            start = start if words else at
            words.append(NEEDLESS.sub(r"\1", token).replace("\n", "\\n"))
    if words or len(above) > 1:
        _fail(start, "the last statement lacks its semicolon" if words else "a brace is not closed")
    return top.below


def _tokens(text: str, number: int) -> Iterator[tuple[str, int]]:
    """Words and marks, each with its line."""
    at = 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None and not text[at].isspace():
            _fail(number, "a quotation mark or a comment is not closed")
        token = match[0] if match else text[at]
        if token.strip() and not token.startswith(("#", "/*")):
            yield token, number
        number += token.count("\n")
        at += len(token)


def _fail(number: int, cause: str) -> NoReturn:
    raise Unreadable(number, cause)
