"""OpenAPI 3: a tree against the schema of what a path accepts, through jsonschema.

References are followed inside the file only, so nothing is ever fetched. A key that the schema does not name is a
complaint even where the schema, as most do, does not forbid it: a device would refuse it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from fabric.diagnostics import Refused
from fabric.platforms.schema import MAX_COMPLAINTS, MORE, Complaint, Instance

MAX_FILE_BYTES = 512 * 2**20
"""A switch serves its schema with every reference written out: some 300 MB."""
MAX_REFERENCES = 100
"""Of one schema to the next, with nothing between."""
JOINED = ("allOf", "anyOf", "oneOf")

Schema = Mapping[str, Any]


class Document:
    """An `openapi.json`. `Refused` if it is not one, or not fit to be used."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._root = _read(path)
        version = self._root.get("openapi")
        if not isinstance(version, str) or not version.startswith("3."):
            raise self._refusal("it is not marked as OpenAPI 3")
        self._validator = _validator_class(version, self.target)

    def _refusal(self, reason: str) -> Refused:
        return Refused(
            f"{self.path} is not used: {reason}",
            "`--openapi` names the openapi.json that the product itself serves",
        )

    def target(self, reference: Any) -> Any:
        """What a reference names; followed inside the file only."""
        for _step in range(MAX_REFERENCES):
            if not isinstance(reference, str) or not reference.startswith("#/"):
                raise self._refusal(f"the reference {reference!r} leads out of the file")
            schema = self._pointed(reference)
            if not (isinstance(schema, Mapping) and "$ref" in schema):
                return schema
            reference = schema["$ref"]
        raise self._refusal(f"the reference {reference!r} runs in a circle")

    def _pointed(self, reference: str) -> Any:
        here: Any = self._root
        for step in reference[2:].split("/"):
            name = step.replace("~1", "/").replace("~0", "~")
            if not isinstance(here, Mapping) or name not in here:
                raise self._refusal(f"the reference {reference!r} leads nowhere")
            here = here[name]
        return here

    def _followed(self, value: Any) -> Any:
        return self.target(value["$ref"]) if isinstance(value, Mapping) and "$ref" in value else value

    def accepted(self, path: str) -> Schema:
        """The schema of what a PATCH of `path` carries; of the root also as the sum of the paths below it."""
        body = self._body(path)
        if body is not None:
            return body
        below = {name[1:]: self._body(name) for name in self._paths() if re.fullmatch(r"/[^/{}]+", name)}
        known = {name: schema for name, schema in below.items() if schema is not None}
        if path != "/" or not known:
            raise self._refusal(f"it has no PATCH of {path!r}")
        return {"type": "object", "properties": known}

    def _paths(self) -> Mapping[str, Any]:
        paths = self._root.get("paths")
        return paths if isinstance(paths, Mapping) else {}

    def _body(self, path: str) -> Schema | None:
        here: Any = self._paths().get(path)
        for step in ("patch", "requestBody", "content", "application/json", "schema"):
            here = self._followed(here)
            here = here.get(step) if isinstance(here, Mapping) else None
        return here if isinstance(here, Mapping) else None

    def complaints(self, instance: Instance) -> tuple[Complaint, ...]:
        """All complaints of the schema."""
        from jsonschema.exceptions import UnknownType

        schema = self.accepted(instance.models)
        try:
            complaints = [
                *_complaints(self._validator(schema), instance.tree),
                *self._strangers((schema,), instance.tree),
            ]
        except RecursionError:
            raise self._refusal("its schemas run in a circle") from None
        except UnknownType as error:
            raise self._refusal(f"there is no type {error.type!r}") from None
        except (re.error, TypeError, AttributeError, KeyError, ValueError) as error:
            raise self._refusal(f"a schema in it is malformed: {error}") from None
        messages = tuple(dict.fromkeys((*instance.complaints, *sorted(complaints))))
        return messages if len(messages) <= MAX_COMPLAINTS else (*messages[:MAX_COMPLAINTS], MORE)

    def _strangers(self, schemas: tuple[Schema, ...], value: Any, path: str = "") -> Iterator[Complaint]:
        """Keys that none of the schemas of their holder names."""
        if isinstance(value, list):
            items = tuple(schema["items"] for schema in self._flat(schemas) if "items" in schema)
            for index, item in enumerate(value):
                yield from self._strangers(items, item, f"{path}/{index}")
        if not isinstance(value, Mapping):
            return
        flat = tuple(self._flat(schemas))
        if not any(key in schema for schema in flat for key in ("properties", "additionalProperties")):
            return  # free of form
        for key, below in value.items():
            known = tuple(_below(flat, key))
            if known:
                yield from self._strangers(
                    tuple(k for k in known if isinstance(k, Mapping)), below, f"{path}/{key}"
                )
            else:
                yield Complaint(f"{path}/{key}", "the schema has no such key")

    def _flat(self, schemas: tuple[Any, ...]) -> Iterator[Schema]:
        """The schemas and all that they are joined from."""
        for schema in schemas:
            here = self._followed(schema)
            if isinstance(here, Mapping):
                yield here
                for word in JOINED:
                    yield from self._flat(tuple(here.get(word, ())))


def _below(schemas: tuple[Schema, ...], key: str) -> Iterator[Any]:
    """What the schemas say of a key; `True` where they take anything."""
    for schema in schemas:
        if key in schema.get("properties", {}):
            yield schema["properties"][key]
        elif schema.get("additionalProperties", False) is not False:
            yield schema["additionalProperties"]


@cache
def document(path: Path) -> Document:
    """The file, read once."""
    return Document(path)


def _read(path: Path) -> Mapping[str, Any]:
    size = path.stat().st_size
    if size > MAX_FILE_BYTES:
        message = f"{path} has {size:,} bytes, more than {MAX_FILE_BYTES:,}"
        raise Refused(message, "`--openapi` names the openapi.json that the product itself serves")
    try:
        content = msgspec.json.decode(path.read_bytes())
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        message = f"{path} is not JSON: {error}"
        raise Refused(message, "`--openapi` names the openapi.json that the product itself serves") from None
    return content if isinstance(content, Mapping) else {}


def _complaints(validator: Any, tree: Any) -> Iterator[Complaint]:
    from jsonschema.exceptions import best_match

    for error in validator.iter_errors(tree):
        best = best_match([error])
        yield Complaint("/" + "/".join(map(str, best.absolute_path)), best.message)


def _validator_class(version: str, target: Callable[[Any], Any]) -> Any:
    """OpenAPI 3.1 is JSON Schema 2020-12; 3.0 is nearest to draft 4, with `nullable`."""
    from jsonschema import Draft4Validator, Draft202012Validator
    from jsonschema.validators import extend

    base: Any = Draft4Validator if version.startswith("3.0") else Draft202012Validator

    def reference(validator: Any, value: Any, instance: Any, _schema: Schema) -> Iterator[Any]:
        yield from validator.descend(instance, target(value))

    def unless_null(word: str) -> Callable[..., Iterator[Any]]:
        def keyword(validator: Any, value: Any, instance: Any, schema: Schema) -> Iterator[Any]:
            if instance is not None or not schema.get("nullable"):
                yield from base.VALIDATORS[word](validator, value, instance, schema) or ()

        return keyword

    words = {word: unless_null(word) for word in ("type", "enum")}
    extended: Callable[..., Any] = extend  # its own types do not say
    return extended(base, {"$ref": reference, **words})
