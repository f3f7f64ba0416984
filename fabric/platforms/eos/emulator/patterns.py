"""Line patterns, and every way to write one out.

A pattern is written as the command reference writes it:

    ip name-server [*vrf <*name>] <*ip>     literal words; [optional]; <type> arguments; <*type> identifies
    neighbor <*group> send-community (standard|extended)
    qos map dscp <0-63>+ to traffic-class <0-7>          one or more
    description <text>                                    the rest of the line

Words outside brackets, and whatever carries a star, identify the statement: a second line with the same
identity replaces the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from fabric.platforms.eos.emulator.words import Word, word

ELEMENT = re.compile(r"\s*(?:(?P<argument><\*?[^>]+>\+?)|(?P<mark>[][()|])|(?P<literal>[^][()|\s]+))")


@dataclass(frozen=True, slots=True)
class Token:
    """One element of a pattern without choices."""

    text: str
    word: Word | None
    identifies: bool
    repeats: bool = False


def alternatives(pattern: str) -> Iterator[tuple[Token, ...]]:
    """Every way to write a pattern out, without brackets."""
    parts = [match.groupdict() for match in ELEMENT.finditer(pattern)]
    sequences, end = _choices(parts, 0, outermost=True)
    if end != len(parts):
        message = f"unbalanced brackets in {pattern!r}"
        raise ValueError(message)
    return iter(sequences)


def _choices(parts: list[dict[str, str]], at: int, *, outermost: bool) -> tuple[list[tuple[Token, ...]], int]:
    """Parse `a b | c` up to a closing bracket: the alternatives, and where they end."""
    done: list[tuple[Token, ...]] = []
    current: list[list[tuple[Token, ...]]] = []
    while at < len(parts):
        mark = parts[at]["mark"]
        if mark in {"]", ")"}:
            break
        at += 1
        if mark == "|":
            done += _joined(current)
            current = []
        elif mark in {"[", "("}:
            inner, at = _choices(parts, at, outermost=False)
            current.append([*inner, ()] if mark == "[" else inner)
            at += 1
        else:
            current.append([(_token(parts[at - 1], outermost=outermost),)])
    return done + _joined(current), at


def _joined(current: list[list[tuple[Token, ...]]]) -> list[tuple[Token, ...]]:
    return [tuple(token for piece in pieces for token in piece) for pieces in product(*current)]


def _token(part: dict[str, str], *, outermost: bool) -> Token:
    argument = part["argument"]
    if argument:
        name = argument.strip("<>+").lstrip("*")
        return Token(name, None if name == "text" else word(name), "<*" in argument, argument.endswith("+"))
    literal = part["literal"]
    starred = literal.startswith("*")
    return Token(literal.lstrip("*"), None, outermost or starred)


def is_literal(token: Token) -> bool:
    """Whether a token stands for itself."""
    return token.word is None and token.text != "text"
