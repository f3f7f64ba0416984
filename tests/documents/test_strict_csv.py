"""CSV with the place of every cell."""

from __future__ import annotations

import pytest

from fabric.documents import InvalidDocument, Place
from fabric.documents.reading.strict_csv import read_csv


def refusal(text):
    with pytest.raises(InvalidDocument) as caught:
        read_csv(text.encode(), "a.csv", "inventory:devices")
    first = caught.value.diagnostics[0]
    place = caught.value.sources.place(first.origin)
    return first.code, place.line, place.column


def test_cells_are_text_whole_numbers_where_asked_and_nothing_where_empty():
    text = 'name,rack,position\nleaf-0,"r ""1"", north",7\n\nleaf-1,,x\n'

    document = read_csv(text.encode(), "a.csv", "d", frozenset({"position"}))

    assert document.value == [
        {"name": "leaf-0", "rack": 'r "1", north', "position": 7},
        {"name": "leaf-1", "position": "x"},
    ]


def test_each_cell_has_its_place():
    document = read_csv(b"name,rack\nleaf-0, r1\n", "a.csv", "d")

    assert document.place((0, "rack")) == Place("a.csv", 2, 8)


def test_the_mark_of_a_spreadsheet_is_skipped():
    assert read_csv(b"\xef\xbb\xbfname\r\nleaf-0\r\n", "a.csv", "d").value == [{"name": "leaf-0"}]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ("FAB010", 1, 1)),
        ("rack\nr1\n", ("FAB010", 1, 1)),
        ("name,rack,rack\n", ("FAB010", 1, 11)),
        ("name,,\n", ("FAB010", 1, 6)),
        ("name,rack\nleaf-0\n", ("FAB010", 2, 1)),
        ("name,rack\nleaf-0,r1,x\n", ("FAB010", 2, 11)),
        ('name\n"leaf-0\n', ("FAB010", 2, 1)),
        ('name\n"leaf-0"x\n', ("FAB010", 2, 1)),
        ("name\nleaf\0\n", ("FAB002", 2, 5)),
    ],
)
def test_what_is_no_table_is_refused_at_its_place(text, expected):
    assert refusal(text) == expected
