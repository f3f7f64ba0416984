"""The causes of a configuration line as text, and the lines of the intent that it stems from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    from fabric.provenance import conditions_of, values_of  # slow

    yield from ("", word)
    for fact in facts:
        yield f"  {fact.meaning} = {fact.value}"
        for each in fact.derivations:
            yield f"    {each.what} {each.value}: {each.formula}"
            if each.inputs:
                yield f"      with {', '.join(f'{one.name} {one.value}' for one in each.inputs)}"
            if each.source:
                yield f"      source: {each.source}"
    values = values_of(facts)
    if values:
        yield "FROM"
    yield from (row for value in values for row in _value(value))
    yield from _conditions(conditions_of(facts))


def _value(value: IntentValue) -> Iterator[str]:
    yield f"  {value.key} = {value.value}"
    yield f"    {value.stands_at}"
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


def intent_text(causes: Sequence[Cause]) -> str:
    """The lines of files that made a configuration line, each with those around it; what may be a secret is hidden."""
    from fabric.provenance import values_of  # slow

    values = values_of(fact for cause in causes for fact in cause.facts)
    if not values:
        return "No value of the intent made this line: every device of its product and model has it."
    return "\n\n".join(_excerpt(value) for value in values)


def _excerpt(value: IntentValue) -> str:
    head = f"{value.stands_at}\n  {value.key} = {value.value}"
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
