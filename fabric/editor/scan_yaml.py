"""The keys and values of a YAML text with their paths, whatever state the text is in.

The strict reader refuses a text that is half typed. This one refuses nothing: the indentation of a line says where it
belongs, and a bracket or quote that is never closed ends where a line is indented no further than the key it follows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

from fabric.diagnostics import Path

Slot = Literal["nothing", "key", "value", "either"]
"""What may be written where a text ends."""

DASH = re.compile(r"-(?=\s|$)")
KEY = re.compile(
    r"""(?P<key>"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|(?:[^\s\-?:,\[\]{}#&*!|>'"%@`]|[-?:](?=\S))(?:[^:#]|:(?=\S)|(?<=\S)#)*?)"""
    r"\s*:(?=\s|$)"
)
PROPERTY = re.compile(r"[&!]\S*\s*")
"""An anchor or a tag before a value."""
PLAIN = re.compile(r"(?:[^\s#:]|:(?=\S)|(?<=\S)#|[^\S\n]+(?=[^\s#]))+:?")
"""An unquoted scalar up to the end of its line or a comment."""
PLAIN_IN_FLOW = re.compile(
    r"(?:[^\s#:,\[\]{}]|:(?=[^\s,\[\]{}])|(?<=\S)#|[^\S\n]+(?=[^\s#:,\[\]{}]|:[^\s,\[\]{}]))+"
)
QUOTED = {
    '"': re.compile(r'(?:[^"\\]|\\.)*(?P<end>"?)'),
    "'": re.compile(r"(?:[^']|'')*(?P<end>'?)"),
}
"""What follows an opening quote."""


class Token(NamedTuple):
    """A key or a value in one line. Line and columns count from 0."""

    line: int
    start: int
    end: int
    path: Path
    is_key: bool
    text: str
    """Without its quotes."""


@dataclass
class Level:
    """A mapping or list that is still open."""

    indent: int
    is_list: bool
    step: str | int | None = None
    """The key or index that is being read."""
    wants_value: bool = False
    """Whether the key of a `{...}` has its colon."""


@dataclass
class Quote:
    """A quoted scalar that goes on in the next line."""

    mark: str
    path: Path


class Scan:
    """Reads a text line by line. What is open at its end says where its end is."""

    def __init__(self, text: str) -> None:
        self.tokens: list[Token] = []
        self.levels: list[Level] = []
        self.flow: list[Level] = []
        """Open `{` and `[`, outermost first."""
        self.quote: Quote | None = None
        self.block: int | None = None
        """Indentation of the key whose `|` block is being read."""
        self.slot: Slot = "key"
        for number, line in enumerate(text.split("\n")):
            self._line(number, line.removesuffix("\r"))

    @property
    def path(self) -> Path:
        """Of the value that is being read, or comes next."""
        return tuple(level.step for level in (*self.levels, *self.flow) if level.step is not None)

    def leave(self, column: int) -> None:
        """Close what is indented further than `column`."""
        while self.levels and self.levels[-1].indent > column:
            self.levels.pop()

    def _line(self, number: int, line: str) -> None:
        body = line.lstrip(" ")
        indent = len(line) - len(body)
        if self.block is not None:
            self.slot = "nothing"
            if not body.strip() or indent > self.block:
                return
            self.block = None
        if not body.strip():
            return
        if body.startswith("#"):
            self.slot = "nothing"
        elif (self.flow or self.quote) and (body[0] in "]}" or indent > self._owner_indent):
            self._inline(number, line, indent)
        else:
            self.flow, self.quote = [], None
            self._block_line(number, line, indent)

    @property
    def _owner_indent(self) -> int:
        return self.levels[-1].indent if self.levels else -1

    def _block_line(self, number: int, line: str, column: int) -> None:
        is_item = False
        while DASH.match(line, column):
            self._enter(column, is_list=True)
            is_item = True
            column = _after_blanks(line, column + 1)
        if column >= len(line) or line[column] == "#":
            self.slot = "either"
            return
        key = KEY.match(line, column)
        if key is None:
            self._no_key(number, line, column, is_item=is_item)
            return
        self._enter(column, is_list=False)
        text = _unquoted(key["key"])
        self.levels[-1].step = text
        self.tokens.append(Token(number, column, key.end("key"), self.path, is_key=True, text=text))
        self.slot = "value"
        self._value(number, line, _after_blanks(line, key.end()))

    def _no_key(self, number: int, line: str, column: int, *, is_item: bool) -> None:
        """The value of an item, or a lone word: a value that starts below its key, or a key without its colon."""
        if not is_item:
            self.leave(column)
            level = self.levels[-1] if self.levels else None
            if level is None or (level.indent == column and not level.is_list):
                word = line[column:].rstrip()
                path = (*_above(self.path, level), word)
                self.tokens.append(Token(number, column, column + len(word), path, is_key=True, text=word))
                self.slot = "key"
                return
        self._value(number, line, column)
        self.slot = "either" if not (self.flow or self.block is not None) else self.slot

    def _enter(self, column: int, *, is_list: bool) -> None:
        """The mapping or list whose lines start at `column` is the innermost one."""
        self.leave(column)
        if not is_list and self.levels and self.levels[-1].indent == column and self.levels[-1].is_list:
            self.levels.pop()
        top = self.levels[-1] if self.levels else None
        if top is None or top.indent < column or top.is_list != is_list:
            self.levels.append(Level(column, is_list, 0 if is_list else None))
        elif isinstance(top.step, int):
            top.step += 1

    def _value(self, number: int, line: str, column: int) -> None:
        while match := PROPERTY.match(line, column):
            column = match.end()
        if line[column : column + 1] in ("|", ">"):
            self.tokens.append(Token(number, column, column + 1, self.path, is_key=False, text=""))
            self.block, self.slot = self._owner_indent, "nothing"
        else:
            self._inline(number, line, column)

    def _inline(self, number: int, line: str, column: int) -> None:
        """Values and brackets up to the end of the line."""
        while column < len(line):
            if self.quote is not None:
                column = self._quoted(number, line, column, self.quote)
                continue
            letter = line[column]
            if letter.isspace():
                column += 1
            elif letter == "#" and line[column - 1 : column].strip() == "":
                self.slot = "nothing"
                return
            elif letter in "{[":
                self.flow.append(Level(-1, letter == "[", 0 if letter == "[" else None))
                column += 1
            elif self.flow and letter in "}],:":
                self._punctuation(letter)
                column += 1
            elif letter in QUOTED:
                self.quote = Quote(letter, ())
            else:
                column = self._plain(number, line, column)
        if self.flow:
            top = self.flow[-1]
            self.slot = "value" if top.is_list or top.wants_value else "key"

    def _punctuation(self, letter: str) -> None:
        top = self.flow[-1]
        if letter in "}]":
            self.flow.pop()
        elif letter == ":":
            top.wants_value = True
        elif isinstance(top.step, int):
            top.step += 1
        else:
            top.step, top.wants_value = None, False

    def _quoted(self, number: int, line: str, column: int, quote: Quote) -> int:
        """A quoted scalar, or its part in this line."""
        is_first = not quote.path and line[column] == quote.mark
        start = column + 1 if is_first else column
        match = QUOTED[quote.mark].match(line, start)
        end = match.end() if match else len(line)
        text = line[start:end]
        closed = bool(match and match["end"])
        if is_first:
            self._scalar(number, column, end, text[:-1] if closed else text)
        else:
            self.tokens.append(Token(number, column, end, quote.path, is_key=False, text=text))
        self.quote = None if closed else Quote(quote.mark, self.path)
        return max(end, column + 1)

    def _plain(self, number: int, line: str, column: int) -> int:
        match = (PLAIN_IN_FLOW if self.flow else PLAIN).match(line, column)
        if match is None:
            return column + 1
        self._scalar(number, column, match.end(), match[0])
        return match.end()

    def _scalar(self, number: int, start: int, end: int, text: str) -> None:
        top = self.flow[-1] if self.flow else None
        is_key = top is not None and not top.is_list and not top.wants_value
        if top is not None and is_key:
            top.step = text
        self.tokens.append(Token(number, start, end, self.path, is_key, text))


def _after_blanks(line: str, column: int) -> int:
    while column < len(line) and line[column] in " \t":
        column += 1
    return column


def _above(path: Path, level: Level | None) -> Path:
    """The path of the mapping that is open at `level`."""
    return path[:-1] if level is not None and level.step is not None else path


def _unquoted(text: str) -> str:
    return text[1:-1] if text[:1] in QUOTED and text[-1:] == text[:1] and len(text) > 1 else text
