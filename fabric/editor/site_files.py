"""Which site a file belongs to, and by which schema it is written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from fabric.documents.schema.json_schema import Schema
from fabric.documents.schema.validate import load_schema
from fabric.editor.cursor import Text
from fabric.hardware.catalogue import HOST_KEYS
from fabric.intent.inventory_tables import INVENTORY_FILE
from fabric.intent.load import SITE_FILE, STATE_FILE

BESIDE = {INVENTORY_FILE: "inventory", STATE_FILE: "state"}
FOLDERS = {"policies": "policy", "hardware": "switch"}


def site_of(file: Path) -> Path | None:
    """The folder of the site that a file belongs to: the nearest one above it with a `site.yaml`."""
    if file.name == SITE_FILE:
        return file.parent
    return next((folder for folder in file.parents if (folder / SITE_FILE).is_file()), None)


def kind_of(name: str, text: Text) -> str | None:
    """The schema of a file by its path below the site's folder; None: no file of a site."""
    folder, _, _ = name.rpartition("/")
    if not name.endswith((".yaml", ".yml")):
        return None
    kind = BESIDE.get(name) or FOLDERS.get(folder, "intent")
    is_host = kind == "switch" and any((key,) in text.keys for key in HOST_KEYS)
    return "host" if is_host else kind


def at_path(kind: str, text: Text, path: tuple[str | int, ...]) -> tuple[Schema, ...]:
    """What the schema `kind` says of a place: one or several alternatives, none if it knows no such place."""
    root = load_schema(kind)
    places: tuple[Schema, ...] = (root,)
    for depth, step in enumerate(path):
        inner = (
            alternative for place in places for alternative in alternatives(root, place, text, path[:depth])
        )
        places = tuple(one for alternative in inner for one in _child(alternative, step))
    return places


def alternatives(root: Schema, schema: Schema, text: Text, path: tuple[str | int, ...]) -> Iterator[Schema]:
    """The schemas, each of one kind of value, that a value at `path` may follow, by what is written there."""
    if "$ref" in schema:
        target = root["$defs"][schema["$ref"].rpartition("/")[2]]
        yield from alternatives(root, target | {k: v for k, v in schema.items() if k != "$ref"}, text, path)
    elif "allOf" in schema:
        yield {key: value for key, value in schema.items() if key != "allOf"}
        for choice in schema["allOf"]:
            if _may_hold(choice["if"], text, path):
                yield from alternatives(root, choice["then"], text, path)
    else:
        yield schema


def _may_hold(condition: Schema, text: Text, path: tuple[str | int, ...]) -> bool:
    """Whether what is written does not contradict an `if`: a tag that is not there yet may be any."""
    tags = condition.get("properties", {}).items()
    return all(text.values.get((*path, key), tag.get("const")) == tag.get("const") for key, tag in tags)


def _child(schema: Schema, step: str | int) -> Iterator[Schema]:
    if isinstance(step, int):
        inner = schema.get("items")
    else:
        inner = schema.get("properties", {}).get(step) or schema.get("additionalProperties")
    if isinstance(inner, dict):
        yield inner
