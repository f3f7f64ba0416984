"""Errors of the schema in plain words: one finding each, at its own place, with a hint."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast

import msgspec

from fabric.diagnostics import Diagnostic, Origin, Path
from fabric.documents import codes
from fabric.documents.places import Document
from fabric.documents.reading.yaml_scalars import is_text
from fabric.documents.schema.describe import MAX_SHOWN, expectation, kind_of, quoted
from fabric.documents.schema.json_schema import Schema, resolved
from fabric.documents.suggest import closest, did_you_mean
from fabric.units import ABOVE_ZERO, END, QUANTITIES, counted

if TYPE_CHECKING:
    from jsonschema import ValidationError

LETTERS_OF = r"\[(?:[^\]\\]|\\.)+\]"
SIMPLE = re.compile(
    rf"\^(?:\(\?:)?({LETTERS_OF})?(?:\(\?:)?{LETTERS_OF}\{{[0-9]+,([0-9]+)\}}({LETTERS_OF})?(?:\)\?)?\$"
)
"""A pattern of so many letters out of some; the first and the last may be out of others."""
SAMPLES = ("aa", "aaa", "00", "0x00")
"""Texts that some pattern takes, where the schema has no example."""
LACKING = 8
"""A text that lacks more letters than this is not reported as too short."""
UNIT_FORMATS = {f"fabric-{quantity.__name__.lower()}" for quantity in QUANTITIES}
"""Formats of numbers with a unit."""


class Fault(msgspec.Struct, frozen=True):
    """An error as the validator tells it."""

    keyword: str
    """The keyword of the schema that is broken."""
    bound: Any
    """The value of the keyword."""
    path: Path
    schema_path: Path
    schema: Schema
    value: Any
    message: str
    cause: str | None

    @classmethod
    def of(cls, error: ValidationError) -> Fault:
        """The fault of one error of `jsonschema`."""
        return cls(
            keyword=str(error.validator),
            bound=error.validator_value,
            path=tuple(error.absolute_path),
            schema_path=tuple(error.absolute_schema_path),
            schema=cast("Schema", error.schema),
            value=error.instance,
            message=error.message,
            cause=str(error.cause) if error.cause else None,
        )


class Explainer:
    """Words the faults of one document."""

    def __init__(self, document: Document, schema: Schema) -> None:
        self.document = document
        self.schema = schema

    def explain(self, fault: Fault) -> Iterator[Diagnostic]:
        """The findings of one fault."""
        is_key = "propertyNames" in fault.schema_path
        path = self.key((*fault.path, str(fault.value))) if is_key else fault.path
        origin = Origin(path, self.document.name)
        if fault.schema.get("writeOnly") and isinstance(fault.value, str | int | float):
            yield self.secret(origin, fault)
            return
        match fault.keyword:
            case "type":
                yield self.wrong_type(origin, fault)
            case "enum":
                yield self.not_a_choice(origin, fault)
            case "additionalProperties":
                yield from self.unknown_keys(fault)
            case "required":
                yield from self.missing(fault)
            case "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum":
                yield self.out_of_range(origin, fault)
            case "pattern" if "format" in fault.schema:
                return  # the format is checked too, and knows the reason
            case "pattern" | "format" | "minLength" | "maxLength":
                yield self.wrong_form(origin, fault)
            case "minItems" | "maxItems":
                yield self.wrong_length(origin, fault)
            case _:
                yield codes.INVALID.at(origin, fault.message, hint="compare with docs/intent.md")

    def key(self, path: Path) -> Path:
        """The path of a key that is itself wrong, from now on shown at the key."""
        source_map = self.document.find(path)
        if source_map is not None:
            source_map.show_key()
        return path

    def expected(self, fault: Fault) -> str:
        """What the key takes, every alternative of it. The fault itself knows only the one that was tried."""
        schema = outer = self.schema
        for step in fault.schema_path:
            if step == "allOf":
                outer = schema
            # References leave no step of their own in the path.
            inner: Any = schema if isinstance(step, int) or step in schema else resolved(self.schema, schema)
            schema = inner[step]
        is_alternative = fault.schema_path[-2:-1] == ("then",)
        return expectation(self.schema, outer if is_alternative else fault.schema)

    def wrong_type(self, origin: Origin, fault: Fault) -> Diagnostic:
        """A value of another kind than its key takes."""
        expected = self.expected(fault)
        actual = "nothing" if fault.value is None else kind_of(fault.value)
        rule = f"found {actual}, expected {expected}"
        value = None if isinstance(fault.value, dict | list) else fault.value
        hint = self.by_count(fault) or _type_hint(fault.value, fault.schema)
        hint = hint or f"write {expected}{_example(fault.schema)}"
        return codes.WRONG_TYPE.at(origin, rule, value=value, hint=hint)

    def by_count(self, fault: Fault) -> str | None:
        """A number where a mapping with a `count` belongs: `write {count: 8}`."""
        whole = type(fault.value) is int
        choices = (resolved(self.schema, choice["then"]) for choice in fault.schema.get("allOf", ()))
        counted = whole and any("count" in choice.get("properties", {}) for choice in choices)
        return f"write `count: {fault.value}` below it" if counted else None

    def not_a_choice(self, origin: Origin, fault: Fault) -> Diagnostic:
        """A word that is not one of those listed."""
        rule = f"{quoted(fault.value)} is not one of the choices: {self.expected(fault)} is expected"
        words = [str(word) for word in fault.bound if word is not None]
        hint = did_you_mean(str(fault.value), words) or f"write {self.expected(fault)}"
        return codes.NOT_A_CHOICE.at(origin, rule, value=fault.value, hint=hint)

    def unknown_keys(self, fault: Fault) -> Iterator[Diagnostic]:
        """Keys that the mapping does not have."""
        known = fault.schema.get("properties", {})
        free = [name for name in known if name not in fault.value]
        for key in fault.value:
            if key in known:
                continue
            hint = did_you_mean(key, free) or did_you_mean(key, known) or self.belongs(key)
            origin = Origin(self.key((*fault.path, key)), self.document.name)
            rule = f"{_owner(fault.path)} has no key {quoted(key)}"
            yield codes.UNKNOWN_KEY.at(origin, rule, hint=hint or f"the keys here are {', '.join(known)}")

    def belongs(self, key: str) -> str | None:
        """Where a key would be known, if it is known somewhere."""
        homes = [
            name
            for name, definition in self.schema["$defs"].items()
            if key in definition.get("properties", {})
        ]
        named = [re.sub(r"(?<!^)(?=[A-Z])", " ", name).lower() for name in homes[:3]]
        return (
            f"{key!r} is a key of {' and of '.join(named)}; check the indentation, or remove it"
            if named
            else None
        )

    def missing(self, fault: Fault) -> Iterator[Diagnostic]:
        """A key that has no default. The validator names one of the missing keys in its message alone."""
        key = fault.message.removesuffix(" is a required property").strip("'")
        known = fault.schema.get("properties", {})
        if closest(key, (name for name in fault.value if name not in known)):
            return  # reported as an unknown key with this one as the fix
        inner = known.get(key, {})
        hint = f"add `{key}:` with {expectation(self.schema, inner)}{_example(inner)}"
        rule = f"{_owner(fault.path)} needs the key {key!r}"
        yield codes.MISSING_KEY.at(Origin((*fault.path, key), self.document.name), rule, hint=hint)

    def out_of_range(self, origin: Origin, fault: Fault) -> Diagnostic:
        """A number beyond its bounds."""
        rule = f"{fault.value} is out of range: {self.expected(fault)} is expected"
        bound = "smallest" if "inimum" in fault.keyword else "largest"
        return codes.OUT_OF_RANGE.at(origin, rule, value=fault.value, hint=f"the {bound} is {fault.bound}")

    def secret(self, origin: Origin, fault: Fault) -> Diagnostic:
        """A text where only a reference or hash is allowed. It may be the secret itself, so it is not shown."""
        is_reference = "env:" in fault.schema["pattern"]
        rule = "this is not a reference to a secret" if is_reference else "this is not a hash of a password"
        description = fault.schema["$comment"].rstrip(".")
        hint = (
            "write env:NAME, file:PATH, cmd:NAME or keyring:NAME"
            if is_reference
            else f"write {description[0].lower()}{description[1:]}"
        )
        return codes.SECRET.at(origin, rule, hint=hint)

    def wrong_form(self, origin: Origin, fault: Fault) -> Diagnostic:
        """A text that its pattern forbids, or that does not read as what it should be."""
        rule = broken_rule(fault.value, fault.schema)
        is_told = fault.schema.get("format") not in UNIT_FORMATS or ABOVE_ZERO in (fault.cause or "")
        if fault.cause and is_told and "\n" not in fault.value:
            rule = fault.cause
        return codes.WRONG_FORM.at(
            origin, rule, value=fault.value, hint=_form_hint(fault.value, fault.schema)
        )

    def wrong_length(self, origin: Origin, fault: Fault) -> Diagnostic:
        """A list of too few or too many items."""
        more = "at least" if fault.keyword == "minItems" else "at most"
        rule = f"{counted(len(fault.value), 'item')} found, {more} {fault.bound} expected"
        return codes.WRONG_LENGTH.at(origin, rule, hint="add or remove items")


def broken_rule(value: str, schema: Schema) -> str:
    """Which rule of its pattern a text breaks: its length, one of its letters, or its form."""
    rule = f"{quoted(value)} is not of the right form"
    pattern = str(schema.get("pattern", ""))
    if not pattern or re.search(pattern, value):
        return rule
    if (longest := _longest(value, pattern)) is not None:
        return f"{quoted(value)} is too long: {counted(len(value), 'character')}, at most {longest:,} are allowed"
    if (shortest := _shortest(value, pattern)) is not None:
        return f"{quoted(value)} is too short: at least {counted(shortest, ('character is', 'characters are'))} needed"
    wrong = _wrong_letters(value, pattern, [*schema.get("examples", ()), *SAMPLES])
    if "\n" in wrong or ("\n" in value and "\n" not in pattern.removesuffix(END)):
        return f"{quoted(value)} holds a line end"
    rest = "".join(letter for letter in value if letter not in wrong)
    offending = [letter for letter in wrong if not letter.isascii()] or (
        wrong if re.search(pattern, rest) else []
    )
    return f"{quoted(value)} holds {_letter(offending[0])}" if offending else rule


def _longest(value: str, pattern: str) -> int | None:
    """How long the text may be, if its length alone is wrong: every letter of the rest would do where it ends."""
    simple = SIMPLE.match(pattern)
    limit = int(simple[2]) + sum(map(bool, simple.group(1, 3))) if simple else len(value)
    start = value[: limit - 1]
    if limit >= len(value) or not re.search(pattern, value[:limit]):
        return None
    return limit if all(re.search(pattern, start + letter) for letter in set(value[limit:])) else None


def _shortest(value: str, pattern: str) -> int | None:
    """How long the text must be, if it only wants more letters like its last one."""
    if not value or not SIMPLE.match(pattern):
        return None
    longer = (value + value[-1] * more for more in range(1, LACKING + 1))
    return next((len(text) for text in longer if re.search(pattern, text)), None)


def _wrong_letters(value: str, pattern: str, samples: Sequence[str]) -> list[str]:
    """The letters of a text that its pattern takes at no place of a right text; none if that is not known."""
    sample = next((text for text in samples if re.search(pattern, text)), None)
    if sample is None:
        return []
    places = range(1, len(sample) + 1)
    return [
        letter
        for letter in dict.fromkeys(value)
        if not any(re.search(pattern, sample[:at] + letter + sample[at:]) for at in places)
        and not any(re.search(pattern, sample[: at - 1] + letter + sample[at:]) for at in places)
    ]


def _letter(letter: str) -> str:
    name = "a blank" if letter == " " else f"{letter!r}"
    return f"{name}, which is not allowed there" if letter.isascii() else f"{name}, which is not ASCII"


def _owner(path: Path) -> str:
    """The mapping that a key is missing from or foreign to."""
    if not path:
        return "the file"
    last = path[-1]
    return (
        str(last) if isinstance(last, str) else f"item {last} of {path[-2] if len(path) > 1 else 'the list'}"
    )


def _form_hint(value: str, schema: Schema) -> str | None:
    """How the text is to be written; the value itself in that form, if that is easily found."""
    description = str(schema.get("$comment") or schema.get("description") or "").rstrip(".")
    description = description[:1].lower() + description[1:]
    pattern = schema.get("pattern")
    text = value.strip()
    is_path = "/" in value
    slug = "" if is_path else re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    is_several = pattern is not None and any(re.search(pattern, text) for text in ("a b", "a,b"))
    for better in (text, text.lower(), "" if is_several else slug):
        if better and better != value and len(better) <= MAX_SHOWN and pattern and re.search(pattern, better):
            return f"write {quoted(better)}: {description}"
    return f"{description}{_example(schema)}" or None


def _example(schema: Schema) -> str:
    """`; for example 400G`, quoted where YAML would take it for something else than text."""
    if not schema.get("examples"):
        return ""
    text = str(schema["examples"][0])
    return f"; for example {text}" if is_text(text) else f'; for example "{text}"'


def _hint_for_text(written: str, schema: Schema) -> str | None:
    """A number in place of text: the text, if it is valid; else an example that is."""
    texts = (branch["then"] for branch in schema.get("allOf", ()) if branch["if"].get("type") == "string")
    schema = next(texts, schema)
    if schema.get("format") in UNIT_FORMATS:
        return f"write the unit too, like {schema['examples'][0]}"
    if schema.get("enum", [written]).count(written) and re.search(schema.get("pattern", ""), written):
        return f'quote it: "{written}"'
    return None


def _type_hint(value: Any, schema: Schema) -> str | None:
    """The most likely fix of a wrong kind of value."""
    kinds = schema.get("type", [])
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if value is None:
        return "write a value, or remove the key"
    if is_number and "integer" in kinds:
        low, high = math.floor(value), math.ceil(value)
        return f"write a whole number: {low}" if low == high else f"write a whole number: {low} or {high}"
    if is_number and "string" in kinds:
        return _hint_for_text(str(value), schema)
    if isinstance(value, str) and value.lstrip("-").isdigit() and "integer" in kinds:
        return "remove the quotes"
    if "array" in kinds and isinstance(value, str):
        return f"write a list: [{quoted(value)[1:-1]}]"
    return None
