"""Where a cursor is, in texts that are whole and in texts that are half typed."""

from __future__ import annotations

import pytest

from fabric.documents.reading.strict_yaml import read_yaml
from fabric.editor.cursor import Text
from fabric.resources import resource

SITES = sorted((resource("inventories") / "reference").glob("*/*.yaml"))


def leaves(node, path=()):
    if node.children is None:
        yield path, node
    for step, child in (node.children or {}).items():
        yield from leaves(child, (*path, step))


def inner(node, path=()):
    for step, child in (node.children or {}).items():
        yield (*path, step), child
        yield from inner(child, (*path, step))


@pytest.mark.parametrize("file", SITES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_each_scalar_and_key_of_a_reference_site_has_the_path_that_the_reader_gives_it(file):
    data = file.read_bytes()
    text, document = Text(data.decode()), read_yaml(data, file.name, "intent")
    scalars = {(n.line - 1, n.column - 1): path for path, n in leaves(document.source_map) if n.line}
    keys = {(n.key_line - 1, n.key_column - 1): p for p, n in inner(document.source_map) if n.key_line}

    found = {place: text.places[place].path for place in {**scalars, **keys} if place in text.places}

    filled = {place: path for place, path in scalars.items() if document_text(data, place)}
    assert {**filled, **keys} == {place: found.get(place) for place in {**filled, **keys}}
    assert len(keys) > 3


def document_text(data, place):
    """Whether a scalar is written at all: `key:` alone has an empty one behind its colon."""
    line, column = place
    rest = data.decode().split("\n")[line][column:].strip()
    return bool(rest) and not rest.startswith(("#", "{}", "[]"))


@pytest.mark.parametrize(
    ("text", "path", "slot"),
    [
        ("si|", (), "key"),
        ("site: a\n|", (), "key"),
        ("networks:\n  compute:\n    |", ("networks", "compute"), "either"),
        ("networks:\n  compute:\n    ti|", ("networks", "compute"), "either"),
        ("networks:\n  compute:\n    planes: {}\n    ti|", ("networks", "compute"), "key"),
        ("networks:\n  compute:\n    planes: {}\n    |", ("networks", "compute"), "key"),
        ("networks:\n  compute:\n    technology: |", ("networks", "compute", "technology"), "value"),
        ("networks:\n  compute:\n    technology: eth|", ("networks", "compute", "technology"), "value"),
        (
            "networks:\n  compute:\n    tiers:\n      leaf: {|",
            ("networks", "compute", "tiers", "leaf"),
            "key",
        ),
        ("a:\n  leaf: {model: |\n  spine: {count: 2}", ("a", "leaf", "model"), "value"),
        ("a:\n  leaf: {model: x, co|\n  spine: {count: 2}", ("a", "leaf"), "key"),
        ("a:\n  leaf: {model: x\n  spine: {|", ("a", "spine"), "key"),
        ('a:\n  b: "never closed\n  c: |', ("a", "c"), "value"),
        ("drained:\n- |", ("drained", 0), "either"),
        ("drained:\n- device: a\n  |", ("drained", 0), "key"),
        ("drained:\n- device: a\n- dev|", ("drained", 1), "either"),
        ("include: [a.yaml, |", ("include", 1), "value"),
        ("a: b # |", ("a",), "nothing"),
        ("text: |+\n  lines\n  |", ("text",), "nothing"),
    ],
)
def test_what_may_be_written_at_a_cursor_in_a_text_that_is_half_typed(text, path, slot):
    at = text.rindex("|")
    before = text[:at]
    line, column = before.count("\n"), len(before.rpartition("\n")[2])

    gap = Text(before + text[at + 1 :]).gap_at(line, column)

    assert (path, slot) == (gap.path, gap.slot)


def test_the_keys_that_a_mapping_has_are_known_before_and_after_the_cursor():
    gap = Text("a:\n  b: 1\n  \n  c: 2\nd: 3\n").gap_at(2, 2)

    assert {"b", "c"} == gap.siblings
