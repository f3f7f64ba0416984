"""What two texts begin and end with alike."""

from __future__ import annotations

from itertools import takewhile

from hypothesis import given
from hypothesis import strategies as st

from fabric.configuration import lines_between
from fabric.configuration.same_ends import same_end, same_start

TEXTS = st.text(alphabet="ab\n\r ", max_size=40)


def alike(old, new):
    """Character by character."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))


@given(old=TEXTS, new=TEXTS)
def test_both_ends_are_as_long_as_they_can_be(old, new):
    assert same_start(old, new) == alike(old, new)
    assert same_end(old, new) == alike(old[::-1], new[::-1])


@given(start=TEXTS, old=TEXTS, new=TEXTS, end=TEXTS)
def test_no_line_of_its_own_is_left_out(start, old, new, end):
    one, other = start + old + end, start + new + end

    assert len(set(one.splitlines()) - set(other.splitlines())) <= lines_between(one, other)
