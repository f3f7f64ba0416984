"""Statements closed by braces and semicolons: Junos.

A text whose lines are each as Junos shows them is cut into pieces at its margins, and only the pieces that are asked
for are read. One that is written in another way (several statements on a line, comments, other margins) is read whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, NoReturn

from fabric.configuration.foreign_secrets import (
    HIDDEN,
    ForeignSecrets,
    is_login,
    is_strong,
    may_be_secret,
    names_secret,
    suspects,
)
from fabric.configuration.syntaxes.syntax import Piece, Unreadable, under, unmistakable
from fabric.configuration.tree import MASK, Line

WORD = r'(?:(?!/\*)[^\s{};"#]++|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*")'
WORDS = rf"{WORD}(?: {WORD})*"
SHOWN_LINE = re.compile(rf"[ \t]*+(?:({WORDS})( \{{|;)|\}})")
"""A line as Junos shows it."""
SHOWN = re.compile(rf"(?:[ \t]*+(?:{WORDS}(?: \{{|;)|\}})\n)*")
"""A text of such lines."""
COMMENT = re.compile(r"(?m)^[ \t]*(?:#.*|/\*(?:(?!\*/).)*\*/[ \t]*)?\n")
"""A line that says nothing."""
TOKEN = re.compile(
    r'[^\S\n]+|"(?:[^"\\]|\\.)*"|/\*.*?\*/|#[^\n]*|[{};]|(?!/\*)[^\s{};"#][^\s{};"]*|\n', re.DOTALL
)
IN_WORDS = re.compile(r'"(?:[^"\\]|\\.)*"|\S+')
NEEDLESS = re.compile(r'(?<!\S)"([A-Za-z0-9_./:@+-]+|<masked>)"(?!\S)')
"""A word between quotation marks that would be the same without them."""
OPEN, CLOSED = "{", ";"
"""`Line.raw` of a statement with braces, and of one without."""
MAX_DEPTH = 100
"""Levels of braces."""


class Above(NamedTuple):
    """A statement with others below it."""

    words: str
    is_secret: bool
    """What stands below it is one."""


@dataclass(frozen=True, kw_only=True)
class Curly:
    """How a product closes what it opens."""

    step: int = 4
    deep: frozenset[tuple[str, ...]] = frozenset()
    """Statements, behind those that they stand below, of which every statement below is a piece."""
    is_by_path: bool = True

    def plain(self, text: str) -> str:
        """The text without comments and blank lines, each statement on a line of its own. `Unreadable`."""
        if SHOWN.fullmatch(text):
            return text
        lasting = COMMENT.sub("", text)
        return lasting if SHOWN.fullmatch(lasting) else self.written(parse(text))

    def without_secrets(self, text: str, secrets: ForeignSecrets, ours: str) -> str:
        """The text without secrets of statements that nobody knows, but for those of ours."""
        lines, own, above = text.split("\n"), set[str](), list[Above]()
        numbers = {number for number in suspects(text) if _is_suspect(lines[number], secrets)}
        if not numbers:
            return text
        own.update(map(str.strip, ours.split("\n")))
        for number, line in enumerate(lines):
            if number not in numbers and not (above and above[-1].is_secret):
                _follow(line, above)
                continue
            match = SHOWN_LINE.fullmatch(line)
            if match is None:
                continue
            words, end = match[1], match[2]
            if words is None:
                del above[-1:]
                continue
            is_kept = line.strip() in own or bool(above and above[0].words in secrets.harmless)
            # A header of a secret word has it as its name.
            is_named = end != CLOSED and is_strong(words) and may_be_secret(words)
            is_known = is_kept or (not is_named and secrets.is_known(NEEDLESS.sub(r"\1", words)))
            if not is_known:
                words = _masked(words, is_below=bool(above and above[-1].is_secret))
            if end != CLOSED:
                is_secret = bool(above and above[-1].is_secret)
                is_secret |= not is_known and names_secret(words_of(words)[-1])
                above.append(Above(match[1], is_secret))
            lines[number] = f"{line[: match.start(1)]}{words}{end}"
        return "\n".join(lines)

    def pieces(self, text: str) -> dict[str, Piece]:
        """The statements of the first level; of the deep ones, those below."""
        pieces: dict[str, Piece] = {}
        shown = self._cut(text, 1, ()) if SHOWN.fullmatch(text) else None
        for piece in self._parted(parse(text), ()) if shown is None else shown:
            _add(pieces, "\n".join((*piece.above, piece.header)), piece)
        return pieces

    def _cut(self, text: str, number: int, above: tuple[str, ...]) -> list[Piece] | None:
        """The pieces of a text with Junos's margins, not read; None if it has others, or a brace is missing."""
        shape = _statement(self.step * len(above))
        pieces: list[Piece] = []
        at = 0
        while at < len(text):
            match = shape.match(text, at)
            if match is None:
                return None
            header, body = match[1], match[2]
            if body is not None and body.count("{\n") != body.count("}\n"):
                return None
            if body is None or (*above, header) not in self.deep:
                pieces.append(Piece(header, body, number, above))
            elif (inside := self._cut(body, number + 1, (*above, header))) is None:
                return None
            else:
                pieces += inside
            number += match[0].count("\n")
            at = match.end()
        return pieces

    def _parted(self, lines: Iterable[Line], above: tuple[str, ...]) -> Iterator[Piece]:
        """The same of a text that had to be read."""
        for line in lines:
            path = (*above, line.text)
            if line.raw == OPEN and path in self.deep:
                yield from self._parted(line.below, path)
            else:
                yield Piece(line.text, line.below if line.raw == OPEN else None, line.number, above)

    def lines(self, piece: Piece) -> list[Line]:
        """The tree of one piece, below the lines above it."""
        body = piece.body
        below = parse(body, piece.number + 1) if isinstance(body, str) else body or []
        header = NEEDLESS.sub(r"\1", piece.header)
        line = Line(header, piece.number, below, CLOSED if body is None else OPEN)
        return under([Line(text, piece.number, [], OPEN) for text in piece.above], [line])

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


@cache
def _statement(margin: int) -> re.Pattern[str]:
    """A statement at a margin: its words and, if it has braces, the lines between them."""
    edge = " " * margin
    return re.compile(rf"{edge}({WORDS})(?: \{{\n((?:{edge}[ \t]++\S.*+\n)*){edge}\}}\n|;\n)")


def _add(pieces: dict[str, Piece], key: str, piece: Piece) -> None:
    """What stands below two statements of equal words is joined; lines keep their numbers."""
    key = unmistakable(key, pieces)
    known = pieces.get(key)
    if known is None or known.body is None:
        pieces[key] = piece
    elif isinstance(known.body, str) and isinstance(piece.body, str):
        between = "\n" * (piece.number - known.number - known.body.count("\n"))
        pieces[key] = known._replace(body=f"{known.body}{between}{piece.body}")
    elif piece.body is not None:
        pieces[key] = known._replace(body=known.body + piece.body)


def _follow(line: str, above: list[Above]) -> None:
    """Step below a statement that opens, or out of one that ends."""
    if line.endswith("{"):
        above.append(Above(line.strip(" {"), is_secret=False))
    elif line.endswith("}"):
        del above[-1:]


def _is_suspect(line: str, secrets: ForeignSecrets) -> bool:
    """Whether a line may hold a secret, or announce one below it."""
    text = line.strip().removesuffix(";").removesuffix(" {").replace('"', "")
    return (may_be_secret(text) or names_secret(text.rpartition(" ")[2])) and (
        is_strong(text) or not secrets.is_known(text)
    )


def _masked(text: str, *, is_below: bool) -> str:
    """The words of a statement, from the first secret on masked. `is_below`: of one that announces a secret."""
    words = words_of(text)
    first = next((at for at, word in enumerate(words) if may_be_secret(word.strip('"'))), len(words))
    if not is_login(text):
        named = next((at + 1 for at, word in enumerate(words) if names_secret(word)), len(words))
        first = min(first, named, 1 if is_below and len(words) > 1 else 0 if is_below else len(words))
    return " ".join(
        word if at < first or word in "[]" or HIDDEN.fullmatch(word) else f'"{MASK}"'
        for at, word in enumerate(words)
    )


def words_of(text: str) -> list[str]:
    """The words of a statement, quoted ones as they stand."""
    return IN_WORDS.findall(text)


def in_full(lines: Iterable[Line], above: str = "") -> Iterator[tuple[int, str]]:
    """Line number and words of each statement with nothing below it, behind the words of those above it."""
    for line in lines:
        text = f"{above} {line.text}".lstrip()
        if line.below:
            yield from in_full(line.below, text)
        else:
            yield line.number, text


def parse(text: str, number: int = 1) -> list[Line]:
    """The statements of a text, comments left out. `number` is that of its first line. `Unreadable`."""
    lines = _parse_shown(text, number)
    return _parse(text, number) if lines is None else lines


def _parse_shown(text: str, number: int) -> list[Line] | None:
    """The statements of a text of which each line is as Junos shows it or empty; None if one is not."""
    top: list[Line] = []
    above, here = [top], top
    for at, raw in enumerate(text.split("\n"), number):
        if not raw:
            continue
        match = SHOWN_LINE.fullmatch(raw)
        if match is None:
            return None
        text, end = match[1], match[2]
        if text is None:
            above.pop()
            if not above:
                return None
            here = above[-1]
            continue
        if '"' in text:
            text = NEEDLESS.sub(r"\1", text)
        if end == CLOSED:
            here.append(Line(text, at, [], CLOSED))
            continue
        line = Line(text, at, [], OPEN)
        here.append(line)
        here = line.below
        above.append(here)
        if len(above) > MAX_DEPTH:
            return None
    return top if len(above) == 1 else None


def _parse(text: str, number: int) -> list[Line]:
    """The same for a text that is written in any other way, or that is not of this syntax."""
    top = Line("")
    above, words, start = [top], list[str](), number
    for token, at in _tokens(text, number):
        if token == "}":  # noqa: S105
            if words or len(above) == 1:
                _fail(
                    at,
                    "a semicolon is missing before `}`" if words else "a brace is closed that was not opened",
                )
            above.pop()
        elif token in (OPEN, CLOSED):
            if not words:
                _fail(at, f"there is no word before `{token}`")
            line = Line(" ".join(words), start, [], token)
            above[-1].below.append(line)
            if token == OPEN:
                above.append(line)
            if len(above) > MAX_DEPTH:
                _fail(start, f"more than {MAX_DEPTH} levels of braces")
            words = []
        else:
            start = start if words else at
            words.append(NEEDLESS.sub(r"\1", token).replace("\n", "\\n"))
    if words:
        _fail(start, "the last statement has no semicolon")
    if len(above) > 1:
        _fail(above[-1].number, "a brace is not closed")
    return top.below


def _tokens(text: str, number: int) -> Iterator[tuple[str, int]]:
    """Words and marks, each with its line."""
    at = 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None:
            _fail(number, "a comment is not closed" if text[at] == "/" else "a quotation mark is not closed")
        token = match[0]
        if not token.isspace() and not token.startswith(("#", "/*")):
            yield token, number
        number += token.count("\n")
        at = match.end()


def _fail(number: int, cause: str) -> NoReturn:
    raise Unreadable(number, cause)
