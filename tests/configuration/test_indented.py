"""Sections that are told by indentation, and by a line behind them."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.configuration import Indented

FRR = Indented(step=" ", closings=(("vrf", "exit-vrf"), ("", "exit")), end="end")
TEXT = """frr defaults datacenter
!
vrf mgmt
 ip route 0.0.0.0/0 192.0.2.1
exit-vrf
!
bfd
 profile A
  detect-multiplier 3
 exit
 !
exit
hostname a
end
"""
WRITTEN = TEXT.replace(" !\n", "").replace("!\n", "")


def lines(text):
    return [line for piece in FRR.pieces(text).values() for line in FRR.lines(piece)]


def test_lines_that_end_a_section_say_nothing_and_are_printed_again():
    assert ["frr defaults datacenter", "vrf mgmt", "bfd", "hostname a"] == [line.text for line in lines(TEXT)]
    assert WRITTEN == FRR.written(lines(TEXT))


def test_the_plain_form_and_what_is_shown_of_it_have_none():
    plain = FRR.plain(TEXT)

    assert not {"exit", "exit-vrf", "end", "!"} & set(map(str.strip, plain.splitlines()))
    assert plain.splitlines() == FRR.shown(lines(TEXT), ())
    assert plain == FRR.plain(FRR.written(lines(plain)))


def test_the_order_in_which_things_came_to_be_says_nothing():
    sections = [
        "ip list B seq 10 x",
        "map M 10\n match B",
        "ip list A seq 5 y",
        "ip list B seq 9 x",
        "map M 9",
    ]
    syntax = Indented(by_creation="(?:ip list|map) ")
    forms = {
        syntax.plain("\n".join(("first", *order[:2], "between", *order[2:], "last", "")))
        for order in permutations(sections)
    }

    assert forms == {
        "first\nip list A seq 5 y\nip list B seq 9 x\nip list B seq 10 x\nmap M 9\nmap M 10\n match B\nbetween\nlast\n"
    }


def test_a_text_may_begin_with_the_end_of_another():
    assert {"a": ("", 3)} == {
        key: (piece.body, piece.number) for key, piece in FRR.pieces("exit\nend\na\nexit").items()
    }


@pytest.mark.parametrize(
    ("start", "line"),
    [
        (r"banner[ \t]+(?:login|motd)", "banner motd"),
        (r"banners? motd", "banner motd"),
        (r"banner|motd", "motd"),
        (r"(?:ban|mo)ner", "moner"),
        (r"b{2}anner", "bbanner"),
        (r"[Bb]anner", "Banner"),
        (r"b\.anner", "b.anner"),
    ],
)
def test_a_text_of_its_own_is_found_however_its_beginning_is_written(start, line):
    text = f"x\n! away\n{line}\n! it stays\n\nEOF\ny\n"
    syntax = Indented(texts=((start, "EOF"),))

    assert text.replace("! away\n", "") == syntax.plain(text)
    assert {"x", line, "y"} <= set(syntax.pieces(text))
    assert "x\ny\n" == syntax.plain("x\n! away\ny\n")


@given(text=st.text(alphabet=' \t\n!abc{}"[]\0', max_size=60))
def test_every_text_is_read(text):
    pieces = Indented().pieces(text)

    assert all(Indented().lines(piece) for piece in pieces.values())
