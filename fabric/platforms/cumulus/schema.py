"""NVUE files in the terms of the product's own `openapi.json`.

The switch serves it at `/nvue_v1/openapi.json` (NVUE manual, "NVUE Object Model": OpenAPI 3.0.2). The `set` blocks of
a file are what a PATCH of the root would carry ("NVUE API": root patch).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from fabric.platforms.schema import Complaint, Instance, SchemaCheck, SchemaNode, Tree, without_secrets

ROOT = "/"
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def check() -> SchemaCheck:
    """What is known of NVUE's schema."""
    return SchemaCheck(
        language="openapi",
        models="the openapi.json of the release (https://SWITCH:8765/nvue_v1/openapi.json)",
        instances=instances,
    )


def instances(text: str, _schemas: Mapping[str, SchemaNode]) -> tuple[Instance, ...]:
    """All `set` blocks as one tree."""
    complaints: list[Complaint] = []
    tree: Tree = {}
    for block in _blocks(without_secrets(text, "secret"), complaints):
        _merge(tree, block)
    return (Instance(ROOT, tree, complaints=tuple(complaints)),)


def _blocks(text: str, complaints: list[Complaint]) -> Iterator[Tree]:
    try:
        loaded = yaml.load(text, Loader=LOADER)  # noqa: S506  # the safe one
    except yaml.YAMLError as error:
        complaints.append(Complaint(ROOT, f"not YAML: {error}"))
        return
    for number, block in enumerate(loaded if isinstance(loaded, list) else [loaded]):
        if isinstance(block, dict) and isinstance(block.get("set", {}), dict):
            yield _plain(block.get("set", {}))
        else:
            complaints.append(Complaint(ROOT, f"block {number} is not a mapping with `set`"))


def _plain(value: Any) -> Any:
    """As JSON has it: keys are text."""
    if isinstance(value, dict):
        return {str(key): _plain(below) for key, below in value.items()}
    if isinstance(value, list):
        return [_plain(entry) for entry in value]
    return value


def _merge(tree: Tree, other: Tree) -> None:
    for key, value in other.items():
        if isinstance(value, dict) and isinstance(tree.get(key), dict):
            _merge(tree[key], value)
        else:
            tree[key] = value
