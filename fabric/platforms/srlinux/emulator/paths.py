"""Paths of gNMI's form, `/interface[name=mgmt0]/description`, in a tree of JSON-IETF."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from fabric.platforms.srlinux.documents import merge
from fabric.platforms.srlinux.emulator.errors import RpcError
from fabric.platforms.srlinux.names import bare

Tree = dict[str, Any]
STEP = re.compile(r"/([^/\[\]]+)((?:\[[^\]]*\])*)")
KEY = re.compile(r"\[([^=\]]+)=([^\]]*)\]")
EVERY = "*"


class Step(NamedTuple):
    """A name, and the keys of an entry of a list."""

    name: str
    keys: Mapping[str, str]

    def fits(self, entry: object) -> bool:
        """Whether it names this entry."""
        if not isinstance(entry, dict):
            return False
        leaves = {bare(name): value for name, value in entry.items()}
        return all(word == EVERY or str(leaves.get(key)) == word for key, word in self.keys.items())


def parsed(path: str) -> tuple[Step, ...]:
    """A path's steps; none for the root. `RpcError` if it is not a path."""
    if path in ("/", ""):
        return ()
    steps = [Step(bare(match[1]), dict(KEY.findall(match[2]))) for match in STEP.finditer(path)]
    if STEP.sub("", path) or not steps:
        message = f"Path not valid - failed to parse '{path}'"
        raise RpcError(message)
    return tuple(steps)


def at(tree: Any, steps: tuple[Step, ...]) -> Any:
    """What stands there; an empty object if nothing does. With a `*` in the path: inside the lists it goes through."""
    if not steps:
        return tree
    step, rest = steps[0], steps[1:]
    name = spelled(tree, step.name)
    value = tree.get(name) if isinstance(tree, dict) else None
    if value is None:
        return {}
    if not isinstance(value, list) or not step.keys:
        return at(value, rest)
    entries = [entry for entry in value if step.fits(entry)]
    if EVERY not in step.keys.values():
        return at(entries[0], rest) if entries else {}
    if not rest:
        return {name: entries} if entries else {}
    return {name: [_narrowed(entry, step, rest) for entry in entries if at(entry, rest)]}


def _narrowed(entry: Tree, step: Step, rest: tuple[Step, ...]) -> Tree:
    """An entry with its keys, and only what the rest of the path names."""
    narrow: Tree = {key: value for key, value in entry.items() if bare(key) in step.keys}
    inner, inside = narrow, entry
    for below in rest[:-1]:
        name = spelled(inside, below.name)
        inside, inner[name] = inside[name], {}
        inner = inner[name]
    last = spelled(inside, rest[-1].name)
    inner[last] = at(inside, rest[-1:])
    return narrow


def spelled(tree: Any, name: str) -> str:
    """How a tree writes a name: with its module or without."""
    if not isinstance(tree, dict):
        return name
    return next((key for key in tree if bare(key) == name), name)


def changed(tree: Tree, action: str, path: str, value: Any) -> Tree:
    """A copy of a tree with one command carried out. `RpcError` if it cannot be."""
    steps = parsed(path)
    if action not in ("replace", "update", "delete"):
        message = f"Invalid action '{action}'"
        raise RpcError(message)
    if action != "delete" and value is None:
        message = f"Value is missing for path '{path}'"
        raise RpcError(message)
    new = copy.deepcopy(tree)
    if not steps:
        return _whole(new, action, value)
    holder: Any = new
    for step in steps[:-1]:
        holder = _entered(holder, step)
    _applied(holder, steps[-1], action, value)
    return new


def _whole(tree: Tree, action: str, value: Any) -> Tree:
    if action == "delete":
        return {}
    if not isinstance(value, dict):
        message = "Failed to parse value for path '/' - expected an object"
        raise RpcError(message)
    if action == "replace":
        return copy.deepcopy(value)
    merge(tree, copy.deepcopy(value))
    return tree


def _entered(holder: Tree, step: Step) -> Tree:
    """The container or entry of a step, made if it is not there."""
    name = spelled(holder, step.name)
    inner: Any = holder.setdefault(name, [] if step.keys else {})
    if not isinstance(inner, list if step.keys else dict):
        message = f"Path not valid - '{step.name}' has no such children"
        raise RpcError(message)
    if not step.keys:
        return dict_of(inner)
    entries = list_of(inner)
    entry = next((entry for entry in entries if step.fits(entry)), None)
    if entry is None:
        entry = dict(step.keys)
        entries.append(entry)
    return entry


def dict_of(value: Any) -> Tree:
    """The same, known to be an object."""
    known: Tree = value
    return known


def list_of(value: Any) -> list[Any]:
    """The same, known to be a list."""
    known: list[Any] = value
    return known


def _applied(holder: Tree, step: Step, action: str, value: Any) -> None:
    name = spelled(holder, step.name)
    if not step.keys:
        if action == "update" and isinstance(value, dict) and isinstance(holder.get(name), dict):
            merge(holder[name], copy.deepcopy(value))
        elif action == "delete":
            holder.pop(name, None)
        else:
            holder[name] = copy.deepcopy(value)
        return
    entries = holder.setdefault(name, [])
    if not isinstance(entries, list) or not (value is None or isinstance(value, dict)):
        message = f"Path not valid - '{step.name}' is not a list, or its entry is not an object"
        raise RpcError(message)
    if action != "update":
        entries[:] = [entry for entry in entries if not step.fits(entry)]
    if action != "delete":
        merge(_entered(holder, step), copy.deepcopy(value or {}))
    elif not entries:
        del holder[name]
