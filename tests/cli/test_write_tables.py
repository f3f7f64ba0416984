"""Tables: aligned in a pipe, fitted to a terminal, whole for machines."""

from __future__ import annotations

import io
import json
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from fabric.cli.printing.write_tables import (
    Measure,
    fitting,
    printable,
    write_aligned,
    write_csv,
    write_json,
    write_terminal,
)
from fabric.tables.table import Column, Table, plain, shown
from fabric.units import counted

COLUMNS = (
    Column(key="name", heading="NAME"),
    Column(key="size_bytes", heading="SIZE", right=True),
    Column(key="note", heading="NOTE", rank=2),
    Column(key="empty", heading="EMPTY", rank=1),
)
ROWS = (("a", 5, "x" * 40, None), ("long-name", 12345, "", None))


def table(rows=ROWS, columns=COLUMNS):
    return Table(name="things", columns=columns, rows=lambda: iter(rows))


def written(write, *arguments, **options):
    stream = io.StringIO()
    write(*arguments, stream, **options)
    return stream.getvalue()


def test_columns_are_aligned_numbers_at_the_right_and_nothing_is_cut():
    lines = written(write_aligned, table()).splitlines()

    assert lines == [
        "NAME        SIZE  NOTE                                      EMPTY",
        "a              5  " + "x" * 40,
        "long-name  12345",
    ]


def test_what_says_nothing_goes_first_then_the_least_important():
    assert fitting(table(), Measure.of(table()), 200) == ([0, 1, 2, 3], [])
    assert fitting(table(), Measure.of(table()), 60) == ([0, 1, 2], [])
    assert fitting(table(), Measure.of(table()), 30) == ([0, 1], [2])


@given(st.integers(10, 200))
def test_what_fits_is_never_wider_than_the_terminal_unless_nothing_may_go(width):
    kept, _missing = fitting(table(), Measure.of(table()), width)
    wide = [max(len(c.heading), *(len(table().cells(row)[i]) for row in ROWS)) for i, c in enumerate(COLUMNS)]

    total = sum(wide[i] for i in kept) + 2 * (len(kept) - 1)
    assert total <= width or all(COLUMNS[i].rank == 0 for i in kept)


def test_a_terminal_table_holds_the_same_words(monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    stream = io.StringIO()

    count, missing = write_terminal(table(), stream, color=False)

    assert (count, missing) == (2, ())
    assert stream.getvalue().split() == written(write_aligned, table()).split()


def test_text_gives_way_before_columns_do_and_nothing_is_cut(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    words = " ".join(f"word{i}" for i in range(30))
    columns = (COLUMNS[0], COLUMNS[1], Column(key="text", heading="TEXT", rank=9, wraps=True))
    stream = io.StringIO()

    count, missing = write_terminal(table((("a", 1, words), ("b", 2, ""))[:2], columns), stream, color=False)

    assert (count, missing) == (2, ())
    assert max(map(len, stream.getvalue().splitlines())) <= 60
    assert stream.getvalue().replace("\n", " ").split()[3:-2] == ["a", "1", *words.split()]


def test_a_name_that_is_wider_than_the_terminal_is_folded_not_cut(monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    stream = io.StringIO()

    write_terminal(table((("n" * 50, 1),), COLUMNS[:2]), stream, color=False)

    assert stream.getvalue().count("n") == 50


def test_a_long_table_leaves_out_what_does_not_fit_too(monkeypatch):
    monkeypatch.setenv("COLUMNS", "30")
    stream = io.StringIO()

    count, missing = write_terminal(table(ROWS * 300), stream, color=False)

    assert (count, missing) == (600, ("NOTE",))
    assert max(map(len, stream.getvalue().splitlines())) <= 30


def test_csv_quotes_what_needs_it():
    rows = (('say "x", y', 1, "two\nlines", (1, 2)),)

    assert written(lambda t, s: write_csv([t], s), table(rows)) == (
        'name,size_bytes,note,empty\n"say ""x"", y",1,"two\nlines",1 2\n'
    )


@given(st.lists(st.tuples(st.text(), st.integers(), st.text() | st.none(), st.booleans())))
def test_json_rows_come_back_as_they_were(rows):
    document = json.loads(written(lambda t, s: write_json([t], {"site": "lab"}, s), table(rows)))

    assert document["format_version"] == "1.0"
    assert [tuple(row.values()) for row in document["things"]] == rows


@given(st.text())
def test_nothing_that_could_steer_a_terminal_is_printed(text):
    assert not any((ord(c) < 32 and c not in "\t\n") or 127 <= ord(c) < 160 for c in printable(text))


def test_values_are_read_by_people_and_by_machines():
    assert [shown(v) for v in (None, True, (1, "a"), 5)] == ["", "yes", "1, a", "5"]
    assert [plain(v) for v in (Fraction(3, 2), (1, None))] == [1.5, [1, None]]
    assert [counted(n, ("cable", "cables")) for n in (0, 1, 1024)] == ["0 cables", "1 cable", "1,024 cables"]
