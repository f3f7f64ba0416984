"""The section parser and the line tables that readers of command-line products share."""

from __future__ import annotations

import pytest

from fabric.platforms.sections import Row, Table, Unread, flat, parse, read_lines


def test_indentation_draws_a_tree_with_line_numbers():
    tree = parse("a\n   b\n      c\n   d\ne\n")

    assert [(1, "a"), (2, "b"), (3, "c"), (4, "d"), (5, "e")] == list(flat(tree))
    assert ["b", "d"] == [line.text for line in tree[0].children]
    assert ["c"] == [line.text for line in tree[0].children[0].children]


def test_comments_and_blank_lines_are_left_out_and_counted():
    assert [(2, "a"), (5, "b")] == list(flat(parse("! x\na\n\n   !\n b\n")))
    assert [(2, "! x")] == list(flat(parse("# a\n! x\n", comment="#")))


def test_a_literal_is_text_up_to_its_closing_line():
    tree = parse("banner\n! hello\n\ninterface x\nEOF\nafter\n", literals={"banner": "EOF"})

    assert ["banner", "after"] == [line.text for line in tree]
    assert ["! hello", "", "interface x"] == [line.text for line in tree[0].children]


def test_a_line_goes_to_the_first_row_that_is_all_of_it():
    found = []
    table = Table(
        Row(r"mtu (\d+)", lambda _state, match: found.append(("mtu", match[1]))),
        Row(r"mtu (.+)", lambda _state, match: found.append(("other", match[1]))),
    )
    read_lines(parse("mtu 9000\nmtu big\n"), table, None, [])

    assert [("mtu", "9000"), ("other", "big")] == found


def test_what_no_row_knows_is_returned_with_all_below_it():
    unread = Unread()
    table = Table(Row(r"known", below=Table(Row(r"inner"))), Row(r"leaf"))
    read_lines(parse("known\n   inner\n   odd\nleaf\n   below\nstrange\n   deeper\n"), table, None, unread)

    assert [(3, "odd"), (5, "below"), (6, "strange"), (7, "deeper")] == unread


def test_a_handler_may_give_its_section_a_state_of_its_own():
    found = {}
    below = Table(Row(r"mtu (\d+)", lambda port, match: port.append(match[1])))
    table = Table(Row(r"port (\w+)", lambda ports, match: ports.setdefault(match[1], []), below))
    read_lines(parse("port a\n   mtu 1\nport b\n   mtu 2\n"), table, found, [])

    assert {"a": ["1"], "b": ["2"]} == found


def test_optional_no_and_leading_numbers_are_found():
    found = []
    table = Table(
        Row(r"(no )?shutdown", lambda _s, match: found.append(match[0])),
        Row(r"<number> permit (.+)", lambda _s, match: found.append(match[1])),
    )
    read_lines(parse("no shutdown\nshutdown\n10 permit any\n"), table, None, [])

    assert ["no shutdown", "shutdown", "any"] == found


def test_free_text_below_a_line_is_known():
    unread = Unread()
    read_lines(
        parse("banner\nx\nEOF\n", literals={"banner": "EOF"}), Table(Row(r"banner", free=True)), None, unread
    )

    assert [] == unread


def test_a_pattern_without_a_plain_first_word_is_a_mistake():
    with pytest.raises(ValueError, match="first word"):
        Table(Row(r"(a|b) c"))
