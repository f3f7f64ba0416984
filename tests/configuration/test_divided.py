"""Texts that are divided into sections are held against each other as their pieces are."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

from fabric.configuration import Dialect, Indented
from fabric.configuration.syntaxes import indented
from fabric.configuration.syntaxes.syntax import Sectioned
from tests.configuration.dialects import EXAMPLES, PRODUCTS, dialect, printed

SECTIONED = [name for name in PRODUCTS if isinstance(dialect(name).syntax, Sectioned)]


@pytest.mark.parametrize("name", SECTIONED)
def test_what_differs_is_the_same_whether_texts_are_divided_or_read(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = dialect(name)
    texts = [known.plain(text) for feature in EXAMPLES[:4] for text in printed(name, feature)[:1]]
    pairs = [*pairwise(texts), *((text, _with_a_gap(text)) for text in texts)]
    divided = [*_held(known, pairs)]
    monkeypatch.setattr(Indented, "sections", lambda _syntax, _text: None)
    indented._pieces.cache_clear()

    assert divided == [*_held(known, pairs)]


@pytest.mark.parametrize("name", SECTIONED)
def test_a_printed_text_is_divided(name: str) -> None:
    """Or the law above would hold two equal things against each other."""
    known = dialect(name)
    text = known.plain(printed(name, EXAMPLES[0])[0])
    syntax = known.syntax

    assert isinstance(syntax, Indented)
    assert (sections := syntax.sections(text)) is not None
    assert [*sections.by_header] == [*known.pieces(text)]


def _held(known: Dialect, pairs: list[tuple[str, str]]) -> Iterator[object]:
    for one, other in pairs:
        yield known.pieces(one), known.unlike(one, other), known.added(one, other), known.reworded(one, other)
        yield known.added(one, other, one), known.added(other, one)


def _with_a_gap(text: str) -> str:
    """The text without a few lines of its middle, wherever they stand."""
    lines = text.split("\n")
    return "\n".join((*lines[: len(lines) // 2], *lines[len(lines) // 2 + 5 :]))
