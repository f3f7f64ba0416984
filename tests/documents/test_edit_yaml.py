"""A value is written into a YAML text, and nothing else of the text changes."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from fabric.documents.edit_yaml import SharedValue, with_value
from tests.programs import ROOT

TEXT = """\
# A site.
site: x   # its name
networks:
  compute:   # the first
    planes: {count: 1}  # one
    tiers:
      leaf: {model: a}
      spine:
        model: b   # kept

    # of the cables
    cables: {}
  # behind
list:
  - {device: a, mode: graceful}
  - device: b
    mode: shut
"""


@pytest.mark.parametrize(
    ("path", "value", "old", "new"),
    [
        (("networks", "compute", "planes", "count"), 2, "{count: 1}", "{count: 2}"),
        (("site",), "z", "site: x ", "site: z "),
        (("networks", "compute", "planes", "mode"), "shared", "{count: 1}", "{count: 1, mode: shared}"),
        (
            ("networks", "compute", "cables", "host_leaf"),
            {"length": "3m"},
            "{}",
            '{host_leaf: {length: "3m"}}',
        ),
        (
            ("networks", "compute", "tiers", "spine", "count"),
            4,
            "model: b   # kept\n",
            "model: b   # kept\n        count: 4\n",
        ),
        (
            ("networks", "compute", "routing", "bfd"),
            True,
            "cables: {}\n",
            "cables: {}\n    routing: {bfd: true}\n",
        ),
        (("list", 1, "mode"), "graceful", "mode: shut", "mode: graceful"),
        (("list", 0, "reason"), "no: why", "graceful}", 'graceful, reason: "no: why"}'),
        (("new",), "no", "mode: shut\n", 'mode: shut\nnew: "no"\n'),
    ],
)
def test_one_value_is_changed_or_added(path: tuple[str | int, ...], value: Any, old: str, new: str) -> None:
    assert with_value(TEXT, path, value) == TEXT.replace(old, new, 1)


def test_a_path_through_what_is_no_mapping_is_refused() -> None:
    for path in (("site", "x"), ("list", 7), ("list", "x")):
        with pytest.raises(KeyError):
            with_value(TEXT, path, 1)


SHARED = """\
base: &base {a: 1, b: [1, 2]}
other: *base
merged:
  <<: *base
  c: 3
tagged: !!str &name x
inner: {deep: &deep {x: 1}}
"""


@pytest.mark.parametrize(
    "path",
    [
        ("base",),
        ("base", "a"),
        ("base", "new"),
        ("other",),
        ("other", "b", 0),
        ("tagged",),
        ("inner", "deep", "x"),
    ],
)
def test_what_an_anchor_shares_is_not_changed(path: tuple[str | int, ...]) -> None:
    with pytest.raises(SharedValue):
        with_value(SHARED, path, 1)


def test_a_key_beside_a_merged_anchor_is_added_and_wins() -> None:
    written = yaml.safe_load(with_value(SHARED, ("merged", "a"), 9))

    assert written == {**yaml.safe_load(SHARED), "merged": {"a": 9, "b": [1, 2], "c": 3}}


SITES = sorted((ROOT / "inventories" / "reference").glob("*/site.yaml"))
VALUES = st.recursive(
    st.integers(0, 9)
    | st.booleans()
    | st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=8),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("abc"), inner, max_size=2),
    max_leaves=4,
)


def places(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    inside = [place for step, below in steps for place in places(below, (*path, step))]
    return [*([path] if path else []), *inside, *([(*path, "added")] if isinstance(value, dict) else [])]


@given(data=st.data())
def test_what_is_written_is_read_and_all_else_is_as_before(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([path.read_text(encoding="utf-8") for path in SITES]))
    before = yaml.safe_load(text)
    path, value = data.draw(st.sampled_from(places(before))), data.draw(VALUES)
    written = with_value(text, path, value)
    assert with_value(text.replace("\n", "\r\n"), path, value) == written.replace("\n", "\r\n")

    after = before
    for step in path[:-1]:
        after = after[step]
    after[path[-1]] = value
    assert yaml.safe_load(written) == before
    assert [line for line in text.splitlines() if line.startswith("#")] == [
        line for line in written.splitlines() if line.startswith("#")
    ]


@pytest.mark.parametrize("style", ["|", ">"])
def test_a_text_of_whole_lines_keeps_what_follows_it(style):
    text = f"banner: {style}\n  one\n  two\nport: 3\n"

    assert with_value(text, ("banner",), "other") == "banner: other\nport: 3\n"


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("d: &x {b: 1}\nc: {y: *x}\n", ("c", "e"), "d: &x {b: 1}\nc: {y: *x, e: 3}\n"),
        ("d: &x {b: 1}\nc:\n  y: *x\n", ("c", "e"), "d: &x {b: 1}\nc:\n  y: *x\n  e: 3\n"),
        ("a:\n  b: # why\n  c: 2\n", ("a", "b"), "a:\n  b: 3 # why\n  c: 2\n"),
        ("a:\nz: 1\n", ("a", "b"), "a: {b: 3}\nz: 1\n"),
        ("a:\n  b: >+\n    text\n\nz: 1\n", ("a", "d"), "a:\n  b: >+\n    text\n\n  d: 3\nz: 1\n"),
        ("a:\n  b: |\n    text\n# z\nz: 1\n", ("a", "d"), "a:\n  b: |\n    text\n  d: 3\n# z\nz: 1\n"),
        ("a:\n  b: 1\t# why\n", ("a", "b"), "a:\n  b: 3\t# why\n"),
    ],
)
def test_a_value_is_written_where_it_belongs(text: str, path: tuple[str, ...], expected: str) -> None:
    """Seen: behind an alias it went to the anchor, an empty value gave `b:3`, behind a text it went to the next key."""
    assert expected == with_value(text, path, 3)


def test_what_a_merge_key_brings_is_not_replaced() -> None:
    with pytest.raises(SharedValue):
        with_value("d: &x\n  b: {q: 1, r: 2}\nc:\n  <<: *x\n", ("c", "b", "q"), 3)
