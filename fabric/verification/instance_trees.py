"""Instance trees: printing them as XML, and taking out what a validator has named, so that it can say more."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from xml.sax.saxutils import escape

import msgspec

from fabric.platforms.schema import SchemaNode, Tree

_STEP = re.compile(r"/(?:[\w.-]+:)?([\w.-]+)((?:\[(?:[^\]'\"]|'[^']*'|\"[^\"]*\")*\])*)")
_KEY = re.compile(r"\[(?:[\w.-]+:)?([\w.-]+)=(?:'([^']*)'|\"([^\"]*)\")\]")


class Step(msgspec.Struct, frozen=True):
    """One step of a data path."""

    name: str
    keys: Mapping[str, str]
    """What an entry of a list must hold; `.` for the entry of a leaf-list itself."""


class Spot(msgspec.Struct, frozen=True):
    """A value where it can be taken out."""

    holder: Any
    """A dictionary or a list."""
    at: str | int
    schema: SchemaNode | None

    @property
    def value(self) -> Any:
        """The value there."""
        return self.holder[self.at]


def steps(path: str) -> tuple[Step, ...]:
    """A data path as libyang prints it: `/m:box/list[key='a/b']/leaf`."""
    matches = _STEP.finditer(path)
    return tuple(
        Step(match[1], {key[1]: key[2] or key[3] or "" for key in _KEY.finditer(match[2])})
        for match in matches
    )


def to_xml(tree: Tree, spaces: Mapping[str, str]) -> str:
    """A tree as XML; `spaces` maps module names to name spaces."""
    return "".join(_elements(name, value, spaces) for name, value in tree.items())


def _elements(label: str, value: Any, spaces: Mapping[str, str]) -> str:
    module, _, name = label.rpartition(":")
    opened = f'{name} xmlns="{escape(spaces[module])}"' if module else name
    values = value if isinstance(value, list) else [value]
    return "".join(f"<{opened}>{_inside(item, spaces)}</{name}>" for item in values)


def _inside(value: Any, spaces: Mapping[str, str]) -> str:
    if isinstance(value, dict):
        return to_xml(value, spaces)
    return "" if value is None else escape(_word(value))


def _word(value: Any) -> str:
    """A scalar as written in a message."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def take_out(tree: Tree, root: SchemaNode, path: tuple[Step, ...], value: str | None) -> set[str] | None:
    """Take what `path` names out of the tree: the entry of the list if it is a key. Returns the scalars that went.

    A path may name a list without saying which entry; then the one is taken whose scalar is `value`. None: it is
    not in the tree.
    """
    for spots in _trails(tree, root, path):
        last = spots[-1]
        if value is not None and not isinstance(last.value, dict | list) and _word(last.value) != value:
            continue
        entry = _entry_of_key(spots)
        gone = set(_scalars(entry.value))
        del entry.holder[entry.at]
        return gone
    return None


def _entry_of_key(spots: tuple[Spot, ...]) -> Spot:
    """What has to go with the last one: the entry that it is the key of, or only itself."""
    last = spots[-1]
    above = spots[-2] if len(spots) > 1 else None
    is_key = above is not None and above.schema is not None and last.at in above.schema.keys
    return above if is_key and above is not None else last


def _trails(tree: Tree, root: SchemaNode, path: tuple[Step, ...]) -> Iterator[tuple[Spot, ...]]:
    """Every way down that fits the path."""
    if not path:
        return
    step, rest = path[0], path[1:]
    known = root.below.get(step.name)
    for label in [label for label in tree if label.rpartition(":")[2] == step.name]:
        for spot in _spots(tree, label, step, known):
            if not rest:
                yield (spot,)
            elif isinstance(spot.value, dict) and known is not None:
                yield from ((spot, *more) for more in _trails(spot.value, known, rest))


def _spots(tree: Tree, label: str, step: Step, known: SchemaNode | None) -> Iterator[Spot]:
    if not isinstance(tree[label], list):
        yield Spot(tree, label, known)
        return
    for index, entry in enumerate(tree[label]):
        fields = entry if isinstance(entry, dict) else {".": entry}
        if all(_word(fields.get(key)).rpartition(":")[2] == _tail(text) for key, text in step.keys.items()):
            yield Spot(tree[label], index, known)


def _tail(text: str) -> str:
    """An identity's name without its module, which instance data may leave out."""
    return text.rpartition(":")[2]


def _scalars(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for item in value.values():
            yield from _scalars(item)
    elif isinstance(value, list):
        for item in value:
            yield from _scalars(item)
    else:
        yield _word(value)
