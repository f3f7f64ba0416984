"""Kept lines with secrets: masked in the plan, and read back from the device at the moment of the push."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import msgspec

from fabric.diagnostics import DeviceError
from fabric.planning.texts import MASK


class Unmasked(msgspec.Struct, frozen=True):
    """A text that can be pushed, and the values of the device in it. Never printed."""

    text: str
    values: tuple[str, ...]

    def __repr__(self) -> str:
        return f"Unmasked({len(self.values)} values)"


def unmasked(device: str, text: str, running: str) -> Unmasked:
    """Put the device's own values where the text has masks.

    The n-th masked line of a section takes the n-th line of that form in the same section of `running`, the
    configuration as the device prints it. `DeviceError` if the device has no such line.
    """
    if MASK not in text:
        return Unmasked(text, ())
    lines, values, taken = [], list[str](), Counter[tuple[str, str]]()
    printed = list(_sections(running))
    for section, line in _sections(text):
        if MASK not in line:
            lines.append(line)
            continue
        found = _matches(section, line, printed)
        number = taken[section, line.strip()]
        if number >= len(found):
            raise DeviceError(device, f"the secret of a kept line is not there any more: {line.strip()!r}")
        taken[section, line.strip()] += 1
        values += found[number]
        lines.append(_filled(line, found[number]))
    return Unmasked("".join(f"{line}\n" for line in lines), tuple(values))


def _sections(text: str) -> Iterator[tuple[str, str]]:
    """Each line with the top line of its section."""
    top = ""
    for line in text.splitlines():
        if line and not line[0].isspace():
            top = line
        yield top, line


def _matches(section: str, line: str, printed: list[tuple[str, str]]) -> list[tuple[str, ...]]:
    here, there = _pattern(line), _pattern(section)
    return [
        found.groups()
        for top, raw in printed
        if (found := here.match(raw.strip())) and there.match(top.strip())
    ]


def _pattern(line: str) -> re.Pattern[str]:
    parts = (re.escape(part) for part in line.strip().split(MASK))
    return re.compile("^" + r"(\S.*?)".join(parts) + "$")


def _filled(line: str, values: tuple[str, ...]) -> str:
    first, *rest = line.split(MASK)
    return first + "".join(value + part for value, part in zip(values, rest, strict=True))
