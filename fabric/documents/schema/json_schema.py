"""JSON Schema (Draft 2020-12) from the typed model, made so that each error is flat and has one place.

A choice between kinds of value is never `anyOf`, whose errors are a wall of alternatives: it is a list of
`type`s, and an `if`/`then` for each kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import inspect as types

from fabric.documents.schema.field_docstrings import class_doc, field_docs
from fabric.documents.schema.scalar_types import FORMATS, SPELLINGS, encode
from fabric.documents.schema.string_patterns import DATE
from fabric.units import Quantity

ADDRESS_WORDS = {
    "fabric-address": "An IPv4 or IPv6 address",
    "fabric-interface": "An address with the length of its prefix",
    "fabric-prefix": "An IPv4 or IPv6 prefix, no host bits set",
    "fabric-ipv4": "An IPv4 address",
    "fabric-ipv6": "An IPv6 address",
    "fabric-ipv4-prefix": "An IPv4 prefix, no host bits set",
    "fabric-ipv6-prefix": "An IPv6 prefix, no host bits set",
    "fabric-ipv4-interface": "An IPv4 address with the length of its prefix",
    "fabric-ipv6-interface": "An IPv6 address with the length of its prefix",
}
"""What each format means."""

Schema = dict[str, Any]

TAG = "Which of the alternatives this is."
DIALECT = "https://json-schema.org/draft/2020-12/schema"
BASE = "https://fabric-as-code.dev/schemas/"
"""Where the schemas call themselves at home. Nothing is ever fetched from there."""


def schema_of(kind: type, name: str, title: str) -> Schema:
    """The schema of documents that hold a `kind`. `TypeError` if the model uses what cannot be said flat."""
    maker = _Maker()
    root = maker.of(types.type_info(kind))
    return {
        "$schema": DIALECT,
        "$id": f"{BASE}{name}.schema.json",
        "title": title,
        **root,
        "$defs": dict(sorted(maker.definitions.items())),
    }


class _Maker:
    def __init__(self) -> None:
        self.definitions: dict[str, Schema] = {}

    def of(self, kind: types.Type) -> Schema:  # noqa: PLR0911  # one a case
        """The schema of one type."""
        match kind:
            case types.Metadata():
                return _annotated(self.of(kind.type), kind.extra_json_schema or {})
            case types.StructType():
                return self.struct(kind)
            case types.UnionType():
                return self.union(kind.types)
            case types.CustomType():
                return custom(kind.cls)
            case types.DictType():
                return self.mapping(kind)
            case types.VarTupleType() | types.ListType():
                return {"type": "array", "items": self.of(kind.item_type)} | _bounds(
                    kind, minItems="min_length", maxItems="max_length"
                )
            case _:
                return _scalar(kind)

    def struct(self, kind: types.StructType) -> Schema:
        """A reference to the definition of a mapping with fixed keys."""
        name = kind.cls.__name__
        if name not in self.definitions:
            self.definitions[name] = {}  # keeps a type that contains itself from going round
            docs = field_docs(kind.cls)
            tag = {kind.tag_field: _words([kind.tag]) | {"description": TAG}} if kind.tag_field else {}
            self.definitions[name] = {
                "type": "object",
                "description": class_doc(kind.cls),
                "properties": tag | {f.encode_name: self.field(f, docs.get(f.name)) for f in kind.fields},
                "required": [*tag, *(f.encode_name for f in kind.fields if f.required)],
                "additionalProperties": False,
            }
        return {"$ref": f"#/$defs/{name}"}

    def field(self, field: types.Field, doc: str | None) -> Schema:
        """One key: its type, its description, its default."""
        schema = self.of(field.type)
        if doc:
            schema = schema | {"description": doc}
        if not field.required:
            schema = schema | {"default": default(field)}
        return schema

    def mapping(self, kind: types.DictType) -> Schema:
        """A mapping whose keys are the user's names."""
        schema: Schema = {"type": "object", "additionalProperties": self.of(kind.value_type)}
        names = self.of(kind.key_type)
        if names != {"type": "string"}:
            schema["propertyNames"] = names
        return schema

    def union(self, kinds: Sequence[types.Type]) -> Schema:
        """One of several kinds of value, distinguished by their JSON type."""
        nullable = any(isinstance(kind, types.NoneType) for kind in kinds)
        words = [value for kind in kinds if isinstance(kind, types.LiteralType) for value in kind.values]
        others = [kind for kind in kinds if not isinstance(kind, types.NoneType | types.LiteralType)]
        tagged = [kind for kind in others if isinstance(kind, types.StructType) and kind.tag_field]
        if len(tagged) > 1 and tagged == others and not words:
            return self.tagged(tagged, nullable=nullable)
        choices = [self.of(kind) for kind in others] + ([_words(words)] if words else [])
        names = [self.json_type(choice) for choice in choices]
        if len(set(names)) < len(names):
            message = f"two alternatives of one JSON type: {kinds}"
            raise TypeError(message)
        if len(choices) == 1 and "$ref" not in choices[0]:
            return _or_null(choices[0]) if nullable else choices[0]
        annotations: Schema = {
            key: choice[key]
            for choice in reversed(choices)
            for key in ("description", "examples")
            if key in choice
        }
        return {
            "type": [*names, "null"] if nullable else names,
            "allOf": [
                {"if": {"type": name}, "then": choice} for name, choice in zip(names, choices, strict=True)
            ],
            **annotations,
        }

    def tagged(self, kinds: Sequence[types.StructType], *, nullable: bool) -> Schema:
        """One of several mappings, distinguished by the word under one key."""
        key = str(kinds[0].tag_field)
        return {
            "type": ["object", "null"] if nullable else "object",
            "required": [key],
            "properties": {key: _words([kind.tag for kind in kinds])},
            "allOf": [
                {
                    "if": {"type": "object", "required": [key], "properties": {key: {"const": kind.tag}}},
                    "then": self.struct(kind),
                }
                for kind in kinds
            ],
        }

    def json_type(self, schema: Schema) -> str:
        """`object` behind a reference, else the type in the schema."""
        if "$ref" in schema:
            return "object"
        return str(schema["type"])


def _annotated(schema: Schema, extra: Schema) -> Schema:
    """Add the model's metadata; where it describes a pattern, the words stay with the pattern as its comment."""
    if "pattern" in schema and "$comment" not in schema and "description" in extra:
        extra = extra | {"$comment": extra["description"]}
    return schema | extra


def _words(values: Sequence[Any]) -> Schema:
    kind = "integer" if all(isinstance(value, int) for value in values) else "string"
    return {"type": kind, "enum": list(values)}


def _or_null(schema: Schema) -> Schema:
    nullable = schema | {"type": [schema["type"], "null"]}
    if "enum" in schema:
        nullable["enum"] = [*schema["enum"], None]
    return nullable


def custom(cls: type) -> Schema:
    """The spelling of a quantity or address."""
    if issubclass(cls, Quantity):
        name = cls.__name__.lower()
        description = f"A {cls.what} in {cls.unit}, written with its unit"
        schema = {
            "type": "string",
            "pattern": cls.pattern(),
            "format": f"fabric-{name}",
            "examples": [cls.example],
        }
        return schema | {"description": f"{description}.", "$comment": description}
    form, example = FORMATS[cls]
    description = ADDRESS_WORDS[form]
    return {
        "type": "string",
        "pattern": SPELLINGS[cls],
        "format": form,
        "description": f"{description}.",
        "$comment": description,
        "examples": [example],
    }


def _scalar(kind: types.Type) -> Schema:  # noqa: PLR0911  # one a case
    match kind:
        case types.IntType():
            return {"type": "integer"} | _bounds(
                kind, minimum="ge", maximum="le", exclusiveMinimum="gt", exclusiveMaximum="lt"
            )
        case types.FloatType():
            return {"type": "number"} | _bounds(kind, minimum="ge", maximum="le")
        case types.StrType():
            return {"type": "string"} | _bounds(
                kind, pattern="pattern", minLength="min_length", maxLength="max_length"
            )
        case types.BoolType():
            return {"type": "boolean"}
        case types.LiteralType():
            return _words(kind.values)
        case types.DateType():
            schema = {"type": "string", "pattern": DATE, "format": "date", "examples": ["2026-12-31"]}
            return schema | {"$comment": "A day"}
        case types.AnyType():
            return {}
        case _:
            message = f"no schema for {kind}"
            raise TypeError(message)


def _bounds(kind: types.Type, **keywords: str) -> Schema:
    """The schema's keywords whose attributes of the type are set."""
    return {
        keyword: getattr(kind, attribute)
        for keyword, attribute in keywords.items()
        if getattr(kind, attribute) is not None
    }


def default(field: types.Field) -> Any:
    """The default as the user would write it; of a mapping, what it sets beyond its own defaults."""
    # A field that is not required has one or the other.
    return _written(field.default_factory() if field.default is msgspec.NODEFAULT else field.default)


def _written(value: Any) -> Any:
    if isinstance(value, msgspec.Struct):
        fields = types.type_info(type(value)).fields  # type: ignore[attr-defined]  # of a Struct: a StructType
        pairs = ((f, getattr(value, f.name)) for f in fields)
        return {f.encode_name: _written(v) for f, v in pairs if f.required or _written(v) != default(f)}
    return msgspec.to_builtins(value, enc_hook=encode)


def resolved(root: Schema, schema: Schema) -> Schema:
    """A schema with its reference looked up and the choices of an `if`/`then` list joined."""
    if "$ref" in schema:
        target = root["$defs"][schema["$ref"].rpartition("/")[2]]
        return dict(target) | {key: value for key, value in schema.items() if key != "$ref"}
    if "allOf" in schema:
        joined: Schema = {}
        for choice in schema["allOf"]:
            joined |= {k: v for k, v in resolved(root, choice["then"]).items() if k != "type"}
        return joined | {key: value for key, value in schema.items() if key != "allOf"}
    return schema
