"""The lines of a device that somebody means: by words, by a number, or by the header of a section."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from fabric.compiler import Compiled
from fabric.provenance import codes
from fabric.provenance.model import Line
from fabric.provenance.refusal import not_found
from fabric.provenance.why import lines_of

NEAREST = 3
LONGEST = 70
"""Letters of a line that a hint shows."""
LEAST_ALIKE = 0.4


def find_lines(
    compiled: Compiled,
    device: str,
    words: str = "",
    *,
    number: int | None = None,
    section: bool = False,
    file: str = "",
) -> tuple[Line, ...]:
    """The lines that contain some words, or have a number; with `section` all below headers that contain them.

    `file`: only of files whose path ends so. `Refused` if there is no such device, or no such line.
    """
    every = tuple(line for line in lines_of(compiled, device) if line.file.endswith(file))
    if number is not None:
        found = tuple(line for line in every if line.number == number)
        if not found:
            near = min(every, key=lambda line: abs(line.number - number), default=None)
            hint = f"the nearest is {near.file}:{near.number}: {_short(near.text)}" if near else None
            raise not_found(codes.NO_LINE, f"{device} has no line {number} that says something", hint)
        return found
    wanted = _plain(words)
    if section:
        found = tuple(line for line in every if any(wanted in _plain(header) for header in line.above))
        headers = {
            (line.file, line.above[:depth]) for line in found for depth in range(1, len(line.above) + 1)
        }
        found = tuple(line for line in every if line in set(found) or _is_header(line, headers, wanted))
    else:
        found = tuple(line for line in every if wanted in _plain(line.text))
    if not found:
        what = "section" if section else "line"
        hint = f"the nearest lines are {_nearest(wanted, every)}"
        raise not_found(codes.NO_LINE, f"no {what} of {device} has the words {words!r}", hint)
    return found


def _is_header(line: Line, headers: set[tuple[str, tuple[str, ...]]], wanted: str) -> bool:
    return wanted in _plain(line.text) and (line.file, (*line.above, line.text)) in headers


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _nearest(wanted: str, lines: Sequence[Line]) -> str:
    """The lines that are most like some words, or share one of them."""
    texts = list(dict.fromkeys(line.text for line in lines))
    close = get_close_matches(wanted, texts, n=NEAREST, cutoff=LEAST_ALIKE)
    sharing = sorted(texts, key=lambda text: -sum(word in _plain(text) for word in wanted.split()))
    return "; ".join(_short(text) for text in list(dict.fromkeys((*close, *sharing)))[:NEAREST])


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
