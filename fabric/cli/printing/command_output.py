"""What a command says: results on stdout, everything about them on stderr, one countable line at the end."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click

from fabric.cli.common_options import Settings, current, interactive, remember, terminal_width
from fabric.cli.printing.choose_columns import with_columns
from fabric.cli.printing.fold_text import folded
from fabric.cli.printing.styled_lines import Line, fold
from fabric.cli.printing.write_tables import (
    one_line,
    printable,
    write_aligned,
    write_csv,
    write_document,
    write_json,
    write_terminal,
)
from fabric.cli.session_commands import complete
from fabric.tables.table import Table, without_empty
from fabric.units import counted


class Output:
    """One command's way to speak."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or current()
        self.started = time.monotonic()

    @property
    def is_text(self) -> bool:
        """Whether people read the results."""
        return self.settings.format == "text"

    # --- results

    def line(self, text: str = "", **style: Any) -> None:
        """One line of a result for people."""
        colored = self.settings.colored(sys.stdout)
        click.echo(
            click.style(printable(text), **style) if style and colored else printable(text), color=colored
        )

    def lines(self, lines: Iterable[Line]) -> None:
        """Lines of styled pieces."""
        colored, width = self.settings.colored(sys.stdout), terminal_width(sys.stdout)
        for pieces in (part for line in lines for part in fold(line, width)):
            text = "".join(
                click.style(one_line(text), **style) if style and colored else one_line(text)
                for text, style in pieces
            )
            click.echo(text.rstrip(), color=colored)

    def raw(self, text: str) -> None:
        """Text as it is: a document whose writer has made every text of a device `printable`."""
        sys.stdout.write(text)

    def document(self, document: Mapping[str, Any]) -> None:
        """One JSON document."""
        write_document(document, sys.stdout)

    def tables(self, tables: Sequence[Table], head: Mapping[str, Any]) -> int:
        """Tables in the chosen format, and how many rows they had."""
        if self.settings.columns:
            tables, without = with_columns(tables, self.settings.columns)
            if without:
                self.note(f"left out, as they have none of the columns: {', '.join(without)}")
        if click.get_current_context(silent=True):
            remember(has_tables=True)
        if self.settings.format == "csv":
            return write_csv(tables, sys.stdout)
        if self.settings.format == "json":
            return write_json(tables, head, sys.stdout)
        hidden: list[str] = []
        count = sum(self._table(table, hidden, first=i == 0) for i, table in enumerate(tables))
        if hidden:
            names = ", ".join(dict.fromkeys(hidden))
            self.note(f"no room for {names}: widen the terminal, choose with --columns, or use --format csv")
        return count

    def _table(self, table: Table, hidden: list[str], *, first: bool) -> int:
        if table.title:
            self.line(table.title if first else f"\n{table.title}", bold=True)
        if table.hides_empty:
            table = without_empty(table)
        if not interactive(sys.stdout):
            heading = "\x1b[1m{}\x1b[0m" if self.settings.colored(sys.stdout) else "{}"
            return write_aligned(table, sys.stdout, heading=heading)
        count, left_out = write_terminal(table, sys.stdout, color=self.settings.colored(sys.stdout))
        hidden += left_out
        return count

    # --- about the results

    def note(self, text: str) -> None:
        """Something about the result, on stderr; not with `--quiet`."""
        if not self.settings.quiet:
            colored = self.settings.colored(sys.stderr)
            for line in folded(printable(complete(text, self.settings)), terminal_width(sys.stderr)):
                click.echo(click.style(line, dim=True) if colored else line, err=True, color=colored)

    def summary(self, text: str) -> None:
        """The last line: counts, and how long it took."""
        if self.settings.quiet:
            return
        took = time.monotonic() - self.started
        colored = self.settings.colored(sys.stderr)
        line = f"{printable(text)} ({took:.1f} s)"
        sys.stdout.flush()
        click.echo(click.style(line, bold=True) if colored else line, err=True, color=colored)

    def result(self, document: Mapping[str, Any], summary: str) -> None:
        """What a command has done: a document for programs, for people the last line alone."""
        if not self.is_text:
            self.document(document)
        self.summary(summary)

    def count(self, number: int, noun: tuple[str, str]) -> None:
        """`1,024 cables (0.3 s)`."""
        self.summary(counted(number, noun))

    def next(self, text: str) -> None:
        """The one next step, for people at a terminal and in CI logs alike."""
        if self.is_text:
            self.note(text)
