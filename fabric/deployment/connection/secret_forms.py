"""The forms in which a secret may be shown: as it is, in quotes, encoded in base64 as we send it, and cut short.

Found in a text by comparing, never by patterns: what is looked for is known from the start, and a look costs as much
as reading the text once for each form.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from math import ceil
from string import ascii_letters, digits
from typing import NamedTuple
from xml.sax.saxutils import escape

from fabric.platforms.base import escaped

SHORTEST_CODE, LONGEST_CODE = 4, 12
"""Letters of base64 by which a secret is known: nine bytes of it are enough, so that one cut short is found too."""
CUT = 8
"""Letters by which the beginning of a secret is known: fewer are the beginning of other words as well."""
QUOTES = "\"'`"
CUT_HERE = re.compile(rf"[{QUOTES}]|\.\.|…|\s*\Z")
"""Behind a word that is cut short: a quotation mark, dots, or nothing at all."""
DOTS = re.compile(r"\.\.|…")
LETTERS = f"{ascii_letters}{digits}+/-_"
"""Of base64, and of its form for addresses."""
CODE = re.compile(r"[A-Za-z0-9+/_-]*={0,2}")
LONGEST_WORD = 4096
"""Letters that are looked at before what was found of a word in base64."""


class Form(NamedTuple):
    """One secret: what it is shown as, and what it is known by."""

    shown: str
    value: str
    as_it_is: tuple[str, ...]
    """The value, and as JSON and XML write it."""
    codes: tuple[str, ...]
    """A part of its base64 that depends on it alone, wherever in a text it was encoded with others: `user:password`."""
    beginning: str
    """Of a value that is longer; empty for others."""


def forms_of(values: Mapping[str, str]) -> tuple[Form, ...]:
    """Of secrets by reference, the longest first. Equal values are one, with the first of their references."""
    known: dict[str, str] = {}
    for reference, value in sorted(values.items(), key=lambda item: (-len(item[1]), item[0])):
        if value:
            known.setdefault(value, f"<secret:{reference}>")
    return tuple(_form(value, shown) for value, shown in known.items())


def _form(value: str, shown: str) -> Form:
    as_it_is = tuple(dict.fromkeys((value, escaped(value), escape(value), escape(value, {'"': "&quot;"}))))
    return Form(shown, value, as_it_is, _codes(value.encode()), value[:CUT] if len(value) > CUT else "")


def _codes(value: bytes) -> tuple[str, ...]:
    """A letter of base64 holds six bits: of each of the three places at which bytes may begin, the letters inside."""
    codes: dict[str, None] = {}
    for before in range(3):
        first, last = ceil(8 * before / 6), 8 * (before + len(value)) // 6
        code = b64encode(bytes(before) + value).decode()[first:last][:LONGEST_CODE]
        if len(code) >= SHORTEST_CODE:
            codes |= dict.fromkeys((code, code.translate(str.maketrans("+/", "-_"))))
    return tuple(codes)


def without(text: str, forms: Iterable[Form]) -> str:
    """The text with every secret, in whatever form, replaced by what it is shown as.

    Not found is one whose letters have been pulled apart (by a line break in its middle), one of which less than its
    first eight letters are left, or not its first, and the beginning of one that looks like a word of a language
    (`administrator` of `administrator1`), unless dots behind it say that it was cut: else words that have nothing to
    do with a secret would be replaced.
    """
    forms = tuple(forms)
    for form in forms:
        for word in form.as_it_is:
            if word in text:
                text = text.replace(word, form.shown)
    for form in forms:
        for code in form.codes:
            if code in text:
                text = _without_code(text, code, form.shown)
        if form.beginning and form.beginning in text:
            text = _without_beginning(text, form)
    return text


def _without_code(text: str, code: str, shown: str) -> str:
    """Each word in base64 that holds a code is replaced whole: at its ends it holds some bits more of the secret."""
    kept: list[str] = []
    done, at = 0, text.find(code)
    while at >= 0:
        before = text[max(done, at - LONGEST_WORD) : at]
        start = at - len(before) + len(before.rstrip(LETTERS))
        end = CODE.match(text, at)
        kept += (text[done:start], shown)
        done = end.end() if end else at + len(code)
        at = text.find(code, done)
    return "".join((*kept, text[done:]))


def _without_beginning(text: str, form: Form) -> str:
    kept: list[str] = []
    done, at = 0, text.find(form.beginning)
    while at >= 0:
        end = at + _alike(text[at : at + len(form.value)], form.value)
        if _is_cut(text, at, end):
            kept += (text[done:at], form.shown)
            done = end
        at = text.find(form.beginning, end)
    return "".join((*kept, text[done:]))


def _alike(text: str, value: str) -> int:
    """How many letters they have in common at their beginnings."""
    return next(
        (at for at, (one, other) in enumerate(zip(text, value, strict=False)) if one != other), len(text)
    )


def _is_cut(text: str, at: int, end: int) -> bool:
    """Whether a word there is what is left of a secret: it begins with its first letter and ends as one cut short."""
    before, behind = text[at - 1 : at], text[end : end + 1]
    if before.isalnum() or not (
        CUT_HERE.match(text, end) or (before and before in QUOTES and behind.isspace())
    ):
        return False
    return bool(DOTS.match(text, end)) or not _is_plain(text[at:end])


def _is_plain(word: str) -> bool:
    """Whether it may be a word of a language, or a number."""
    return word.isdecimal() or (word.isalpha() and word in (word.lower(), word.upper(), word.capitalize()))
