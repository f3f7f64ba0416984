"""NVUE files as documents: text as we print it is read row by row, and says what YAML says."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from fabric.configuration import Unreadable
from fabric.platforms.cumulus.dialect import DIALECT
from fabric.platforms.cumulus.documents import dump, load
from fabric.platforms.cumulus.settings import Setting, grown, settings
from tests.platforms.cumulus.devices import device
from tests.platforms.cumulus.test_reading import SAYABLE
from tests.platforms.sites import printed

WORDS = st.text(max_size=8) | st.from_regex(r"[a-z0-9./:'\"\\#{} -]{1,8}", fullmatch=True)
VALUES = st.recursive(
    WORDS | st.lists(WORDS, max_size=2), lambda inner: st.dictionaries(WORDS, inner, max_size=3)
)
DOCUMENTS = st.dictionaries(WORDS, VALUES, max_size=4)


def told(value):
    """A value with nothing in it as an empty object, in a document."""
    if isinstance(value, dict):
        return {key: told(inner) for key, inner in value.items()}
    return value or {}


@given(DOCUMENTS.map(told))
def test_what_is_printed_is_read_as_the_same_by_us_and_as_yaml(found):
    text = dump(found, 2)

    assert found == load(text) == grown(settings(text))
    assert not found or [{"set": found}] == [told(block) for block in yaml.load(text, yaml.BaseLoader)]  # noqa: S506


@pytest.mark.covering
@pytest.mark.parametrize(("case", "release"), SAYABLE)
def test_our_text_is_read_as_the_yaml_that_it_is(case, release):
    text = printed(device(case, release))

    assert grown(settings(text)) == load(text) == load(dump(load(text), 2))
    assert text.count("\n") == DIALECT.plain(text).count("\n")


ODD = [
    "- set:\n    a: {}\n      b: c\n",
    "- set:\n    a:\n    b\n",
    "- set:\n    a:\n        b: c\n",
    "- set:\n    a: b\n    a: c\n",
    "- set:\n    a:\n      b: c\n    a:\n      d: e\n",
    "- set:\n  a:\n    b: c\n",
    "- set:\n    a: 'it''s'\n    b: \"two\\nlines\"\n",
    "- set:\n    a: b: c\n",
    "- set:\n    a: b # remark\n",
    "- set:\n    a: |-\n      b\n      c: d\n",
    "- set:\n    a: 'b\n      c: d'\n",
    "- set:\n    a:\n      b: c\n- set:\n    a:\n      d: e\n",
    "- header:\n    rev-id: 1\n- set:\n    a: b\n",
    "- set:\n    a: b\n---\n- set:\n    a: c\n",
    "- set:\n    a: {b: c, d: [e, f]}\n",
    "- set:\n    a:\n      b: c\n    a: {}\n",
    "",
]


@pytest.mark.parametrize("text", ODD)
def test_text_in_any_form_is_read_as_yaml(text):
    try:
        found = grown(settings(text))
    except Unreadable as error:
        with pytest.raises(Unreadable, match=str(error)):
            load(text)
    else:
        assert found == load(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hostname x\n", "line 1: not a list of `set` blocks"),
        ("set: {a: b}\n", "line 1: not a list of `set` blocks"),
        ("- set: {a: b}\n- x\n", "line 2: not a list of `set` blocks"),
        ("- set: x\n", "line 1: `set` has no keys"),
        ("- set:\n    a: b\n- unset:\n    a:\n", "line 4: a block is `set` or `header`, not `unset`"),
        ("- set:\n    a: &x b\n    c: *x\n", "line 3: an alias: write the value out"),
        ("- set:\n    ? {a: b}\n    : c\n", "line 2: a key that is not a text"),
        ("- set:\n    a:\n    - b: c\n", "line 3: a list of more than texts"),
        ("- set:\n    a: [\n", "line 3: not YAML"),
        ("- set: {a: b}\n--- \n- set: {a: b}\n", "line 2: a second document"),
        (f"- set: {'{a: ' * 200}x{'}' * 200}\n", "line 1: more than 100 levels"),
    ],
)
def test_what_is_no_nvue_file_is_refused_with_its_line(text, message):
    with pytest.raises(Unreadable, match=message):
        load(text)


def test_values_are_the_texts_that_stand_there():
    assert {"a": {"b": "on", "010": "0x1F"}, "c": "1.0", "d": {}} == load(
        "- set: {a: {b: on, 010: 0x1F}, c: 1.0, d: }\n"
    )


def test_settings_come_with_their_lines_and_blocks_that_set_nothing_by_their_word():
    text = "- set:\n    system:\n      hostname: x\n      lldp: {}\n- unset:\n    router:\n"

    assert [
        Setting(3, ("system", "hostname"), "x"),
        Setting(4, ("system", "lldp"), {}),
        Setting(6, (), "unset"),
    ] == list(settings(text))


def test_an_object_that_is_read_again_is_not_changed_by_what_was_made_of_it():
    text = "- set:\n    system:\n      dns:\n        server:\n          '192.0.2.1': {}\n"
    first = load(text)
    first["system"]["x"] = "y"

    assert {"system": {"dns": {"server": {"192.0.2.1": {}}}}} == load(text)
