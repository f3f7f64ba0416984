"""Junos's curly text as a tree, and the tree as statements that each say everything on one line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|/\*.*?\*/|#[^\n]*|[{};]|[^\s{};"]+|\n', re.DOTALL)
_PLAIN = re.compile(r"[A-Za-z0-9_./:@+-]+")


class Statement(msgspec.Struct):
    """One statement: its words, and what stands between its braces."""

    number: int
    """Line in the text, from 1."""
    words: list[str]
    """Quoted ones only where they must be."""
    below: list[Statement] | None = None
    """None: it ends with a semicolon."""


def parse(text: str) -> list[Statement]:
    """The top statements. Comments are left out; a brace too many or too few ends what is open."""
    root: list[Statement] = []
    stack = [root]
    words: list[str] = []
    number = start = 1
    for match in _TOKEN.finditer(text):
        word = match[0]
        if word == "{":
            stack.append(_opened(stack[-1], start, words))
            words = []
        elif word in ("}", ";"):
            if words:
                stack[-1].append(Statement(start, words))
                words = []
            if word == "}" and len(stack) > 1:
                stack.pop()
        elif not _is_silent(word):
            start = start if words else number
            words.append(_plain(word))
        number += word.count("\n")
    if words:
        stack[-1].append(Statement(start, words))
    return root


def flaw(text: str) -> str:
    """Why Junos would not read the text as statements of its own; empty: it would."""
    depth, words = 0, False
    for match in _TOKEN.finditer(text):
        word = match[0]
        if word in ("{", "}", ";"):
            if words == (word == "}"):
                return f"`{word}` stands where a {'semicolon' if words else 'word'} is missing"
            depth += {"{": 1, "}": -1}.get(word, 0)
            words = False
        elif not _is_silent(word):
            words = True
        if depth < 0:
            return "there is a brace too many"
        if word.startswith("/*") and not word.endswith("*/"):
            return "a comment is not closed"
    if '"' in _TOKEN.sub("", text):
        return "a quotation mark is not closed"
    if words:
        return "the last statement lacks its semicolon"
    return "a brace is not closed" if depth else ""


def _is_silent(word: str) -> bool:
    """Comments and line ends."""
    return word.startswith(("#", "/*", "\n"))


def _opened(here: list[Statement], number: int, words: list[str]) -> list[Statement]:
    """Where the next statements belong; braces without words stand for nothing."""
    if not words:
        return here
    below: list[Statement] = []
    here.append(Statement(number, words, below))
    return below


def unquoted(word: str) -> str:
    """What a word says."""
    if not word.startswith('"'):
        return word
    return re.sub(r"\\(.)", lambda match: "\n" if match[1] == "n" else match[1], word[1:-1])


def flat(statements: Iterable[Statement], above: str = "") -> Iterator[tuple[int, str]]:
    """Line number and full text of every statement without braces, or with nothing between them."""
    for one in statements:
        text = f"{above} {' '.join(one.words)}".lstrip()
        if one.below:
            yield from flat(one.below, text)
        else:
            yield one.number, text


def in_terms(lines: Iterable[str]) -> str:
    """What a policy says as one text: terms in their order, their lines sorted, for order says nothing there."""
    terms: dict[str, list[str]] = {}
    for line in lines:
        term = re.match(r"term \S+", line)
        terms.setdefault(term[0] if term else "", []).append(line)
    return "; ".join(line for found in terms.values() for line in sorted(found))


def printed(statements: Iterable[Statement], indent: int = 0) -> Iterator[str]:
    """The lines of a tree, as Junos shows it."""
    margin = " " * indent
    for one in statements:
        text = f"{margin}{' '.join(one.words)}"
        if one.below is None:
            yield f"{text};"
        else:
            yield f"{text} {{"
            yield from printed(one.below, indent + 4)
            yield f"{margin}}}"


def _plain(token: str) -> str:
    return token[1:-1] if token.startswith('"') and _PLAIN.fullmatch(token[1:-1]) else token
