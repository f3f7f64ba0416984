"""Files of single lines, of lists with a head, and of JSON objects a line."""

from __future__ import annotations

import re

import pytest

from fabric.configuration import Dialect, Flat, Line, Listed, Records, Section, Statement, compare
from fabric.configuration.syntaxes.syntax import Syntax

FLAT = Flat(opens=re.compile(r"\[.*\]"))
LISTED = Listed()
RECORDS = Records(about={"group": "group", "who": "member"})


def tree(syntax: Syntax, text: str) -> list[Line]:
    return [line for piece in syntax.pieces(text).values() for line in syntax.lines(piece)]


def said(lines: list[Line]) -> list[tuple[int, str, list[tuple[int, str, list]]]]:
    """Number, text and what stands below, of each line."""
    return [(line.number, line.text, said(line.below)) for line in lines]


def same(syntax: Syntax, text: str) -> bool:
    """Whether what is printed is read as what was read."""
    again = tree(syntax, syntax.written(tree(syntax, text)))
    return [_bare(line) for line in again] == [_bare(line) for line in tree(syntax, text)]


def _bare(line: Line) -> tuple[str, list]:
    return line.text, [_bare(below) for below in line.below]


def test_single_lines_have_no_margin_and_sections_where_there_are_some():
    text = "# ours\n  a 1\nb = 2\n[one]\n# mine\n\tc\n\n[two]\nd\n"

    assert said(tree(FLAT, text)) == [
        (2, "a 1", []),
        (3, "b = 2", []),
        (4, "[one]", [(6, "c", [])]),
        (8, "[two]", [(9, "d", [])]),
    ]
    assert FLAT.plain(text) == "  a 1\nb = 2\n[one]\n\tc\n[two]\nd\n"
    assert same(FLAT, text)


def test_a_line_that_is_there_again_is_there_again():
    assert [line.text for line in tree(FLAT, "a\nb\na\n")] == ["a", "b", "a"]


def test_the_line_end_of_another_system_belongs_to_the_last_word():
    assert [line.text for line in tree(FLAT, "a\r\n")] == ["a\r"]


LISTS = """# two lists
red=1, fast :
    a=full,  # the first
    b;

blue=2 : c=x, d=y; # the last
none=3 :;
"""


def test_a_list_is_its_head_with_its_members_below():
    assert said(tree(LISTED, LISTS)) == [
        (2, "red=1, fast", [(3, "a=full", [(3, "# the first", [])]), (4, "b", [])]),
        (6, "blue=2", [(6, "c=x", []), (6, "d=y", [(6, "# the last", [])])]),
        (7, "none=3", []),
    ]
    assert same(LISTED, LISTS)
    assert LISTED.written(tree(LISTED, LISTS)).splitlines()[:3] == [
        "red=1, fast :",
        "    a=full,  # the first",
        "    b;",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "red=1 :\n    a=full\n    b;\n",
        "red=1 :\n    a=full,, b;\n",
        "red=1 :\n    a=full,\n",
        "red=1\n    a=full;\n",
        "red=1 # x : y\n    a=full;\n",
        "red=1 :\n    a=full,\n;\n",
    ],
)
def test_what_is_no_list_stays_as_it_is_below_its_first_line(text):
    first, *others = [line.strip() for line in text.splitlines()]

    assert [_bare(line) for line in tree(LISTED, text)] == [(first, [(other, []) for other in others])]
    assert same(LISTED, text)


OBJECTS = """{"group": "a", "size": 4}
{"group": "a", "kind": "x", "who": ["p"]}
{"group": "b", "size": "4"}
[]
{"size": 4}
group c
"""


def test_objects_stand_below_what_they_are_about():
    assert said(tree(RECORDS, OBJECTS)) == [
        (1, "group a", [(1, "size 4", []), (2, "member p", [(2, "kind x", [])])]),
        (3, "group b", [(3, "size 4", [])]),
        (4, "[]", []),
        (5, '{"size": 4}', []),
        (6, "group c", []),
    ]
    assert RECORDS.written(tree(RECORDS, OBJECTS)) == OBJECTS


def test_objects_about_one_thing_are_joined_wherever_they_stand():
    first, second, third, *_ = OBJECTS.splitlines(keepends=True)
    known = Dialect(
        syntax=RECORDS,
        top=Section(
            Statement(
                "group <name>",
                below=Section(
                    Statement("size {size}"),
                    Statement("member <name>", below=Section(Statement("kind {kind}"))),
                ),
            )
        ),
        mask=str,
    )

    assert not compare(known, "x", first + second + third, third + second + first).changes
    assert [one.what for one in compare(known, "x", first + second, first + third).changes] == [
        "group a",
        "group b",
    ]


@pytest.mark.parametrize("syntax", [FLAT, LISTED, RECORDS], ids=["flat", "listed", "records"])
@pytest.mark.parametrize("text", ["", "\n", "# x", "#\n \n", "\x0b\n", "a;b:c,{}#\n;\n:\n,;\n"])
def test_any_text_is_read_and_its_plain_form_is_its_own(syntax, text):
    plain = syntax.plain(text)

    assert syntax.plain(plain) == plain
    assert [_bare(line) for line in tree(syntax, plain)] == [_bare(line) for line in tree(syntax, text)]
    assert same(syntax, text)
