"""One value of a YAML text changed or added; every other byte of it stays, comments and layout too."""

from __future__ import annotations

import json
import re
from typing import Any

import yaml

from fabric.diagnostics import Path

PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_./-]*")
"""Texts that need no quotes, unless a reader takes them for something else."""
WORDS = frozenset(("true", "false", "null", "yes", "no", "on", "off", "y", "n"))


def with_value(text: str, path: Path, value: Any) -> str:
    """The text with `value` at `path`: in the place of what stands there, or as a new key where nothing does.

    Values are scalars, or lists and mappings of them. `KeyError` if the path leads through something that is not a
    mapping or list, or to an item that a list does not have.
    """
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    if root is None:
        return (
            text
            + (f"\n{path[0]}: " if text and not text.endswith("\n") else f"{path[0]}: ")
            + (_flow(_nested(path[1:], value)) + "\n")
        )
    node, rest = _deepest(root, path)
    if not rest:
        return text[: node.start_mark.index] + _flow(value) + text[_end(node) :]
    if not isinstance(node, yaml.MappingNode) or isinstance(rest[0], int):
        raise KeyError(path)
    return _added(text, node, str(rest[0]), _flow(_nested(rest[1:], value)))


def _deepest(node: yaml.Node, path: Path) -> tuple[yaml.Node, Path]:
    """The node nearest to a path, and the steps that are left."""
    for at, step in enumerate(path):
        below = _child(node, step)
        if below is None:
            return node, path[at:]
        node = below
    return node, ()


def _child(node: yaml.Node, step: str | int) -> yaml.Node | None:
    if isinstance(node, yaml.MappingNode):
        return next((value for key, value in node.value if key.value == str(step)), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step]  # type: ignore[no-any-return]  # PyYAML has no types for it
    return None


def _added(text: str, node: yaml.MappingNode, key: str, value: str) -> str:
    """A key at the end of a mapping: inside its braces, or on a line of its own."""
    if node.flow_style:
        last = node.value[-1][1].end_mark.index if node.value else node.start_mark.index + 1
        return f"{text[:last]}{', ' if node.value else ''}{key}: {value}{text[last:]}"
    end = _end(node)
    newline = text.find("\n", end)
    at = len(text) if newline < 0 else newline
    return f"{text[:at]}\n{' ' * node.value[0][0].start_mark.column}{key}: {value}{text[at:]}"


def _end(node: yaml.Node) -> int:
    """Where the last value of a block ends; PyYAML counts the blank lines and comments behind it too."""
    while isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        node = last[1] if isinstance(last, tuple) else last
    return int(node.end_mark.index)


def _nested(steps: Path, value: Any) -> Any:
    for step in reversed(steps):
        value = {step: value}
    return value


def _flow(value: Any) -> str:
    """On one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if isinstance(value, str) and PLAIN.fullmatch(value) and value.lower() not in WORDS:
        return value
    return json.dumps(value, ensure_ascii=False)
