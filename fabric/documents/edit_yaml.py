"""One value of a YAML text changed or added; every other byte of it stays, comments and layout too."""

from __future__ import annotations

import json
import re
from typing import Any

import yaml

from fabric.diagnostics import Path

PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_./-]*")
"""Texts that need no quotes, unless a reader takes them for something else."""
ANCHOR = re.compile(r"(?:!\S*\s+)?&|\*")
"""What a value begins with that others may be an alias of, or that is an alias."""
BLOCKS = ("|", ">")
"""Styles of texts of whole lines: the line end is part of them."""
NULL = "tag:yaml.org,2002:null"
WORDS = frozenset(("true", "false", "null", "yes", "no", "on", "off", "y", "n"))


class SharedValue(ValueError):
    """The value has a YAML anchor, or is inside one that has: its aliases would change with it."""


def with_value(text: str, path: Path, value: Any) -> str:
    """The text with `value` at `path`: in the place of what stands there, or as a new key where nothing does.

    Values are scalars, or lists and mappings of them. Line breaks that are added are those of the text. `KeyError` if
    the path leads through something that is not a mapping or list, or to an item that a list does not have;
    `SharedValue` if it leads through an anchor or an alias.
    """
    root = yaml.compose(
        text.replace("\t", " "), Loader=_Loader
    )  # before a comment PyYAML takes no tab, libyaml does
    if root is None:
        line = f"{path[0]}: {as_yaml(_nested(path[1:], value))}{_line_break(text)}"
        return text + (_line_break(text) if text and not text.endswith("\n") else "") + line
    node, rest = _deepest(text, root, path)
    if rest and isinstance(node, yaml.ScalarNode) and node.tag == NULL:
        value, rest = _nested(rest, value), ()  # nothing stands there yet
    if not rest:
        start = node.start_mark.index
        space = " " if start == _end(node) and text[start - 1 : start] in (":", "-") else ""
        line_end = _line_break(text) if _is_block(node) else ""
        return text[:start] + space + as_yaml(value) + line_end + text[_end(node) :]
    if not isinstance(node, yaml.MappingNode) or isinstance(rest[0], int):
        raise KeyError(path)
    return _added(text, node, str(rest[0]), as_yaml(_nested(rest[1:], value)))


class _Loader(yaml.SafeLoader):
    """Aliases stay where they stand: PyYAML puts the node of their anchor there, with its place."""

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        """One node; an alias is a text of its own."""
        if not self.check_event(yaml.AliasEvent):
            return super().compose_node(parent, index)
        event: Any = self.get_event()  # type: ignore[no-untyped-call]
        return yaml.ScalarNode("alias", f"*{event.anchor}", event.start_mark, event.end_mark)


def _line_break(text: str) -> str:
    """As the first line ends."""
    at = text.find("\n")
    return "\r\n" if at > 0 and text[at - 1] == "\r" else "\n"


def _deepest(text: str, node: yaml.Node, path: Path) -> tuple[yaml.Node, Path]:
    """The node nearest to a path, and the steps that are left."""
    for at, step in enumerate(path):
        below = _child(node, step)
        if below is None:
            if at + 1 < len(path) and _child(node, "<<") is not None:
                raise SharedValue(path[: at + 1])  # what is merged in may have the key, and more below it
            return node, path[at:]
        node = below
        if ANCHOR.match(text, node.start_mark.index):  # an alias is the node of its anchor
            raise SharedValue(path[: at + 1])
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
    end, line = _end(node), f"{' ' * node.value[0][0].start_mark.column}{key}: {value}"
    if _is_block(_last(node)) and text[end - 1] == "\n":
        return f"{text[:end]}{line}{_line_break(text)}{text[end:]}"
    newline = text.find("\n", end)
    at = len(text) if newline < 0 else newline - (text[newline - 1] == "\r")
    return f"{text[:at]}{_line_break(text)}{line}{text[at:]}"


def _is_block(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.style in BLOCKS


def _last(node: yaml.Node) -> yaml.Node:
    """The last value in a block."""
    while isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        node = last[1] if isinstance(last, tuple) else last
    return node


def _end(node: yaml.Node) -> int:
    """Where the last value of a block ends; PyYAML counts the blank lines and comments behind it too."""
    return int(_last(node).end_mark.index)


def _nested(steps: Path, value: Any) -> Any:
    for step in reversed(steps):
        value = {step: value}
    return value


def as_yaml(value: Any) -> str:
    """A value as YAML on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {as_yaml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(as_yaml, value)) + "]"
    if isinstance(value, str) and PLAIN.fullmatch(value) and value.lower() not in WORDS:
        return value
    return json.dumps(value, ensure_ascii=False)
