"""Quantities as people write them: `400G`, `40m`, `9216B`, `200ms`, `1.5%`.

The only place that converts. Inside the program a quantity is a plain integer in the unit of its name
(`speed_mbps`, `cable_m`, `kmin_bytes`, `timeout_ms`); the classes here are `int`s that know their spelling.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from typing import ClassVar, Self

END = r"$(?!\n)"
"""End of a pattern: a bare `$` also matches before a trailing newline, which would let a line be injected."""


Noun = tuple[str, str]
"""What is counted: one of it, and several."""


def counted(count: int, noun: Noun | str) -> str:
    """`1 cable`, `1,024 cables`. A noun that stands alone is regular: cable, switch, leaf."""
    return f"{count:,} {noun_of(count, noun)}"


def noun_of(count: int, noun: Noun | str) -> str:
    """The noun alone, for a number that stands elsewhere or nowhere."""
    if isinstance(noun, str):
        noun = noun, _several(noun)
    return noun[count != 1]


IRREGULAR = {"leaf": "leaves", "ex": "exes", "ix": "ixes", "ss": "sses", "ch": "ches", "try": "tries"}
"""Ends of nouns whose plural is more than an `s`."""


def _several(noun: str) -> str:
    end = next((end for end in IRREGULAR if noun.endswith(end)), "")
    return noun.removesuffix(end) + IRREGULAR.get(end, "s")


ABOVE_ZERO = "out of range: it must be above 0"
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _decimals(factor: Fraction) -> str:
    """Decimals that leave a whole number of base units: as many as the factor has tens; of 1024 halves and quarters."""
    tens = min(6, next(n for n in range(10) if factor % 10 ** (n + 1)))
    if tens:
        return rf"(?:\.[0-9]{{1,{tens}}}0{{0,{6 - tens}}})?"
    return r"(?:\.(?:0|5|25|75)0{0,4})?" if factor % 4 == 0 else r"(?:\.0{1,6})?"


class Quantity(int):
    """An integer with a unit. Subclasses say the unit, how it is spelled and what it means."""

    factors: ClassVar[dict[str, Fraction]]
    """Suffix to multiple of the base unit, the preferred ones for printing first."""
    what: ClassVar[str]
    unit: ClassVar[str]
    """The base unit; `what` with it reads as `speed in Mb/s`."""
    example: ClassVar[str]
    number: ClassVar[str] = r"(?:0|[1-9][0-9]{0,11})"
    positive: ClassVar[bool] = False
    """Whether nothing of the kind has none of it: no link has a speed of 0."""

    @classmethod
    @cache
    def pattern(cls) -> str:
        """The regular expression of the written form, for the schema and for `parse`: a whole number of base units."""
        suffixes = "|".join(_decimals(factor) + re.escape(suffix) for suffix, factor in cls.factors.items())
        above = r"(?![0.]+[A-Za-z])" if cls.positive else ""
        return f"^{above}{cls.number}(?:{suffixes}){END}"

    @classmethod
    def suffixes(cls) -> str:
        """The units that are read, the smallest first: `ms, s, min or h`."""
        *others, last = reversed(cls.factors)
        return f"{', '.join(others)} or {last}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the written form. `ValueError` if it is not one, or not a whole number of base units."""
        if re.match(cls.pattern(), text):
            number = text.rstrip(LETTERS)
            return cls(int(Fraction(number) * cls.factors[text.removeprefix(number)]))
        if re.match(rf"^{cls.number}(?:\.[0-9]+)?(?:{'|'.join(map(re.escape, cls.factors))}){END}", text):
            fault = f"not a whole number of {cls.unit}"
            if cls.positive and not text.strip(f"0.{LETTERS}"):
                fault = ABOVE_ZERO
            message = f"{text!r} is {fault}"
        else:
            message = f"{text!r} is not a {cls.what} in {cls.suffixes()}: write it like {cls.example}"
        raise ValueError(message)

    def __str__(self) -> str:
        if int(self) == 0:
            return f"0{next(reversed(self.factors))}"
        for suffix, factor in self.factors.items():
            amount = Fraction(int(self)) / factor
            if amount.denominator == 1:
                return f"{amount.numerator}{suffix}"
        return f"{int(self)}"  # unreachable: the last factor is the base unit

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"


class Speed(Quantity):
    """A link or port speed in Mb/s, written `400G`."""

    factors: ClassVar = {"G": Fraction(1000), "M": Fraction(1)}
    what = "speed"
    unit = "Mb/s"
    positive = True
    example = "400G"


class Length(Quantity):
    """A cable length in whole metres, written `40m`."""

    factors: ClassVar = {"km": Fraction(1000), "m": Fraction(1)}
    what = "length"
    unit = "metres"
    positive = True
    example = "40m"


class Bytes(Quantity):
    """A number of bytes, written `9216B`, `500KB` (1000) or `512KiB` (1024)."""

    factors: ClassVar = {
        "MiB": Fraction(1024**2),
        "MB": Fraction(10**6),
        "KiB": Fraction(1024),
        "KB": Fraction(1000),
        "B": Fraction(1),
    }
    what = "size"
    unit = "bytes"
    example = "9216B"


class DataSize(Quantity):
    """How much is sent, in bytes, written `1GiB` (1024^3) or `500MB`. On the command line only."""

    factors: ClassVar = {"GiB": Fraction(1024**3), "GB": Fraction(10**9), **Bytes.factors}
    what = "size"
    unit = "bytes"
    positive = True
    example = "1GiB"


class Duration(Quantity):
    """A time in milliseconds, written `200ms`, `3s`, `10min` or `2h`."""

    factors: ClassVar = {
        "h": Fraction(3_600_000),
        "min": Fraction(60_000),
        "s": Fraction(1000),
        "ms": Fraction(1),
    }
    what = "time"
    unit = "milliseconds"
    example = "200ms"


QUANTITIES: tuple[type[Quantity], ...] = (Speed, Length, Bytes, Duration)


def ratio(value: Fraction) -> str:
    """A bandwidth ratio as the field writes it: `1:1`, `15:1`, `1.067:1`."""
    whole = value.denominator == 1
    return f"{value.numerator}:1" if whole else f"{float(value):.4g}:1"


def parse_ratio(text: str) -> Fraction:
    """Read `15:1`, `1.067:1` or `16:15`. `ValueError` if it is not a ratio."""
    match = re.match(rf"^([0-9]{{1,6}}(?:\.[0-9]{{1,6}})?):([1-9][0-9]{{0,5}}){END}", text)
    if match is None:
        message = f"{text!r} is not a valid ratio: write it like 1:1 or 15:1"
        raise ValueError(message)
    return Fraction(match[1]) / int(match[2])


def spans(values: Iterable[int]) -> str:
    """Whole numbers as ranges: `0-25, 27`."""
    found: list[list[int]] = []
    for value in sorted(values):
        if found and found[-1][1] == value - 1:
            found[-1][1] = value
        else:
            found.append([value, value])
    return ", ".join(f"{a}" if a == b else f"{a}-{b}" for a, b in found)
