"""`fabric explain CODE`: what a diagnostic means."""

from __future__ import annotations

from collections.abc import Iterable

import click

from fabric.cli import codes
from fabric.cli.command import command
from fabric.cli.failures import Stop
from fabric.cli.output import Output
from fabric.cli.views.explain import code_table, explained, record
from fabric.diagnostics import codes as every_code

MOST_DIGITS = 9


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
        table = code_table(known.values())
        output.count(output.tables([table], {}), table.noun)
        return
    wanted = code.upper() if code[:3].upper() == "FAB" else f"FAB{code}"
    if wanted not in known:
        hint = f"did you mean {' or '.join(_near(wanted, known))}? `fabric explain` lists all of them"
        raise Stop(codes.UNKNOWN_NAME, f"there is no diagnostic {code!r}", hint)
    found = known[wanted]
    if output.is_text:
        for text, style in explained(found):
            output.line(text, **style)
    else:
        output.document(record(found))


def _near(wanted: str, known: Iterable[str]) -> list[str]:
    """The two codes with the nearest numbers; the first two if it is no number."""
    digits = wanted.removeprefix("FAB")
    number = int(digits) if digits.isdecimal() and len(digits) < MOST_DIGITS else 0
    return sorted(known, key=lambda code: abs(int(code.removeprefix("FAB")) - number))[:2]
