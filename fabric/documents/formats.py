"""The formats of our schemas: spellings that a pattern alone cannot check."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING, Any

from fabric.documents.words import FORMATS, decode
from fabric.units import QUANTITIES

if TYPE_CHECKING:
    from jsonschema import FormatChecker


def reader(kind: type) -> Callable[[Any], bool]:
    """A check that reads a text as `kind` and fails with `ValueError`. What is no text is another rule's matter."""

    def read(value: Any) -> bool:
        if isinstance(value, str):
            decode(kind, value)
        return True

    return read


def read_date(value: Any) -> bool:
    """Check a date as `2026-12-31`."""
    if isinstance(value, str) and str(date.fromisoformat(value)) != value:
        message = "not written as YYYY-MM-DD"
        raise ValueError(message)
    return True


def checker() -> FormatChecker:
    """Ours and no others: `FormatChecker()` would depend on which libraries are installed."""
    from jsonschema import FormatChecker  # only wrong documents pay for it

    made = FormatChecker(formats=())
    made.checks("date", raises=ValueError)(read_date)
    for kind, (name, _) in FORMATS.items():
        made.checks(name, raises=ValueError)(reader(kind))
    for quantity in QUANTITIES:
        made.checks(f"fabric-{quantity.__name__.lower()}", raises=ValueError)(reader(quantity))
    return made
