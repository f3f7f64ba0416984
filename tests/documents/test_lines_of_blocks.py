"""A line of a literal block is shown where it stands in the file; that of any other text at the text."""

from __future__ import annotations

import pytest

from fabric.diagnostics import Origin
from fabric.documents.places import Place, Sources
from fabric.documents.reading.strict_yaml import read_yaml

SAID = "one\n  two\n\nthree\n"
FORMS = {
    "literal": "a: 1\nkey: |\n  one\n    two\n\n  three\n",
    "stripped, behind a comment": "# é\nkey: |-  # lines\n    one\n      two\n\n    three\n",
    "after an empty line": "key: |\n\n  one\n",
    "with an indentation of its own": "key: |2-\n     one\n  two\n",
    "line ends of Windows": "a: 1\r\nkey: |\r\n  one\r\n    two\r\n",
}


def place(text, line):
    document = read_yaml(text.encode(), "site.yaml", "intent")
    return document, Sources({"intent": document}).place(Origin(("key",), line=line))


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS)
def test_each_line_of_a_block_is_found_in_the_file(text):
    written = text.replace("\r\n", "\n").split("\n")
    document, _ = place(text, 0)

    for number, line in enumerate(document.value["key"].splitlines(), start=1):
        _, found = place(text, number)
        assert written[found.line - 1][found.column - 1 :] == line


@pytest.mark.parametrize(
    ("text", "line"), [('key: "a\\nb"\n', 1), ("key: plain\n", 1), ("key: >\n  a\n  b\n", 1)]
)
def test_other_texts_are_shown_at_their_beginning(text, line):
    _, found = place(text, 2)

    assert Place("site.yaml", line, 6) == found


def test_an_origin_without_a_line_is_that_of_the_key():
    _, found = place(FORMS["literal"], 0)

    assert Place("site.yaml", 2, 6) == found
