"""`fabric explain CODE`: what a diagnostic means."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import Any

import click

from fabric.cli import codes
from fabric.cli.command_classes import command
from fabric.cli.printing.command_output import Output
from fabric.cli.stop import Stop
from fabric.diagnostics import FIRST_OF_LINT, Code, Severity, installed_rules, number_of
from fabric.diagnostics import codes as every_code
from fabric.tables.table import Column, Table

MOST_DIGITS = 9
WIDTH = 78
COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}


def _complete(_context: click.Context, _parameter: click.Parameter, start: str) -> list[str]:
    return [code for code in every_code() if code.startswith(start.upper())]


@command(
    "explain",
    examples=("fabric explain FAB900", "fabric explain", "fabric explain FAB900 --format json"),
    formats=("text", "json", "csv"),
)
@click.argument("code", required=False, shell_complete=_complete)
def run(code: str | None) -> None:
    """Explain a diagnostic: the rule, why it exists, how to fix it.

    Without CODE it lists all of them.
    """
    output = Output()
    known = every_code()
    if code is None:
        installed_rules()
        table = _code_table(every_code().values())
        output.count(output.tables([table], {}), table.noun)
        return
    number = code.upper() if code[:3].upper() == "FAB" else f"FAB{code}"
    if number not in known and installed_rules():
        known = every_code()
    if number not in known:
        hint = f"did you mean {' or '.join(_near(number, known))}? `fabric explain` lists all of them"
        raise Stop(codes.UNKNOWN_NAME, f"there is no diagnostic {code!r}", hint)
    entry = known[number]
    if output.is_text:
        for text, style in _explained(entry):
            output.line(text, **style)
    else:
        output.document(_record(entry))


def _near(unknown: str, known: Iterable[str]) -> list[str]:
    """The two codes with the nearest numbers; the first two if it is not a number."""
    digits = unknown.removeprefix("FAB")
    number = int(digits) if digits.isdecimal() and len(digits) < MOST_DIGITS else 0
    return sorted(known, key=lambda code: abs(int(code.removeprefix("FAB")) - number))[:2]


def _code_table(codes: Iterable[Code]) -> Table:
    """Every code with its title."""
    rows = tuple((c.code, c.severity.value, c.title) for c in codes)
    columns = (
        Column(key="code", heading="CODE", style=lambda _value: "bold"),
        Column(key="severity", heading="SEVERITY", style=lambda value: COLORS[Severity(value)]),
        Column(key="title", heading="TITLE", wraps=True),
    )
    return Table(name="codes", columns=columns, rows=lambda: iter(rows), noun=("diagnostic", "diagnostics"))


def _explained(code: Code) -> Iterator[tuple[str, dict[str, Any]]]:
    """Lines and their styles: the rule, why it exists, how to fix it."""
    yield f"{code.code} ({code.severity.value}): {code.title}", {"bold": True}
    for heading, text in (*_of_rule(code), ("Why", code.why), ("How to fix it", code.fix)):
        yield "", {}
        yield heading, {"fg": "cyan"}
        for line in textwrap.wrap(text, WIDTH, break_on_hyphens=False, break_long_words=False):
            yield f"  {line}", {}


def _of_rule(code: Code) -> Iterator[tuple[str, str]]:
    """What is said of a rule of `fabric lint` beside: its name, when exactly it finds something, by which source."""
    if number_of(code.code) >= FIRST_OF_LINT:
        from fabric.linting import rules

        rule = next((rule for rule in rules() if rule.code.code == code.code), None)
        if rule is None:  # of a module that failed after it had registered the code
            return
        yield "Rule", rule.name
        yield "Finds", rule.condition
        yield "Source", rule.source


def _record(code: Code) -> dict[str, Any]:
    """The same for machines."""
    return {
        "code": code.code,
        "severity": code.severity.value,
        "title": code.title,
        "why": code.why,
        "fix": code.fix,
        **{heading.lower(): text for heading, text in _of_rule(code)},
    }
