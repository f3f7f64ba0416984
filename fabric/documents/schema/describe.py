"""What a schema accepts, in plain words."""

from __future__ import annotations

from typing import Any

from fabric.documents.schema.json_schema import Schema, resolved

KINDS = {
    "integer": "a whole number",
    "number": "a number",
    "string": "text",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
    "null": "null",
}

MAX_SHOWN = 60
"""Characters of a value that are worth showing."""


def kind_of(value: Any) -> str:  # noqa: PLR0911  # one a case
    """What a value is."""
    match value:
        case None:
            return "nothing"
        case bool():
            return f"the truth value {'true' if value else 'false'}"
        case int():
            return f"the number {value}"
        case float():
            return f"the number {value}"
        case str():
            return f"the text {quoted(value)}"
        case list():
            return "a list"
        case _:
            return "a mapping"


def quoted(value: Any) -> str:
    """A value as it may be shown in a message: short, and nothing in it that a terminal obeys."""
    text = repr(value)
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + "…"


def expectation(root: Schema, schema: Schema) -> str:
    """What a schema accepts, such as `a whole number from 1 to 64, or auto`."""
    if "allOf" in schema:
        parts = [expectation(root, choice["then"]) for choice in schema["allOf"]]
        return ", or ".join(parts)
    schema = resolved(root, schema)
    if "enum" in schema:
        return choice([str(v) for v in schema["enum"] if v is not None])
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    words = [_kind(root, schema, kind) for kind in kinds if kind != "null"]
    return " or ".join(words) or "something else"


def _kind(root: Schema, schema: Schema, kind: str) -> str:
    if kind == "integer":
        return f"a whole number{bounds(schema)}"
    if kind == "array":
        return f"a list, each item {expectation(root, schema.get('items', {}))}"
    if kind == "string" and "$comment" in schema:
        comment = str(schema["$comment"]).partition(":")[0].rstrip(".")
        return comment[0].lower() + comment[1:]
    if kind == "string" and "examples" in schema:
        return f"text like {schema['examples'][0]}"
    if kind == "object" and schema.get("properties"):
        return f"a mapping with keys such as {', '.join(list(schema['properties'])[:3])}"
    return KINDS[kind]


def bounds(schema: Schema) -> str:
    """`` from 1 to 64``, or nothing."""
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        return f" from {low:,} to {high:,}"
    return f" of at least {low:,}" if low is not None else f" of at most {high:,}" if high is not None else ""


def choice(words: list[str]) -> str:
    """`a`, `a or b`, `one of a, b, c`."""
    if len(words) <= 2:  # two words need no `one of`
        return " or ".join(words)
    return f"one of {', '.join(words)}"
