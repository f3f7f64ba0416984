"""Statements in braces: what was printed is read again, however it is written, and what cannot be read says why."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.configuration import Curly, Dialect, Line, Section, Statement, Unreadable, compare, read
from fabric.configuration.syntaxes.curly import CLOSED, MAX_DEPTH, OPEN, in_full, parse, words_of
from fabric.configuration.syntaxes.syntax import Piece

CURLY = Curly(deep=frozenset({("interfaces",), ("class", "ports")}))
PLAIN_WORDS = st.sampled_from(
    ["a", "b", "interfaces", "et-0/0/0:1", "10.0.0.0/31", "mtu", "*", "<x>", "a/*b", "&&"]
)
INSIDE = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from(' "\\{};#/*\n'), max_size=8)
QUOTED = INSIDE.map(lambda text: '"' + re.sub(r'(["\\])', r"\\\1", text) + '"')
LISTS = st.lists(PLAIN_WORDS | QUOTED, min_size=1, max_size=3).map(lambda inner: f"[ {' '.join(inner)} ]")
TEXTS = st.lists(PLAIN_WORDS | QUOTED | LISTS, min_size=1, max_size=4).map(" ".join)
CLOSINGS = st.builds(Line, TEXTS, st.just(0), st.just([]), st.just(CLOSED))
TREES = st.lists(
    st.recursive(
        CLOSINGS,
        lambda below: st.builds(Line, TEXTS, st.just(0), st.lists(below, max_size=3), st.just(OPEN)),
        max_leaves=12,
    ),
    max_size=4,
)
COMMENTS = st.sampled_from(
    ["", " ", "\n", "\t\n", '# x } ; "\n', '/* { " ; */', "\n/* a\n b */\n", "## SECRET-DATA\n"]
)


def said(lines: list[Line]) -> list[object]:
    """What lines say, without their numbers."""
    return [(line.text, line.raw, said(line.below)) for line in lines]


def tokens(lines: list[Line]) -> list[str]:
    """A tree as words and marks."""
    found: list[str] = []
    for line in lines:
        found += words_of(line.text)
        found += ["{", *tokens(line.below), "}"] if line.raw == OPEN else [";"]
    return found


def whole(text: str) -> list[Line]:
    """The tree of a text, put together from its pieces."""
    dialect = Dialect(syntax=CURLY, top=Section(), mask=str)
    return [node.line() for node in dialect.tree(CURLY.pieces(text).values()).values()]


@given(TREES)
def test_what_was_printed_is_read_again(lines):
    text = CURLY.written(parse(CURLY.written(lines)))

    assert said(parse(text)) == said(parse(CURLY.written(lines)))
    assert CURLY.written(parse(text)) == text


@given(TREES, st.data())
def test_a_text_says_the_same_however_it_is_written(lines, data):
    """On one line, or with comments and line ends between any two words."""
    shown = CURLY.written(lines)
    compact = " ".join(tokens(lines))
    scattered = "".join(f"{data.draw(COMMENTS)}{token} " for token in tokens(lines))

    assert said(parse(shown)) == said(parse(compact)) == said(parse(scattered))
    assert CURLY.plain(scattered) == CURLY.plain(compact)
    assert list(CURLY.pieces(compact)) == list(CURLY.pieces(CURLY.plain(compact)))


@given(TREES)
def test_the_plain_form_is_its_own(lines):
    plain = CURLY.plain(CURLY.written(lines))

    assert CURLY.plain(plain) == plain


@given(TREES)
def test_the_pieces_say_what_the_whole_says(lines):
    text = CURLY.written(lines)
    dialect = Dialect(syntax=CURLY, top=Section(), mask=str)
    by_pieces = dialect.tree(CURLY.pieces(text).values())
    at_once = dialect.tree([Piece(line.text, line.below, line.number) for line in parse(text)])

    assert set(paths(by_pieces)) == set(paths(at_once))
    assert not compare(dialect, "x", text, " ".join(tokens(lines))).changes


def paths(nodes, above=()):
    """Every line with those above it; deep ones that hold nothing are left out."""
    for node in nodes.values():
        if node.below or (*above, node.text) not in CURLY.deep:
            yield (*above, node.text)
        yield from paths(node.below, (*above, node.text))


def refusal(text: str) -> str:
    """Why a text cannot be read; empty if it can."""
    try:
        parse(text)
    except Unreadable as error:
        return str(error)
    return ""


@settings(max_examples=300)
@given(st.text(st.sampled_from('ab {};"\\\n#[]/*:0') | st.characters(exclude_categories=["Cs"]), max_size=60))
def test_any_text_is_read_or_refused_with_line_and_cause(text):
    if cause := refusal(text):
        assert re.fullmatch(r"line \d+: .+", cause)
        assert int(cause.split()[1][:-1]) <= text.count("\n") + 1
        with pytest.raises(Unreadable):
            whole(CURLY.plain(text))
    else:
        plain = CURLY.plain(text)
        assert CURLY.plain(plain) == plain
        assert said(parse(plain)) == said(parse(text))
        assert list(CURLY.pieces(plain)) == list(CURLY.pieces(text))


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("}", "line 1: a brace is closed that was not opened"),
        ("a;\nb {\n    c;\n", "line 2: a brace is not closed"),
        ("a {\n    b {\n    c;\n}\n", "line 1: a brace is not closed"),
        ("a", "line 1: the last statement has no semicolon"),
        ("a;\nb\nc", "line 2: the last statement has no semicolon"),
        ('a;\n\nb "c;', "line 3: a quotation mark is not closed"),
        ('a "b\nc\\";\n', "line 1: a quotation mark is not closed"),
        ("a;\n/* b\n", "line 2: a comment is not closed"),
        ("a {\n    b\n}\n", "line 3: a semicolon is missing before `}`"),
        ("a; }", "line 1: a brace is closed that was not opened"),
        ("{ b; }", "line 1: there is no word before `{`"),
        ("a {\n    ;\n}\n", "line 2: there is no word before `;`"),
        ("a {" * (MAX_DEPTH + 1), f"line 1: more than {MAX_DEPTH} levels of braces"),
        (
            "a {\n" * (MAX_DEPTH + 1) + "}\n" * (MAX_DEPTH + 1),
            f"line {MAX_DEPTH}: more than {MAX_DEPTH} levels of braces",
        ),
    ],
)
def test_what_is_refused_says_line_and_cause(text, cause):
    assert cause == refusal(text)
    with pytest.raises(Unreadable):
        whole(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ('a "b";', [(1, "a b")]),
        ('a "b c";', [(1, 'a "b c"')]),
        ('a "x } y"; b;', [(1, 'a "x } y"'), (1, "b")]),
        ("a; # b {\n/* { */ c;", [(1, "a"), (2, "c")]),
        ("a { b { } c [ d e ]; }", [(1, "a b"), (1, "a c [ d e ]")]),
        ("a {\n    b {\n        c;\n    }\n    d\n      e;\n}\n", [(3, "a b c"), (5, "a d e")]),
        ('a "b\nc";\nd;\n', [(1, 'a "b\\nc"'), (3, "d")]),
    ],
)
def test_a_statement_in_full_is_the_words_down_to_it(text, expected):
    assert expected == list(in_full(parse(text)))


def test_a_brace_that_is_missing_somewhere_is_told_before_anything_is_read():
    with pytest.raises(Unreadable, match="line 1: a brace is not closed"):
        CURLY.pieces("a {\n    b {\n        c;\n}\nd;\n")


def test_lines_keep_their_numbers_where_a_statement_stands_twice():
    text = "x {\n    a;\n}\ny;\nx {\n    b {\n        c;\n    }\n}\ninterfaces {\n    p {\n        d;\n    }\n}\n"
    dialect = Dialect(syntax=CURLY, top=Section(), mask=str)
    unread = read(dialect.tree(CURLY.pieces(text).values()).values(), None, ())

    assert [(2, "x a"), (4, "y"), (7, "x b c"), (12, "interfaces p d")] == sorted(unread)


def test_of_a_deep_statement_each_one_below_is_a_piece():
    text = (
        "interfaces {\n    a {\n        mtu 9216;\n    }\n    b;\n}\nclass {\n    x {\n        y;\n    }\n}\n"
    )

    assert ["interfaces\na", "interfaces\nb", "class"] == list(CURLY.pieces(text))
    assert ["x", "class\ny"] == list(Curly(deep=frozenset({("class",)})).pieces("x;\nclass {\n    y;\n}\n"))


def test_what_follows_on_the_same_line_stands_below():
    then = Section(Statement("accept"), Statement("metric {metric}"))
    term = Section(Statement("then", below=then, is_inline=True))
    top = Section(Statement("term <term>", below=term, is_inline=True), Statement("<words*>"))
    dialect = Dialect(syntax=CURLY, top=top, mask=str)
    texts = (
        "term a {\n    then {\n        metric 1;\n    }\n}\n",
        "term a { then metric 1; }",
        "term a then metric 1;",
    )

    assert not any(compare(dialect, "x", one, other).changes for one in texts for other in texts)
    assert ["term a"] == [
        change.what for change in compare(dialect, "x", texts[0], "term a then accept;").changes
    ]
    unread = read(dialect.tree(CURLY.pieces("term a then\n    drop x;").values()).values(), None, ())
    assert [(1, "term a then drop x")] == unread
