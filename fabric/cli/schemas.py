"""JSON Schemas (Draft 2020-12) of what the program writes for other programs. `schemas/` holds what this makes.

Unlike the schemas of what people write they forbid no unknown key: readers ignore those of a newer version.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec

from fabric.documents.schema.field_docstrings import class_doc, field_docs
from fabric.documents.schema.json_schema import BASE, DIALECT
from fabric.planning.model import Change, Coupling, DevicePlan, DiffGroup, Observation, Plan, Scope, Wave

OUTPUTS: dict[str, tuple[type[msgspec.Struct], str]] = {
    "plan": (Plan, "Plan: what would change, and in which waves (plan.json of a saved plan)"),
}
"""By name: the type that a document holds, and its title."""
DESCRIBED = (Change, Coupling, DevicePlan, DiffGroup, Observation, Plan, Scope, Wave)
"""Structs whose keys are described by their docstrings."""


def output_schema(name: str) -> dict[str, Any]:
    """The schema of one of `OUTPUTS`."""
    kind, title = OUTPUTS[name]
    made = msgspec.json.schema(kind)
    for struct in DESCRIBED:
        if struct.__name__ in made["$defs"]:
            _describe(made["$defs"][struct.__name__], struct)
    head = {"$schema": DIALECT, "$id": f"{BASE}{name}.schema.json", "title": title}
    return head | made


def _describe(schema: dict[str, Any], struct: type[msgspec.Struct]) -> None:
    schema["description"] = class_doc(struct)
    docs = field_docs(struct)
    for key, prop in schema["properties"].items():
        if docs.get(key):
            prop["description"] = docs[key]


def output_schema_files() -> dict[str, str]:
    """The files of `schemas/` by name, as they are committed."""
    return {f"{name}.schema.json": json.dumps(output_schema(name), indent=2) + "\n" for name in OUTPUTS}
