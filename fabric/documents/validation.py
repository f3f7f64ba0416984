"""From a document to a typed value: converted if it is right, explained by its schema if it is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from fabric.diagnostics import Diagnostic, Origin, Path, Report
from fabric.documents import codes
from fabric.documents.places import Document
from fabric.documents.schema import Schema
from fabric.documents.suggest import closest, did_you_mean
from fabric.documents.wording import choice, kind_of, shown, wanted
from fabric.documents.words import decode
from fabric.resources import resource

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator, ValidationError

T = TypeVar("T")

MAX_FINDINGS = 500
"""Of one document. Nobody reads more, and each takes time to word."""


def converted(document: Document, kind: type[T], schema: str, report: Report) -> T | None:
    """The document as `kind`; None after findings that `schemas/SCHEMA.schema.json` explains.

    The schema is made from `kind`: what it allows is what `kind` accepts. A right document does not pay for it.
    """
    value = {} if document.value is None else document.value
    try:
        return msgspec.convert(value, kind, dec_hook=decode)
    except msgspec.ValidationError as error:
        reason = str(error)
    found = list(explained(document, schema))
    report.extend(found or [codes.INVALID.at(Origin((), document.name), reason)])
    return None


def explained(document: Document, schema: str) -> Iterator[Diagnostic]:
    """Everything in a document that its schema forbids, each finding flat and at its own place."""
    checker = validator(schema)
    explainer = _Explainer(document, dict(checker.schema))
    value = {} if document.value is None else document.value
    for error in islice(checker.iter_errors(value), MAX_FINDINGS):
        yield from explainer.explain(error)


def load_schema(name: str) -> Schema:
    """A shipped schema by name: `intent`, `inventory`, `state`, `lock`, `policy`, `switch`, `host`."""
    read: Schema = msgspec.json.decode((resource("schemas") / f"{name}.schema.json").read_bytes())
    return read


@cache
def validator(name: str) -> Draft202012Validator:
    """A validator of a shipped schema, with our formats, and whole numbers that are written as such."""
    from jsonschema import Draft202012Validator  # noqa: PLC0415  # only wrong documents pay for it
    from jsonschema.validators import extend  # noqa: PLC0415

    from fabric.documents.formats import checker  # noqa: PLC0415

    types = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, v: type(v) is int)
    made = extend(Draft202012Validator, type_checker=types)(load_schema(name), format_checker=checker())
    return made  # type: ignore[no-any-return]  # jsonschema leaves it open


class _Explainer:
    """Words the errors of one document."""

    def __init__(self, document: Document, schema: Schema) -> None:
        self.document = document
        self.schema = schema

    def explain(self, error: ValidationError) -> Iterator[Diagnostic]:
        """The findings that one error stands for."""
        path: Path = tuple(error.absolute_path)
        if "propertyNames" in error.absolute_schema_path:
            path = self.key(path, str(error.instance))
        origin = Origin(path, self.document.name)
        match error.validator:
            case "type":
                yield self.wrong_type(origin, error)
            case "enum":
                yield self.not_a_choice(origin, error)
            case "additionalProperties":
                yield from self.unknown_keys(path, error)
            case "required":
                yield self.missing(path, error)
            case "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum":
                rule = f"{error.instance} is out of range: {wanted(self.schema, error.schema)} is expected"
                yield codes.OUT_OF_RANGE.at(origin, rule, value=error.instance)
            case "pattern" | "format" | "minLength" | "maxLength":
                yield self.wrong_form(origin, error)
            case "minItems" | "maxItems":
                yield self.wrong_length(origin, error)
            case _:
                yield codes.INVALID.at(origin, error.message, value=error.instance)

    def key(self, path: Path, key: str) -> Path:
        """The path of a key that is itself wrong, from now on shown at the key."""
        marks = self.document.find((*path, key))
        if marks is not None:
            marks.show_key()
        return (*path, key)

    def wrong_type(self, origin: Origin, error: ValidationError) -> Diagnostic:
        """A value of another kind than its key takes."""
        value, schema = error.instance, error.schema
        expected = wanted(self.schema, schema)
        rule = f"{kind_of(value)} stands here, {expected} is expected"
        if value is None:
            rule = f"nothing stands here, {expected} is expected"
        return codes.WRONG_TYPE.at(origin, rule, value=_plain(value), hint=_type_hint(value, schema))

    def not_a_choice(self, origin: Origin, error: ValidationError) -> Diagnostic:
        """A word that is none of those listed."""
        words = [word for word in error.validator_value if word is not None]
        rule = f"{shown(error.instance)} is none of the choices: {choice(words)} is expected"
        hint = did_you_mean(error.instance, words) if isinstance(error.instance, str) else None
        return codes.NOT_A_CHOICE.at(origin, rule, value=_plain(error.instance), hint=hint)

    def unknown_keys(self, path: Path, error: ValidationError) -> Iterator[Diagnostic]:
        """Keys that the mapping does not have."""
        known = error.schema.get("properties", {})
        for key in error.instance:
            if key in known:
                continue
            free = [name for name in known if name not in error.instance] or list(known)
            hint = did_you_mean(key, free) or self.belongs(key) or f"the keys here are {', '.join(known)}"
            where = f"{path[-1]}" if path else "the file"
            yield codes.UNKNOWN_KEY.at(
                Origin(self.key(path, key), self.document.name), f"{where} has no key {shown(key)}", hint=hint
            )

    def belongs(self, key: str) -> str | None:
        """Where a key would be known, if it is known somewhere."""
        homes = [n for n, d in self.schema["$defs"].items() if key in d.get("properties", {})]
        named = [_home(name) for name in homes[:3]]
        return f"{key!r} is a key of {' and of '.join(named)}: check the indentation" if named else None

    def missing(self, path: Path, error: ValidationError) -> Diagnostic:
        """A key that has no default. The validator names one of the missing keys in its message alone."""
        key = error.message.removesuffix(" is a required property").strip("'")
        schema = error.schema.get("properties", {}).get(key, {})
        misspelt = closest(key, (k for k in error.instance if k not in error.schema.get("properties", {})))
        hint = (
            f"rename {misspelt!r} to {key!r}"
            if misspelt
            else f"add `{key}:` with {wanted(self.schema, schema)}"
        )
        where = f"{path[-1]}" if path else "the file"
        rule = f"{where} needs the key {key!r}"
        return codes.MISSING_KEY.at(Origin((*path, key), self.document.name), rule, hint=hint)

    def wrong_form(self, origin: Origin, error: ValidationError) -> Diagnostic:
        """A text that its pattern forbids, or that does not read as what it should be."""
        schema = error.schema
        rule = f"{shown(error.instance)} is not of the right form"
        if "\n" in str(error.instance):
            rule = f"{shown(error.instance)} holds a line end"
        if error.validator == "format" and error.cause and "pattern" not in schema:
            rule = str(error.cause)
        said = schema.get("$comment") or schema.get("description") or ""
        example = f"; for example {schema['examples'][0]}" if schema.get("examples") else ""
        return codes.WRONG_FORM.at(
            origin, rule, value=error.instance, hint=f"{said.rstrip('.')}{example}" or None
        )

    def wrong_length(self, origin: Origin, error: ValidationError) -> Diagnostic:
        """A list of too few or too many items."""
        more = "at least" if error.validator == "minItems" else "at most"
        rule = f"{len(error.instance)} items stand here, {more} {error.validator_value} are expected"
        return codes.WRONG_LENGTH.at(origin, rule)


def _plain(value: Any) -> Any:
    """A value worth keeping in a finding: no mapping or list."""
    return None if isinstance(value, dict | list) else value


def _type_hint(value: Any, schema: Schema) -> str | None:
    """The most likely way out of a wrong kind of value."""
    kinds = schema.get("type", [])
    if value is None:
        return "write a value, or remove the key"
    if isinstance(value, int | float) and not isinstance(value, bool) and "string" in kinds:
        if str(schema.get("format", "")).startswith("fabric-") and "examples" in schema:
            return f"write the unit too, like {schema['examples'][0]}"
        return f'quote it: "{value}"'
    if isinstance(value, str) and value.lstrip("-").isdigit() and "integer" in kinds:
        return "remove the quotes"
    if not isinstance(value, list) and kinds == "array":
        return (
            f"write a list: [{value}]"
            if not isinstance(value, dict)
            else "write a list: `- ` before each item"
        )
    return None


def _home(name: str) -> str:
    """A definition as people call it: `HostGroup` is a host group."""
    return "".join(f" {c.lower()}" if c.isupper() else c for c in name).strip()
