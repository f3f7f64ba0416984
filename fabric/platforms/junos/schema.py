"""Curly text in the terms of Juniper's models (Juniper/yang).

Curly text leaves out what a machine needs: the names of some lists, the names of keys, where a list ends. The tree of
the models tells. Class of service and what a chassis says of its boards are judged by the models of QFX (`junos-qfx`),
all else by those of Junos Evolved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from fabric.configuration import Line, Unreadable
from fabric.configuration.syntaxes.curly import parse, words_of
from fabric.diagnostics import Refused
from fabric.platforms.junos.names import unquoted
from fabric.platforms.schema import (
    Complaint,
    Instance,
    ModelSet,
    SchemaCheck,
    SchemaNode,
    Tree,
    YangModule,
    labelled,
    without_secrets,
)

EVO, QFX = "evo", "qfx"
COS = "class-of-service"
CHASSIS, BOARD = "chassis", "fpc"
PREFIXES = {EVO: "junos-conf-", QFX: "junos-qfx-conf-"}
STANZAS = {
    EVO: (
        *("root", "forwarding-options", "interfaces", "policy-options", "routing-options", "protocols"),
        *("chassis", "system", "snmp", "routing-instances", "firewall", "vlans"),
    ),
    QFX: ("root", COS, CHASSIS),
}
"""The root first: it holds all others."""
EXTENDED = "conf-with-extensions"
"""Juniper's repository holds the same models once more, with notes for its own tools."""
UNWRITTEN = ("interface", "instance", "contents", "prefix-list-item", "vlan")
"""Lists whose name is not written in curly text."""
UNNAMED = {
    "autonomous-system": "as-number",
    "input": "filter-name",
    "notify-filter": "filter",
    "preference": "metric-value",
    "server-group": "address",
    "storm-control": "profile-name",
}
"""What a word by itself is, below this one. A child of its parent's name need not be named either."""
VALUED = ("prefix-length-range", "upto", "through", "address-mask")
"""Words of a route filter that are followed by a value."""


class _UnknownError(Exception):
    """A word that has no place in the models."""


def check() -> SchemaCheck:
    """What is known of Juniper's models."""
    return SchemaCheck(
        language="yang",
        models="Juniper/yang of one release: junos-evo (or the EVO folder) and junos-qfx, conf/models",
        find=find,
        instances=instances,
    )


def find(files: Sequence[Path]) -> tuple[ModelSet, ...]:
    """The models of Evolved and of QFX. `Refused` if there is only one of them, or several."""
    homes = {name: _homes(name, files) for name in PREFIXES}
    if not any(homes.values()):
        return ()
    for name, folders in homes.items():
        if len(folders) != 1:
            listed = ", ".join(map(str, folders)) or "none"
            message = f"one folder with {PREFIXES[name]}root is needed, found: {listed}"
            raise Refused(message, "name the folders of one release, --yang may be repeated")
    return tuple(_set(name, folders[0], files) for name, folders in homes.items())


def _homes(name: str, files: Sequence[Path]) -> list[Path]:
    """Folders with the root of these models; of Evolved those that say so, where Junos lies beside it."""
    landmark = f"{PREFIXES[name]}root"
    homes = sorted({file.parent for file in files if file.name.partition("@")[0] == landmark})
    homes = [home for home in homes if EXTENDED not in home.parts]
    evolved = [home for home in homes if EVO in str(home).lower()]
    return evolved if name == EVO and len(homes) > 1 and evolved else homes


def _set(name: str, home: Path, files: Sequence[Path]) -> ModelSet:
    load = tuple(YangModule(f"{PREFIXES[name]}{stanza}") for stanza in STANZAS[name])
    here = tuple(file for file in files if file.parent == home)
    return ModelSet(name=name, files=here + _common(home, files), load=load, amend=amended)


def _common(home: Path, files: Sequence[Path]) -> tuple[Path, ...]:
    """Types that all modules import: in Juniper's repository they lie in `common/models` of the release."""
    folders = (above / "common" / "models" for above in home.parents)
    modules = (tuple(file for file in files if file.parent == folder) for folder in folders)
    return next((some for some in modules if some), ())


def amended(_name: str, text: str) -> str:
    """The text with one pattern quoted as it is meant: YANG gives a backslash in double quotes a meaning."""
    return text.replace('pattern "\\*"', "pattern '\\*'")


def instances(text: str, schemas: Mapping[str, SchemaNode]) -> tuple[Instance, ...]:
    """The configuration in two trees, one for each set of models."""
    try:
        lines = parse(without_secrets(text, "a-secret-of-some-length"))
    except Unreadable as error:
        return (Instance(EVO, {}, "xml", (Complaint("/", str(error)),)),)
    parts: dict[str, list[Line]] = {EVO: [], QFX: []}
    for line in lines:
        if words_of(line.text)[0] == COS:
            parts[QFX].append(line)
        elif line.text == CHASSIS:
            of_qfx = [below for below in line.below if words_of(below.text)[0] == BOARD]
            rest = [below for below in line.below if words_of(below.text)[0] != BOARD]
            parts[QFX] += [Line(line.text, line.number, of_qfx)] if of_qfx else []
            parts[EVO].append(Line(line.text, line.number, rest))
        else:
            parts[EVO].append(line)
    return tuple(_instance(name, parts[name], schemas[name]) for name in (EVO, QFX))


def _instance(name: str, lines: list[Line], root: SchemaNode) -> Instance:
    top = root.below["configuration"]
    tree: Tree = {}
    complaints: list[Complaint] = []
    _walk(lines, [(top, tree)], "", complaints)
    return Instance(name, {labelled(top, root): tree}, "xml", tuple(complaints))


Spot = tuple[SchemaNode, Tree]
"""A node of the models, and what has been put into it."""


def _walk(lines: list[Line], above: list[Spot], path: str, complaints: list[Complaint]) -> None:
    """Put the statements into the tree; what the models do not know is told and left out."""
    for line in lines:
        here = f"{path}/{line.text}"
        try:
            spots = _eat(words_of(line.text), above)
        except _UnknownError as error:
            complaints.append(Complaint(here, f"line {line.number}: the models have no place for {error}"))
            continue
        if isinstance(spots, str) and not line.below:
            complaints.append(Complaint(here, f"line {line.number}: {spots!r} without its name"))
        elif isinstance(spots, str):  # the keys of a list stand between the braces
            outer = _eat(words_of(line.text)[:-1], above)
            below = [Line(f"{spots} {child.text}", child.number, child.below) for child in line.below]
            _walk(below, outer if isinstance(outer, list) else above, here, complaints)
        elif line.below:
            _walk(line.below, [spots[-1]], here, complaints)


def _eat(words: list[str], above: list[Spot]) -> list[Spot] | str:
    """Take the words from the front; where the last one belongs, or the name of a list that waits for its key."""
    spots, start = list(above), len(above)
    while words:
        node, tree = spots[-1]
        name = unquoted(words[0])
        if name in node.below:
            words.pop(0)
        else:
            name = _unwritten(node)
            if not name or (node.kind == "list" and len(spots) > start and node.name not in UNNAMED):
                if len(spots) == start:
                    raise _UnknownError(repr(words[0]))
                spots.pop()
                continue
        child = node.below[name]
        if child.kind == "list":
            if not words:
                return name
            spots.append((child, _listed(node, child, tree, words)))
        elif child.kind == "container":
            spots.append((child, tree.setdefault(labelled(child, node), {})))
        else:
            _leaf(node, child, tree, words)
    return spots


def _unwritten(node: SchemaNode) -> str:
    own = node.name if node.name in node.below else UNNAMED.get(node.name, "")
    lists = (w for w in UNWRITTEN if w in node.below and node.below[w].kind == "list")
    return own if own in node.below else next(lists, "")


def _listed(above: SchemaNode, node: SchemaNode, tree: Tree, words: list[str]) -> Tree:
    """The entry of a list whose keys come next; made if it is new."""
    keys: Tree = {}
    last = ""
    for key in node.keys:
        if key == "choice-value":  # only some words of a route filter carry a value
            keys[key] = unquoted(words.pop(0)) if last in VALUED and words else ""
            continue
        if len(words) > 1 and key != "name" and words[0] == key:
            words.pop(0)
        if not words:
            raise _UnknownError(f"{node.name!r} without {key}")
        keys[key] = last = unquoted(words.pop(0))
    entries: list[Tree] = tree.setdefault(labelled(node, above), [])
    for entry in entries:
        if all(entry[key] == value for key, value in keys.items()):
            return entry
    entries.append(keys)
    return keys


def _leaf(above: SchemaNode, node: SchemaNode, tree: Tree, words: list[str]) -> None:
    label = labelled(node, above)
    if node.kind == "empty":
        tree[label] = None
        return
    values = _values(node, words)
    if node.kind == "leaf-list":
        tree.setdefault(label, []).extend(values)
    else:
        tree[label] = values[0]


def _values(node: SchemaNode, words: list[str]) -> list[str]:
    """The next word, or the words between the next brackets."""
    if not words:
        raise _UnknownError(f"{node.name!r} without a value")
    if words[0] != "[":
        return [unquoted(words.pop(0))]
    end = words.index("]") if "]" in words else len(words)
    values = [unquoted(word) for word in words[1:end]]
    del words[: end + 1]
    return values or [""]
