"""A file with a word of any length is reported at once, in lines of bounded width."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fabric.documents.print_findings import EXCERPT, LONGEST_PATH
from fabric.documents.redaction import is_secret_line
from tests.cli.conftest import Ran

LETTERS = 1_000_000
"""Of the word: what reads it from each of its letters on would take hours."""
WIDEST = LONGEST_PATH + 4 * EXCERPT
WORD = "a" * LETTERS
DIGITS = "9" * LETTERS
FILES = {
    "a name": f"site: {WORD}\n",
    "a description": f"site: lab\ndescription: {WORD}\n",
    "a quoted one": f'site: lab\ndescription: "{WORD}"\n',
    "many words": f"site: lab\ndescription: {'ab ' * (LETTERS // 3)}c\n",
    "a number": f"site: lab\nunits: {DIGITS}\n",
    "an unknown key": f"site: lab\nnope: {WORD}\n",
    "a long key": f"site: lab\n? {WORD}\n: 3\n",
    "a comment": f"site: lab\nnope: 3 # {WORD}\n",
    "blanks": f"site: lab\nnope:{' ' * LETTERS}3\n",
    "a line without a colon": f"{WORD}\n",
}


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("form", ["full", "concise", "github"])
def test_a_long_word_is_reported_in_lines_of_bounded_width(
    fabric: Callable[..., Ran], site: Path, kind: str, form: str
) -> None:
    (site / "site.yaml").write_text(FILES[kind])

    ran = fabric("validate", "--format", form)

    assert ran.code == 1
    assert "site.yaml" in ran.out
    assert max(map(len, (ran.out + ran.err).splitlines())) <= WIDEST


def test_a_secret_behind_a_long_word_is_still_seen() -> None:
    assert is_secret_line(f"{WORD} enable: x")
    assert is_secret_line(f'{{"{WORD}": 1, "enable": x}}')
    assert is_secret_line("a.enable-x: 1, 'enable' : x")
    assert not is_secret_line(f"{WORD}enable: x")
