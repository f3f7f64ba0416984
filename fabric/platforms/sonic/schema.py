"""CONFIG_DB in the terms of SONiC's own models (sonic-net/sonic-buildimage, src/sonic-yang-models).

A table is a container in the container of its module; a row is the entry of the list with as many keys as the row's
name has parts, or a container of that name (`PFC_WD|GLOBAL`). Every value is text, so the data is written as XML.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fabric.diagnostics import Refused
from fabric.platforms.base import split_parts
from fabric.platforms.schema import (
    Complaint,
    Instance,
    ModelSet,
    SchemaCheck,
    SchemaNode,
    Tree,
    YangModule,
    without_secrets,
)

NAME = "config_db"
LANDMARK = "sonic-port.yang"
"""Every release has it."""
STAND_IN = "0123456789abcdef"
"""For secrets: the models want a certain length and letters."""


def check() -> SchemaCheck:
    """What is known of SONiC's models."""
    return SchemaCheck(
        language="yang",
        models="sonic-yang-models of one release (sonic-net/sonic-buildimage)",
        find=find,
        instances=instances,
    )


def find(files: Sequence[Path]) -> tuple[ModelSet, ...]:
    """The models of one release: a folder with `sonic-port.yang`, and the templates that lie beside it."""
    homes = sorted({file.parent for file in files if file.name == LANDMARK})
    if not homes:
        return ()
    if len(homes) > 1:
        message = f"SONiC models of several releases: {', '.join(map(str, homes))}"
        raise Refused(message, "name the folder of the release that the switches run")
    templates = homes[0].parent / "yang-templates"
    chosen = tuple(f for f in files if f.parent in (homes[0], templates))
    names = sorted({file.name.removesuffix(".j2").removesuffix(".yang") for file in chosen})
    return (
        ModelSet(
            name=NAME,
            files=chosen,
            load=tuple(YangModule(name) for name in names),
            amend=rendered if any(file.name.endswith(".j2") for file in chosen) else None,
        ),
    )


def rendered(name: str, text: str) -> str:
    """A module; four of them are templates in the sources, printed as SONiC's own build prints them for Python."""
    if not name.endswith(".j2"):
        return text
    from jinja2 import TemplateError
    from jinja2.sandbox import SandboxedEnvironment

    try:
        return SandboxedEnvironment(trim_blocks=True).from_string(text).render(yang_model_type="py")
    except TemplateError as error:
        message = f"the template {name} of SONiC's models cannot be printed: {error}"
        raise Refused(message) from None


def instances(text: str, schemas: Mapping[str, SchemaNode]) -> tuple[Instance, ...]:
    """`config_db.json` as one tree. FRR's part has no model here: FRR itself judges it."""
    database = without_secrets(split_parts(text).get("config_db.json", text), STAND_IN)
    complaints: list[Complaint] = []
    tree: Tree = {}
    homes = {table: (top, node) for top in schemas[NAME].below.values() for table, node in top.below.items()}
    for table, rows in _tables(database, complaints).items():
        if table not in homes:
            complaints.append(Complaint(f"/{table}", "SONiC's models have no such table"))
            continue
        top, node = homes[table]
        body = tree.setdefault(f"{top.module}:{top.name}", {}).setdefault(table, {})
        for key, row in rows.items():
            _row(node, key, row, body, complaints)
    return (Instance(NAME, tree, "xml", tuple(complaints)),)


def _tables(text: str, complaints: list[Complaint]) -> dict[str, dict[str, dict[str, Any]]]:
    """The database, if it is one: tables of rows of fields."""
    try:
        database = json.loads(text)
    except (ValueError, RecursionError) as error:
        complaints.append(Complaint("/", f"config_db.json is not valid JSON: {error}"))
        return {}
    if not isinstance(database, dict):
        complaints.append(Complaint("/", "config_db.json is not an object of tables"))
        return {}
    good = {
        table: rows
        for table, rows in database.items()
        if isinstance(rows, dict) and all(isinstance(row, dict) for row in rows.values())
    }
    complaints += [Complaint(f"/{table}", "not a table of rows") for table in database if table not in good]
    return good


def _row(table: SchemaNode, key: str, row: dict[str, Any], body: Tree, complaints: list[Complaint]) -> None:
    box = table.below.get(key)
    if box is not None and box.kind == "container":
        body[key] = _fields(box, row, f"/{table.name}/{key}", complaints)
        return
    parts = key.split("|")
    lists = [
        model for model in table.below.values() if model.kind == "list" and len(model.keys) == len(parts)
    ]
    if not lists:
        complaints.append(Complaint(f"/{table.name}/{key}", f"the model has no list with {len(parts)} keys"))
        return
    for model in lists:  # several differ in their fields: `VLAN_INTERFACE` with and without an address
        errors: list[Complaint] = []
        names = dict(zip(model.keys, parts, strict=True))
        entry = names | _entry(model, row, f"/{table.name}/{key}", errors)
        if not errors or model is lists[-1]:
            complaints += errors
            body.setdefault(model.name, []).append(entry)
            return


def _entry(model: SchemaNode, row: dict[str, Any], path: str, complaints: list[Complaint]) -> Tree:
    """The fields of a row; those of a map are themselves a list of two leaves: `DSCP_TO_TC_MAP`."""
    inner = next((node for node in model.below.values() if node.kind == "list"), None)
    if inner is None:
        return _fields(model, row, path, complaints)
    field = inner.keys[0]
    value = next(name for name in inner.below if name != field)
    bad = [key for key, content in row.items() if isinstance(content, dict | list)]
    complaints += [Complaint(f"{path}/{key}", "a field of a map is text") for key in bad]
    return {inner.name: [{field: key, value: content} for key, content in row.items() if key not in bad]}


def _fields(node: SchemaNode, row: dict[str, Any], path: str, complaints: list[Complaint]) -> Tree:
    kept: Tree = {}
    for name, value in row.items():
        if name in node.below and _is_text(value):
            kept[name] = value
        elif name in node.below:
            complaints.append(Complaint(f"{path}/{name}", "a field is text, or a list of texts"))
        elif name != "NULL":
            complaints.append(Complaint(f"{path}/{name}", "the model has no such field"))
    return kept


def _is_text(value: Any) -> bool:
    """Whether a value is what the database holds."""
    return not isinstance(value, dict) and not (
        isinstance(value, list) and any(isinstance(item, dict | list) for item in value)
    )
