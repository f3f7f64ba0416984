"""Juniper's models as a tree, and curly text as the XML that libyang validates.

The tree is what `yanglint -f tree` prints of the models: which statements are leaves, and what keys lists have.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from xml.sax.saxutils import escape

import msgspec

from fabric.platforms.junos.curly import Statement, unquoted

STANZAS = (
    *("root", "class-of-service", "forwarding-options", "interfaces", "policy-options", "routing-options"),
    *("protocols", "chassis", "system", "snmp", "routing-instances", "firewall", "vlans"),
)
"""The first one holds all others."""
UNWRITTEN = ("interface", "instance", "contents", "prefix-list-item", "vlan")
"""Lists whose name is not written in curly text."""
VALUED = ("prefix-length-range", "upto", "through", "address-mask")
"""Words of a route filter that are followed by a value."""
LINE = re.compile(
    r"^([ |]*)\+--(?:(?:rw|ro|x|n|u)\s+)?(:?\()?([^\s()?!*\[]+)\)?([?!*]?)\s*(\[[^\]]*\])?\s*(.*)$"
)


class Wrong(Exception):
    """A statement that the models do not know."""


class Node(msgspec.Struct):
    """One node of a model."""

    kind: str
    """`container`, `list`, `leaf`, `leaf-list` or `empty`."""
    namespace: str
    keys: tuple[str, ...] = ()
    below: dict[str, Node] = msgspec.field(default_factory=dict)


class Element(msgspec.Struct):
    """One element of the XML."""

    name: str
    node: Node
    key: tuple[str, ...] = ()
    text: str | None = None
    below: list[Element] = msgspec.field(default_factory=list)

    def child(self, name: str, node: Node, key: tuple[str, ...] = ()) -> Element:
        for one in self.below:
            if (one.name, one.key) == (name, key):
                return one
        self.below.append(Element(name, node, key))
        return self.below[-1]

    def xml(self, outside: str = "") -> str:
        space = self.node.namespace
        opened = self.name if space == outside else f'{self.name} xmlns="{space}"'
        inner = escape(self.text) if self.text is not None else "".join(one.xml(space) for one in self.below)
        return f"<{opened}>{inner}</{self.name}>"


def model_files(folder: Path) -> list[Path]:
    """The files of the stanzas that we write, the root first."""
    found = (sorted(folder.glob(f"junos*-conf-{word}@*")) for word in STANZAS)
    return [file for files in found for file in files]


def load(folder: Path) -> Node:
    """The tree below `configuration`."""
    files = model_files(folder)
    command = ["yanglint", "-p", str(folder), "-f", "tree", *map(str, files)]
    tree = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
    spaces = {}
    for file in files:
        head = file.read_text(errors="replace")[:20_000]
        space, prefix = (re.search(rf'{w}\s+"?([^";]+)"?;', head) for w in ("namespace", "prefix"))
        spaces[prefix[1]] = space[1]
    return _tree(tree, spaces)


def _tree(text: str, spaces: dict[str, str]) -> Node:
    root = Node("container", spaces["jc"])
    stack: list[tuple[int, Node]] = [(-1, root)]
    skipped: int | None = None
    for line in text.splitlines():
        match = LINE.match(line)
        if line.startswith("module:") and "root" not in line:
            break
        if not match or (skipped is not None and len(match[1]) > skipped):
            continue
        skipped, depth = None, len(match[1])
        prefix, _, name = match[3].rpartition(":")
        while stack[-1][0] >= depth:
            stack.pop()
        if name == "groups":
            skipped = depth
        elif match[2]:  # choices and cases are not written
            stack.append((depth, stack[-1][1]))
        else:
            node = Node(_kind(match), spaces.get(prefix or "jc", ""), tuple((match[5] or "[]")[1:-1].split()))
            stack.append((depth, stack[-1][1].below.setdefault(name, node)))
    return root.below["configuration"]


def _kind(match: re.Match[str]) -> str:
    if match[5]:
        return "list"
    if match[4] == "*":
        return "leaf-list"
    if match[6].strip():
        return "empty" if match[6].strip() == "empty" else "leaf"
    return "container"


def to_xml(statements: list[Statement], schema: Node) -> str:
    """The configuration as XML. `Wrong` names what the models do not know."""
    top = Element("configuration", schema)
    _walk(statements, top)
    return top.xml()


def _walk(statements: list[Statement], above: Element) -> None:
    for one in statements:
        words = list(one.words)
        pending = _eat(words, [above])
        if isinstance(pending, str):  # the keys stand between the braces
            _walk(
                [Statement(b.number, [pending, *b.words], b.below) for b in one.below or []],
                above_of(above, one),
            )
        elif one.below:
            _walk(one.below, pending)


def above_of(above: Element, one: Statement) -> Element:
    """Where a list hangs whose keys are not on its own line."""
    found = _eat(one.words[:-1], [above])
    assert isinstance(found, Element)
    return found


def _eat(words: list[str], stack: list[Element]) -> Element | str:
    """Take the words from the front; the element that the last one belongs to, or a list that waits for its key."""
    while words:
        here = stack[-1]
        known = here.node.below
        name = unquoted(words[0])
        if name in known:
            words.pop(0)
        else:
            name = next((w for w in UNWRITTEN if w in known and known[w].kind == "list"), "")
            if not name or (here.node.kind == "list" and len(stack) > 1):
                if len(stack) == 1:
                    raise Wrong(words[0])
                stack.pop()
                continue
        node = known[name]
        if node.kind == "list":
            if not words:
                return name
            stack.append(_listed(here, name, node, words))
        elif node.kind in ("container", "empty"):
            made = here.child(name, node)
            if node.kind == "container":
                stack.append(made)
        else:
            _leaf(here, name, node, words)
    return stack[-1]


def _listed(here: Element, name: str, node: Node, words: list[str]) -> Element:
    values: list[str] = []
    for key in node.keys:
        if key == "choice-value":  # only some words of a route filter carry a value
            values.append(unquoted(words.pop(0)) if values[-1] in VALUED else "")
            continue
        if len(words) > 1 and key != "name" and words[0] == key:
            words.pop(0)
        if not words:
            raise Wrong(f"{name} without {key}")
        values.append(unquoted(words.pop(0)))
    made = here.child(name, node, tuple(values))
    if not made.below:
        for key, value in zip(node.keys, values, strict=True):
            made.below.append(Element(key, node.below[key], text=value))
    return made


def _leaf(here: Element, name: str, node: Node, words: list[str]) -> None:
    if not words:
        raise Wrong(f"{name} without a value")
    values = [words.pop(0)]
    if values == ["["]:
        end = words.index("]")
        values = words[:end]
        del words[: end + 1]
    for value in values if node.kind == "leaf-list" else values[:1]:
        here.below.append(Element(name, node, (unquoted(value),), unquoted(value)))


def messages(xml: str, folder: Path, scratch: Path) -> str:
    """What libyang has to say of it; empty: nothing."""
    file = scratch / "config.xml"
    file.write_text(xml)
    command = ["yanglint", "-p", str(folder), "-t", "config", *map(str, model_files(folder)), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    return done.stderr or ("" if done.returncode == 0 else f"exit {done.returncode}")
