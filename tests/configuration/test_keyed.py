"""Documents of keys and values: what their lines are, where they stand, and that nothing of a document is lost."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from fabric.configuration import Dialect, Keyed, Line, Section, Statement, Unreadable, compare, merge
from fabric.configuration.syntaxes.json_documents import MAX_DEPTH, height, load_json
from fabric.configuration.syntaxes.keyed_lines import document
from fabric.configuration.syntaxes.quoting import meant, said
from fabric.configuration.syntaxes.syntax import Piece

KEYS = st.sampled_from(["name", "interface", "mtu", "a:vlan", "server", "x y", "description"])
PLAIN = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8"), max_size=6)
)
VALUES = st.recursive(
    PLAIN | st.lists(PLAIN, max_size=3),
    lambda inside: st.dictionaries(KEYS, inside, max_size=4) | st.lists(inside, max_size=3),
    max_leaves=20,
)
DOCUMENTS = st.dictionaries(KEYS, VALUES, max_size=5)
SYNTAX = Keyed(deep=frozenset({("interface", "server")}))
MODULES = Keyed(label=lambda key: key.rpartition(":")[2])


def lines(text: str, syntax: Keyed = SYNTAX) -> list[Line]:
    return [line for piece in syntax.pieces(text).values() for line in syntax.lines(piece)]


def flat(found: list[Line]) -> Iterator[Line]:
    for line in found:
        yield line
        yield from flat(line.below)


def whole(found: list[Line]) -> list[Line]:
    """Lines with those above them joined, as a tree joins them."""
    joined: dict[str, Line] = {}
    for number, line in enumerate(found):
        is_above = line.raw.kind == "object"
        known = joined.setdefault(line.raw.key if is_above else str(number), line)
        if known is not line:
            known.below += line.below
    return [Line(one.text, one.number, whole(one.below), one.raw) for one in joined.values()]


def is_joined(piece: Piece) -> bool:
    """Whether it has entries of one name: the second has the number that it would have behind the first."""
    (value,) = piece.body.document.values()
    return isinstance(value, list) and len(value) > 1 and isinstance(value[0], dict)


@given(DOCUMENTS)
def test_a_document_is_printed_again_as_it_was(found):
    text = json.dumps(found)
    assume(not any(map(is_joined, SYNTAX.pieces(text).values())))

    assert load_json(SYNTAX.written(whole(lines(text)))) == found
    again = document(whole(lines(text)))
    assert json.dumps(again, sort_keys=True) == json.dumps(
        load_json(text), sort_keys=True
    )  # 1 is no 1.0, nor True
    assert load_json(SYNTAX.plain(text)) == load_json(text)
    assert SYNTAX.plain(SYNTAX.plain(text)) == SYNTAX.plain(text)


@given(DOCUMENTS)
@example({"interface": [{"name": "x"}], "name": "y"})
def test_a_document_read_as_a_whole_is_all_of_it(found):
    """Not in pieces: an entry's name is that of no other key around it."""
    plain = SYNTAX.plain(json.dumps(found))
    rows = ["", *(row.strip() for row in plain.split("\n"))]
    read = SYNTAX.whole(plain)

    assert load_json(SYNTAX.written(read)) == found
    for one in flat(read):
        start = "{" if one.raw.kind == "entry" else f"{json.dumps(one.raw.key, ensure_ascii=False)}: "
        assert rows[one.number].startswith(start)


@given(DOCUMENTS)
def test_every_line_has_its_number_in_the_plain_form(found):
    plain = SYNTAX.plain(json.dumps(found))
    rows = ["", *(row.strip() for row in plain.split("\n"))]
    pieces = [piece for piece in SYNTAX.pieces(plain).values() if not is_joined(piece)]

    assert plain.count("\n") == height(found) or not found
    for one in (line for piece in pieces for line in flat(SYNTAX.lines(piece)[len(piece.above) :])):
        start = "{" if one.raw.kind == "entry" else f"{json.dumps(one.raw.key, ensure_ascii=False)}: "
        assert rows[one.number].startswith(start)


@given(DOCUMENTS)
@example({"name": [{"name": "\r0"}]})
def test_a_line_is_one_line(found):
    assert all(len(line.text.splitlines()) == 1 for line in flat(lines(json.dumps(found))))


@given(PLAIN, PLAIN)
def test_values_that_differ_are_told_apart(one, other):
    as_words = [value if isinstance(value, str) else json.dumps(load_json(json.dumps({"x": value}))["x"])
                for value in (one, other)]  # fmt: skip

    assert (said(one) == said(other)) == (as_words[0] == as_words[1])


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (9216, "9216"),
        ("9216", "9216"),
        (True, "true"),
        (None, "null"),
        (["100000", "200000"], "100000 200000"),
        ([100000, 200000], "100000 200000"),
        (["two words", "one"], '["two words","one"]'),
        ([], "[]"),
        ({}, "{}"),
        ("", '""'),
        (" x", '" x"'),
        ("two\nlines", r'"two\nlines"'),
        ('"x"', r'"\"x\""'),
        ("[1]", '"[1]"'),
        ([1, {"a": 2}], '[1,{"a":2}]'),
    ],
)
def test_a_value_is_said_in_words_that_nothing_else_is_said_in(value, words):
    assert said(value) == words


def test_words_that_are_no_text_stay_as_they_are():
    assert '"a' == meant('"a')
    assert '["a b"]' == meant(said(["a b"]))


def test_objects_lists_of_objects_and_values_are_lines():
    text = json.dumps({
        "interface": [{"name": "e1", "mtu": 9216, "ipv4": {"address": ["10.0.0.1"]}}, {"mtu": 1500}],
        "system": {"lldp": {}, "dns": {"server": ["192.0.2.1", "192.0.2.2"]}},
    })  # fmt: skip

    assert [
        "interface e1", "mtu 9216", "ipv4", "address 10.0.0.1",
        'interface {"mtu":1500}', "mtu 1500",
        "system", "lldp", "system", "dns", "server 192.0.2.1 192.0.2.2",
    ] == [line.text for line in flat(lines(text))]  # fmt: skip


def test_a_number_and_its_text_are_the_same_setting_and_each_is_printed_as_it_was():
    table = Dialect(syntax=SYNTAX, top=Section(Statement("mtu {bytes}")), mask=str)
    number, text = table.plain('{"mtu": 9216, "x": 1}'), table.plain('{"mtu": "9216", "x": 1}')

    assert not compare(table, "x", number, text).changes
    assert '"9216"' not in table.written(table.tree(table.pieces(number).values()).values())
    assert '"9216"' in table.written(table.tree(table.pieces(text).values()).values())


def test_two_spellings_of_a_key_are_one():
    table = Dialect(
        syntax=MODULES,
        top=Section(
            Statement("interface <name>", below=Section(Statement("mtu {bytes}"))),
            Statement("system", below=Section(Statement("name {name}"), Statement("banner {text*}"))),
        ),
        mask=str,
    )
    ours = table.plain('{"m:system": {"m:name": "x"}, "m:interface": [{"name": "e1", "mtu": 1}]}')
    theirs = (
        '{"system": {"name": "x", "banner": "hi"}, "interface": [{"name": "e1", "mtu": 1}, {"name": "e2"}]}'
    )
    both = '{"system": {"banner": "hi"}, "m:system": {"m:name": "x"}}'

    assert ["banner hi", "interface e2"] == list(merge(table, ours, theirs, None).kept)
    assert {
        "m:system": {"m:name": "x", "banner": "hi"},
        "m:interface": [{"name": "e2"}, {"name": "e1", "mtu": 1}],
    } == load_json(merge(table, ours, theirs, None).text)
    assert {"m:system": {"m:name": "x", "banner": "hi"}} == load_json(
        table.written(table.tree(table.pieces(both).values()).values())
    )


def test_the_names_of_modules_above_a_piece_are_printed_too():
    text = '{"m:system": {"n:lldp": {"on": true}}}'

    assert ["m:system"] == list(load_json(MODULES.written(lines(text, MODULES))))


def test_two_entries_of_one_name_stay_two():
    text = '{"x": {"server": [{"name": "a", "p": 1}, {"name": "a", "q": 2}]}}'

    assert load_json(text) == load_json(SYNTAX.written(whole(lines(text))))


def test_what_is_shown_stands_as_deep_as_in_the_whole():
    assert ['        "dns": {', '            "server": "x"', "        }"] == SYNTAX.shown(
        lines('{"dns": {"server": "x"}}'), ["system"]
    )


def test_lines_that_no_document_had_become_objects_and_text():
    assert {"mtu": "9216", "system": {"lldp": {}}} == document(
        [Line("mtu 9216"), Line("system", 0, [Line("lldp")])]
    )


def test_an_empty_text_is_an_empty_object():
    assert {} == load_json(" \n")
    assert {} == SYNTAX.pieces("")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{\n "a": 1,\n "b": x\n}', "line 3: not a JSON object: .*invalid character"),
        ('{\n "ä": 1,\n "b": x\n}', "line 3: not a JSON object: .*invalid character"),
        ('{\n "a": 1\n', "line 2: not a JSON object: .*truncated"),
        ("{}\ninterface x {\n}\n", "line 2: not a JSON object: .*trailing"),
        ("[1]", "line 1: not a JSON object: .*object"),
        ("hostname x", "line 1: not a JSON object"),
        ("[" * 100_000, "line 1: not a JSON object"),
    ],
)
def test_a_text_that_is_no_json_object_is_refused_with_its_line(text, message):
    for use in (SYNTAX.plain, SYNTAX.pieces):
        with pytest.raises(Unreadable, match=message):
            use(text)


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 400, 900, 990])
@pytest.mark.parametrize(("opening", "closing"), [('{"a":', "}"), ('{"a":[', "]}"), ('[{"b":', "}]")])
def test_a_document_that_is_deeper_than_any_product_is_refused(depth, opening, closing):
    deep = f'{{"x": {opening * depth}1{closing * depth}}}'
    for use in (SYNTAX.plain, lines):
        with pytest.raises(Unreadable):
            use(deep)


def test_yaml_has_no_braces():
    def dumped(found: dict[str, object], step: int) -> str:
        assert found == {"a": {"b": [{"name": "x", "c": 1}]}, "d": 2}
        return "a:\n  b:\n  - name: x\n    c: 1\nd: 2\n"

    syntax = Keyed(dump=dumped, step=2, frame=(0, 0))
    found = {
        line.text: line.number
        for line in flat(lines('{"a": {"b": [{"name": "x", "c": 1}]}, "d": 2}', syntax))
    }

    assert {"a": 3, "b x": 3, "c 1": 4, "d 2": 5} == found


def rows(value: object) -> int:
    """Lines of a value in YAML whose list entries are a line each, above what stands in them."""
    if isinstance(value, dict):
        return sum(1 + rows(one) for one in value.values())
    return sum(1 + rows(one) for one in value) if isinstance(value, list) else 0


@given(DOCUMENTS)
def test_the_height_of_a_value_without_closing_lines_is_that_of_its_rows(found):
    assert height(found, (1, 0)) == 1 + rows(found)


@given(st.text())
def test_words_mean_the_text_that_they_were_made_of(text):
    assert meant(said(text)) == text
