"""Command lines whose sections are told by indentation: EOS, NX-OS, FRR."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import ClassVar

from fabric.configuration.foreign_secrets import ForeignSecrets
from fabric.configuration.same_ends import same_end, same_start
from fabric.configuration.syntaxes.syntax import LATEST_TEXTS, Piece, unmistakable
from fabric.configuration.tree import Line

MARGIN = re.compile(r"\n(?=[^ \t\n])")
"""Before a line at the left margin."""
NUMBER = re.compile(r"([0-9]+)")


@dataclass(frozen=True, kw_only=True)
class Indented:
    """How a product draws its tree."""

    is_forgiving: ClassVar = True
    comment: str = "!"
    """First characters of a line that says nothing."""
    runs_by: str = ""
    """First characters of the line of a script that names its program, though it begins as a comment; empty: none."""
    step: str = "   "
    """One level."""
    texts: tuple[tuple[str, str], ...] = ()
    """Lines behind which everything is text, up to a line that ends it: `banner motd`, `EOF`. As regular expressions;
    the second may refer to a group of the first by its name."""
    closings: tuple[tuple[str, str], ...] = ()
    """First word of a section, empty for any other one, and the line that ends it: `vrf`, `exit-vrf`. Such lines are
    printed in a whole text and say nothing where they are read, for indentation tells the same."""
    end: str = ""
    """The line that ends a text; empty: none does."""
    by_creation: str = ""
    """Lines of the first level that the product prints in the order in which they came to be, with what stands below
    them, as a regular expression of how they begin: one that goes and comes back stands elsewhere. Empty: none."""
    is_by_path: bool = False

    def plain(self, text: str) -> str:
        """The text without comments and blank lines; what stands in a text of its own stays as it is.

        Lines whose place tells only when they were made are put together, and in order.
        """
        nothing = self._nothing  # a search for a line end is far faster than one for the start of a line
        plain = "".join(
            part if is_text else nothing.sub("", f"\n{part}")[1:] for part, is_text in self._divided(text)
        )
        return _in_order(plain, re.compile(self.by_creation)) if self.by_creation else plain

    def without_secrets(self, text: str, secrets: ForeignSecrets, ours: str) -> str:
        """The text without secrets of lines that nobody knows. A text of its own, a banner, is shown at each login."""
        return "".join(
            part if is_text else secrets.line_by_line(part, ours) for part, is_text in self._divided(text)
        )

    @cached_property
    def _nothing(self) -> re.Pattern[str]:
        """A line that says nothing, with the line end before it."""
        ends = "".join(rf"|{re.escape(line)}[^\S\n]*" for line in self._end_lines)
        but = rf"(?!{re.escape(self.runs_by)})" if self.runs_by else ""
        return re.compile(rf"\n[^\S\n]*+(?:{but}{re.escape(self.comment)}.*{ends})?(?=\n)")

    @cached_property
    def _end_lines(self) -> tuple[str, ...]:
        """Lines that end what stands above them."""
        return (*(line for _, line in self.closings), *([self.end] if self.end else []))

    @cached_property
    def _marks(self) -> frozenset[str]:
        """First characters of lines that may say nothing: most lines have another."""
        return frozenset(("", self.comment[:1], *(line[:1] for line in self._end_lines)))

    def _says_nothing(self, line: str) -> bool:
        if not line or line in self._end_lines:
            return True
        return line.startswith(self.comment) and not (self.runs_by and line.startswith(self.runs_by))

    def _divided(self, text: str) -> Iterator[tuple[str, bool]]:
        """The parts of a text, and which are texts of their own. One that nothing ends goes on to the end of all."""
        at = 0
        for start, end in sorted(
            match.span()
            for own in self.texts
            if _has_own(own[0], f"\n{text}")  # most texts have none
            for match in _own_text(*own).finditer(text)
        ):
            if start >= at:
                yield text[at:start], False
                yield text[start:end], True
                at = end
        yield text[at:], False

    def pieces(self, text: str) -> dict[str, Piece]:
        """The lines at the left margin, each with what stands below it; below one that is there twice, joined."""
        return _pieces(self, text)

    def _pieces(self, text: str) -> dict[str, Piece]:
        pieces: dict[str, Piece] = {}
        last, marks = "", self._marks
        for header, body, number in self._parts(text):
            if header[:1] in marks and self._says_nothing(header):
                if body.strip():  # a comment at the margin ends no section
                    pieces[last] = pieces[last]._replace(body=f"{pieces[last].body}\n{header}\n{body}")
                continue
            last = unmistakable(header, pieces) if header in pieces else header
            known = pieces.get(last)
            pieces[last] = (
                Piece(header, body, number) if known is None else known._replace(body=f"{known.body}\n{body}")
            )
        return pieces

    def unlike(self, old: str, new: str) -> tuple[dict[str, Piece], dict[str, Piece]]:
        """The pieces of two texts, without those before the first difference and behind the last one.

        Most texts that are compared differ in few lines: a piece or two are made then, and not some hundred.
        """
        start = _section_start(old, new)
        end = _sections_end(old[start:], new[start:])
        if start + end < len(old) // 2:  # it would take longer to make sure than to make the others too
            return self.pieces(old), self.pieces(new)
        before, tail = old[:start], old[len(old) - end :]
        inside = tuple(text[start : len(text) - end] for text in (old, new))
        if not any(map(self.has_own_text, (old, new))) and not any(map(self._goes_on, (*inside, tail))):
            sides = tuple(self._numbered(text, before.count("\n")) for text in inside)
            around = f"\n{before}\n{tail}"
            if not any(_has_header(around, header) for pieces in sides for header in pieces):
                return sides[0], sides[1]
        return self.pieces(old), self.pieces(new)

    def has_own_text(self, text: str) -> bool:
        """Whether some lines of a text are a banner or the like."""
        return any(_has_own(start, f"\n{text}") for start, _ in self.texts)

    def _goes_on(self, text: str) -> bool:
        """Whether a text may begin inside a section: with a comment, which ends none."""
        return bool(text) and self._says_nothing(text.partition("\n")[0].strip())

    def _numbered(self, text: str, above: int) -> dict[str, Piece]:
        """The pieces of a text that stands below so many lines."""
        return {key: piece._replace(number=piece.number + above) for key, piece in self.pieces(text).items()}

    def _parts(self, text: str) -> Iterator[tuple[str, str, int]]:
        """Each line at the left margin, what follows up to the next one, and its number. The first says something."""
        before, at = f"\n{text}", 0
        while blank := self._nothing.match(before, at):
            at = blank.end()
        number = text.count("\n", 0, at) + 1
        for whole, is_text in self._divided(text[at:]):
            parts = [whole.removesuffix("\n")] if is_text else MARGIN.split(whole.removesuffix("\n"))
            for part in parts if whole else ():
                header, below, body = part.partition("\n")
                yield header.strip(), body, number
                number += body.count("\n") + 2 if below else 1

    def lines(self, piece: Piece) -> list[Line]:
        """The tree of one piece."""
        root = Line(piece.header, piece.number)
        if self._starts_text(piece.header):
            root.below = [Line(text, at) for at, text in enumerate(piece.body.split("\n"), piece.number + 1)]
            return [root]
        if not piece.body:  # of a port that is not configured: most lines of a product that prints every one
            return [root]
        above: list[tuple[int, Line]] = [(0, root)]
        says_nothing, marks = self._says_nothing, self._marks
        for number, raw in enumerate(piece.body.split("\n"), piece.number + 1):
            behind = raw.lstrip()
            text = behind.rstrip()
            if text[:1] in marks and says_nothing(text):
                continue
            indent = len(raw) - len(behind)
            while len(above) > 1 and above[-1][0] >= indent:
                above.pop()
            line = Line(text, number)
            above[-1][1].below.append(line)
            above.append((indent, line))
        return [root]

    def written(self, lines: Iterable[Line]) -> str:
        """A tree as the product would print it."""
        end = f"{self.end}\n" if self.end else ""
        return "".join((*(f"{line}\n" for line in self._printed(lines, 0, dict(self.closings))), end))

    def joined(self, parts: Iterable[Line | Piece]) -> str:
        """The text of lines, as `written` prints them, and of pieces in their own words."""
        end = f"{self.end}\n" if self.end else ""
        return "".join((*(text for part in parts for text in self._joint(part)), end))

    def _joint(self, part: Line | Piece) -> Iterator[str]:
        """One line or piece of the first level."""
        if isinstance(part, Line) or (self.closings and part.body):  # whose ends are not in the piece
            lines = [part] if isinstance(part, Line) else self.lines(part)
            return (f"{line}\n" for line in self._printed(lines, 0, dict(self.closings)))
        return iter((f"{part.header}\n{part.body}\n" if part.body else f"{part.header}\n",))

    def shown(self, lines: Iterable[Line], above: Sequence[str]) -> list[str]:
        """Lines of a tree as they stand in the plain form of the whole."""
        return list(self._printed(lines, len(above), {}))

    def _printed(self, lines: Iterable[Line], depth: int, closings: Mapping[str, str]) -> Iterator[str]:
        margin = self.step * depth
        for line in lines:
            yield f"{margin}{line.text}"
            if depth == 0 and self._starts_text(line.text):
                yield from (below.text for below in line.below)
                continue
            yield from self._printed(line.below, depth + 1, closings)
            if closings and line.below:
                word = line.text.partition(" ")[0]
                yield f"{margin}{closings.get(word, closings[''])}"

    def _starts_text(self, line: str) -> bool:
        return bool(self.texts) and self._text_start.fullmatch(line) is not None

    @cached_property
    def _text_start(self) -> re.Pattern[str]:
        """A line behind which everything is text."""
        return re.compile("|".join(f"(?:{start})" for start, _ in self.texts))


@lru_cache(maxsize=LATEST_TEXTS)
def _pieces(syntax: Indented, text: str) -> dict[str, Piece]:
    """Those of the latest texts are kept: what a device runs is merged, then compared, and divided once for both."""
    return syntax._pieces(text)  # noqa: SLF001  # the method of this module's own class


def _in_order(plain: str, is_of_them: re.Pattern[str]) -> str:
    """A plain form with the sections that begin so in the place of the first of them, by their names."""
    sections = MARGIN.split(plain.removesuffix("\n")) if plain else []
    at = [number for number, section in enumerate(sections) if is_of_them.match(section)]
    if len(at) < 2:  # a single one is in order
        return plain
    of_them = sorted((sections[number] for number in at), key=_natural)
    others = [section for section in sections[at[0] :] if not is_of_them.match(section)]
    return "".join(f"{section}\n" for section in (*sections[: at[0]], *of_them, *others))


def _natural(section: str) -> list[tuple[int, str]]:
    """`seq 5` before `seq 10`: a longer number is a greater one."""
    parts = NUMBER.split(section)  # text and number by turns
    return [(len(part), part) if at % 2 else (0, part) for at, part in enumerate(parts)]


def _section_start(old: str, new: str) -> int:
    """Where the section begins that holds the first difference of two texts."""
    same = same_start(old, new)
    at = old.rfind("\n", 0, same)
    while at >= 0 and (at + 1 >= same or old[at + 1] in " \t\n"):
        at = old.rfind("\n", 0, at)
    return at + 1


def _sections_end(old: str, new: str) -> int:
    """How many characters from the end the section begins that follows the last difference."""
    margin = MARGIN.search(old, len(old) - same_end(old, new))
    return len(old) - margin.end() if margin else 0


def _has_header(text: str, header: str) -> bool:
    return any(f"\n{header}{end}" in text for end in ("\n", " ", "\t"))


def _has_own(start: str, text: str) -> bool:
    """Whether a line begins a text of its own. To look for its first word is far faster than for an expression."""
    return f"\n{_first_letters(start)}" in text and _own_start(start).search(text) is not None


@cache
def _first_letters(start: str) -> str:
    """What every line begins with that fits an expression, as far as that is plain; empty: that may be anything."""
    if "|" in re.sub(r"\([^()]*\)", "", start):
        return ""
    letters = re.match(r"[A-Za-z]+(?![A-Za-z*?{])", start)
    return letters[0] if letters else ""


@cache
def _own_start(start: str) -> re.Pattern[str]:
    return re.compile(rf"\n(?:{start})[ \t]*\n")


@cache
def _own_text(start: str, end: str) -> re.Pattern[str]:
    return re.compile(rf"(?m)^(?:{start})[ \t]*\n(?:(?!(?:{end})[ \t]*$).*\n)*(?:.*(?:\n|\Z))?")
