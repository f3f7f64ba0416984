"""Nothing that an intent may say is dropped in silence: some code reads each of its fields."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import msgspec

import fabric
from fabric.intent import model

ROOT = Path(fabric.__file__).parent


def names_read() -> frozenset[str]:
    """Names of attributes, and of keys of documents, that are read anywhere but in the model of the intent itself."""
    own = ROOT / "intent" / "model"
    paths = [path for path in ROOT.rglob("*.py") if own not in path.parents]
    nodes = [node for path in paths for node in ast.walk(ast.parse(path.read_bytes()))]
    attributes = {n.attr for n in nodes if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Load)}
    keys = {n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    return frozenset(attributes | keys)


def test_every_field_of_the_intent_is_read():
    modules = [import_module(f"{model.__name__}.{info.name}") for info in iter_modules(model.__path__)]
    structs = {
        value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, msgspec.Struct)
    }
    read = names_read() | {"devices_csv", "hosts_csv"}  # by tables of a kind: `f"{kind}_csv"`

    assert len(structs) > 50
    assert not [
        f"{one.__name__}.{name}" for one in structs for name in one.__struct_fields__ if name not in read
    ]
