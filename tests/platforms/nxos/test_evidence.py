"""The grammar of what may be printed is pinned to lines that others published."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.platforms.nxos.evidence import LINES, NOT_SEEN, lines
from tests.platforms.nxos.grammar import TOP, Forms

SEEN = [re.sub(r" {2,}", " ", line) for source in ("AZL", "NAP", *LINES) for line in lines(source)]


def patterns(forms: Forms = TOP) -> Iterator[str]:
    for pattern, _, below in forms:
        yield pattern
        yield from patterns(below)


def shown(pattern: str, among) -> bool:
    return any(re.fullmatch(pattern, line) for line in among)


@pytest.mark.parametrize("pattern", sorted(set(patterns())))
def test_every_form_was_seen_or_says_what_stands_for_it(pattern):
    assert shown(pattern, SEEN) or shown(pattern, NOT_SEEN)


@pytest.mark.parametrize("line", sorted(NOT_SEEN))
def test_nothing_is_called_unseen_that_was_seen(line):
    forms = [pattern for pattern in patterns() if re.fullmatch(pattern, line)]

    assert forms
    assert any(not shown(pattern, SEEN) for pattern in forms)
