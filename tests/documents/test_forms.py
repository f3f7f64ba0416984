"""A text of the wrong form is told by the rule that it breaks, and no hint empties it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from fabric.diagnostics import Origin
from fabric.documents.places import Document, SourceMap
from fabric.documents.schema.explain_errors import Explainer, Fault

SCHEMAS = Path(__file__).parents[2] / "schemas"
SAMPLES = ("aa", "aaa", "00", "0x00")


def forms():
    """Every schema of a text with a pattern and no format, once a pattern."""
    found = {}

    def walk(node):
        if isinstance(node, dict):
            if "pattern" in node and "format" not in node and not node.get("writeOnly"):
                found.setdefault(node["pattern"], node)
            for item in node.values():
                walk(item)
        elif isinstance(node, list):
            for item in node:
                walk(item)

    for file in sorted(SCHEMAS.glob("*.json")):
        walk(json.loads(file.read_text()))
    return list(found.values())


def right(schema):
    """A text that the pattern takes."""
    texts = (*schema.get("examples", ()), *SAMPLES)
    return next((text for text in texts if re.search(schema["pattern"], text)), None)


def finding(schema, value):
    """What is said of a wrong text."""
    document = Document("intent", None, SourceMap("site.yaml", 1, 1))
    fault = Fault("pattern", schema["pattern"], ("key",), (), schema, value, "", None)
    return Explainer(document, schema).wrong_form(Origin(("key",)), fault)


FORMS = [(schema, right(schema)) for schema in forms() if right(schema) is not None]


def test_most_forms_are_tried():
    assert len(FORMS) > 20


@pytest.mark.parametrize(("schema", "text"), FORMS, ids=lambda value: value if isinstance(value, str) else "")
def test_a_letter_that_is_not_ascii_is_named(schema, text):
    said = finding(schema, f"{text}ü")

    assert "'ü', which is not ASCII" in said.rule


@pytest.mark.parametrize(("schema", "text"), FORMS, ids=lambda value: value if isinstance(value, str) else "")
def test_a_line_end_is_named_where_none_may_be(schema, text):
    wrong = f"{text}\n{text}"

    assert re.search(schema["pattern"], wrong) or "holds a line end" in finding(schema, wrong).rule


@pytest.mark.parametrize(("schema", "text"), FORMS, ids=lambda value: value if isinstance(value, str) else "")
def test_a_text_that_is_too_long_is_told_its_limit(schema, text):
    pattern = schema["pattern"]
    letter = next((one for one in "a0" if re.search(pattern, text + one)), None)
    if letter is None or "|" in pattern or "*" in pattern or pattern.count("{") > 1:
        return  # of a fixed length, or of parts that have lengths of their own
    longest = (
        next(n for n in range(len(text), 30_000) if not re.search(schema["pattern"], text + letter * n)) - 1
    )
    limit = len(text) + longest

    assert f"at most {limit:,} are allowed" in finding(schema, text + letter * (longest + 5)).rule


@pytest.mark.parametrize(("schema", "text"), FORMS, ids=lambda value: value if isinstance(value, str) else "")
@pytest.mark.parametrize("wrong", ["ü", " ", "\n", "aü\n", "x" * 30_000, "é" * 30_000, ""])
def test_no_hint_empties_a_text(schema, text, wrong):
    if not re.search(schema["pattern"], wrong):
        assert "''" not in (finding(schema, wrong).hint or "")


@pytest.mark.parametrize("schema", forms(), ids=lambda schema: schema["pattern"][:40])
def test_a_hint_says_the_form_that_is_wanted(schema):
    said = finding(schema, "\u2028").hint

    assert re.search(r"for example|letters|digits|hexadecimal|ASCII|line", said), said


def test_a_text_that_is_too_short_is_told_how_long_it_must_be():
    schema = {"pattern": r"^[ -~]{3,240}$(?!\n)", "description": "ASCII"}

    assert finding(schema, "x").rule == "'x' is too short: at least 3 characters are needed"
    assert "too short" not in finding(schema, "ü").rule
