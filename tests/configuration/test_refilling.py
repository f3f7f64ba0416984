"""Masked lines get their values back, and sections without a mask need not be read for it."""

from __future__ import annotations

import pytest

from fabric.configuration import refilled
from fabric.configuration.outline import Outline
from fabric.planning.texts import MASK, masked
from tests.configuration.dialects import EXAMPLES, PRODUCTS, dialect, printed, said, tree

VALUE = "s3cr3t-of-the-device"


def texts(name: str) -> list[tuple[str, str]]:
    """What is to be pushed with masks, and what a device with the same lines and others prints."""
    known = dialect(name)
    found = []
    for feature in EXAMPLES:
        for text in printed(name, feature)[:2]:
            shown = known.syntax.plain(masked(text))
            found.append((shown, shown.replace(MASK, VALUE)))
            found.append((shown, known.written(list(tree(name, shown.replace(MASK, VALUE)).values())[::-1])))
    return found


def tree_of(name: str, text: str) -> list[tuple[str, ...]]:
    """What a text says, whatever stands first."""
    return sorted(said(tree(name, text).values()))


@pytest.mark.parametrize("name", PRODUCTS)
def test_every_masked_line_that_the_device_has_gets_its_value(name: str) -> None:
    drawn = texts(name)

    found = [refilled(dialect(name), shown, device, MASK) for shown, device in drawn]

    assert [()] * len(drawn) == [one.missing for one in found]
    assert not [one for one in found if MASK in one.text]
    assert [tree_of(name, device) for _, device in drawn] == [tree_of(name, one.text) for one in found]
    assert any(VALUE in one.text for one in found)


@pytest.mark.parametrize("name", PRODUCTS)
def test_what_is_not_read_would_give_no_other_value(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = texts(name)
    drawn += [
        (shown, device) for shown, _ in drawn[:4] for _, device in drawn[-4:]
    ]  # of which many are missing

    found = [refilled(dialect(name), *both, MASK) for both in drawn]
    monkeypatch.setattr(Outline, "of", classmethod(lambda *_: None))
    expected = [refilled(dialect(name), *both, MASK) for both in drawn]

    assert [(one.values, one.missing) for one in expected] == [(one.values, one.missing) for one in found]
    assert [tree_of(name, one.text) for one in expected] == [tree_of(name, one.text) for one in found]


@pytest.mark.parametrize("name", PRODUCTS)
def test_lines_that_are_found_by_their_words_get_the_values_that_reading_gives(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = [both for both in texts(name) if MASK in both[0]][:8]

    found = [refilled(dialect(name), *both, MASK) for both in drawn]
    monkeypatch.setattr("fabric.configuration.refilling.same_places", lambda *_: None)
    expected = [refilled(dialect(name), *both, MASK) for both in drawn]

    assert [sorted(one.values) for one in expected] == [sorted(one.values) for one in found]
    assert [tree_of(name, one.text) for one in expected] == [tree_of(name, one.text) for one in found]
