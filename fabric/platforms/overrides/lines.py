"""Verbatim lines of an override for products that are told line by line: what must not stand in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

FREE_TEXT = frozenset({"banner", "code", "comment"})
"""First words of commands that take all that follows for their text, until a mark that may never come."""

EXECUTED = frozenset(
    {
        "clear",
        "configure",
        "copy",
        "debug",
        "delete",
        "dir",
        "disable",
        "do",
        "enable",
        "end",
        "erase",
        "exit",
        "help",
        "install",
        "ping",
        "quit",
        "reload",
        "rollback",
        "session",
        "show",
        "ssh",
        "telnet",
        "terminal",
        "traceroute",
        "undebug",
        "who",
        "write",
    }
)
"""First words that command lines of this kind run, and that none of them configures with.

Sources: Arista EOS user manual, "Command modes"; Cisco Nexus 9000 fundamentals guide, "EXEC command mode"; FRR user
manual, "Terminal mode commands" and vtysh.
"""


Words = tuple[str, ...]


class Fault(NamedTuple):
    """A line of an override that must not stand."""

    number: int
    """In the block, from 1; 0: no line alone."""
    line: str
    effect: str
    """What it would do."""
    hint: str
    """What to write instead."""


FULL = "give configuration lines only, each word in full"


def faults(text: str, leaving: frozenset[str], programs: tuple[Words, ...] = ()) -> Iterator[Fault]:
    """Each line that would do more than it says.

    `leaving` are first words of lines that leave the configuration mode of the product, or do more than configure.
    `programs` are the beginnings of what runs programs or reaches what it does not name, from the margin on. Words
    may be abbreviated, as the product's command line takes them.
    """
    lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    for number, line in lines[:1]:
        if line[0].isspace():
            hint = "begin with the line that opens its own section"
            yield Fault(number, line, "continue the section that stands above it", hint)
    for number, line in lines:
        first = line.split()[0].casefold()
        if any(word.startswith(first) for word in leaving):
            yield Fault(number, line, "leave the configuration mode, or do more than configure", FULL)
        elif first in FREE_TEXT:
            hint = "use `services.banner`" if first == "banner" else "remove the line"
            yield Fault(number, line, "take the lines that follow for its text", hint)
        elif "interface".startswith(first) and SEVERAL.search(line):
            hint = "write a section for each port"
            yield Fault(number, line, "open the sections of several ports at once", hint)
    for number, path in paths(text):
        if runs(path, programs):
            hint = "remove it; what runs on a switch is set up outside of this program"
            yield Fault(number, path[-1], RUNS, hint)


RUNS = "run programs, or act on what it does not name"
SEVERAL = re.compile(r",|\d\s*-\s*(?:\d|[A-Za-z]+\d)")
"""A list or a range of ports."""


def runs(path: Iterable[str], programs: tuple[Words, ...]) -> bool:
    """Whether a line, behind the lines that it stands in, begins as one of the programs does."""
    words = [word.strip('"').casefold() for line in path for word in line.split()]
    return any(
        len(words) >= len(known)
        and all(full.startswith(word) for full, word in zip(known, words, strict=False))
        for known in programs
    )


def paths(text: str, comment: str = "!") -> Iterator[tuple[int, Words]]:
    """Every line, from 1, behind the lines that it stands in by its indentation. Comments are left out."""
    above: list[tuple[int, str]] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if not line or line.startswith(comment):
            continue
        indent = len(raw) - len(raw.lstrip())
        while above and above[-1][0] >= indent:
            above.pop()
        yield number, (*(upper for _, upper in above), line)
        above.append((indent, line))
