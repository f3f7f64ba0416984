"""What holds for the table of every product."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import fields

import pytest

from fabric.configuration import Dialect, Node, Unreadable, compare, differences, merge, placed, refilled
from fabric.configuration.syntaxes.syntax import Piece
from fabric.configuration.tree import every, in_order
from fabric.planning.texts import MASK
from fabric.platforms.texts import SECRET
from tests.configuration.dialects import (
    TABLES,
    dialect,
    examples,
    implied,
    said,
    settings,
    tree,
    twice,
    without,
)
from tests.platforms.everywhere import product

pytestmark = pytest.mark.parametrize("name", TABLES)
VALUE = "Xk9aQ2pL7vT4"


def chance() -> random.Random:
    """Always the same choices."""
    return random.Random(7)  # noqa: S311  # no secret depends on it


def test_what_was_printed_is_read_again_as_the_same_tree(name: str) -> None:
    for text in examples(name):
        found = tree(name, text)
        again = tree(name, dialect(name).written(found.values()))
        assert list(said(again.values())) == list(said(found.values()))


def test_a_text_read_as_a_whole_says_what_its_pieces_say(name: str) -> None:
    def numbered(nodes: Iterable[Node]) -> set[tuple[int, str]]:
        ends = (node for node in every(nodes) if not node.below)
        return {(node.number, node.text) for node in ends}

    for text in examples(name):
        found, whole = tree(name, text), dialect(name).whole(text)
        assert list(said(whole.values())) == list(said(found.values()))
        assert numbered(whole.values()) == numbered(found.values())


def test_the_plain_form_is_its_own_plain_form_and_says_the_same(name: str) -> None:
    for text in examples(name):
        plain = dialect(name).plain(text)
        assert dialect(name).plain(plain) == plain
        again = dialect(name).plain(dialect(name).written(tree(name, text).values()))
        assert not compare(dialect(name), "x", plain, again).changes


def test_a_text_does_not_differ_from_itself_in_any_order(name: str) -> None:
    known = dialect(name)
    for text in examples(name):
        plain = known.plain(text)
        mixed = known.plain(known.written(_mixed(tree(name, plain).values(), chance())))
        assert not compare(known, "x", plain, plain).changes
        assert not compare(known, "x", plain, mixed).changes


def _mixed(nodes: object, chance: random.Random) -> list[Node]:
    """The same in any order, where order says nothing."""
    found = [
        Node(
            one.key, one.text, one.number, one.statement, one.parts,
            one.below if one.statement is not None and one.statement.is_free
            else {below.key: below for below in _mixed(one.below.values(), chance)},
            one.raw,
        )
        for one in nodes  # type: ignore[attr-defined]
    ]  # fmt: skip
    ordered = set(in_order({one.key: one for one in found}))
    free = [one for one in found if one.key not in ordered]
    chance.shuffle(free)
    return [*free, *(one for one in found if one.key in ordered)]


def test_a_line_that_goes_is_the_only_difference(name: str) -> None:
    known = dialect(name)
    for text in examples(name):
        plain = known.plain(text)
        found = tree(name, plain)
        lines = set(settings(known.tree(known.pieces(plain).values()).values()))
        for path in chance().sample(sorted(lines), min(25, len(lines))):
            shorter = known.plain(known.written(without(found.values(), path)))
            changes = compare(known, "x", plain, shorter).changes
            if changes == ():
                continue  # it is implied by what stays
            gone = {
                (*(node.text for node in line.above), line.node.text)
                for change in changes
                for line in differences(change)
            }
            assert any(one[: len(path)] == path for one in gone)  # of a container, what stands in it
            held = {path[:depth] for depth in range(1, len(path))}  # a line that only held it says nothing
            assert {one for one in gone if one[: len(path)] != path} - held <= {
                (*path[:-1], line) for line in implied(found)
            }


def test_changes_in_their_place_say_what_the_text_says(name: str) -> None:
    known = dialect(name)
    for text in examples(name):
        plain = known.plain(text)
        changes = compare(known, "x", "", plain).changes
        alone = known.written(placed((change, change.new) for change in changes))
        whole, again = (known.tree(known.pieces(one).values()) for one in (plain, alone))
        assert set(said(again.values())) == set(said(whole.values()))


def test_what_is_alike_in_two_texts_is_left_out_and_nothing_else(name: str) -> None:
    known = dialect(name)
    one, *others = map(known.plain, examples(name))
    for other in others:
        pieces, beside = known.pieces(one), known.pieces(other)
        alike = {key for key in pieces.keys() & beside.keys() if pieces[key].body == beside[key].body}
        unlike = [piece for side in (pieces, beside) for key, piece in side.items() if key not in alike]
        if any(map(known.is_joint, unlike)):
            alike = {key for key in alike if not known.is_joint(pieces[key])}
        assert known.unlike(one, other) == tuple(
            {key: piece for key, piece in side.items() if key not in alike} for side in (pieces, beside)
        )


class WithAllPieces(Dialect):
    """Compares whole texts."""

    def unlike(self, old: str, new: str) -> tuple[dict[str, Piece], dict[str, Piece]]:
        """All pieces of both."""
        return self.pieces(old), self.pieces(new)


def test_leaving_out_what_is_alike_changes_no_comparison(name: str) -> None:
    known = dialect(name)
    thorough = WithAllPieces(**{field.name: getattr(known, field.name) for field in fields(known)})
    one, *others = map(known.plain, examples(name))
    for other in (*others, *one_line_changed(one)):
        with suppress(Unreadable):
            assert lines_changed(thorough, one, other) == lines_changed(known, one, other)


def lines_changed(known: Dialect, one: str, other: str) -> set[tuple[object, ...]]:
    """What differs, with the numbers of the lines; what it is called, and where it is shown, may depend on the rest."""
    return {
        tuple((node and node.text, node and node.number) for node in (line.old, line.new))
        for change in compare(known, "x", one, other).changes
        for line in differences(change)
    }


def one_line_changed(text: str) -> Iterator[str]:
    """A text without one of its lines, with one twice, and with two swapped."""
    lines = text.splitlines(keepends=True)
    for at in chance().sample(range(1, len(lines)), min(25, len(lines) - 1)):
        yield "".join((*lines[:at], *lines[at + 1 :]))
        yield "".join((*lines[:at], lines[at], *lines[at:]))
        yield "".join((*lines[: at - 1], lines[at], lines[at - 1], *lines[at + 1 :]))


def test_no_two_lines_of_a_place_set_the_same_thing(name: str) -> None:
    known = dialect(name)
    for text in examples(name):
        lines = [line for piece in known.pieces(text).values() for line in known.lines(piece)]
        assert list(twice(lines, known.top)) == []


def test_merging_with_nothing_foreign_is_our_text(name: str) -> None:
    known = dialect(name)
    for text in examples(name):
        for theirs in (known.plain(text), ""):
            merged = merge(known, text, theirs, None)
            assert (merged.text, merged.kept) == (text, ())


def test_foreign_lines_survive_any_number_of_merges(name: str) -> None:
    known = dialect(name)
    ours = examples(name)[0]
    for other in examples(name):
        theirs = known.plain(other)
        once = merge(known, ours, theirs, None)
        again = merge(known, ours, known.plain(once.text), None)
        lines = set(said(tree(name, once.text).values()))
        assert not compare(known, "x", known.plain(once.text), known.plain(again.text)).changes
        assert sorted(again.kept) == sorted(once.kept)
        assert set(once.kept) <= {line for *_, line in lines}
        assert set(said(tree(name, ours).values())) <= lines


def test_nothing_that_is_kept_stands_behind_the_line_that_ends_a_text(name: str) -> None:
    """A switch would read it as something that is no configuration any more."""
    known = dialect(name)
    ours = examples(name)[0]
    for other in examples(name):
        theirs = known.plain(other)
        text = merge(known, ours, theirs, None).text
        assert re.findall(r"(?m)^end\n(?!#!part |\Z)", text) == []
        assert text.count("\nend\n") == ours.count("\nend\n")


def test_what_was_applied_and_is_gone_from_the_intent_goes(name: str) -> None:
    known = dialect(name)
    ours = examples(name)[0]
    for other in examples(name):
        theirs = known.plain(other)
        assert merge(known, ours, theirs, theirs).kept == ()


def test_the_plain_form_has_no_secret_and_the_device_gives_it_back(name: str) -> None:
    known = dialect(name)
    for text in examples(name):
        references = sorted(set(SECRET.findall(text)))
        values = {one: f"{VALUE}{number}" for number, one in enumerate(references)}
        filled = product(name).fill(text, values.__getitem__)
        plain = known.plain(filled)
        assert VALUE not in plain
        again = refilled(known, plain, filled, MASK)
        assert again.missing == ()
        assert set(said(tree(name, again.text).values())) == set(
            said(tree(name, known.syntax.plain(filled)).values())
        )
        assert VALUE not in repr(again)
        shown = known.syntax.plain(filled)
        assert len(re.findall(re.escape(VALUE), again.text)) == len(re.findall(re.escape(VALUE), shown))
