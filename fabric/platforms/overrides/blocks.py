"""Blocks of overrides for products that are told line by line: what is printed, and what is refused of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from fabric.devices.model import Switch
from fabric.diagnostics import Code, Report
from fabric.platforms.overrides.lines import Fault


def blocks(
    switch: Switch,
    product: str,
    tab: str,
    faults: Callable[[str], Iterable[Fault]],
    code: Code,
    report: Report,
) -> Iterator[str]:
    """The lines of each override without blank ones, which would be empty commands; `tab` stands for a tabulator."""
    for lines in switch.extra:
        text = lines.text.replace("\t", tab)
        for number, line, effect, hint in faults(text):
            rule = f"{product} would {effect} at the line {line.strip()!r}"
            report.add(code.at(lines.place_of(number), rule, value=line, hint=hint))
        if text.strip():
            yield "\n".join(line.rstrip() for line in text.splitlines() if line.strip())
