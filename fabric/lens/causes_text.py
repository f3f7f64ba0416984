"""The causes of a configuration line as text, and the lines of the intent that it stems from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fabric.documents import redaction
from fabric.units import counted

if TYPE_CHECKING:
    from fabric.provenance import Cause, Fact, IntentValue, Printed

AROUND = 2
"""Lines of a file before and after the one that is meant."""
MOST_CONDITIONS = 8
HIDDEN = "***"


def causes_text(causes: Sequence[Cause], printed: Printed) -> str:
    """What lines say, how that is computed, and from what, as `fabric why` tells it."""
    return "\n".join([row for cause in causes for row in _cause(cause)] + list(_printed(printed)))


def _cause(cause: Cause) -> Iterator[str]:
    like = f", and {counted(len(cause.alike), ('line', 'lines'))} like it" if cause.alike else ""
    yield f"{cause.line.file}:{cause.line.number}{like}"
    for depth, words in enumerate((*cause.line.above, cause.line.text), 1):
        yield f"{'  ' * depth}{words}"
    own = [fact for fact in cause.facts if not fact.of_section]
    if own:
        yield from _facts("SAYS", own)
    else:
        yield from ("", "It stands there on every device of this product and model.")
    headers = [fact for fact in cause.facts if fact.of_section]
    if headers:
        yield from _facts("ITS SECTION SAYS", headers)
    yield ""


def _facts(word: str, facts: Sequence[Fact]) -> Iterator[str]:
    yield from ("", word)
    for fact in facts:
        yield f"  {fact.meaning} = {fact.value}"
        for each in fact.derivations:
            yield f"    {each.what} {each.value}: {each.formula}"
            if each.inputs:
                yield f"      with {', '.join(f'{one.name} {one.value}' for one in each.inputs)}"
            if each.source:
                yield f"      source: {each.source}"
    values = distinct(value for fact in facts for value in fact.values)
    if values:
        yield "FROM"
    yield from (row for value in values for row in _value(value))
    conditions = [each for each in distinct(v for f in facts for v in f.conditions) if each not in values]
    yield from _conditions(conditions)


def _value(value: IntentValue) -> Iterator[str]:
    yield f"  {value.key} = {value.value}"
    yield f"    {stands_at(value)}"
    if value.source:
        yield f"    source: {value.source}"


def _conditions(values: Sequence[IntentValue]) -> Iterator[str]:
    if values:
        keys = [f"{value.key} = {value.value}" for value in values[:MOST_CONDITIONS]]
        more = f", and {len(values) - len(keys)} more" if len(values) > len(keys) else ""
        yield f"IF {', '.join(keys)}{more}"


def _printed(printed: Printed) -> Iterator[str]:
    on = f" on {printed.hardware}" if printed.hardware else ""
    yield f"ALL LINES OF {printed.device}: {printed.product}{on}"
    yield from (row for value in printed.values for row in _value(value))


def stands_at(value: IntentValue) -> str:
    """`site.yaml:24:7`, or that no file has it."""
    if value.place is not None:
        return str(value.place)
    if value.kind == "hardware":
        return "hardware catalogue"
    return "default, kept by fabric.lock" if value.kind == "lock" else "default of the language (not written)"


def distinct(values: Iterable[IntentValue]) -> list[IntentValue]:
    """Each value once."""
    return list({(value.document, value.path): value for value in values}.values())


def intent_text(causes: Sequence[Cause]) -> str:
    """The lines of files that made a configuration line, each with those around it; what may be a secret is hidden."""
    values = distinct(value for cause in causes for fact in cause.facts for value in fact.values)
    if not values:
        return "No value of the intent made this line: every device of its product and model has it."
    return "\n\n".join(_excerpt(value) for value in values)


def _excerpt(value: IntentValue) -> str:
    head = f"{stands_at(value)}\n  {value.key} = {value.value}"
    if value.place is None:
        return head
    try:
        lines = Path(value.place.file).read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError as error:
        return f"{head}\n  {value.place.file} cannot be read: {error.strerror}"
    first, last = max(1, value.place.line - AROUND), min(len(lines), value.place.line + AROUND)
    rows = (_row(number, lines[number - 1], value) for number in range(first, last + 1))
    return "\n".join((head, *rows))


def _row(number: int, text: str, value: IntentValue) -> str:
    is_meant = value.place is not None and number == value.place.line
    is_secret = redaction.is_secret_line(text) or (is_meant and not value.excerpt)
    return f"{'>' if is_meant else ' '} {number:>4} | {HIDDEN if is_secret else text}"
