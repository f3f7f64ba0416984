"""A diagnostic's meaning."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import Any

from fabric.cli.tables import Column, Table
from fabric.diagnostics import Code, Severity

WIDTH = 78
COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}


def code_table(codes: Iterable[Code]) -> Table:
    """Every code with its title."""
    rows = tuple((c.code, c.severity.value, c.title) for c in codes)
    columns = (
        Column(key="code", heading="CODE", style=lambda _value: "bold"),
        Column(key="severity", heading="SEVERITY", style=lambda value: COLORS[Severity(value)]),
        Column(key="title", heading="TITLE", wraps=True),
    )
    return Table(name="codes", columns=columns, rows=lambda: iter(rows), noun=("diagnostic", "diagnostics"))


def explained(code: Code) -> Iterator[tuple[str, dict[str, Any]]]:
    """Lines and their styles: the rule, why it exists, how to fix it."""
    yield f"{code.code} ({code.severity.value}): {code.title}", {"bold": True}
    for heading, text in (("Why", code.why), ("How to fix it", code.fix)):
        yield "", {}
        yield heading, {"fg": "cyan"}
        for line in textwrap.wrap(text, WIDTH, break_on_hyphens=False, break_long_words=False):
            yield f"  {line}", {}


def record(code: Code) -> dict[str, Any]:
    """The same for machines."""
    return {
        "code": code.code,
        "severity": code.severity.value,
        "title": code.title,
        "why": code.why,
        "fix": code.fix,
    }
