"""Tables of CONFIG_DB as statements: below a file its tables, below a table its rows, below a row its fields.

A row is a thing of its own, and what its key names are parts of its line: `Ethernet0|3`. A value is text or a list of
texts. A number, as some manuals write it, is the text of its digits: SONiC stores it so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from fabric.configuration import Access, Effect, Parts, Reader, Section, Statement
from fabric.configuration.syntaxes.quoting import meant

NUMBER = r"\d+"
Row = dict[str, str]
"""Field to its text; a list of texts is these with blanks between them."""
Tables = dict[str, dict[str, Row]]


def table(name: str, *rows: Statement, effect: Effect | None = None) -> Statement:
    """A table. `effect` of any change in it that its rows and fields do not know better."""
    return Statement(name, below=Section(*rows, effect=effect), is_container=True, empty_is_absent=True)


def row(
    pattern: str,
    *fields: Statement,
    reads: Reader | None = None,
    effect: Effect | None = None,
    access: Access | None = None,
    ports: Callable[[Parts], Iterable[str]] | None = None,
) -> Statement:
    """A row. Without `reads` its fields are read by the state of the file."""
    return Statement(
        pattern, reads=reads, below=Section(*fields, effect=effect), effect=effect, access=access, ports=ports
    )


def held_row(
    pattern: str, *fields: Statement, reads: Reader | None = None, access: Access = "removed"
) -> Statement:
    """A row that our management access stands on: neither it nor a field of it may go or become another.

    `access` of the row itself: `changed` where a new one may shut us out too.
    """
    others = Statement("<field> {value*}", is_unread=True)
    kept = (
        replace(field, access="changed") if field.access is None else field for field in (*fields, others)
    )
    return row(pattern, *kept, reads=reads, access=access)


def field(
    name: str,
    reads: Reader | None = None,
    *,
    form: str = "",
    effect: Effect | None = None,
    access: Access | None = None,
) -> Statement:
    """A field, whose value is of a form: a regular expression."""
    pattern = f"{name} {{value:{form}}}" if form else f"{name} {{value*}}"
    return Statement(pattern, reads=reads, effect=effect, access=access)


def known(*names: str, effect: Effect | None = None, access: Access | None = None) -> Iterator[Statement]:
    """Fields that say nothing that we keep."""
    return (field(name, effect=effect, access=access) for name in names)


def kept(*names: str, effect: Effect | None = None, access: Access | None = None) -> Iterator[Statement]:
    """Fields that are kept in the row that is read."""
    return (field(name, keep(name), effect=effect, access=access) for name in names)


def keep(name: str, convert: Callable[[str], str] = str) -> Reader:
    """A reader that keeps the value of a field in the row that is read."""

    def put(values: Row, parts: Parts) -> None:
        values[name] = convert(meant(parts["value"]))

    return put


def kept_row(name: str) -> Reader:
    """A reader of rows whose fields are kept."""
    return lambda state, parts: state.row(name, parts["line"])


def kept_table(
    name: str, pattern: str, *fields: Statement, effect: Effect | None = None, **more: Any
) -> Statement:
    """A table of such rows."""
    return table(name, row(pattern, *fields, reads=kept_row(name), **more), effect=effect)


def free_table(name: str, effect: Effect | None = None, pattern: str = "<row*>", **more: Any) -> Statement:
    """A table whose rows are noted as they are: the neutral facts have no other word for them."""

    def put(values: Row, parts: Parts) -> None:
        values[parts["field"]] = meant(parts["value"])

    return kept_table(name, pattern, Statement("<field> {value*}", reads=put), effect=effect, **more)


def quiet_table(name: str, pattern: str = "<row*>", *fields: Statement, effect: Effect) -> Statement:
    """A table that is known, and says nothing that we keep."""
    return table(name, row(pattern, *fields), effect=effect)


def own_fields(tables: Section) -> dict[str, frozenset[str]]:
    """Table to its fields, of those tables whose fields all have a name here."""
    by_table = {}
    for table in tables.statements:
        rows = table.below.statements if table.below is not None else ()
        fields = [line for each in rows if each.below is not None for line in each.below.statements]
        names = frozenset(line.pattern.partition(" ")[0] for line in fields if not line.is_unread)
        if not any("<" in name for name in names):
            by_table[table.pattern] = names
    return by_table


def says(section: str, words: str) -> Reader:
    """A reader that notes a management setting, the parts of the line in their places."""
    return lambda state, parts: state.service(section, words.format_map(plain_parts(parts)))


def each(section: str, words: str) -> Reader:
    """The same for each text of a list."""

    def note(state: Any, parts: Parts) -> None:
        for item in meant(parts["value"]).split():
            state.service(section, words.format(item))

    return note


def row_says(section: str, words: str, **defaults: str) -> Reader:
    """A reader of a row that is noted with its fields; not at all without a field that has no default."""

    def enter(state: Any, parts: Parts) -> Any:
        return state.note_row(state.services.setdefault(section, []), words, defaults | plain_parts(parts))

    return enter


def plain_parts(parts: Parts) -> dict[str, str]:
    """The parts of a line as the texts that they stand for."""
    return {name: meant(part) for name, part in parts.items()}


def number(text: Any) -> int | None:
    """A decimal number; None for everything else."""
    return int(text) if isinstance(text, str) and text.isascii() and text.isdecimal() else None
