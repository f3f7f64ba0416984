"""Lines that stand in two texts in the same words at the same place, found without reading either.

Most secrets do: what is masked on a device is masked in our text of it too, and only the values are to be taken over.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence

from fabric.configuration.dialect import Dialect
from fabric.configuration.syntaxes.syntax import Sectioned

Place = tuple[str, str]
"""The header of a section and the line right below it, with its margin; of a header itself, nothing below it."""


def same_places(dialect: Dialect, ours: str, numbers: Sequence[int], theirs: str) -> dict[int, int] | None:
    """For each line of our text with one of these numbers, from 0, the number of the device's.

    Both are in plain form and masked. None if that is not seen at once for all of them: a line stands deeper than right
    below a header, or is not there, or twice.
    """
    if not isinstance(dialect.syntax, Sectioned) or any(map(dialect.syntax.has_own_text, (ours, theirs))):
        return None
    lines = ours.split("\n")
    wanted = frozenset(numbers)
    places = {place: number for number, place in _places(lines, {lines[number] for number in numbers})}
    if set(places.values()) != wanted:
        return None
    found: dict[Place, int] = {}
    for number, place in _places(theirs.split("\n"), {line or header for header, line in places}):
        if place in found:
            return None
        found[place] = number
    if not places.keys() <= found.keys():
        return None
    return {number: found[place] for place, number in places.items()}


def _places(lines: Iterable[str], wanted: Container[str]) -> Iterator[tuple[int, Place]]:
    """The places of the lines that are wanted, of those that stand on the first two levels."""
    header, margin = "", ""
    for number, line in enumerate(lines):
        if line[:1] != " ":
            header, margin = line, ""
            if line in wanted:
                yield number, (line, "")
            continue
        margin = margin or _margin(line)
        if line in wanted and _margin(line) == margin:
            yield number, (header, line)


def _margin(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" "))]
