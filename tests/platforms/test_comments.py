"""Comments say nothing: whatever stands in them, two texts are the same, and no change is planned."""

from __future__ import annotations

import pytest

from fabric.configuration import Files, compare
from fabric.configuration.syntaxes.curly import Curly
from fabric.configuration.syntaxes.syntax import Syntax
from fabric.platforms.registry import platform
from tests.platforms.everywhere import MODELS
from tests.platforms.judging import plain
from tests.platforms.sites import LEAF, compiled, printed

WORDS = "typed by somebody: no shutdown {"


def comment_of(syntax: Syntax) -> str:
    """A line that says nothing; empty where texts have no comments."""
    if isinstance(syntax, Curly):
        return f"/* {WORDS} */"
    leader = getattr(syntax, "comment", "")
    return f"{leader} {WORDS}" if leader else ""


def commented(syntax: Syntax, text: str) -> str:
    """The text with a comment before everything that stands at the margin."""
    if isinstance(syntax, Files):
        first, *files = text.split(syntax.mark)
        return first + "".join(syntax.mark + _file(syntax, file) for file in files)
    comment = comment_of(syntax)
    starts = {piece.number for piece in syntax.pieces(text).values() if not piece.above}
    lines = enumerate(text.splitlines(keepends=True), 1)
    return "".join(f"{comment}\n{line}" if comment and n in starts else line for n, line in lines)


def _file(syntax: Files, file: str) -> str:
    name, _, body = file.partition("\n")
    inner = syntax.syntaxes[name]
    program, body = body.split("\n", 1) if body.startswith("#!") else ("", body)
    return f"{name}\n{program}{chr(10) if program else ''}{commented(inner, body)}"


def has_comments(name: str) -> bool:
    syntax = platform(name).dialect().syntax
    inner = syntax.syntaxes.values() if isinstance(syntax, Files) else [syntax]
    return any(map(comment_of, inner))


@pytest.mark.parametrize("name", MODELS)
def test_a_text_with_other_comments_is_the_same_text(name: str) -> None:
    device = compiled(name)[LEAF]
    dialect, text = platform(name).dialect(), printed(device)
    other = commented(dialect.syntax, text)

    assert (other.count(WORDS) > 3) is has_comments(name)
    assert plain(device, other) == plain(device)
    assert compare(dialect, LEAF, plain(device), plain(device, other)).changes == ()


def test_most_products_have_comments() -> None:
    assert len([name for name in MODELS if has_comments(name)]) > len(MODELS) / 2
