"""What an unquoted YAML scalar means: JSON's numbers and words, text, or nothing certain."""

from __future__ import annotations

import math
import re
from typing import Any

from fabric.units import END

NUMBER = re.compile(rf"^-?(?:0|[1-9][0-9]*)(?P<fraction>\.[0-9]+)?(?P<exponent>[eE][+-]?[0-9]+)?{END}")
"""JSON's grammar of numbers (RFC 8259, section 6)."""
LONGEST_NUMBER = 18
"""Digits: such a number fits into 64 bits everywhere."""

JSON_WORDS = {"true": True, "false": False, "null": None, "": None}

SURPRISES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(rf"^(?:{pattern}){END}"), meaning)
    for pattern, meaning in (
        (r"y|Y|yes|Yes|YES|on|On|ON|True|TRUE", "true in YAML 1.1"),
        (r"n|N|no|No|NO|off|Off|OFF|False|FALSE", "false in YAML 1.1"),
        (r"~|Null|NULL", "null"),
        (r"[-+]?0[0-7_]+", "an octal number in YAML 1.1"),
        (r"[-+]?0[0-9_]+", "a number with a leading zero"),
        (r"[-+]?0o[0-7]+", "an octal number in YAML 1.2"),
        (r"[-+]?0x[0-9a-fA-F_]+", "a hexadecimal number"),
        (r"[-+]?0b[01_]+", "a binary number in YAML 1.1"),
        (r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?", "a number to the base 60 in YAML 1.1"),
        (r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt \t].*)?", "a date in YAML 1.1"),
        (r"[-+]?\.(?:inf|Inf|INF|nan|NaN|NAN)", "infinity or not-a-number"),
        (
            r"[-+]?(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9_]+)(?:[eE][-+]?[0-9]+)?",
            "a number in YAML, yet not in JSON",
        ),
        (r"[-+]?[0-9][0-9_]*(?:[eE][-+]?[0-9]+)?", "a number in YAML, yet not in JSON"),
        (r"=", "the default-value key in YAML 1.1"),
        (r"<<", "a merge key in YAML 1.1"),
    )
)
"""What some reader of YAML takes for something else than text, and for what."""

SUSPICIOUS = re.compile(r"[-+.=<~0-9]|[yYnNoOtTfF]\w{0,4}$")
"""A cheap first look: no other text can be a number or a surprise."""


class Ambiguous(ValueError):
    """An unquoted scalar that readers interpret differently; the text of the error explains how."""


def resolve(text: str) -> Any:
    """The value of an unquoted scalar. `Ambiguous` if readers differ."""
    if text in JSON_WORDS:
        return JSON_WORDS[text]
    if not SUSPICIOUS.match(text):
        return text
    number = NUMBER.match(text)
    if number:
        return _number(text, is_whole=not (number["fraction"] or number["exponent"]))
    for pattern, meaning in SURPRISES:
        if pattern.match(text):
            raise Ambiguous(meaning)
    return text


def is_text(text: str) -> bool:
    """Whether an unquoted scalar is the text itself."""
    try:
        return bool(resolve(text) == text)
    except Ambiguous:
        return False


def _number(text: str, *, is_whole: bool) -> int | float:
    if len(text.lstrip("-")) > LONGEST_NUMBER:
        message = f"a number of more than {LONGEST_NUMBER} digits"
        raise Ambiguous(message)
    value = int(text) if is_whole else float(text)
    if not math.isfinite(value):
        message = "a number beyond all bounds"
        raise Ambiguous(message)
    return value


def advice(text: str) -> str:
    """What to write instead of an ambiguous text: the number that it looks like, and the text itself."""
    words = {
        "true": ("y", "yes", "on", "true"),
        "false": ("n", "no", "off", "false"),
        "null": ("~", "null"),
    }
    meant = next((word for word, spellings in words.items() if text.lower() in spellings), None)
    meant = meant or _meant_number(text)
    if meant is None and text[:1] in "-+.0123456789" and ":" not in text and text.count("-") < 2:
        meant = f"a number of at most {LONGEST_NUMBER} digits"
    return (f"write {meant}, or quote it" if meant else "quote it") + f': "{text}"'


def _meant_number(text: str) -> str | None:
    """The number as JSON writes it that a person most likely meant; None if nobody could guess it."""
    digits = text.replace("_", "").removeprefix("+")
    sign, digits = ("-", digits[1:]) if digits.startswith("-") else ("", digits)
    for pattern, base in ((r"0[xX][0-9a-fA-F]+", 16), (r"0b[01]+", 2), (r"0o[0-7]+", 8), (r"[0-9]+", 10)):
        if re.fullmatch(pattern, digits):
            number = str(int(digits, base))
            return f"{sign}{number}" if len(number) <= LONGEST_NUMBER else None
    decimal = re.fullmatch(r"([0-9]*)\.([0-9]*)", digits)
    if decimal and (decimal[1] or decimal[2]):
        return f"{sign}{int(decimal[1] or 0)}.{decimal[2] or 0}"
    return None
