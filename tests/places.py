"""Whether the place of a finding exists: as a path of the schema of its document, and in the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import yaml

from fabric.diagnostics import Origin
from fabric.documents import Place
from fabric.documents.schema.json_schema import Schema
from fabric.intent.schema_files import DOCUMENTS, schemas

Step = str | int | None
"""A key or index; None: one that the code computes."""

whole = cache(schemas)
"""Every schema by name, made when it is first asked for: it takes a second."""


def schema_name(document: str) -> str | None:
    """The schema of a document; None: it has none, as tables have not."""
    kind = document.partition("@")[0].partition(":")[0]
    return {"hardware": "switch"}.get(kind, kind) if kind in {*DOCUMENTS, "hardware"} else None


def _resolved(name: str, part: Schema) -> Iterator[Schema]:
    """A part of a schema and all that is said of the same value elsewhere."""
    yield part
    if "$ref" in part:
        yield from _resolved(name, whole()[name]["$defs"][part["$ref"].rpartition("/")[2]])
    for one in part.get("allOf", ()):
        yield from _resolved(name, one)
    if "then" in part:
        yield from _resolved(name, part["then"])


def _inside(name: str, part: Schema, step: Step, *, is_code: bool) -> Iterator[Schema]:
    """What one step into a part leads to."""
    for one in _resolved(name, part):
        known = one.get("properties", {})
        if step is None:
            yield from known.values()
        elif step in known:
            yield known[step]
        is_free = step is None if is_code else not isinstance(step, int)
        if is_free and isinstance(one.get("additionalProperties"), Mapping):
            yield one["additionalProperties"]
        if not isinstance(step, str) and isinstance(one.get("items"), Mapping):
            yield one["items"]


def led_to(
    name: str, parts: Sequence[Schema], path: Sequence[Step], *, is_code: bool = False
) -> list[Schema]:
    """The parts of a schema that a path leads to, from any of some parts. Code writes no key that a site chooses."""
    for step in path:
        parts = [found for part in parts for found in _inside(name, part, step, is_code=is_code)]
    return list(parts)


@cache
def _allows(document: str, path: tuple[Step, ...]) -> bool:
    name = schema_name(document)
    if name is None:
        return True
    names = ["switch", "host"] if document.startswith("hardware") else [name]
    return any(led_to(one, [whole()[one]], path) for one in names)


def allowed(origin: Origin) -> bool:
    """Whether the schema of its document has the place of a finding."""
    return _allows(origin.document, origin.path)


@cache
def everywhere(name: str) -> list[Schema]:
    """Every part of a schema."""
    return list(_parts(whole()[name]))


def _parts(node: Any) -> Iterator[Schema]:
    if isinstance(node, Mapping) and {"type", "$ref"} & node.keys():
        yield dict(node)
    for inner in node.values() if isinstance(node, Mapping) else node if isinstance(node, list) else ():
        yield from _parts(inner)


# --- in the file


def written(text: str, path: Sequence[str | int]) -> set[tuple[int, int]]:
    """Where the last step of a path stands that a YAML text has: its key, or its value."""
    node: Any = yaml.compose(text, yaml.CSafeLoader)
    spots = {_spot(node)}
    for step in path:
        found = _child(node, step)
        if found is None:
            return spots
        node, spots = found
    return spots


def _child(node: Any, step: str | int) -> tuple[Any, set[tuple[int, int]]] | None:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == str(step):
                return value, {_spot(key), _spot(value)}
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step], {_spot(node.value[step])}
    return None


def _spot(node: Any) -> tuple[int, int]:
    return (node.start_mark.line + 1, node.start_mark.column + 1) if node else (1, 1)


def points_at(origin: Origin, place: Place, files: Mapping[str, str]) -> bool:
    """Whether a position is where the place of a finding stands, or what stands nearest around it."""
    return (place.line, place.column) in written(files[place.file], origin.path)
