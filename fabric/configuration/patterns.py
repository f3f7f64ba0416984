r"""Patterns of configuration lines, written as vendors' manuals write them.

    neighbor <peer> remote-as {asn}
    username <name> [privilege {level:\d+}] secret [{encoding:0|5|7|sha512}] {hash}
    [no] shutdown
    ip route [vrf <vrf>] <prefix> {next_hop}

`<name>` is a part of what the line is about, `{name}` a value of it: two lines of a section whose other words are the
same set the same thing. Brackets enclose what may be left out; it belongs to the value, unless a `<name>` stands in it.
Behind a colon stands a regular expression of what a name may be, without one it is a word; `*` is the rest of the line.
`a|b` is either word; in a word with a name, `|` is the character.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

NAME = r"[a-z][a-z_0-9]*\*?(?::(?:[^<>{}]|\{[\d,]+\})+)?"
WORD = re.compile(rf"(\[*)((?:<{NAME}>|\{{{NAME}\}}|[^<>{{}}\[\] ])+)(\]*)(?: (?=.)|$)")
ATOM = re.compile(rf"(?P<name><{NAME}>|\{{{NAME}\}})|(?P<plain>[^<>{{}}]+)")
ONE_WORD, REST = r"\S+", r".+"
OPTION = "option_"
"""Prefix of the groups around what may be left out."""

Element = str | list["Element"]
"""A word of a pattern, or what stands in brackets."""


class Matched(NamedTuple):
    """A line that fits a pattern."""

    key: str
    """The line without its values: what it sets."""
    parts: Mapping[str, str]
    """What stands for each name of the pattern; empty where its brackets are left out."""


class Pattern:
    """One pattern, compiled. `ValueError` if it is not well formed."""

    def __init__(self, text: str) -> None:
        self.text = text
        elements = _elements(text)
        self.starts = frozenset(_starts(elements))
        """First words of the lines that may fit; empty: any."""
        self._values: list[str] = []
        """Groups of what does not belong to the key."""
        self._regex = re.compile(self._sequence(elements)[0])
        self._names = tuple(name for name in self._regex.groupindex if not name.startswith(OPTION))

    def __repr__(self) -> str:
        return f"Pattern({self.text!r})"

    def match(self, line: str) -> Matched | None:
        """What the parts of a line are, if the whole of it fits."""
        match = self._regex.fullmatch(line)
        if match is None:
            return None
        key, end = "", 0
        for start, stop in sorted(match.span(name) for name in self._values):
            if start >= end:
                key, end = f"{key}{line[end:start]}", stop
        return Matched(
            " ".join(f"{key}{line[end:]}".split()), {name: match[name] or "" for name in self._names}
        )

    def _sequence(self, elements: Iterable[Element]) -> tuple[str, bool]:
        """As a regular expression, and whether it names a thing: `<name>` stands in it."""
        regex, names_thing, begun = "", False, False
        for element in elements:
            before, behind = (" ", "") if begun else ("", " ")
            if isinstance(element, str):
                inner, named = self._word(element)
                regex += f"{before}{inner}"
                begun = True
            else:
                inner, named = self._sequence(element)
                regex += self._optional(f"{before}{inner}{behind}", names_thing=named)
            names_thing = names_thing or named
        return regex, names_thing

    def _optional(self, regex: str, *, names_thing: bool) -> str:
        if names_thing:
            return f"(?:{regex})?"
        group = f"{OPTION}{len(self._values)}"
        self._values.append(group)
        return f"(?P<{group}>{regex})?"

    def _word(self, word: str) -> tuple[str, bool]:
        regex, names_thing = "", False
        for atom in ATOM.finditer(word):
            if atom["plain"]:
                regex += _plain(atom["plain"]) if atom["plain"] == word else re.escape(atom["plain"])
                continue
            name, _, form = atom["name"][1:-1].partition(":")
            form = form or (REST if name.endswith("*") else ONE_WORD)
            names_thing = names_thing or atom["name"][0] == "<"
            if atom["name"][0] == "{":
                self._values.append(name.rstrip("*"))
            regex += f"(?P<{name.rstrip('*')}>{form})"
        return regex, names_thing


def _elements(text: str) -> list[Element]:
    """The words of a pattern, those in brackets as lists of their own."""
    open_ones: list[list[Element]] = [[]]
    at = 0
    while at < len(text) or not text:
        match = WORD.match(text, at)
        if match is None:
            message = f"{text!r} is not a pattern of lines: {text[at:]!r}"
            raise ValueError(message)
        at = match.end()
        for _ in match[1]:
            inside: list[Element] = []
            open_ones[-1].append(inside)
            open_ones.append(inside)
        open_ones[-1].append(match[2])
        del open_ones[len(open_ones) - len(match[3]) :]
        if not open_ones:
            break
    if len(open_ones) != 1 or all(isinstance(element, list) for element in open_ones[0]):
        message = f"{text!r} is not a pattern of lines: its brackets do not fit"
        raise ValueError(message)
    return open_ones[0]


def _plain(word: str) -> str:
    either = word.split("|")
    return re.escape(word) if len(either) == 1 else f"(?:{'|'.join(map(re.escape, either))})"


def _starts(elements: Iterable[Element]) -> Iterator[str]:
    """The first words, behind brackets that may be left out too. Nothing where the first word is a name."""
    words: list[str] = []
    for element in elements:
        first = element
        while isinstance(first, list):
            first = first[0]
        if first[0] in "<{" or any(mark in first for mark in "<{"):
            return
        words.extend(first.split("|"))
        if isinstance(element, str):
            break
    yield from words
