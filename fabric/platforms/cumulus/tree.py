"""NVUE files as paths, and back: one entry for each leaf, with its line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import yaml

from fabric.platforms.cumulus.names import natural, quoted

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
PLAIN = re.compile(
    r"(?!(?:on|off|yes|no|true|false|null|y|n)\Z)[A-Za-z][A-Za-z0-9_-]*|0|[1-9][0-9]*", re.IGNORECASE
)
"""What every YAML reader takes for the text or number that it looks like."""

Tree = dict[str, "Tree | str"]


class Leaf(msgspec.Struct, frozen=True):
    """One setting: where it stands, its path and its value; the value of `{}` is empty."""

    line: int
    path: tuple[str, ...]
    value: str


def leaves(text: str) -> tuple[Leaf, ...]:
    """The settings of all `set` blocks. What is no NVUE file is one leaf without a path, so that it is reported."""
    try:
        root = yaml.compose(text, Loader=LOADER)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        return (Leaf(mark.line + 1 if mark else 1, (), str(error)),)
    if root is None:
        return ()
    if not isinstance(root, yaml.SequenceNode):
        return (Leaf(1, (), "no list of blocks"),)
    return tuple(leaf for block in root.value for leaf in _block(block))


def _block(block: yaml.Node) -> Iterator[Leaf]:
    if not isinstance(block, yaml.MappingNode):
        yield Leaf(block.start_mark.line + 1, (), "no block")
        return
    for key, value in block.value:
        if key.value == "set":
            yield from _walk(value, ())
        elif key.value != "header":
            yield Leaf(key.start_mark.line + 1, (), str(key.value))


def _walk(node: yaml.Node, path: tuple[str, ...]) -> Iterator[Leaf]:
    if isinstance(node, yaml.MappingNode) and node.value:
        for key, value in node.value:
            yield from _walk(value, (*path, str(key.value)))
    else:
        value = node.value if isinstance(node, yaml.ScalarNode) else ""
        yield Leaf(node.start_mark.line + 1, path, value)


def grow(found: tuple[Leaf, ...]) -> Tree:
    """The tree of all leaves that have a path; later ones win."""
    root: Tree = {}
    for leaf in found:
        here = root
        for step in leaf.path[:-1]:
            below = here.get(step)
            if not isinstance(below, dict):
                below = here[step] = {}
            here = below
        if leaf.path and not (leaf.value == "" and leaf.path[-1] in here):
            here[leaf.path[-1]] = leaf.value or {}
    return root


def printed(tree: Mapping[str, Any], depth: int) -> Iterator[str]:
    """Lines of a tree, keys in natural order, two spaces a level."""
    indent = "  " * depth
    for key in sorted(tree, key=natural):
        value = tree[key]
        if isinstance(value, str):
            yield f"{indent}{scalar(key)}: {scalar(value)}"
        elif value:
            yield f"{indent}{scalar(key)}:"
            yield from printed(value, depth + 1)
        else:
            yield f"{indent}{scalar(key)}: {{}}"


def scalar(text: str) -> str:
    """A key or value, quoted unless it is plain to every reader."""
    if PLAIN.fullmatch(text):
        return text
    if text.isprintable() and text.isascii():
        return "'" + text.replace("'", "''") + "'"
    return quoted(text)
