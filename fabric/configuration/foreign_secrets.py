"""Secrets in lines that no table of ours knows: whatever follows a word that may stand before one is masked.

What a table knows, its product masks. Of any other line nobody can tell what it holds, so rather too much is masked.
Words: the command references of the products, and what `show tech` scrubbers of the trade look for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, lru_cache
from typing import Any, Protocol, runtime_checkable

from fabric.configuration.patterns import Pattern
from fabric.configuration.statements import Section, Statement
from fabric.configuration.syntaxes.syntax import Syntax
from fabric.configuration.tree import MASK

STEMS = (
    "auth", "bearer", "bindpw", "cak", "cipher", "ckn", "communit", "cred", "crypt", "digest", "hash", "hmac", "key",
    "md5", "pass", "priv", "psk", "pwd", "secret", "sha", "token", "-text", "-octets", "://", "$", "@", "-u ",
)  # fmt: skip
"""A text without any of these, and without long words, holds no secret. In small letters."""
ANYWHERE = (
    r"auth|bearer|bind-?pw|credential|pass-?(?:word|wd|phrase|key|code)|pre-?shared|secret|token|"
    r"(?<!set )(?<!match )(?<!send-)(?<!ip )(?<!large-)(?<!extended-)communit(?:y|ies)(?!-?(?:list|set))"
)
AS_A_WORD = (
    r"ascii-text|cak|ckn|cipher\w*|(?:en|de)?crypt\w*|digest|hash(?:ed)?(?!_)|hex-octets|hmac|keys?(?!_protection)|md5|plain-text|"
    r"priv(?!ileg)\w*|psk|pwd?|sha[0-9]*"
)
WORD = re.compile(
    rf"(?i)(?<![a-z0-9])[a-z0-9_.-]*?(?:{ANYWHERE}|(?<![a-z0-9])(?:{AS_A_WORD})(?![a-z0-9]))[a-z0-9_.-]*"
)
"""A word behind which a secret may stand."""
OF_A_LOGIN = re.compile(r"no |aaa (?:authentication|authorization|accounting)\b|authentication-order\b")
"""What is off, or how one logs in: with nothing secret behind it."""
LONG = 20
"""Characters from which a word may be a key by its looks."""
LOOKS = re.compile(
    r"""(?x)(?<!\S)["']?(?:
        \$[0-9a-zA-Z]{1,8}\$\S+                                     # crypt(3), Junos
      | U[02]FsdGVkX[01]\S*                                         # OpenSSL, salted; `ALIKE` too
      | (?:0x)?[0-9a-fA-F]{20,}(?![^\s"';,])                         # longer than a GUID
      | (?=[^\s/]*[a-z])(?=\S*[A-Z])(?=\S*[0-9])[A-Za-z0-9+/]{24,}={0,2}(?![^\s"';,])
      )["']?
      | (?<=[ \t][5789][ \t])(?=\S*[0-9])[0-9A-Fa-f]{8,}(?!\S)       # a type and its key
      | (?<=://)[^\s/@]*:[^\s/@]+(?=@)                              # https://user:password@host
      | (?<=-u[ ])\S+:\S+"""
)
"""What looks like a secret, wherever it stands."""
ALIKE = str.maketrans("12346789", "00000555")
"""Digits that are one to whatever looks for secrets: a type that a key has is a 5, 7, 8 or 9. Lines that differ in
numbers and addresses alone are then the same, which most lines of a fabric do."""
BLANKS = re.compile(r"[ \t]+")
HIDDEN = re.compile(r"""["']?<(?:secret:[^<>\s]+|masked|ours)>["']?[;,]?""")
SWITCHES = frozenset(
    ("true", "false", "on", "off", "yes", "no", "none", "enable", "enabled", "disable", "disabled")
)
"""Values that are not secrets whatever stands before them."""
MAX_KNOWN = 1 << 16
"""Lines that are remembered: most are alike on all devices."""


@runtime_checkable
class OwnWay(Protocol):
    """A syntax in which a line does not stand by itself."""

    def without_secrets(self, text: str, secrets: ForeignSecrets, ours: str) -> str:
        """The text with secrets of lines masked that nobody knows, but for lines of `ours`."""


class ForeignSecrets:
    """What of a product's configuration may be a secret that its table does not know."""

    def __init__(self, top: Section, mask: Callable[[str], str], harmless: frozenset[str]) -> None:
        self.top = top
        self._searched = Section(*(row for row in top.statements if row.pattern not in harmless))
        self.harmless = harmless
        self._mask = mask
        self._met: dict[str, str] = {}
        self._unsuspected: set[str] = set()
        self._parts: dict[str, ForeignSecrets] = {}

    def of_part(self, name: str) -> ForeignSecrets:
        """Those of a file of several."""
        if name not in self._parts:
            below = self.inside(name, self.top)[1]
            self._parts[name] = ForeignSecrets(below or Section(), self._mask, self.harmless)
        return self._parts[name]

    def hidden(self, syntax: Syntax, text: str, ours: str = "") -> str:
        """A text in plain form without secrets of lines that no table knows; lines that `ours` has stay as they are."""
        if not text:
            return text
        if isinstance(syntax, OwnWay):
            return syntax.without_secrets(text, self, ours)
        return self.line_by_line(text, ours)

    def line_by_line(self, text: str, ours: str) -> str:
        """The same, of a text whose lines stand by themselves."""
        suspected = self._suspected(text)
        if not suspected:
            return text
        lines = text.split("\n")
        own: set[str] | None = None
        for number in suspected:
            line = lines[number]
            masked = self.line(line, is_header=_is_header(lines, number))
            if masked != line:
                own = {text.strip() for text in ours.split("\n")} if own is None else own
                lines[number] = line if line.strip() in own else masked
        return "\n".join(lines)

    def _suspected(self, text: str) -> list[int]:
        """Numbers, from 0, of the lines that may hold a secret. What was met before is not searched again."""
        lines, met = text.translate(ALIKE).split("\n"), self._unsuspected
        new = [number for number, line in enumerate(lines) if line not in met]
        if not new:
            return new
        searched = [lines[number] for number in new]
        found = suspects("\n".join(searched))
        if len(met) >= MAX_KNOWN:
            met.clear()
        met.update(line for at, line in enumerate(searched) if at not in found)
        return [new[at] for at in sorted(found)]

    def line(self, line: str, *, is_header: bool = False) -> str:
        """One line without its secrets; of one with others below it, what names it may stay."""
        if is_header and not LOOKS.search(line) and not is_strong(line):
            return line
        masked = self._met.get(line)
        if masked is None:
            masked = self._masked(line)
            if len(self._met) >= MAX_KNOWN:
                self._met.clear()
            self._met[line] = masked
        return masked

    def _masked(self, line: str) -> str:
        text = line.strip()
        if not may_be_secret(text):
            return line
        margin, plain = line[: len(line) - len(line.lstrip())], BLANKS.sub(" ", text)
        if not self.is_known(plain):
            # The product's own mask knows the form of a line better: what it has left is no secret by its place.
            hidden = LOOKS.sub(MASK, text) if MASK in text else masked_words(text)
            return f"{margin}{hidden}"
        # Neither blanks nor another place must keep its product from seeing what it is.
        shown = (self._mask(f"{blanks}{plain}").strip() for blanks in (margin, f"{margin} "))
        return f"{margin}{next((masked for masked in shown if masked != plain), text)}"

    def inside(self, line: str, section: Section | None) -> tuple[bool, Section | None]:
        """Whether a row of a section names a line, and the section below it."""
        known = section.find(line) if section is not None else None
        if known is None or not names_line(known.statement):
            return False, None
        return True, known.statement.below

    def is_known(self, line: str) -> bool:
        """Whether a row of the table names a line, wherever it may stand."""
        by_start, others = self._forms
        return any(pattern.match(line) for pattern in (*by_start.get(line.partition(" ")[0], ()), *others))

    @cached_property
    def _forms(self) -> tuple[Mapping[str, tuple[Pattern, ...]], tuple[Pattern, ...]]:
        """The forms of lines, by their first words, and those that have none."""
        forms: dict[str, dict[str, Pattern]] = {}
        others: dict[str, Pattern] = {}
        for section in _sections(self._searched, set()):
            for statement in section.statements:
                pattern = Pattern(statement.pattern)
                for start in pattern.starts:
                    forms.setdefault(start, {})[statement.pattern] = pattern
                if not pattern.starts and not _fits_any(pattern):
                    others[statement.pattern] = pattern
        return {start: tuple(patterns.values()) for start, patterns in forms.items()}, tuple(others.values())


def names_line(statement: Statement) -> bool:
    """Whether a row names its lines, or reads them: one that fits any line, and is not read, knows none."""
    return not statement.is_unread or not _fits_any(Pattern(statement.pattern))


def _fits_any(pattern: Pattern) -> bool:
    """Whether a pattern fits lines whatever they say: some of words that no product has do."""
    return any(pattern.match(" ".join(["zq9x"] * count)) for count in range(1, 5))


def _sections(section: Section, met: set[int]) -> Iterable[Section]:
    if id(section) in met:
        return
    met.add(id(section))
    yield section
    for statement in section.statements:
        if statement.below is not None:
            yield from _sections(statement.below, met)


def suspects(text: str) -> set[int]:
    """Numbers, from 0, of the lines that may hold a secret."""
    low, numbers = text.lower(), set[int]()
    words = {word.lower() for word in set(text.split()) if len(word) >= LONG and LOOKS.search(word)}
    for stem in (*STEMS, *words, " 5 ", " 7 ", " 8 ", " 9 "):
        at, line, counted = low.find(stem), 0, 0
        while at >= 0:
            line += low.count("\n", counted, at)
            counted = at
            numbers.add(line)
            end = low.find("\n", at)
            at = low.find(stem, end) if end >= 0 else -1
    return numbers


def _is_header(lines: list[str], number: int) -> bool:
    """Whether the next line stands below this one."""
    after = lines[number + 1] if number + 1 < len(lines) else ""
    return bool(after.strip()) and _margin(after) > _margin(lines[number])


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())


def is_strong(line: str) -> bool:
    """Whether the word before a secret says so by itself: a `key` with lines below it is a key's number."""
    match = WORD.search(line)
    return (
        match is not None
        and re.search(r"(?i)pass|secret|communit|token|cred|[-_]key(?![-_])", match[0]) is not None
    )


@lru_cache(maxsize=MAX_KNOWN)
def may_be_secret(text: str) -> bool:
    """Whether a word of a text may stand before a secret, with something behind it, or looks like one itself."""
    return LOOKS.search(text) is not None or (not is_login(text) and _value_at(text) is not None)


def is_login(text: str) -> bool:
    """Whether a line says by what means one logs in: words of that kind hold no secret."""
    return OF_A_LOGIN.match(text) is not None


@lru_cache(maxsize=MAX_KNOWN)
def names_secret(word: str) -> bool:
    """Whether a whole word is one that may stand before a secret."""
    return WORD.fullmatch(word) is not None


def _value_at(text: str) -> int | None:
    """Where that begins which is behind a word that may stand before a secret; None if nothing is, or all is masked."""
    match = WORD.search(text)
    if match is None:
        return None
    at = match.end()
    while at < len(text) and text[at] in " \t=:,":
        at += 1
    rest = text[at:].split()
    return at if any(not HIDDEN.fullmatch(word) for word in rest) else None


def masked_words(text: str) -> str:
    """A text with each word behind the first that may stand before a secret masked, and what looks like one."""
    text = LOOKS.sub(MASK, text)
    at = None if is_login(text) else _value_at(text)
    before, behind = (text, "") if at is None else (text[:at], text[at:])
    behind = re.sub(r"\S+", lambda word: word[0] if HIDDEN.fullmatch(word[0]) else MASK, behind)
    return f"{before}{behind}"


def has_documents(value: Any) -> bool:
    """Whether a value is a list of documents."""
    return value.__class__ is list and bool(value) and all(entry.__class__ is dict for entry in value)


def is_suspect(key: str, value: Any, *, is_below: bool) -> bool:
    """Whether a value may be a secret: by its key, by itself, or by what it stands below."""
    if value.__class__ is list:
        return any(is_suspect(key, entry, is_below=is_below) for entry in value)
    if value is None or value.__class__ is bool:
        return False
    if value.__class__ in (int, float):  # a count below `password` is none, a number as `password` may be one
        return names_secret(key)
    text = str(value)
    if not text or text.lower() in SWITCHES or HIDDEN.fullmatch(text):
        return False
    return is_below or names_secret(key) or may_be_secret(" ".join(text.split()))
